/** What a provider says of itself, as the values of a form and back: only what was changed is sent. */
import type { BodyOf, Power } from '@kvitt/domain/contract.ts'
import type { changeInstanceProvider } from '@kvitt/domain/instances/instance-provider.contract.ts'
import type { Provider } from './provider-calls.ts'

export type Values = Readonly<Record<string, string>>
type Body = Omit<BodyOf<typeof changeInstanceProvider>, 'version'>

/** Ways to pay that may be promoted: none of them costs the debtor anything. */
export const PROMOTABLE = ['DIRECT_PAYMENT_BANK', 'DIRECT_PAYMENT_MOBILE', 'BANK_TRANSFER'] as const
export const COLOURS = [
  'debtorPortalPrimaryBrandColor',
  'debtorPortalSecondaryBrandColor',
  'debtorPortalButtonColor',
] as const
/** What may need the electronic ID. */
export const POWERS = ['lists', 'documents', 'disputes', 'plans'] as const satisfies readonly Power[]
const LISTS = ['logins', 'needsEid'] as const
/** These may be empty: then there is none. */
const CLEARABLE: readonly string[] = ['homepage', 'mailFrom', 'postalAddress']

/** By the names that the server has for a field when it is wrong. */
export function valuesOf(provider: Provider): Values {
  const { contactInformation: contact, brandInformation: brand, promotions } = provider
  return {
    name: provider.name,
    identificationNumber: provider.identificationNumber,
    homepage: provider.homepage ?? '',
    'contactInformation.phone': contact.phone,
    'contactInformation.email': contact.email,
    postalAddress: provider.postalAddress ?? '',
    mailFrom: provider.mailFrom ?? '',
    ...Object.fromEntries(COLOURS.map((name) => [`brandInformation.${name}`, brand[name]])),
    logins: provider.logins.join(' '),
    needsEid: provider.needsEid.join(' '),
    reach: provider.reach,
    fileWait: String(provider.fileWait),
    secondFactor: provider.secondFactor,
    ...Object.fromEntries(PROMOTABLE.map((way) => [`promotions.${way}`, promotions[way] ?? ''])),
  }
}

function sentAs(name: string, value: string): unknown {
  const text = value.trim()
  if ((LISTS as readonly string[]).includes(name)) return text.split(' ').filter(Boolean)
  if (name === 'fileWait') return Number(text)
  const isEmpty = text === '' && (CLEARABLE.includes(name) || name.startsWith('promotions.'))
  return isEmpty ? null : text
}

/** Of the values what is other than the provider has it, as the call takes it. */
export function bodyOf(provider: Provider, values: Values): Body {
  const before = valuesOf(provider)
  const body: Record<string, unknown> = {}
  for (const [path, value] of Object.entries(values)) {
    if (value === before[path]) continue
    const [name = '', part] = path.split('.')
    body[name] = part
      ? { ...(body[name] as object | undefined), [part]: sentAs(path, value) }
      : sentAs(path, value)
  }
  return body
}
