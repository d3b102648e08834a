/** The calls about what was paid to a creditor's debts. */
import * as contract from '@kvitt/domain/payments/office-payment.contract.ts'
import * as act from '@kvitt/domain/payments/payment-acts.contract.ts'
import type { Binding } from '../../platform/http/call.ts'
import { listOrFile, type OfficeTable } from '../../staff/office-export.ts'
import { bind, bindRow, bindSharedRow } from '../../sign-in/bind.ts'
import { askAgain, findUnderWay } from './ask-gateway.ts'
import { getOfficePayment } from './office-payments.ts'
import { searchPaymentRows } from './office-payments.queries.ts'

/** What a file of the list has. */
const TABLE: OfficeTable = {
  title: 'export.payments',
  columns: [
    { label: 'export.booked_on', path: 'bookedOn', share: 11 },
    { label: 'export.value_on', path: 'valueOn', share: 11 },
    { label: 'export.number', path: 'subject.number', share: 12 },
    { label: 'document.reference', path: 'subject.paymentReference', share: 14 },
    { label: 'export.debtor', path: 'debtor.name', share: 18 },
    { label: 'export.way', path: 'way', texts: 'office_way.', share: 11 },
    { label: 'document.status', path: 'status', texts: 'office_payment.', share: 10 },
    { label: 'document.currency', path: 'currency', share: 5 },
    { label: 'document.amount', path: 'amount', currency: 'currency', share: 8 },
  ],
}

export const OFFICE_PAYMENT_BINDINGS: readonly Binding[] = [
  bind(contract.searchOfficePayments, (call) => listOrFile(call, searchPaymentRows, TABLE)),
  bindRow(contract.getOfficePayment, getOfficePayment, async ({ row }) => row),
  bindSharedRow(act.askGatewayAgain, findUnderWay, ({ context, principal, row }) =>
    askAgain(context, principal, row),
  ),
]
