/** Flags of a debtor: set and reported on the debtor, answered and ended by the operator. */
import { z } from 'zod'
import { adminCall, amount, day, officeCall } from '../contract.ts'
import { typedLine, typedLines } from '../typed-text.contract.ts'
import { FILED_WITH, FLAG_ANSWERS, FLAG_KINDS } from './debtor-flag.ts'
import { officeDebtorDetail } from './office-debtor.contract.ts'

/**
 * Of a creditor's people it becomes a report, which counts at once: a letter to somebody who is dead cannot be called back. The
 * operator's people are asked to look at it. A creditor is told that it has reported the same before, never that another has.
 * A protected identity is the operator's people's to say: a creditor who knows of one tells them.
 */
export const flagDebtor = officeCall({
  name: 'flagDebtor',
  right: 'flag',
  method: 'POST',
  path: '/debtors/:id/flags',
  takesKey: true,
  body: z.strictObject({ kind: z.enum(FLAG_KINDS), from: day, source: typedLine(200) }),
  response: officeDebtorDetail,
  refusals: ['invalid_request', 'not_allowed', 'day_out_of_reach', 'flag_stands', 'idempotency_key_reused'],
})

/** One flag, with what was done to the debtor since it began: what came too late is put right by a person. */
const debtorFlag = z.strictObject({
  id: z.uuid(),
  kind: z.enum(FLAG_KINDS),
  from: day,
  setOn: day,
  source: z.string(),
  /** The creditor whose people told of it; null where the operator's did. */
  reportedBy: z.string().nullable(),
  answer: z.enum(FLAG_ANSWERS).nullable(),
  filedWith: z.enum(FILED_WITH).nullable(),
  filedOn: day.nullable(),
  endedOn: day.nullable(),
  debtor: z.strictObject({ id: z.uuid(), name: z.string() }),
  /** How many of the debtor's invoices and claims are open, of all creditors. */
  openCount: z.number().int(),
  /** Debts that bore a fee, or of which a letter was sent, since the flag's day; two hundred at most, those with most charged first. */
  since: z.array(
    z.strictObject({
      type: z.enum(['invoices', 'collection-batches']),
      id: z.uuid(),
      number: z.string(),
      creditor: z.string(),
      charged: amount,
      currency: z.string(),
      letters: z.number().int(),
    }),
  ),
})

export const getDebtorFlag = adminCall({
  name: 'debtorFlag',
  right: 'flag',
  path: '/debtor-flags/:id',
  response: debtorFlag,
})

/** `STOP` needs the right to stop besides; `GO_ON` of a minor or ward a guardian. What was told to somebody names whom, and the day. */
export const answerDebtorFlag = adminCall({
  name: 'answerDebtorFlag',
  right: 'answer_flag',
  method: 'POST',
  path: '/debtor-flags/:id/answer',
  takesKey: true,
  body: z.strictObject({
    answer: z.enum(FLAG_ANSWERS),
    filedWith: z.enum(FILED_WITH).nullish(),
    filedOn: day.nullish(),
    note: typedLines(500).nullish(),
  }),
  response: debtorFlag,
  refusals: [
    'invalid_request',
    'not_allowed',
    'act_not_open',
    'guardian_missing',
    'day_out_of_reach',
    'idempotency_key_reused',
  ],
})

/** It was wrong, or is over: what rested goes on. Of a protected identity it needs the right to see what is hidden. */
export const endDebtorFlag = adminCall({
  name: 'endDebtorFlag',
  right: 'answer_flag',
  method: 'POST',
  path: '/debtor-flags/:id/end',
  takesKey: true,
  body: z.strictObject({ reason: typedLines(500) }),
  response: debtorFlag,
  refusals: ['why_required', 'not_allowed', 'act_not_open', 'idempotency_key_reused'],
})

/** How one may reach a person, as their debtor row, a creditor or their guardian has it; of the row itself both names are null. */
const reach = z.strictObject({
  creditor: z.string().nullable(),
  guardian: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  address: z.string().nullable(),
  address2: z.string().nullable(),
  zip: z.string(),
  city: z.string().nullable(),
})

/**
 * What is hidden of a person with a protected identity (M-36): as it was told first, and as each creditor tells it. Each look is a deed with
 * its reason. Of whoever is not protected it stands on the debtor: `act_not_open`.
 */
export const seeProtected = adminCall({
  name: 'seeProtected',
  right: 'see_protected',
  method: 'POST',
  path: '/debtors/:id/protected',
  body: z.strictObject({ reason: typedLines(500) }),
  response: z.strictObject({ reached: z.array(reach) }),
  refusals: ['why_required', 'act_not_open'],
})
