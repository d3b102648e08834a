/** The calls about what is owed back. */
import * as contract from '@kvitt/domain/refunds/refund.contract.ts'
import type { Binding } from '../../platform/http/call.ts'
import { bind, bindSharedRow } from '../../sign-in/bind.ts'
import { Amount } from '@kvitt/domain/money.ts'
import { noteAccess } from '../../audit/audit.ts'
import { presentProposal } from '../../proposals/proposals.ts'
import { actorOf, askedBy } from '../../staff/staff.ts'
import { gather, proposeRefundFile } from '../files/refund-files.ts'
import type { OwedBackRow } from '../files/refund-files.queries.ts'
import { findRefund, presentRefund } from './refund-case.ts'
import { searchRefundRows } from './refund-rows.queries.ts'
import { confirmRefund, recordRefund, sendRefund } from './work-refund.ts'

function presentGathered({ id, kind, leftMinor, debt, receiverName, scheme, number }: OwedBackRow) {
  const account = scheme === null || number === null ? null : { scheme, number }
  return { id, kind, amount: new Amount(leftMinor), number: debt, name: receiverName, account }
}

export const REFUND_DESK_BINDINGS: readonly Binding[] = [
  bind(contract.searchRefunds, ({ context, principal, query, body }) =>
    searchRefundRows(context, principal, query, body),
  ),
  bind(contract.getGathered, async ({ context, principal, query }) => {
    const rows = await gather(context, principal, query.currency)
    await noteAccess(context, {
      instanceId: principal.instance.id,
      kind: 'staff_listed',
      actor: actorOf(principal),
      about: 'refunds',
      details: { found: rows.length, filters: query },
    })
    return { rows: rows.map(presentGathered) }
  }),
  bind(contract.proposeRefundFile, async ({ context, principal, body }) =>
    presentProposal(context, principal, await proposeRefundFile(context, principal, body)),
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
