import { expect, test } from 'vitest'
import { isFresh, proofFor, rememberDevice, type Pair } from './known-devices.ts'

const DAY_MS = 86_400_000
const signer = { key: Buffer.alloc(32, 7), nowMs: 20_000 * DAY_MS }
const pair: Pair = { instanceId: 'nordklar', reference: '12345674', zip: '11122' }
const remember = (p: Pair = pair, sent?: string): string =>
  rememberDevice(signer, p, { sent, isHttps: false })
const isKnown = (by: typeof signer, of: Pair, sent: string | undefined): boolean =>
  proofFor(by, of, { sent, isHttps: false }) !== undefined
const sentBack = (setCookie: string): string => setCookie.split(';', 1)[0] ?? ''

test('a device is known by the pair that it showed, and by no other', () => {
  const cookie = sentBack(remember())
  expect(isKnown(signer, pair, `a=b; ${cookie}`)).toBe(true)
  for (const other of [{ reference: '12345682' }, { zip: '11123' }, { instanceId: 'fjellklar' }]) {
    expect(isKnown(signer, { ...pair, ...other }, cookie)).toBe(false)
  }
})

test('the proof cannot be made or changed without the key', () => {
  const cookie = sentBack(remember())
  const otherKey = { ...signer, key: Buffer.alloc(32, 8) }
  expect(isKnown(otherKey, pair, cookie)).toBe(false)
  const last = cookie.at(-2) === 'A' ? 'B' : 'A'
  expect(isKnown(signer, pair, `${cookie.slice(0, -2)}${last}${cookie.at(-1)}`)).toBe(false)
  expect(isKnown(signer, pair, cookie.replace('=', '=z'))).toBe(false)
  for (const none of [undefined, '', 'kvitt_known=', 'kvitt_known=.', 'kvitt_known=~~~', 'x_kvitt_known=a']) {
    expect(isKnown(signer, pair, none)).toBe(false)
  }
})

test('the proof runs out after 180 days', () => {
  const cookie = sentBack(remember())
  const after = (days: number) => ({ ...signer, nowMs: signer.nowMs + days * DAY_MS })
  expect(isKnown(after(180), pair, cookie)).toBe(true)
  expect(isKnown(after(181), pair, cookie)).toBe(false)
})

test('a proof is made anew after a month, in the place of the older one', () => {
  const day = (days: number) => ({ ...signer, nowMs: signer.nowMs + days * DAY_MS })
  const first = sentBack(remember())
  const proof = proofFor(signer, pair, { sent: first, isHttps: false }) ?? ''
  expect([isFresh(day(29), proof), isFresh(day(31), proof)]).toEqual([true, false])
  const renewed = sentBack(rememberDevice(day(170), pair, { sent: first, isHttps: false }))
  expect(renewed.split('~')).toHaveLength(1)
  expect([isKnown(day(340), pair, renewed), isKnown(day(340), pair, first)]).toEqual([true, false])
})

test('a browser keeps its last sixty pairs, in less than 2 kB', () => {
  const pairs = Array.from({ length: 62 }, (_, n) => ({ ...pair, reference: `1000${n}` }))
  let cookie = ''
  for (const p of pairs) cookie = sentBack(remember(p, cookie))
  const known = pairs.map((p) => isKnown(signer, p, cookie))
  expect(known).toEqual([false, false, ...Array.from({ length: 60 }, () => true)])
  expect(cookie.length).toBeLessThan(2000)
})

test('no script reads the cookie, and no other site sends it', () => {
  const cookie = remember()
  for (const mark of ['HttpOnly', 'SameSite=Strict', 'Path=/', 'Max-Age=15552000']) {
    expect(cookie.split('; ')).toContain(mark)
  }
  expect(cookie).not.toContain('Secure')
  const safe = rememberDevice(signer, pair, { sent: undefined, isHttps: true })
  expect(safe).toMatch(/^__Host-kvitt_known=/)
  expect(safe).toContain('; Secure')
  // What a sibling host may have set counts for nothing.
  expect(proofFor(signer, pair, { sent: sentBack(safe), isHttps: true })).toBeDefined()
  expect(proofFor(signer, pair, { sent: sentBack(cookie), isHttps: true })).toBeUndefined()
  expect(cookie).not.toContain(pair.reference)
})
