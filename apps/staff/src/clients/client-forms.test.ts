import { expect, test } from 'vitest'
import { contactOf, newClientOf } from './client-forms.ts'
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
