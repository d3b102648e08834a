import { expect, test } from 'vitest'
import { ProviderRefused } from './provider-refused.ts'
import { textsOf } from './provider-texts.ts'

type Row = Parameters<typeof textsOf>[0]
const row = (isOwner: boolean) =>
  ({
    service_texts: {},
    ad_links: { sv: [{ text: 'Gammal', url: 'https://a.example' }] },
    is_product_owner: isOwner,
  }) as unknown as Row
const links = [{ text: 'Om', url: 'https://nordklar.example/' }]

test('links of an advertisement are kept for who shows them alone, and can always be taken away', () => {
  expect(textsOf(row(true), { adLinks: ['sv', links] }).ad_links).toEqual({ sv: links })
  expect(() => textsOf(row(false), { adLinks: ['sv', links] })).toThrow(ProviderRefused)
  for (const none of [null, [], [{ text: ' ', url: '' }]])
    expect(textsOf(row(false), { adLinks: ['sv', none] }).ad_links).toEqual({})
})

test('an address that nobody can follow is none', () => {
  for (const url of ['https://xn--a.example/', 'https://nordklar.example:65536/'])
    expect(() => textsOf(row(true), { adLinks: ['sv', [{ text: 'Om', url }]] }), url).toThrow(ProviderRefused)
})
