import { accountNumberOf, referenceOf, stateOf, twoDecimals } from './payment.ts'
import type { Payment, PaymentState } from './payment.ts'

/** A payment as the control calls and the page show it. */
export interface Order {
  id: string
  kind: 'bank'
  reference: string
  /** Decimal text with two decimals. */
  amount: string
  currency: string
  text: string
  status: PaymentState
  createdAt: string
  /** The day of execution: asked for, or today when none was. */
  executionDate: string
  payee: string
  account: string
  endToEndIdentification: string | null
  transactionStatus: string
  /** The bank's signing page of this payment. */
  link: string
}

export function orderOf(payment: Payment, today: string, signUrl: (token: string) => string): Order {
  return {
    id: payment.paymentId,
    kind: 'bank',
    reference: referenceOf(payment),
    amount: twoDecimals(payment.instructedAmount.amount),
    currency: payment.instructedAmount.currency,
    text: payment.remittanceInformationUnstructured ?? `Pay ${payment.creditorName}`,
    status: stateOf(payment),
    createdAt: new Date(payment.createdAtMs).toISOString(),
    executionDate: payment.executionDate ?? payment.requestedExecutionDate ?? today,
    payee: payment.creditorName,
    account: accountNumberOf(payment.creditorAccount),
    endToEndIdentification: payment.endToEndIdentification ?? null,
    transactionStatus: payment.status,
    link: signUrl(payment.token),
  }
}
