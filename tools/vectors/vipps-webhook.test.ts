import { expect, test } from 'vitest'
import { isVippsCallGenuine, vippsAuthorization, type VippsCall, type VippsDigests } from './vipps-webhook.ts'

/** Digests that can be read: what the rule makes of them is looked at here, the real ones by the vectors. */
const DIGESTS: VippsDigests = {
  sha256: (bytes) => `sha256(${String(bytes)})`,
  hmacSha256: (key, message) => `hmac(${key}|${message})`,
  isSame: (given, expected) => given === expected,
}
const bytesOf = (text: string) => Uint8Array.from(text, (sign) => sign.charCodeAt(0))
const NOW = Date.parse('2026-11-20T12:00:00Z')
const SECRET = 'test-secret-0123456789'
const body = bytesOf('{"reference":"acme-shop-123","name":"CAPTURED"}')
const unsigned = {
  pathAndQuery: '/api/callbacks/vipps/a?x=1',
  host: 'portal.example.com',
  date: 'Fri, 20 Nov 2026 12:00:00 GMT',
  contentSha256: DIGESTS.sha256(body),
}
const CALL: VippsCall = { ...unsigned, body, authorization: vippsAuthorization(unsigned, SECRET, DIGESTS) }

test('a call that Vipps has signed is genuine, also while the secret is being changed', () => {
  expect(isVippsCallGenuine(CALL, [SECRET], { ...DIGESTS, nowMs: NOW })).toBe(true)
  expect(isVippsCallGenuine(CALL, ['the-new-one', SECRET], { ...DIGESTS, nowMs: NOW })).toBe(true)
})

test.each<[string, Partial<VippsCall>]>([
  ['another body', { body: bytesOf('{"reference":"acme-shop-124","name":"CAPTURED"}') }],
  ['another body under its own hash', { body: bytesOf('{}'), contentSha256: DIGESTS.sha256(bytesOf('{}')) }],
  ['another path', { pathAndQuery: '/api/callbacks/vipps/b?x=1' }],
  ['another host', { host: 'evil.example' }],
  ['another date', { date: 'Fri, 20 Nov 2026 12:00:01 GMT' }],
  ['a date that is none', { date: 'today' }],
  ['no signature', { authorization: '' }],
  ['a signature of other headers', { authorization: CALL.authorization.replace('host;', '') }],
  ['half a signature', { authorization: CALL.authorization.slice(0, -4) }],
  ['a bearer token', { authorization: `Bearer ${SECRET}` }],
])('with %s it is not', (_, change) => {
  expect(isVippsCallGenuine({ ...CALL, ...change }, [SECRET], { ...DIGESTS, nowMs: NOW })).toBe(false)
})

test('under another secret, or none, it is not', () => {
  expect(isVippsCallGenuine(CALL, ['another'], { ...DIGESTS, nowMs: NOW })).toBe(false)
  expect(isVippsCallGenuine(CALL, [], { ...DIGESTS, nowMs: NOW })).toBe(false)
  const empty = { ...CALL, authorization: vippsAuthorization(unsigned, '', DIGESTS) }
  expect(isVippsCallGenuine(empty, [''], { ...DIGESTS, nowMs: NOW })).toBe(false)
})

test.each([
  [300_000, true],
  [300_001, false],
  [-300_000, true],
  [-300_001, false],
])('%i ms after it was made it is %s', (ms, genuine) => {
  expect(isVippsCallGenuine(CALL, [SECRET], { ...DIGESTS, nowMs: NOW + ms })).toBe(genuine)
})
