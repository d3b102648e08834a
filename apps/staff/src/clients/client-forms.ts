/** A creditor as the form that enters it, and as the one that changes how it is reached. */
import type { BodyOf } from '@kvitt/domain/contract.ts'
import type { changeClient, createClient } from '@kvitt/domain/creditors/client.contract.ts'
import { CONTACT_FIELDS, type ContactField } from '@kvitt/domain/creditors/client.ts'
import { isIdentificationNumberValid } from '@kvitt/domain/people/identification-number.ts'
import { isZipValid } from '@kvitt/domain/people/zip.ts'
import type { ActField, ActForm } from '@kvitt/office/form/act-dialog.tsx'
import { t } from '../text.ts'
import type { ClientDetail } from './client-calls.ts'

export type Values = Readonly<Record<string, string>>

/** The countries whose debts are collected here. */
const COUNTRIES = ['SE', 'NO', 'DK', 'FI'] as const
type Country = (typeof COUNTRIES)[number]

/** What a country is called; another one is told by its code. */
function countryText(code: string): string {
  const country = COUNTRIES.find((one) => one === code)
  return country ? t(`client.country.${country}`) : code
}

const LABELS = {
  name: 'debtor.name',
  address: 'debtor.address',
  address2: 'client.address2',
  zip: 'debtor.zip',
  city: 'debtor.city',
  email: 'debtor.email',
  phone: 'debtor.phone',
} as const satisfies Record<ContactField, string>

const RULES = { email: 'email', phone: 'phone' } as const

/** In the order of an envelope; with the one country that a zip is looked at for, where it is known. */
function contactFields(now: Partial<Record<ContactField, string | null>>, country?: string): ActField[] {
  return (Object.keys(LABELS) as ContactField[]).map((name) => ({
    name,
    type: name === 'email' || name === 'phone' ? RULES[name] : 'text',
    label: t(LABELS[name]),
    initial: now[name] ?? '',
    mandatory: name === 'name',
    ...(name === 'zip' && country !== undefined
      ? {
          check: (value: string) =>
            isZipValid(country, value) ? undefined : t('client.zip_wrong', { country: countryText(country) }),
        }
      : {}),
  }))
}

export const newClientForm = (): ActForm => ({
  title: t('client.new'),
  consequence: t('client.new.text'),
  fields: [
    {
      name: 'countryCode',
      type: 'text',
      look: 'choice',
      label: t('client.country'),
      initial: 'SE',
      choices: COUNTRIES.map((value) => ({ value, text: t(`client.country.${value satisfies Country}`) })),
    },
    {
      name: 'identificationNumber',
      type: 'text',
      label: t('client.number'),
      mandatory: true,
      // Of which country, the server looks at.
      check: (value) =>
        COUNTRIES.some((country) => isIdentificationNumberValid(country, value))
          ? undefined
          : t('client.number_invalid'),
    },
    ...contactFields({}),
  ],
  commit: t('client.new.commit'),
  done: t('client.new.done'),
})

/** What stands empty is left out. */
export function newClientOf(values: Values): BodyOf<typeof createClient> {
  const of = (name: string): string => (values[name] ?? '').trim()
  const contact = CONTACT_FIELDS.filter((name) => name !== 'name' && of(name) !== '').map((name) => [
    name,
    of(name),
  ])
  return {
    name: of('name'),
    countryCode: of('countryCode'),
    identificationNumber: of('identificationNumber'),
    ...Object.fromEntries(contact),
  }
}

export const contactForm = (client: ClientDetail): ActForm => ({
  title: t('client.contact.change'),
  consequence: t('client.contact.text'),
  fields: contactFields(client, client.countryCode),
  commit: t('client.contact.commit'),
  done: t('client.contact.done'),
})

/** What has been changed, and null where it was cleared. */
export function contactOf(client: ClientDetail, values: Values): BodyOf<typeof changeClient> {
  const changed = CONTACT_FIELDS.map((name) => [name, (values[name] ?? '').trim()] as const).filter(
    ([name, value]) => value !== (client[name] ?? ''),
  )
  const sent = changed.map(([name, value]) => [name, value === '' ? null : value])
  return { version: client.version, ...Object.fromEntries(sent) }
}

export const managerForm = (): ActForm => ({
  title: t('client.manager.propose'),
  consequence: t('client.manager.text'),
  fields: [
    { name: 'email', type: 'email', label: t('debtor.email'), mandatory: true },
    { name: 'name', type: 'text', label: t('debtor.name'), mandatory: true },
  ],
  commit: t('client.manager.propose'),
  done: t('client.propose.done'),
})
