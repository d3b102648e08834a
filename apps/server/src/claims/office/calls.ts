/** The calls about a creditor's claims, beside the use cases that answer them. */
import * as contract from '@kvitt/domain/claims/office-claim.contract.ts'
import type { Binding } from '../../platform/http/call.ts'
import { bind, bindRow } from '../../sign-in/bind.ts'
import {
  findOfficeClaim,
  listOfficeClaimEvents,
  listOfficeClaimInvoices,
  searchOfficeClaims,
} from './office-claims.ts'

export const OFFICE_CLAIM_BINDINGS: readonly Binding[] = [
  bind(contract.searchOfficeClaims, ({ context, principal, query, body }) =>
    searchOfficeClaims(context, principal, query, body),
  ),
  bindRow(contract.getOfficeClaim, findOfficeClaim, async ({ row }) => row.json),
  bindRow(contract.listOfficeClaimInvoices, findOfficeClaim, ({ context, principal, row }) =>
    listOfficeClaimInvoices(context, principal, row),
  ),
  bindRow(contract.listOfficeClaimEvents, findOfficeClaim, ({ context, principal, row, query }) =>
    listOfficeClaimEvents(context, principal, row, query),
  ),
]
