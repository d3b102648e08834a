import { describe, expect, test } from 'vitest'
import { HOSTILE_ADDRESSES, HOSTILE_LINKS } from '../../testing/hostile-addresses.ts'
import { isAllowedLink } from '../gateways/direct-bank.ts'
import { checkRedirect, portalOrigin } from './redirect.ts'

const origin = 'https://nordklar.portal.test'

test.each([
  'https://nordklar.portal.test/',
  'https://nordklar.portal.test/#/sv/confirmation?paymentReference=1230&zip=11122&paymentOption=pay-now',
  'https://nordklar.portal.test:443/x',
  'HTTPS://NORDKLAR.Portal.Test/',
])('%s comes back to the portal', (address) => {
  expect(() => checkRedirect(address, origin)).not.toThrow()
})

test.each([
  'http://nordklar.portal.test/',
  'https://nordklar.portal.test:444/',
  'http://nordklar.portal.test:443/',
])('%s is another origin', (address) => {
  expect(() => checkRedirect(address, origin)).toThrow('redirect_uri_not_allowed')
})

const plain = 'http://127.0.0.1:18080'
test.each([
  ['http', 'localhost:8080', 'live', plain, 'http://localhost:8080'],
  ['http', 'LOCALHOST:8080', 'test', 'https://pay.example', 'http://localhost:8080'],
  ['https', 'localhost:8080', 'live', plain, 'https://localhost:8080'],
  ['http', 'nordklar.portal.test:80', 'test', plain, 'http://nordklar.portal.test'],
  ['http', 'nordklar.portal.test', 'test', 'https://pay.example', origin],
  ['https', 'nordklar.portal.test:443', 'test', plain, origin],
  ['http', 'nordklar.portal.test', 'live', plain, origin],
  ['http', 'a b', 'live', plain, undefined],
] as const)('%s to %s of a %s instance, known as %s: %s', (protocol, host, mode, publicUrl, expected) => {
  expect(portalOrigin({ protocol, host }, { publicUrl, mode })).toBe(expected)
})

test('there are enough of them', () => {
  expect(new Set(HOSTILE_ADDRESSES).size).toBeGreaterThanOrEqual(120)
  expect(new Set(HOSTILE_LINKS).size).toBeGreaterThanOrEqual(30)
})

test.each(HOSTILE_ADDRESSES)('redirect.matrix: %j is refused', (address) => {
  expect(() => checkRedirect(address, origin)).toThrow('redirect_uri_not_allowed')
})

describe('redirect.external: a link that a bank gives', () => {
  const hosts = ['bank.example', 'localhost']
  test.each(['https://bank.example/sign/1', 'https://localhost/x', 'http://localhost:8090/bank/sign/x'])(
    '%s may be opened',
    (link) => {
      expect(isAllowedLink(link, hosts)).toBe(true)
    },
  )
  test.each(HOSTILE_LINKS)('%j may not', (link) => {
    expect(isAllowedLink(link, hosts)).toBe(false)
  })
})
