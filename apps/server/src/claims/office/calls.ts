/** The calls about a creditor's claims, beside the use cases that answer them. */
import * as contract from '@kvitt/domain/claims/office-claim.contract.ts'
import type { Binding } from '../../platform/http/call.ts'
import { listOrFile, type OfficeTable } from '../../staff/office-export.ts'
import { bind, bindRow } from '../../sign-in/bind.ts'
import {
  findOfficeClaim,
  listOfficeClaimEvents,
  listOfficeClaimInvoices,
  searchOfficeClaims,
} from './office-claims.ts'

/** What a file of the list has. */
const TABLE: OfficeTable = {
  title: 'export.claims',
  columns: [
    { label: 'document.claim_number', path: 'collectionBatchNumber', share: 10 },
    { label: 'document.reference', path: 'paymentReference', share: 13 },
    { label: 'export.debtor', path: 'debtor.name', share: 19 },
    { label: 'document.status', path: 'status', texts: 'claim_status.', share: 10 },
    { label: 'export.opened_on', path: 'dates.openedOn', share: 10 },
    { label: 'document.due_date', path: 'dates.expireDate', share: 10 },
    { label: 'document.currency', path: 'currency', share: 5 },
    { label: 'document.principal', path: 'balances.principal', currency: 'currency', share: 8 },
    { label: 'document.costs', path: 'balances.costs', currency: 'currency', share: 7 },
    { label: 'document.interest', path: 'balances.interest', currency: 'currency', share: 7 },
    { label: 'document.balance', path: 'balances.total', currency: 'currency', share: 9 },
  ],
}

export const OFFICE_CLAIM_BINDINGS: readonly Binding[] = [
  bind(contract.searchOfficeClaims, (call) => listOrFile(call, searchOfficeClaims, TABLE)),
  bindRow(contract.getOfficeClaim, findOfficeClaim, async ({ row }) => row.json),
  bindRow(contract.listOfficeClaimInvoices, findOfficeClaim, ({ context, principal, row }) =>
    listOfficeClaimInvoices(context, principal, row),
  ),
  bindRow(contract.listOfficeClaimEvents, findOfficeClaim, ({ context, principal, row, query }) =>
    listOfficeClaimEvents(context, principal, row, query),
  ),
]
