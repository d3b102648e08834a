import { expect, test } from 'vitest'
import { readLink } from './service-texts.ts'

test('an address that debtors may be sent to is https, whole and says no password', () => {
  for (const right of [
    'https://nordklar.example',
    'https://www.nordklar.example/om-oss?a=b#c',
    'https://xn--nordklr-6za.example:8443/@namn',
    'https://nordklar.example/åäö',
  ])
    expect(readLink(right), right).toBe(right)
  for (const wrong of [
    '',
    'nordklar.example',
    'http://nordklar.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    '//nordklar.example/',
    'https://',
    'https://intranet/',
    'https://nordklar.example/om oss',
    'https://nordklar.example/"onclick=1',
    'https://nordklar.example/\nx',
    'https://127.0.0.1/',
    'https://nordklar..example/',
    ' https://nordklar.example/',
    'https://nordklar.example@evil.example/',
    'https://a:b@nordklar.example/',
    `https://nordklar.example/${'x'.repeat(300)}`,
  ])
    expect(readLink(wrong), wrong).toBeUndefined()
})
