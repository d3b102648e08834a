/** The calls about the plans of a creditor's debtors. */
import * as contract from '@kvitt/domain/part-payments/office-plan.contract.ts'
import type { Binding } from '../../platform/http/call.ts'
import { bind, bindRow } from '../../sign-in/bind.ts'
import { listOrFile, type OfficeTable } from '../../staff/office-export.ts'
import { findOfficePlan, getOfficePlan } from './office-plans.ts'
import { searchPlanRows } from './office-plans.queries.ts'

/** What a file of the list has. */
const TABLE: OfficeTable = {
  title: 'export.plans',
  columns: [
    { label: 'export.number', path: 'number', share: 14 },
    { label: 'export.debtor', path: 'debtor.name', share: 20 },
    { label: 'export.started_on', path: 'startedOn', share: 11 },
    { label: 'document.status', path: 'status', texts: 'plan_status.', share: 12 },
    { label: 'export.credit', path: 'credit', currency: 'currency', share: 11 },
    { label: 'document.balance', path: 'left', currency: 'currency', share: 11 },
    { label: 'export.late', path: 'late', currency: 'currency', share: 10 },
    { label: 'document.currency', path: 'currency', share: 10 },
  ],
}

export const OFFICE_PLAN_BINDINGS: readonly Binding[] = [
  bind(contract.searchOfficePlans, (call) => listOrFile(call, searchPlanRows, TABLE)),
  bindRow(contract.getOfficePlan, findOfficePlan, ({ context, principal, row }) =>
    getOfficePlan(context, principal, row),
  ),
]
