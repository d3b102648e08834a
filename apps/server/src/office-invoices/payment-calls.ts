/** The calls by which a creditor's staff and programs act on a payment, beside the use cases that answer them. */
import * as contract from '@kvitt/domain/payments/office-payment.contract.ts'
import { findOfficePayment } from '../payments/payments.ts'
import type { Binding } from '../platform/http/call.ts'
import { bindRow } from '../sign-in/bind.ts'
import { askedBy } from '../staff/staff.ts'
import { READS_PAYMENT, reverseDirectPayment } from './reverse-direct-payment.ts'

export const OFFICE_PAYMENT_ACT_BINDINGS: readonly Binding[] = [
  bindRow(contract.reverseOfficePayment, findOfficePayment, ({ context, principal, request, row, body }) => {
    const asked = { ...askedBy(request, 'reverse', row.id, body), ...READS_PAYMENT }
    return reverseDirectPayment({ context, principal, row, asked }, body.reason)
  }),
]
