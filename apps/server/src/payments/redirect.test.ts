import { describe, expect, test } from 'vitest'
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

/** Ways to write an address that leads elsewhere, or that parsers disagree about. */
const HOSTILE = [
  '', ' ', '/', '//evil.example', '///evil.example', '\\\\evil.example', '/\\evil.example', 'evil.example', 'https:evil.example',
  'https:/evil.example', 'https://evil.example', 'https://evil.example/nordklar.portal.test', 'https://nordklar.portal.test.evil.example/',
  'https://nordklar.portal.test@evil.example/', 'https://user:pass@nordklar.portal.test/', 'https://nordklar.portal.test:8443/',
  'https://fjellklar.portal.test/', 'https://portal.test/', 'https://xnordklar.portal.test/', 'https://NORDKLAR.portal.test%2eevil.example/',
  'https://nordklar.portal.test\\@evil.example/', 'https://nordklar.portal.test\t.evil.example/', 'https://nordklar.portal.test\n/',
  'https://nordklar.portal.test/\r\nSet-Cookie: a=b', 'javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'java\tscript:alert(1)', 'data:text/html,x',
  'vbscript:x', 'file:///etc/passwd', 'ftp://nordklar.portal.test/', 'ws://nordklar.portal.test/', 'blob:https://nordklar.portal.test/x',
  'https://nordklar.portal.test\u0000/', 'https://n\u00f6rdklar.portal.test/', 'https://nordklar.portal.test\u3002evil.example/',
  'https://\u202enordklar.portal.test/', 'https://[::1]/', 'https://127.0.0.1/', 'https://2130706433/', 'http://', 'https://', 'https:///x',
  'https://nordklar.portal.test /', '<https://nordklar.portal.test/>', 'https://nordklar.portal.test/<script>', 'https://nordklar.portal.test/"onload=',
] // biome-ignore format: a list of addresses

test.each(HOSTILE)('%j is refused', (address) => {
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
  test.each([
    'http://bank.example/sign', 'https://evil.example/', 'https://bank.example.evil.example/', 'https://bank.example@evil.example/',
    'https://user@bank.example/', 'javascript:alert(1)', 'data:text/html,x', 'bank.example', '', 'swish://x',
  ])('%j may not', (link) => {
    expect(isAllowedLink(link, hosts)).toBe(false)
  }) // biome-ignore format: a list of links
})
