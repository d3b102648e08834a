/** A creditor as an operator's people enter it: what may stand in each field. */
import type { CalendarDate } from '../calendar.ts'
import { checkField, type FieldType } from '../form/field-rules.ts'

/** What may be changed later; the country and the number are what a creditor is recognised by. */
export const CONTACT_FIELDS = ['name', 'email', 'phone', 'address', 'address2', 'zip', 'city'] as const
export type ContactField = (typeof CONTACT_FIELDS)[number]

export type ClientContact = Readonly<Record<Exclude<ContactField, 'name'>, string | null>> & {
  readonly name: string
}
export type NewClient = ClientContact & {
  readonly countryCode: string
  readonly identificationNumber: string
}

const RULES: Readonly<Record<keyof NewClient, FieldType>> = {
  name: 'text',
  countryCode: 'country',
  identificationNumber: 'identificationNumber',
  email: 'email',
  phone: 'phone',
  address: 'text',
  address2: 'text',
  zip: 'zip',
  city: 'text',
}

/** The first field that is wrong; undefined when none is. `today`: no birth is to come. */
export function wrongClientField(
  written: Partial<NewClient>,
  { country, today }: { readonly country: string; readonly today: CalendarDate },
): keyof NewClient | undefined {
  return (Object.keys(RULES) as (keyof NewClient)[]).find((name) => {
    const value = written[name]
    if (value === undefined) return false
    const mandatory = ['name', 'countryCode', 'identificationNumber'].includes(name)
    if (checkField(RULES[name], value ?? '', { mandatory, country, today }) !== undefined) return true
    // "0000" is written where there is no number.
    return name === 'identificationNumber' && !/[1-9]/.test(value ?? '')
  })
}
