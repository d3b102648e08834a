/** The calls about a claim before an authority, beside the use cases that answer them. */
import * as contract from '@kvitt/domain/court/office-court.contract.ts'
import { endCourtInstructionOf, keepCourtInstruction } from '@kvitt/domain/creditors/client.contract.ts'
import {
  endCourtInstruction,
  giveCourtInstruction,
} from '@kvitt/domain/creditors/office-creditor.contract.ts'
import { findOfficeClaim } from '../../claims/office/office-claims.ts'
import type { Binding } from '../../platform/http/call.ts'
import { bind, bindRow, bindSharedRow } from '../../sign-in/bind.ts'
import { askedBy } from '../../staff/staff.ts'
import { endInstructed, findInstructing, instruct } from './instruct.ts'
import { giveBack, presentCourt, recordDecided, recordFiled, recordUnfiled } from './office-court.ts'

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
  bindRow(contract.recordNotApplied, findOfficeClaim, ({ context, principal, row, body, request }) =>
    recordUnfiled(
      { context, principal, row, asked: askedBy(request, 'record-not-applied', row.id, body) },
      body.note,
    ),
  ),
  bindRow(contract.returnFromCourt, findOfficeClaim, ({ context, principal, row, body, request }) =>
    giveBack(
      { context, principal, row, asked: askedBy(request, 'return-instruction', row.id, body) },
      body.reason,
    ),
  ),
  bind(giveCourtInstruction, async ({ context, principal, body }) => {
    const { creditorId, name: person } = principal
    return instruct(context, principal, { creditorId, person, reason: 'given in the portal' }, body)
  }),
  bind(endCourtInstruction, ({ context, principal, body: { currency } }) => {
    const { creditorId } = principal
    return endInstructed(context, principal, { creditorId, currency, reason: 'ended in the portal' })
  }),
  bindSharedRow(keepCourtInstruction, findInstructing, ({ context, principal, row, body }) => {
    const { person, source: reason, ...written } = body
    return instruct(context, principal, { creditorId: row.id, person, reason }, written)
  }),
  bindSharedRow(endCourtInstructionOf, findInstructing, ({ context, principal, row, body }) => {
    const { currency, source: reason } = body
    return endInstructed(context, principal, { creditorId: row.id, currency, reason })
  }),
]
