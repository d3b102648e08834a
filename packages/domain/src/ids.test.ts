import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isUuid, uuidV7 } from './ids.ts'

const tenBytes = fc.uint8Array({ minLength: 10, maxLength: 10 })
const instant = fc.integer({ min: 0, max: 2 ** 48 - 1 })

// RFC 9562, appendix A.6: 2022-02-22T19:22:22Z, rand_a CC3, rand_b 18C4DC0C0C07398F.
test('the example of the standard', () => {
  const random = Uint8Array.from([0x0c, 0xc3, 0x18, 0xc4, 0xdc, 0x0c, 0x0c, 0x07, 0x39, 0x8f])
  expect(uuidV7(0x017f22e279b0, random)).toBe('017f22e2-79b0-7cc3-98c4-dc0c0c07398f')
})

test('every identifier is a version 7 UUID that carries its time and its chance', () => {
  fc.assert(
    fc.property(instant, tenBytes, (epochMs, random) => {
      const id = uuidV7(epochMs, random)
      expect(isUuid(id)).toBe(true)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(epochMs)
      expect(id.slice(-12)).toBe(
        Array.from(random.subarray(4), (byte) => byte.toString(16).padStart(2, '0')).join(''),
      )
    }),
  )
})

test('later identifiers sort after earlier ones', () => {
  fc.assert(
    fc.property(instant, instant, tenBytes, tenBytes, (a, b, x, y) => {
      fc.pre(a !== b)
      expect(uuidV7(a, x) < uuidV7(b, y)).toBe(a < b)
    }),
  )
})

test.each([
  '',
  'not-an-id',
  '017F22E2-79B0-7CC3-98C4-DC0C0C07398F',
  '017f22e279b07cc398c4dc0c0c07398f',
  '00000000-0000-0000-0000-000000000000',
])('"%s" is not an identifier of ours', (text) => {
  expect(isUuid(text)).toBe(false)
})
