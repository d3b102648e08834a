/** A payment on the wire. */
import type { Loosen } from '@kvitt/domain/contract.ts'
import { Amount } from '@kvitt/domain/money.ts'
import type { PaymentAnswer } from '@kvitt/domain/payments/payment.contract.ts'
import { isOpenPayment } from '@kvitt/domain/payments/payment.ts'
import { swishQrText, swishTokenOf } from '@kvitt/domain/payments/swish.ts'
import type { ListedPayment } from './listed-payments.queries.ts'
import type { PaymentRow } from './payments.queries.ts'

/** A payment as the wire has it. The link is only given while it can still be signed. A new one has brought nothing. */
export function presentPayment(row: PaymentRow & Partial<ListedPayment>): Loosen<PaymentAnswer> {
  const link = isOpenPayment(row.status) && !row.is_outcome_unknown ? row.external_link : null
  const token = link === null ? undefined : swishTokenOf(link)
  return {
    id: row.id,
    status: row.status,
    amount: new Amount(row.amount_minor),
    receivedAmount: new Amount(row.received_minor ?? 0),
    moved: row.is_moved ?? false,
    currency: row.currency,
    paymentDate: row.execution_date,
    paymentOption: row.option,
    externalLink: link,
    qrCode: token === undefined ? null : swishQrText(token),
    serviceProviderCode: row.gateway,
    createdAt: row.created_at,
    stale: row.is_stale,
    outcomeUnknown: row.is_outcome_unknown,
  }
}
