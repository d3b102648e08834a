/** Opening a payment at the bank: one intent, one key, however often the call is sent. */
import { amountText } from '@kvitt/domain/money.ts'
import type { PaymentOption } from '@kvitt/domain/payments/payment.ts'
import type { PaymentAnswer, StartPaymentBody } from '@kvitt/domain/payments/payment.contract.ts'
import { ApiRefusal } from '@kvitt/ui/api.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { writeHash } from '@kvitt/ui/routes.ts'
import { api, invoicePath } from '../calls.ts'
import type { InvoiceKey } from '../session.ts'

export type PaymentWish = {
  readonly key: InvoiceKey
  readonly option: PaymentOption
  /** Calendar day on which the bank is to pay. */
  readonly paymentDate: string
  readonly amountMinor: number
}

const INTENT = 'payment_intent'

function wishText({ key, option, paymentDate, amountMinor }: PaymentWish): string {
  return [key.reference, key.zip, key.invoiceNumber ?? '', option, paymentDate, amountMinor].join('|')
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

/** Where the bank sends the payer back to. */
function returnAddress({ key, option }: PaymentWish): string {
  return `${location.origin}/${writeHash(currentLanguage(), ['confirmation'], {
    paymentReference: key.reference,
    zip: key.zip,
    paymentOption: option,
  })}`
}

/** A link that a browser may be sent to: http or https, without a user name in it. */
export function isSafeLink(link: string): boolean {
  const url = URL.parse(link)
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') && url.username === ''
}

/**
 * Asks the server to open the payment and answers where to go: the bank's link, or the confirmation when the
 * payment is signed already. Throws ApiRefusal with the reason, or
 * ApiUnreachable when it is not known whether it was opened; the same wish may then be sent again.
 */
export async function openPayment(wish: PaymentWish): Promise<string> {
  const body: StartPaymentBody = {
    paymentDate: wish.paymentDate,
    amount: amountText(wish.amountMinor),
    redirectUri: returnAddress(wish),
    test: false,
    iframe: false,
    serviceProviderCode: 'DIRECT_BANK',
  }
  try {
    const payment = await api.ask<PaymentAnswer>({
      path: invoicePath(wish.key, '/payment-requests'),
      method: 'POST',
      body,
      headers: { 'Idempotency-Key': intentKey(wish) },
    })
    forgetIntent()
    if (payment.externalLink !== null && isSafeLink(payment.externalLink)) return payment.externalLink
    // Signed before the answer came: there is nothing to open, and the confirmation shows how it stands.
    if (payment.status === 'AUTHORIZED' || payment.status === 'COMPLETED') return returnAddress(wish)
    throw new ApiRefusal(400, { code: 'provider_unavailable' })
  } catch (error) {
    if (error instanceof ApiRefusal && error.status === 400) forgetIntent()
    throw error
  }
}
