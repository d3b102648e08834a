import { expect, test } from 'vitest'
import { readLink } from './service-texts.ts'

test('an address that debtors may be sent to is https, whole and says no password', () => {
  for (const right of [
    'https://nordklar.example',
    'https://www.nordklar.example/om-oss?a=b#c',
    'https://xn--nordklr-6za.example:8443/@namn',
    'https://nordklar.example/åäö',
    'HTTPS://Nordklar.Example/',
    'https://nordklar.example:65535/',
  ])
    expect(readLink(right), right).toBe(right)
  for (const wrong of [
    '',
    'nordklar.example',
    'http://nordklar.example/',
    'https://ban\u212A.example',
    'https://\u017Fparbanken.example',
    'http\u017F://nordklar.example',
    'https://nordklar.example:99999/',
    'https://nordklar.example/\u202Egpj.exe',
    'https://nordklar.example/a\u200Bb',
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
