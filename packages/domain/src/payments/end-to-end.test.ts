import { expect, test } from 'vitest'
import { endToEndId, paymentIdOfEndToEnd } from './end-to-end.ts'

const ID = '0198e1c0-5a1b-7c3d-8e4f-0123456789ab'

test('an id comes back as it went, whatever the case that the bank writes it in', () => {
  expect(endToEndId(ID)).toBe('0198e1c05a1b7c3d8e4f0123456789ab')
  expect(paymentIdOfEndToEnd(endToEndId(ID))).toBe(ID)
  expect(paymentIdOfEndToEnd(` ${endToEndId(ID).toUpperCase()} `)).toBe(ID)
})

test.each(['', 'NOTPROVIDED', ID, `${endToEndId(ID)}0`, endToEndId(ID).slice(1), 'g'.repeat(32)])(
  '"%s" is not one of ours',
  (text) => {
    expect(paymentIdOfEndToEnd(text)).toBeUndefined()
  },
)
