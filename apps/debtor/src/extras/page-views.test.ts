import { expect, test } from 'vitest'
import { pageViewUrl, viewPath } from './page-views.ts'
import { isTestHost } from './test-host.ts'

test.each([
  ['#/sv/invoice/260101314920/41105?invoiceNumber=261037', '/sv/invoice'],
  ['#/fi/', '/fi'],
  ['#/en/customerService?paymentReference=2601&zip=41105', '/en/customerService'],
  ['#/en/260101314920/41105', '/en'],
  ['', '/'],
])('the view of %s is %s', (hash, path) => {
  expect(viewPath(hash)).toBe(path)
})

test('the message names the view and never whose it is', () => {
  const url = pageViewUrl({
    code: 'G-ABC12345',
    origin: 'https://pay.example.com',
    hash: '#/sv/invoice/260101314920/41105?invoiceNumber=261037',
    visitor: '1.2',
  })
  const { host, searchParams } = new URL(url)
  expect(host).toBe('www.google-analytics.com')
  expect(searchParams.get('dl')).toBe('https://pay.example.com/sv/invoice')
  expect(searchParams.get('tid')).toBe('G-ABC12345')
  expect(url).not.toMatch(/2601|41105|261037/)
})

test('nothing is reported from hosts where people develop and test', () => {
  const testHosts = [
    'localhost',
    '127.0.0.1',
    '[::1]',
    'a.localhost',
    'nordklar.portal.test',
    'test.pay.com',
    'pay-test.com',
    'kvitt.local',
  ]
  const liveHosts = ['pay.nordklar.se', 'nordklar.kvitt.com', 'contest.se', 'latest-news.fi']
  expect(testHosts.filter((host) => !isTestHost(host))).toEqual([])
  expect(liveHosts.filter(isTestHost)).toEqual([])
})
