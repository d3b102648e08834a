/** The calls by which a creditor's staff and programs look into a claim and act on it, beside the use cases that answer them. */
import * as act from '@kvitt/domain/claims/claim-acts.contract.ts'
import * as contract from '@kvitt/domain/claims/office-claim.contract.ts'
import { openAct, type ActRequest, type OfficeAct } from '../acts/acts.ts'
import { findOfficeClaim, type OfficeClaim } from '../claims/office/office-claims.ts'
import type { Context } from '../context.ts'
import { listDemandsForStaff } from '../documents/documents.ts'
import { listMessages } from '../mail/mail.ts'
import type { Binding } from '../platform/http/call.ts'
import { languageFrom } from '../platform/texts.ts'
import { bindRow } from '../sign-in/bind.ts'
import { askedBy, type ClientPrincipal } from '../staff/staff.ts'
import { bucketOf, textOf } from './act-body.ts'
import { applyClaim, decideClaim, READS_CLAIM, type ClaimAct } from './claim-acts.ts'
import { dayAhead } from './decide.ts'
import { enterOnClaim } from './direct-payment.ts'
import { moreTimeOnClaim } from './more-time.ts'
import { recallClaim } from './recall.ts'
import { writeOff } from './write-off.ts'

type RowCall = {
  readonly context: Context
  readonly principal: ClientPrincipal
  readonly request: ActRequest
  readonly row: OfficeClaim
  readonly body?: unknown
}

/** A call as an act on its claim, by its name. */
const actOf = (name: string, { context, principal, request, row, body }: RowCall): ClaimAct => ({
  context,
  principal,
  row,
  asked: { ...askedBy(request, name, row.id, body), ...READS_CLAIM },
})

/** What is done with one claim: at once, later, or with many. */
export const OFFICE_CLAIM_ACTS: readonly OfficeAct[] = [
  openAct(act.waiveOnClaim, findOfficeClaim, (call) => {
    const { amount, reason, ...which } = call.body
    const decision = { act: 'waive', bucket: bucketOf(which), amount: textOf(amount) } as const
    return decideClaim(actOf('waive', call), { decision, reason })
  }),
  openAct(act.pauseClaim, findOfficeClaim, (call) => {
    const pause = actOf('pause', call)
    const { until, reason } = call.body
    return decideClaim(pause, { decision: () => ({ act: 'pause', until: dayAhead(pause, until) }), reason })
  }),
  openAct(act.resumeClaim, findOfficeClaim, (call) =>
    decideClaim(actOf('resume', call), {
      decision: { act: 'resume' },
      reason: call.body?.reason?.trim() || 'resumed',
    }),
  ),
  openAct(act.giveMoreTimeOnClaim, findOfficeClaim, (call) =>
    moreTimeOnClaim(actOf('more-time', call), call.body),
  ),
  openAct(act.enterDirectPaymentOnClaim, findOfficeClaim, (call) =>
    enterOnClaim(actOf('direct-payment', call), call.body),
  ),
  openAct(act.stopClaim, findOfficeClaim, (call) =>
    decideClaim(actOf('stop', call), { decision: { act: 'stop' }, ...call.body }),
  ),
  openAct(act.recallClaim, findOfficeClaim, (call) => recallClaim(actOf('recall', call), call.body.reason)),
  openAct(act.writeOffClaim, findOfficeClaim, (call) =>
    writeOff(
      { ...actOf('write-off', call), debt: { kind: 'claim', id: call.row.id } },
      { amount: textOf(call.body.amount), reason: call.body.reason },
    ),
  ),
  openAct(act.applyClaimToCourt, findOfficeClaim, (call) => applyClaim(actOf('apply-to-court', call))),
]

export const OFFICE_CLAIM_ACT_BINDINGS: readonly Binding[] = [
  bindRow(contract.listOfficeClaimDocuments, findOfficeClaim, ({ context, principal, row }) =>
    listDemandsForStaff(context, principal, row.id),
  ),
  bindRow(contract.listOfficeClaimMessages, findOfficeClaim, ({ context, principal, request, row }) =>
    listMessages(context.db, {
      instanceId: principal.instance.id,
      debt: { claimId: row.id },
      language: languageFrom(request.headers['accept-language'], principal.instance.language),
    }),
  ),
  ...OFFICE_CLAIM_ACTS.map(({ binding }) => binding),
]
