/** The calls about a claim before an authority, beside the use cases that answer them. */
import * as contract from '@kvitt/domain/court/office-court.contract.ts'
import { findOfficeClaim } from '../../claims/office/office-claims.ts'
import type { Binding } from '../../platform/http/call.ts'
import { bindRow } from '../../sign-in/bind.ts'
import { askedBy } from '../../staff/staff.ts'
import { giveBack, presentCourt, recordDecided, recordFiled } from './office-court.ts'

export const OFFICE_COURT_BINDINGS: readonly Binding[] = [
  bindRow(contract.getClaimCourt, findOfficeClaim, ({ context, principal, row }) =>
    presentCourt(context, principal, row),
  ),
  bindRow(contract.recordApplication, findOfficeClaim, ({ context, principal, row, body, request }) =>
    recordFiled(
      { context, principal, row, asked: askedBy(request, 'record-application', row.id, body) },
      body,
    ),
  ),
  bindRow(contract.recordDecision, findOfficeClaim, ({ context, principal, row, body, request }) =>
    recordDecided(
      { context, principal, row, asked: askedBy(request, 'record-decision', row.id, body) },
      body,
    ),
  ),
  bindRow(contract.returnFromCourt, findOfficeClaim, ({ context, principal, row, body, request }) =>
    giveBack(
      { context, principal, row, asked: askedBy(request, 'return-instruction', row.id, body) },
      body.reason,
    ),
  ),
]
