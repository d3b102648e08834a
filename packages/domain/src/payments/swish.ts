/**
 * Swish Commerce API v2, the parts that are rules: identifiers, texts, links and what its words mean. Source:
 * Merchant Integration Guide 2.6.
 */
import type { PaymentStatus, RefundProgress } from './payment.ts'

/** Our payment id as Swish's instruction id: the same UUID, 32 capitals and digits, no hyphens. */
export function swishInstructionId(paymentId: string): string {
  return paymentId.replaceAll('-', '').toUpperCase()
}

export function isSwishInstructionId(text: string): boolean {
  return /^[0-9A-F]{32}$/.test(text)
}

/** Our payment id read back from an instruction id or a payee's reference; undefined when it is none of ours. */
export function paymentIdOfSwish(text: string): string | undefined {
  const parts = /^([0-9A-F]{8})([0-9A-F]{4})([0-9A-F]{4})([0-9A-F]{4})([0-9A-F]{12})$/.exec(
    text.toUpperCase(),
  )
  return parts?.slice(1).join('-').toLowerCase()
}

/** What the payer's phone may show: at most 50 of the characters that every version of the guide allows. */
export function swishMessage(text: string): string {
  return text
    .replace(/[^A-Za-zÅÄÖåäöÀ-ÿ0-9 :;.,?!()"]/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, 50)
}

/**
 * A Swedish phone number as Swish writes payers: digits with country code, `46701234567`. Accepts spaces,
 * hyphens, `+46`, `0046` and a leading 0. Undefined when it cannot be a phone number.
 */
export function swishPayerAlias(phone: string): string | undefined {
  const digits = phone.replace(/[\s()-]/g, '')
  const international = /^(?:\+|00)(\d+)$/.exec(digits)?.[1] ?? digits.replace(/^0(?=[1-9])/, '46')
  return /^[1-9]\d{7,14}$/.test(international) ? international : undefined
}

/** The link that opens the Swish app with the payment, and brings the payer back afterwards. */
export function swishAppLink(token: string, returnUrl: string): string {
  return `swish://paymentrequest?token=${encodeURIComponent(token)}&callbackurl=${encodeURIComponent(returnUrl)}`
}

/** What the QR of a Swish payment says, so that the app can scan it from another screen. */
export function swishQrText(token: string): string {
  return `D${token}`
}

/** The token of an app link; undefined when the link is another one or carries none. */
export function swishTokenOf(link: string): string | undefined {
  const token = /^swish:\/\/paymentrequest\?(?:.*&)?token=([^&]+)/.exec(link)?.[1]
  return token === undefined ? undefined : decodeURIComponent(token)
}

const STATUSES: ReadonlyMap<string, PaymentStatus> = new Map([
  ['CREATED', 'IN_PROGRESS'],
  ['PAID', 'COMPLETED'],
  ['DECLINED', 'FAILED'],
  ['ERROR', 'FAILED'],
  ['CANCELLED', 'FAILED'],
])

/** The one error that is no answer: the banks do not know whether the money moved. */
const OUTCOME_UNKNOWN = 'DS24'

/**
 * Our status for Swish's word. DS24 stays IN_PROGRESS until somebody knows more. Undefined for a word that the
 * guide does not have; such an answer changes nothing.
 */
export function readSwishStatus(status: string, errorCode: string | undefined): PaymentStatus | undefined {
  if (isSwishOutcomeUnknown(status, errorCode)) return 'IN_PROGRESS'
  return STATUSES.get(status)
}

export function isSwishOutcomeUnknown(status: string, errorCode: string | undefined): boolean {
  return status === 'ERROR' && errorCode === OUTCOME_UNKNOWN
}

/** How a refund stands: under way also while nobody knows (DS24), and for a word that the guide does not have. */
export function readSwishRefund(status: string, errorCode: string | undefined): RefundProgress {
  if (status === 'PAID') return 'PAID'
  return status === 'ERROR' && !isSwishOutcomeUnknown(status, errorCode) ? 'FAILED' : 'UNDER_WAY'
}

/** Whose matter an error is: the payer's, who can mend it; ours; or Swish's own. */
export type SwishBlame = 'payer' | 'ours' | 'swish'

/** Every error code of the guide for payments and refunds, at creation and afterwards. */
export const SWISH_ERRORS: Readonly<Record<string, SwishBlame>> = {
  FF08: 'ours',
  RP01: 'ours',
  RP02: 'ours',
  RP03: 'ours',
  RP04: 'ours',
  RP06: 'payer',
  RP07: 'ours',
  RP08: 'ours',
  RP09: 'ours',
  PA01: 'ours',
  PA02: 'ours',
  AM02: 'ours',
  AM03: 'ours',
  AM04: 'ours',
  AM06: 'ours',
  BE18: 'payer',
  ACMT01: 'swish',
  ACMT03: 'payer',
  ACMT07: 'ours',
  VR01: 'payer',
  VR02: 'payer',
  RF02: 'ours',
  RF03: 'ours',
  RF04: 'ours',
  RF06: 'ours',
  RF07: 'payer',
  RF08: 'ours',
  RF09: 'swish',
  BANKIDCL: 'payer',
  BANKIDONGOING: 'payer',
  BANKIDUNKN: 'payer',
  FF10: 'swish',
  TM01: 'payer',
  DS24: 'swish',
}

/** Whose matter a code is; an unknown one is Swish's. */
export function swishBlame(code: string): SwishBlame {
  return SWISH_ERRORS[code] ?? 'swish'
}
