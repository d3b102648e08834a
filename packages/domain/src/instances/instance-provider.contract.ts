/** The provider as its own people change it. What the command `provider` sets is set here by the same rules. */
import { z } from 'zod'
import { adminCall, LIST_QUERY, searchBody } from '../contract.ts'
import { sentFile } from '../sent-file.contract.ts'
import { typedLine, typedLines } from '../typed-text.contract.ts'
import { adLinks, instanceAnswer, serviceTexts } from './instance.contract.ts'
import { LARGEST_PICTURE_BYTES, PICTURES } from './pictures.ts'
import { LONGEST_AD_TEXT, LONGEST_AD_URL, LONGEST_SERVICE_TEXT, MOST_AD_LINKS } from './service-texts.ts'

const listed = {
  id: z.uuid(),
  version: z.number().int(),
  name: z.string(),
  urlAlias: z.string(),
  urlDomain: z.string(),
  countryCode: z.string(),
  mode: z.enum(['test', 'live']),
}

/** A limit of wrong guesses: a number, "off" or "default". */
const limit = z.string()
const word = z.enum(['NEW', 'RECOMMENDED']).nullable()
const REACHES = ['creditor', 'instance'] as const
const SECOND_FACTORS = ['required', 'optional', 'default'] as const

export const instanceProvider = z.strictObject({
  ...listed,
  identificationNumber: z.string(),
  homepage: z.string().nullable(),
  contactInformation: z.strictObject({ phone: z.string(), email: z.string() }),
  /** On one line, as it stands in letters and in the imprint. */
  postalAddress: z.string().nullable(),
  brandInformation: instanceAnswer.shape.brandInformation,
  fileInformation: z.strictObject({
    logo: z.string().nullable(),
    favicon: z.string().nullable(),
    background: z.string().nullable(),
    loginBackground: z.string().nullable(),
  }),
  logins: z.array(z.string()),
  /** What a letter opens besides its own invoice. */
  reach: z.enum(REACHES),
  /** What a letter alone does not open. */
  needsEid: z.array(z.string()),
  /** Bank days for which a night waits for the files of an account. */
  fileWait: z.number().int(),
  guessLimits: z.record(z.string(), limit),
  promotions: z.strictObject({
    DIRECT_PAYMENT_BANK: word,
    DIRECT_PAYMENT_MOBILE: word,
    BANK_TRANSFER: word,
  }),
  secondFactor: z.enum(SECOND_FACTORS),
  mailFrom: z.string().nullable(),
  letterChannels: z.array(z.string()),
  billChannels: z.array(z.string()),
  newsChannels: z.array(z.string()),
  clientAnalyticsCode: z.string().nullable(),
  helpdeskChatHtml: z.string().nullable(),
  chatMode: z.enum(['page', 'frame']),
  chatHosts: z.array(z.string()),
  /** It has an advertisement: nobody else has. */
  isProductOwner: z.boolean(),
  serviceTexts,
  adLinks,
})

export const searchInstanceProviders = adminCall({
  name: 'searchInstanceProviders',
  right: 'see',
  method: 'POST',
  path: '/instance-providers/search',
  query: z.object(LIST_QUERY),
  body: searchBody,
  response: z.array(z.strictObject(listed)),
  refusals: ['invalid_filter', 'invalid_paging'],
})

export const getInstanceProvider = adminCall({
  name: 'instanceProvider',
  right: 'see',
  path: '/instance-providers/:id',
  response: instanceProvider,
})

const line = (most: number) => typedLine(most).optional()
const list = z.array(typedLine(100)).max(20).optional()
const wordIn = word.optional()
const textIn = typedLines(LONGEST_SERVICE_TEXT).nullable().optional()
const linksIn = z
  .array(z.strictObject({ text: typedLines(LONGEST_AD_TEXT), url: z.string().max(LONGEST_AD_URL) }))
  .max(MOST_AD_LINKS)
  .nullable()
  .optional()

/**
 * What is left out stays, null takes away. Seen within five seconds. Programs of others in the debtor portal and the limits of wrong
 * guesses are read here and set by the command alone: one person and a session of twelve hours are too little for them. Who comes
 * in, and who the mail comes from, takes a fresh sign-in.
 */
