/** The branded provider, its languages and its ways to log in. */
import { z } from 'zod'
import { MOST_AD_LINKS } from './service-texts.ts'
import { invoiceCall, openCall, searchBody, searchQuery, type AnswerOf } from '../contract.ts'

const palette = z.strictObject({
  /** Colours that are safe to use, computed from the three raw ones (instances/palette.ts). */
  fill: z.string(),
  onFill: z.string(),
  fillDark: z.string(),
  onFillDark: z.string(),
  inkLight: z.string(),
  inkDark: z.string(),
  /** True when the fill has less than 3:1 against its surroundings and needs an edge. */
  edge: z.boolean(),
})

/** By language; one that is not there has none. */
export const serviceTexts = z.strictObject({
  sv: z.string().optional(),
  en: z.string().optional(),
  nb: z.string().optional(),
  da: z.string().optional(),
  fi: z.string().optional(),
})
const links = z
  .array(z.strictObject({ text: z.string(), url: z.string() }))
  .max(MOST_AD_LINKS)
  .optional()
export const adLinks = z.strictObject({ sv: links, en: links, nb: links, da: links, fi: links })

export const instanceAnswer = z.strictObject({
  name: z.string(),
  homepage: z.string().nullable(),
  identificationNumber: z.string(),
  clientAnalyticsCode: z.string().nullable(),
  urlAlias: z.string(),
  urlDomain: z.string(),
  countryCode: z.string(),
  languageCode: z.string(),
  timeZone: z.string(),
  isProductOwner: z.boolean(),
  contactInformation: z.strictObject({ phone: z.string(), email: z.string() }),
  fileInformation: z.strictObject({
    debtorPortalLogotypeFileName: z.string().nullable(),
    debtorPortalFaviconFileName: z.string().nullable(),
    debtorPortalBackgroundFileName: z.string().nullable(),
    debtorPortalLoginBackgroundFileName: z.string().nullable(),
    partPaymentPlanSekkiFileName: z.string().nullable(),
    partPaymentPlanTermsFileName: z.string().nullable(),
  }),
  brandInformation: z.strictObject({
    debtorPortalPrimaryBrandColor: z.string(),
    debtorPortalSecondaryBrandColor: z.string(),
    debtorPortalButtonColor: z.string(),
    palette,
  }),
  helpdeskChatHtml: z.string().nullable(),
  /** What it says of its customer service. */
  serviceTexts,
  /** Where its advertisement leads: of the product's own company alone. */
  adLinks,
})

/** Branding before login. */
export const getDefaultInstance = openCall({
  name: 'defaultInstance',
  path: '/instance-providers/default',
  response: instanceAnswer,
})

export const getInvoiceInstance = invoiceCall({
  name: 'invoiceInstance',
  path: '/instance-provider',
  response: instanceAnswer,
})

const localeAnswer = z.strictObject({
  id: z.string(),
  countryCode: z.string(),
  languageCode: z.string(),
  currency: z.strictObject({
    code: z.string(),
    symbol: z.string(),
    precision: z.number().int(),
    thousandSeparator: z.string(),
    decimalSeparator: z.string(),
  }),
  dateFormat: z.string(),
})
export const listSystemLocales = openCall({
  name: 'systemLocales',
  path: '/locales/system',
  response: z.array(localeAnswer),
})
export const listPublicLocales = openCall({
  name: 'publicLocales',
  path: '/public/locales',
  response: z.array(localeAnswer),
})

export const getVersion = openCall({
  name: 'version',
  path: '/ping/version',
  response: z.strictObject({ data: z.strictObject({ version: z.string() }) }),
})

export const searchServiceProviders = openCall({
  name: 'searchServiceProviders',
  method: 'POST',
  reads: true,
  path: '/public/service-providers/search',
  query: searchQuery,
  body: searchBody,
  response: z.array(
    z.strictObject({ code: z.string(), topic: z.string(), type: z.string(), enabled: z.boolean() }),
  ),
  refusals: ['invalid_filter', 'invalid_paging'],
})

const searchLocales = {
  method: 'POST',
  reads: true,
  query: searchQuery,
  body: searchBody,
  response: z.array(localeAnswer),
  refusals: ['invalid_filter', 'invalid_paging'],
} as const
export const searchSystemLocales = openCall({
  ...searchLocales,
  name: 'searchLocales',
  path: '/locales/search',
})
export const searchPublicLocales = openCall({
  ...searchLocales,
  name: 'searchPublicLocales',
  path: '/public/locales/search',
})

export type InstanceAnswer = AnswerOf<typeof getDefaultInstance>
export type LocaleAnswer = z.output<typeof localeAnswer>
