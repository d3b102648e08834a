import { expect, test } from 'vitest'
import type { Provider } from './provider-calls.ts'
import { bodyOf, valuesOf } from './provider-form.ts'

const PROVIDER = {
  name: 'Nordklar',
  identificationNumber: '559999-0016',
  homepage: 'https://nordklar.example/',
  contactInformation: { phone: '031-390 06 10', email: 'a@nordklar.example' },
  brandInformation: {
    debtorPortalPrimaryBrandColor: '#0b5c6b',
    debtorPortalSecondaryBrandColor: '#0b5c6b',
    debtorPortalButtonColor: '#0b5c6b',
  },
  logins: ['PAYMENT_REFERENCE', 'BANKID'],
  needsEid: [],
  reach: 'creditor',
  fileWait: 3,
  secondFactor: 'default',
  mailFrom: null,
  serviceTexts: { sv: 'Vi svarar.' },
  adLinks: { sv: [{ text: 'Om oss', url: 'https://nordklar.example/' }] },
  promotions: { DIRECT_PAYMENT_BANK: 'NEW', DIRECT_PAYMENT_MOBILE: null, BANK_TRANSFER: null },
} as unknown as Provider
const change = (changed: Record<string, string>) => bodyOf(PROVIDER, { ...valuesOf(PROVIDER), ...changed })

test('what was not touched is not sent', () => {
  expect(change({})).toEqual({})
})

test('what was changed is sent where the call has it; empty is null where there may be none', () => {
  expect(
    change({
      homepage: ' ',
      'contactInformation.phone': ' 08-1 ',
      'brandInformation.debtorPortalButtonColor': '#ffd400',
      'brandInformation.debtorPortalPrimaryBrandColor': '#000000',
      needsEid: 'plans lists',
      logins: '',
      fileWait: '5',
      'promotions.DIRECT_PAYMENT_BANK': '',
    }),
  ).toEqual({
    homepage: null,
    contactInformation: { phone: '08-1' },
    brandInformation: { debtorPortalButtonColor: '#ffd400', debtorPortalPrimaryBrandColor: '#000000' },
    needsEid: ['plans', 'lists'],
    logins: [],
    fileWait: 5,
    promotions: { DIRECT_PAYMENT_BANK: null },
  })
})

test('what may not be empty is sent as it is, for the server to refuse', () => {
  expect(change({ name: '' })).toEqual({ name: '' })
})

test('a text that becomes empty is taken away, and of links both are sent', () => {
  expect(change({ 'serviceTexts.sv': ' ', 'serviceTexts.fi': ' Vastaamme. ' })).toEqual({
    serviceTexts: { sv: null, fi: 'Vastaamme.' },
  })
  expect(change({ 'adLinks.sv.1.text': 'Mer', 'adLinks.sv.1.url': 'https://b.example' })).toEqual({
    adLinks: {
      sv: [
        { text: 'Om oss', url: 'https://nordklar.example/' },
        { text: 'Mer', url: 'https://b.example' },
      ],
    },
  })
})
