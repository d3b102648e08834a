import { i18n } from '@lingui/core'
import { expect, test } from 'vitest'
import { contactForm, contactOf, newClientOf } from './client-forms.ts'
import type { ClientDetail } from './client-calls.ts'

test('a new creditor is sent without what stands empty', () => {
  const values = {
    name: ' Gran AB ',
    countryCode: 'SE',
    identificationNumber: '559999-0032',
    city: ' ',
    zip: '411 05',
  }
  expect(newClientOf(values)).toEqual({
    name: 'Gran AB',
    countryCode: 'SE',
    identificationNumber: '559999-0032',
    zip: '411 05',
  })
})

test('of a change only what is another is sent, and null for what was cleared', () => {
  const client = { version: 7, name: 'Gran AB', phone: '031', city: 'Ale', email: null } as ClientDetail
  const values = { name: 'Gran AB', phone: '', city: 'Mölndal', email: '', zip: '' }
  expect(contactOf(client, values)).toEqual({ version: 7, phone: null, city: 'Mölndal' })
})

test.each([
  ['SE', 'not of Sweden'],
  ['DE', 'not of DE'],
])('a zip that is none of %s is told with the country, by name where we have one', (countryCode, told) => {
  i18n.loadAndActivate({
    locale: 'en',
    messages: { 'client.country.SE': 'Sweden', 'client.zip_wrong': ['not of ', ['country']] },
  })
  const { fields } = contactForm({ countryCode } as ClientDetail)
  expect(fields.find(({ name }) => name === 'zip')?.check?.('1')).toBe(told)
})
