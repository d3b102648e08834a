import { describe, expect, test } from 'vitest'
import { HOSTILE_ADDRESSES, HOSTILE_LINKS } from '../testing/hostile-addresses.ts'
import { isAllowedLink } from './gateways/direct-bank.ts'
import { checkRedirect } from './redirect.ts'

const host = 'nordklar.portal.test'

test.each([
  'https://nordklar.portal.test/',
  'https://nordklar.portal.test/#/sv/confirmation?paymentReference=1230&zip=11122&paymentOption=pay-now',
  'https://nordklar.portal.test:443/x',
])('%s comes back to the portal', (address) => {
  expect(() => checkRedirect(address, host, 'live')).not.toThrow()
})

test('plain http only on this machine, or for a test instance', () => {
  expect(() => checkRedirect('http://localhost:8080/#/sv/', 'localhost:8080', 'live')).not.toThrow()
  expect(() => checkRedirect('http://nordklar.portal.test/', host, 'test')).not.toThrow()
  expect(() => checkRedirect('http://nordklar.portal.test/', host, 'live')).toThrow(
    'redirect_uri_not_allowed',
  )
})

test('there are enough of them', () => {
  expect(new Set(HOSTILE_ADDRESSES).size).toBeGreaterThanOrEqual(120)
  expect(new Set(HOSTILE_LINKS).size).toBeGreaterThanOrEqual(30)
})

test.each(HOSTILE_ADDRESSES)('%j is refused', (address) => {
  expect(() => checkRedirect(address, host, 'live')).toThrow('redirect_uri_not_allowed')
})

describe('a link that a bank gives', () => {
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
