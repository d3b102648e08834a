import { expect, test } from 'vitest'
import { readLink } from './service-texts.ts'

test('an address that debtors may be sent to is https, whole and says no password', () => {
  expect(readLink('https://nordklar.example/om oss')).toBe('https://nordklar.example/om%20oss')
  for (const wrong of [
    '',
    'nordklar.example',
    'http://nordklar.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    '//nordklar.example/',
    'https://',
    'https://intranet/',
    'https://nordklar.example@evil.example/',
    'https://a:b@nordklar.example/',
    `https://nordklar.example/${'x'.repeat(300)}`,
  ])
    expect(readLink(wrong), wrong).toBeUndefined()
})
