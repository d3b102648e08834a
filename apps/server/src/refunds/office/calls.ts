/** The calls about what is owed back. */
import * as contract from '@kvitt/domain/refunds/refund.contract.ts'
import type { Binding } from '../../platform/http/call.ts'
import { bind, bindSharedRow } from '../../sign-in/bind.ts'
import { Amount } from '@kvitt/domain/money.ts'
import { noteAccess } from '../../audit/audit.ts'
import { Replayed } from '../../platform/http/replayed.ts'
import { findProposal, presentProposal } from '../../proposals/proposals.ts'
import { actorOf, askedBy } from '../../staff/staff.ts'
import { gather, proposeRefundFile, readReceivers } from '../files/refund-files.ts'
import type { OwedBackRow } from '../files/refund-files.queries.ts'
import { notOrdered, previewNotOrdered } from './not-ordered.ts'
import { findRefund, presentRefund } from './refund-case.ts'
import { searchRefundRows } from './refund-rows.queries.ts'
import { confirmRefund, recordRefund, sendRefund } from './work-refund.ts'

const accountOf = ({ scheme, number }: Pick<OwedBackRow, 'scheme' | 'number'>) =>
  scheme === null || number === null ? null : { scheme, number }

function presentGathered(row: OwedBackRow) {
  const { id, kind, leftMinor, debt, receiverName, hasFailed } = row
  const account = accountOf(row)
  return { id, kind, amount: new Amount(leftMinor), number: debt, name: receiverName, account, hasFailed }
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
  bind(contract.proposeRefundFile, async ({ context, principal, body, request }) => {
    const asked = askedBy(request, 'refund-file', principal.instance.id, body)
    const { id, isReplayed } = await proposeRefundFile(context, principal, { wanted: body, asked })
    const answer = await presentProposal(context, principal, id)
    return isReplayed ? new Replayed(answer) : answer
  }),
  bindSharedRow(contract.getReceivers, findProposal, async ({ context, principal, row }) => {
    const rows = await readReceivers(context, principal, row)
    await noteAccess(context, {
      instanceId: principal.instance.id,
      kind: 'staff_listed',
      actor: actorOf(principal),
      about: 'refunds',
      details: { found: rows.length, filters: { proposal: row.id } },
    })
    return {
      rows: rows.map(({ id, receiverName: name, scheme, number }) => ({
        id,
        name,
        account: accountOf({ scheme, number }),
      })),
    }
  }),
  bindSharedRow(contract.getRefund, findRefund, ({ context, principal, row }) =>
    presentRefund(context, principal, row),
  ),
  bindSharedRow(contract.sendRefund, findRefund, ({ context, principal, row, body, request }) =>
    sendRefund({ context, principal, row, asked: askedBy(request, 'send', row.id, body) }, body.payment),
  ),
  bindSharedRow(contract.recordRefund, findRefund, ({ context, principal, row, request }) =>
    recordRefund({ context, principal, row, asked: askedBy(request, 'record', row.id) }),
  ),
  bindSharedRow(contract.refundNotOrdered, findRefund, ({ context, principal, row, request }) =>
    notOrdered({ context, principal, row, asked: askedBy(request, 'not-ordered', row.id) }),
  ),
  bindSharedRow(contract.previewNotOrdered, findRefund, ({ context, principal, row }) =>
    previewNotOrdered({ context, principal, row }),
  ),
  bindSharedRow(contract.confirmRefund, findRefund, ({ context, principal, row, request }) =>
    confirmRefund({ context, principal, row, asked: askedBy(request, 'confirm', row.id) }),
  ),
]
