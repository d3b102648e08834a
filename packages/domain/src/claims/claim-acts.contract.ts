/** What a creditor's staff and programs do with a claim. */
import { z } from 'zod'
import { amountIn, officeCall, day } from '../contract.ts'
import { STOP_REASONS } from '../invoices/invoice-acts.contract.ts'
import type { StaffRight } from '../staff/roles.ts'
import { actedClaim } from './office-claim.contract.ts'
import { proposal } from '../proposals/proposal.contract.ts'
import { typedLines } from '../typed-text.contract.ts'

const reason = typedLines(500)

/** An act answers the claim as it is then. */
function claimAct<B extends z.ZodType, const Act extends string>(
  act: Act,
  right: StaffRight,
  {
    name,
    body,
    takesUndo = false,
  }: { readonly name: string; readonly body: B; readonly takesUndo?: boolean },
) {
  return officeCall({
    name,
    right,
    method: 'POST',
    path: `/collection-batches/:id/${act}`,
    takesKey: true,
    takesUndo,
    body,
    response: actedClaim,
    refusals: [
      'act_not_open',
      'owed_in_plan',
      'amount_too_large',
      'amount_malformed',
      'payment_signed',
      'nothing_left',
      'day_out_of_reach',
      'paused_already',
      'why_required',
      'idempotency_key_reused',
    ],
  })
}

/** One of both: `costs` or `interest`. Without an amount, all of it. */
export const waiveOnClaim = claimAct('waive', 'waive', {
  name: 'waiveOnOfficeClaim',
  body: z.strictObject({
    costs: z.boolean().nullish(),
    interest: z.boolean().nullish(),
    amount: amountIn.nullish(),
    reason,
  }),
})

/** Steps rest, interest goes on. */
export const pauseClaim = claimAct('pause', 'pause', {
  name: 'pauseOfficeClaim',
  takesUndo: true,
  body: z.strictObject({ until: day, reason }),
})

export const resumeClaim = claimAct('resume', 'more_time', {
  name: 'resumeOfficeClaim',
  body: z.strictObject({ reason: reason.nullish() }).optional(),
})

/** A new last day, before which no step comes; interest goes on. */
export const giveMoreTimeOnClaim = claimAct('more-time', 'more_time', {
  name: 'giveMoreTimeOnOfficeClaim',
  body: z.strictObject({ until: day, reason: reason.nullish() }),
})

/** Money that the creditor was paid itself, on a day that is not to come; at most what is owed. */
export const enterDirectPaymentOnClaim = claimAct('direct-payment', 'direct_payment', {
  name: 'enterDirectPaymentOnOfficeClaim',
  body: z.strictObject({ amount: amountIn, date: day, note: reason.nullish() }),
})

/** Nothing more is asked for; what is left stays in the books as not collected. */
export const stopClaim = claimAct('stop', 'stop', {
  name: 'stopOfficeClaim',
  body: z.strictObject({ reason: z.enum(STOP_REASONS), note: reason.nullish() }),
})

/** The creditor takes it back: what is open of the agency's fees goes, and the debtor is told that the creditor handles the rest. */
export const recallClaim = claimAct('recall', 'recall', {
  name: 'recallOfficeClaim',
  body: z.strictObject({ reason }),
})

const writingOff = claimAct('write-off', 'write_off', {
  name: 'writeOffOfficeClaim',
  body: z.strictObject({ amount: amountIn.nullish(), reason }),
})
/**
 * The debtor owes it no more. Without an amount, all that is left. What an operator's person writes off above the limit, for a
 * debtor and a day, changes nothing yet: the answer is the proposal (202), which another decides.
 */
export const writeOffClaim = {
  ...writingOff,
  mayPropose: true,
  response: z.union([actedClaim, proposal]),
  refusals: [...writingOff.refusals, 'proposal_open'] as const,
}

/** The creditor wants it taken to an authority: it costs the debtor nothing, and somebody of the operator is asked to do it. */
const court = claimAct('apply-to-court', 'court', {
  name: 'applyOfficeClaimToCourt',
  body: z.strictObject({ confirm: z.literal(true) }),
})
export const applyClaimToCourt = {
  ...court,
  refusals: [...court.refusals, 'court_not_yet', 'debtor_rests'] as const,
}
