/** Opening a payment at the bank: one intent, one key, however often the call is sent. */
import { amountText } from '@kvitt/domain/money.ts'
import type { PaymentOption } from '@kvitt/domain/payments/payment.ts'
import type { PaymentAnswer, StartPaymentBody } from '@kvitt/domain/payments/payment.contract.ts'
import { ApiRefusal } from '@kvitt/ui/api.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { writeHash } from '@kvitt/ui/routes.ts'
import { api, debtCall } from '../calls.ts'
import type { DebtKey } from '../session.ts'

export type PaymentWish = {
  readonly key: DebtKey
  /** Who is to move the money. */
  readonly provider: 'DIRECT_BANK' | 'SWISH'
  readonly option: PaymentOption
  /** Calendar day on which the bank is to pay. */
  readonly paymentDate: string
  readonly amountMinor: number
}

const INTENT = 'payment_intent'

function wishText({ key, provider, option, paymentDate, amountMinor }: PaymentWish): string {
  const { reference, zip, invoiceNumber, claimNumber } = key
  const number = claimNumber ?? invoiceNumber ?? ''
  return [reference, zip, number, provider, option, paymentDate, amountMinor].join('|')
}

/**
 * The idempotency key of this wish. It is stored before anything is sent, so that a press after a lost answer
 * repeats the same payment and never makes a second one.
 */
export function intentKey(wish: PaymentWish): string {
  const wanted = wishText(wish)
  const [storedKey, storedWish] = (sessionStorage.getItem(INTENT) ?? '').split('\n')
  if (storedKey && storedWish === wanted) return storedKey
  const made = crypto.randomUUID()
  sessionStorage.setItem(INTENT, `${made}\n${wanted}`)
  return made
}

/** The server has answered: the next press is a new wish. */
export function forgetIntent(): void {
  sessionStorage.removeItem(INTENT)
}

/** Where the payer is sent back to: the bank's return names the option, the phone's does not. */
export function returnHash({
  key,
  provider,
  option,
}: Pick<PaymentWish, 'key' | 'provider' | 'option'>): string {
  const segments = key.claimNumber === undefined ? ['confirmation'] : ['confirmation', 'collection-batch']
  return writeHash(currentLanguage(), segments, {
    paymentReference: key.reference,
    zip: key.zip,
    paymentOption: provider === 'SWISH' ? undefined : option,
  })
}

const returnAddress = (wish: PaymentWish): string => `${location.origin}/${returnHash(wish)}`

/** A link that a browser may be sent to: http or https, without a user name in it (threat redirect.external). */
export function isSafeLink(link: string): boolean {
  const url = URL.parse(link)
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') && url.username === ''
}

/**
 * Asks the server to open the payment. Throws ApiRefusal with the reason, or ApiUnreachable when it is not known
 * whether it was opened; the same wish may then be sent again.
 */
export async function startPayment(wish: PaymentWish): Promise<PaymentAnswer> {
  const body: StartPaymentBody = {
    paymentDate: wish.paymentDate,
    amount: amountText(wish.amountMinor),
    redirectUri: returnAddress(wish),
    test: false,
    iframe: false,
    serviceProviderCode: wish.provider,
  }
  try {
    const payment = await api.ask(debtCall('POST', wish.key, '/payment-requests'), {
      body,
      headers: { 'Idempotency-Key': intentKey(wish) },
      toErrorPage: true,
    })
    forgetIntent()
    return payment
  } catch (error) {
    if (error instanceof ApiRefusal && error.status === 400) forgetIntent()
    throw error
  }
}

/**
 * Opens the payment and answers where to go: the bank's link, or the confirmation when it is signed already.
 * Throws as `startPayment`.
 */
export async function openPayment(wish: PaymentWish): Promise<string> {
  const payment = await startPayment(wish)
  if (payment.externalLink !== null && isSafeLink(payment.externalLink)) return payment.externalLink
  // Signed before the answer came: there is nothing to open, and the confirmation shows how it stands.
  if (payment.status === 'AUTHORIZED' || payment.status === 'COMPLETED') return returnAddress(wish)
  throw new ApiRefusal(400, { code: 'provider_unavailable' })
}
