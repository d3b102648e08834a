/** The calls about what is owed back. */
import * as contract from '@kvitt/domain/refunds/refund.contract.ts'
import type { Binding } from '../../platform/http/call.ts'
import { bind, bindSharedRow } from '../../sign-in/bind.ts'
import { askedBy } from '../../staff/staff.ts'
import { findRefund, presentRefund } from './refund-case.ts'
import { searchRefundRows } from './refund-rows.queries.ts'
import { confirmRefund, recordRefund, sendRefund } from './work-refund.ts'

export const REFUND_DESK_BINDINGS: readonly Binding[] = [
  bind(contract.searchRefunds, ({ context, principal, query, body }) =>
    searchRefundRows(context, principal, query, body),
  ),
  bindSharedRow(contract.getRefund, findRefund, ({ context, principal, row }) =>
    presentRefund(context, principal, row),
  ),
  bindSharedRow(contract.sendRefund, findRefund, ({ context, principal, row, body, request }) =>
    sendRefund({ context, principal, row, asked: askedBy(request, 'send', row.id, body) }, body.payment),
  ),
  bindSharedRow(contract.recordRefund, findRefund, ({ context, principal, row, request }) =>
    recordRefund({ context, principal, row, asked: askedBy(request, 'record', row.id) }),
  ),
  bindSharedRow(contract.confirmRefund, findRefund, ({ context, principal, row, request }) =>
    confirmRefund({ context, principal, row, asked: askedBy(request, 'confirm', row.id) }),
  ),
]
