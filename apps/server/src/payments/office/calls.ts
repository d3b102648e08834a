/** The calls about what was paid to a creditor's debts. */
import * as contract from '@kvitt/domain/payments/office-payment.contract.ts'
import type { Binding } from '../../platform/http/call.ts'
import { bind, bindRow } from '../../sign-in/bind.ts'
import { getOfficePayment } from './office-payments.ts'
import { searchPaymentRows } from './office-payments.queries.ts'

export const OFFICE_PAYMENT_BINDINGS: readonly Binding[] = [
  bind(contract.searchOfficePayments, ({ context, principal, query, body }) =>
    searchPaymentRows(context, principal, query, body),
  ),
  bindRow(contract.getOfficePayment, getOfficePayment, async ({ row }) => row),
]