export const changeInstanceProvider = adminCall({
  name: 'changeInstanceProvider',
  right: 'provider',
  method: 'PUT',
  path: '/instance-providers/:id',
  body: z.object({
    version: z.number().int(),
    name: line(100),
    identificationNumber: line(40),
    homepage: typedLine(200).nullable().optional(),
    contactInformation: z.object({ phone: line(30), email: line(254) }).optional(),
    postalAddress: typedLine(200).nullable().optional(),
    brandInformation: z
      .object({
        debtorPortalPrimaryBrandColor: line(7),
        debtorPortalSecondaryBrandColor: line(7),
        debtorPortalButtonColor: line(7),
      })
      .optional(),
    logins: list,
    reach: z.enum(REACHES).optional(),
    needsEid: list,
    fileWait: z.number().int().optional(),
    promotions: z
      .object({ DIRECT_PAYMENT_BANK: wordIn, DIRECT_PAYMENT_MOBILE: wordIn, BANK_TRANSFER: wordIn })
      .optional(),
    secondFactor: z.enum(SECOND_FACTORS).nullable().optional(),
    mailFrom: typedLine(200).nullable().optional(),
    letterChannels: list,
    billChannels: list,
    newsChannels: list,
    serviceTexts: z.object({ sv: textIn, en: textIn, nb: textIn, da: textIn, fi: textIn }).optional(),
    adLinks: z.object({ sv: linksIn, en: linksIn, nb: linksIn, da: linksIn, fi: linksIn }).optional(),
  }),
  response: instanceProvider,
  refusals: ['sign_in_again', 'changed_meanwhile', 'invalid_request'],
})

/**
 * Makes a provider, found at `{urlAlias}.{urlDomain}`, and invites its first manager by e-mail. It is seen within five seconds. Whoever
 * makes it is none of its people. Needs the right that managers of the default provider have (decision 043) and a fresh sign-in.
 */
export const makeInstanceProvider = adminCall({
  name: 'makeInstanceProvider',
  right: 'instances',
  method: 'POST',
  path: '/instance-providers',
  status: 201,
  takesKey: true,
  body: z.strictObject({
    urlAlias: typedLine(63),
    urlDomain: typedLine(240),
    countryCode: z.enum(['SE', 'NO', 'DK', 'FI']),
    mode: z.enum(['test', 'live']),
    name: typedLine(100),
    identificationNumber: typedLine(40),
    contactInformation: z.strictObject({ phone: typedLine(30), email: typedLine(254) }),
    brandInformation: z.strictObject({ debtorPortalPrimaryBrandColor: typedLine(7) }),
    manager: z.strictObject({ name: typedLine(100), email: typedLine(254) }),
  }),
  response: z.strictObject({
    id: z.uuid(),
    name: z.string(),
    /** Where its people sign in. */
    adminPortal: z.string(),
    /** Who has been invited. */
    email: z.string(),
  }),
  refusals: [
    'sign_in_again',
    'invalid_request',
    'provider_address_taken',
    'another_person_needed',
    'invitations_throttled',
    'idempotency_key_reused',
  ],
})

/** How much of each sort was taken out of a picture: programs, what leads out of it, and what it only knew (of its maker, of a place). */
const removed = z.strictObject({
  scripts: z.number().int(),
  links: z.number().int(),
  others: z.number().int(),
})

/**
 * Keeps a picture in place of the one before. It is written anew, without what is hidden in it and as small as its use: SVG from a list of
 * what is harmless, PNG, JPEG and WebP from their pixels. The same picture again changes nothing.
 */
export const sendPicture = adminCall({
  name: 'sendPicture',
  right: 'provider',
  method: 'PUT',
  path: '/instance-providers/:id/pictures',
  largestFile: LARGEST_PICTURE_BYTES,
  body: z.strictObject({
    file: sentFile,
    picture: z.enum(PICTURES),
    version: z.string().regex(/^\d{1,15}$/),
  }),
  response: z.strictObject({ provider: instanceProvider, removed }),
  refusals: ['changed_meanwhile', 'picture_refused', 'file_too_large', 'file_rejected', 'invalid_request'],
})

/** Nothing is shown in its place. */
export const removePicture = adminCall({
  name: 'removePicture',
  right: 'provider',
  method: 'POST',
  path: '/instance-providers/:id/pictures/remove',
  body: z.strictObject({ picture: z.enum(PICTURES), version: z.number().int() }),
  response: instanceProvider,
  refusals: ['changed_meanwhile'],
})
