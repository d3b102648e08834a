/** A claim before an authority, as staff see it and record it. */
import { z } from 'zod'
import { adminCall, amount, day, officeCall } from '../contract.ts'
import { officeClaim } from '../claims/office-claim.contract.ts'
import { typedLine, typedLines } from '../typed-text.contract.ts'
import { APPLICATION_STATUSES, COURT_DECISIONS } from './court.ts'

/** What has been recorded of it, the oldest first, and what an application would cost. */
export const getClaimCourt = officeCall({
  name: 'officeClaimCourt',
  right: 'see',
  path: '/collection-batches/:id/court',
  response: z.strictObject({
    applications: z.array(
      z.strictObject({
        date: day,
        authority: z.string(),
        caseNumber: z.string(),
        status: z.enum(APPLICATION_STATUSES),
        decisions: z.array(z.strictObject({ kind: z.enum(COURT_DECISIONS), date: day })),
      }),
    ),
    /** What the claim costs the debtor more once an application is recorded; null where the figure is not known. */
    cost: amount.nullable(),
    /** The first day on which an application may be made; null before the demand has left. */
    earliest: day.nullable(),
    /** The creditor has given the instruction, and nobody has filed it. */
    isWanted: z.boolean(),
    /**
     * What an earlier version charged by schedule without anybody having filed it, and since when; null where there is nothing such.
     */
    unfiled: z.strictObject({ on: day, amount }).nullable(),
    /** Why the operator has given the instruction back, as long as nothing else was decided. */
    returned: z.strictObject({ on: day, reason: z.string() }).nullable(),
  }),
})

const recording = {
  right: 'record_court',
  method: 'POST',
  takesKey: true,
  response: officeClaim,
} as const

const caseNumber = typedLine(60)
const note = typedLines(500).nullish()

/** Somebody has filed it on that day: the claim costs what that costs, once for its case number. */
export const recordApplication = adminCall({
  ...recording,
  name: 'recordCourtApplication',
  path: '/collection-batches/:id/record-application',
  body: z.strictObject({ date: day, authority: typedLine(100), caseNumber, note }),
  refusals: [
    'invalid_request',
    'act_not_open',
    'owed_in_plan',
    'court_rests',
    'debtor_rests',
    'court_not_yet',
    'day_out_of_reach',
    'court_application_stands',
    'court_recorded_otherwise',
    'court_case_taken',
    'idempotency_key_reused',
  ],
})

/** What the authority has decided, and what follows: an objection makes the claim disputed. */
export const recordDecision = adminCall({
  ...recording,
  name: 'recordCourtDecision',
  path: '/collection-batches/:id/record-decision',
  body: z.strictObject({ date: day, kind: z.enum(COURT_DECISIONS), caseNumber, note }),
  refusals: [
    'invalid_request',
    'act_not_open',
    'day_out_of_reach',
    'court_recorded_otherwise',
    'court_case_unknown',
    'court_decision_impossible',
    'idempotency_key_reused',
  ],
})

/** It cannot be filed as it is: the creditor is asked again what comes next, and sees why. */
export const returnFromCourt = adminCall({
  ...recording,
  name: 'returnFromCourt',
  path: '/collection-batches/:id/return-instruction',
  body: z.strictObject({ reason: typedLines(500) }),
  refusals: ['act_not_open', 'why_required', 'idempotency_key_reused'],
})

/** Nobody has filed what was charged by schedule: its cost is taken back, and the creditor is asked what comes next. */
export const recordNotApplied = adminCall({
  ...recording,
  name: 'recordCourtNotApplied',
  path: '/collection-batches/:id/record-not-applied',
  body: z.strictObject({ note }),
  refusals: ['act_not_open', 'idempotency_key_reused'],
})
