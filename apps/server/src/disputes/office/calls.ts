/** The calls about a creditor's disputes, beside the use cases that answer them. */
import * as contract from '@kvitt/domain/disputes/office-dispute.contract.ts'
import { openAct, type OfficeAct } from '../../acts/acts.ts'
import type { Binding } from '../../platform/http/call.ts'
import { listOrFile, type OfficeTable } from '../../staff/office-export.ts'
import { bind, bindRow } from '../../sign-in/bind.ts'
import { askedBy } from '../../staff/staff.ts'
import {
  decideOffice,
  findOfficeDispute,
  presentOfficeDispute,
  searchOfficeDisputes,
} from './office-disputes.ts'

/** What a file of the list has. */
const TABLE: OfficeTable = {
  title: 'export.disputes',
  columns: [
    { label: 'export.number', path: 'subject.number', share: 11 },
    { label: 'export.debtor', path: 'debtor.name', share: 17 },
    { label: 'document.status', path: 'status', texts: 'office_dispute.', share: 10 },
    { label: 'export.opened_on', path: 'openedOn', share: 10 },
    { label: 'export.deadline', path: 'deadline', share: 10 },
    { label: 'export.decided_on', path: 'decidedOn', share: 10 },
    { label: 'export.reason', path: 'reason', share: 18 },
    { label: 'document.currency', path: 'currency', share: 5 },
    { label: 'document.balance', path: 'balances.total', currency: 'currency', share: 9 },
  ],
}

/** The answer: at once, or later. */
export const DECIDE_DISPUTE: OfficeAct = openAct(
  contract.decideOfficeDispute,
  findOfficeDispute,
  ({ context, principal, row, body, request }) =>
    decideOffice(context, principal, row, {
      wish: body,
      asked: askedBy(request, 'decide', request.params, body),
    }),
)

export const OFFICE_DISPUTE_BINDINGS: readonly Binding[] = [
  bind(contract.searchOfficeDisputes, (call) => listOrFile(call, searchOfficeDisputes, TABLE)),
  bindRow(contract.getOfficeDispute, findOfficeDispute, ({ context, principal, row }) =>
    presentOfficeDispute(context, principal, row),
  ),
  DECIDE_DISPUTE.binding,
]
