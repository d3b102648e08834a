import { expect, test } from 'vitest'
import { domainOf, isListed, MOST_DOMAINS, readDomains } from './issuer.ts'

test.each([
  ['anna@nordklar.example', 'nordklar.example'],
  [' Anna@Nordklar.Example ', 'nordklar.example'],
  ['anna', ''],
  ['', ''],
])('%j is of %j', (email, domain) => {
  expect(domainOf(email)).toBe(domain)
})

test.each([
  ['nordklar.example', ['nordklar.example']],
  [
    'Nordklar.example, nordklar.example; b.example\nc-d.example',
    ['nordklar.example', 'b.example', 'c-d.example'],
  ],
  ['xn--bcher-kva.example', ['xn--bcher-kva.example']],
])('%j are domains', (text, domains) => {
  expect(readDomains(text)).toEqual(domains)
})

test.each([
  [''],
  [' , '],
  ['localhost'],
  ['@nordklar.example'],
  ['*.nordklar.example'],
  ['-a.example'],
  ['a..example'],
  ['127.0.0.1'],
  ['bücher.example'],
  [Array.from({ length: MOST_DOMAINS + 1 }, (_, n) => `d${n}.example`).join(' ')],
])('%j are not', (text) => {
  expect(readDomains(text)).toBeUndefined()
})

test('a subdomain, a longer name and an address inside of another are none of the list', () => {
  const domains = ['nordklar.example']
  expect(isListed(domains, 'a@NORDKLAR.example')).toBe(true)
  for (const email of [
    'a@x.nordklar.example',
    'a@nordklar.example.evil.example',
    'nordklar.example',
    'a@evil.example@nordklar.example',
  ])
    expect(isListed(domains, email), email).toBe(false)
})
