/** What a provider says of itself, as the values of a form and back: only what was changed is sent. */
import type { BodyOf, Power } from '@kvitt/domain/contract.ts'
import type {
  changeInstanceProvider,
  makeInstanceProvider,
} from '@kvitt/domain/instances/instance-provider.contract.ts'
import { MOST_AD_LINKS, SERVICE_LANGUAGES } from '@kvitt/domain/instances/service-texts.ts'
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
    ...textValuesOf(provider),
  }
}

/** Texts and links of each language; of a link the words and the address. */
function textValuesOf({ serviceTexts, adLinks }: Provider): Values {
  const values: Record<string, string> = {}
  for (const language of SERVICE_LANGUAGES) {
    values[`serviceTexts.${language}`] = serviceTexts[language] ?? ''
    for (let n = 0; n < MOST_AD_LINKS; n++) {
      const { text = '', url = '' } = adLinks[language]?.[n] ?? {}
      values[`adLinks.${language}.${n}.text`] = text
      values[`adLinks.${language}.${n}.url`] = url
    }
  }
  return values
}

/** Both links of a language: one is sent with the other. */
const linksIn = (values: Values, language: string) =>
  Array.from({ length: MOST_AD_LINKS }, (_, n) => ({
    text: values[`adLinks.${language}.${n}.text`]?.trim() ?? '',
    url: values[`adLinks.${language}.${n}.url`]?.trim() ?? '',
  }))

function sentAs(name: string, value: string): unknown {
  const text = value.trim()
  if ((LISTS as readonly string[]).includes(name)) return text.split(' ').filter(Boolean)
  if (name === 'fileWait') return Number(text)
  const isEmpty = text === '' && (CLEARABLE.includes(name) || /^(?:promotions|serviceTexts)\./.test(name))
  return isEmpty ? null : text
}

/** Of the values what is other than the provider has it, as the call takes it. */
export function bodyOf(provider: Provider, values: Values): Body {
  const before = valuesOf(provider)
  const body: Record<string, unknown> = {}
  for (const [path, value] of Object.entries(values)) {
    if (value === before[path]) continue
    const [name = '', part] = path.split('.')
    const sent = name === 'adLinks' ? linksIn(values, part ?? '') : sentAs(path, value)
    body[name] = part ? { ...(body[name] as object | undefined), [part]: sent } : sent
  }
  return body
}

/** What the form of another instance says, as the call takes it. */
export function newProviderOf(values: Values): BodyOf<typeof makeInstanceProvider> {
  const of = (name: string): string => (values[name] ?? '').trim()
  type New = BodyOf<typeof makeInstanceProvider>
  return {
    name: of('name'),
    identificationNumber: of('identificationNumber'),
    urlAlias: of('urlAlias'),
    urlDomain: of('urlDomain'),
    countryCode: of('countryCode') as New['countryCode'],
    mode: of('mode') as New['mode'],
    contactInformation: {
      phone: of('contactInformation.phone'),
      email: of('contactInformation.email'),
    },
    brandInformation: {
      debtorPortalPrimaryBrandColor: of('brandInformation.debtorPortalPrimaryBrandColor'),
    },
    manager: { name: of('manager.name'), email: of('manager.email') },
  }
}
