/** Legal holds: while one stands, nothing of a person is archived or erased because its time is over. */
import { z } from 'zod'
import { adminCall, day, instant } from '../contract.ts'
import { typedLines } from '../typed-text.contract.ts'
import { RETENTION_KINDS } from './retention.ts'

const HOLD_STATES = ['AHEAD', 'STANDING', 'OVER', 'LIFTED'] as const

const hold = z.strictObject({
  id: z.uuid(),
  debtor: z.uuid(),
  /** `[erased]` once the person is. */
  name: z.string(),
  from: day,
  /** Its last day; null: until it is lifted. */
  until: day.nullable(),
  reason: z.string(),
  /** Where it comes from: an authority's letter, a court's case. */
  source: z.string(),
  setAt: instant,
  setBy: z.string(),
  liftedAt: instant.nullable(),
  liftedBy: z.string().nullable(),
  liftReason: z.string().nullable(),
  /** STANDING: it keeps the person now, which begins as early as the provider's day may. AHEAD: it begins later. */
  state: z.enum(HOLD_STATES),
  /** What of the person is over its time and stays for this alone. */
  keeps: z.array(z.strictObject({ kind: z.enum(RETENTION_KINDS), count: z.number().int() })),
})

export const legalHolds = z.strictObject({
  /** Those that stand first, all of them; then those ahead, over and lifted, the newest first: two hundred in all, or as many as stand. */
  holds: z.array(hold),
})

export const getLegalHolds = adminCall({
  name: 'legalHolds',
  right: 'audit',
  path: '/data-protection/holds',
  response: legalHolds,
})

/**
 * Holds a person: one hold for each debtor that the number proves to be the same person, in one step. It waits for what is being erased at this moment; all that is erased
 * afterwards leaves the person out.
 */
export const setLegalHold = adminCall({
  name: 'setLegalHold',
  right: 'erase',
  method: 'POST',
  path: '/data-protection/holds',
  takesKey: true,
  body: z.strictObject({
    debtor: z.uuid(),
    from: day,
    until: day.nullish(),
    reason: typedLines(500).min(1),
    source: typedLines(200).min(1),
  }),
  response: legalHolds,
  refusals: ['not_found', 'hold_ends_too_early', 'idempotency_key_reused'],
})

/**
 * Lets this debtor go again, as far as the time is over. Said twice it is said once: of one that is lifted nothing changes. Refuses
 * `hold_over` for one whose last day has passed.
 */
export const liftLegalHold = adminCall({
  name: 'liftLegalHold',
  right: 'erase',
  method: 'POST',
  path: '/data-protection/holds/:id/lift',
  body: z.strictObject({ reason: typedLines(500).min(1) }),
  response: legalHolds,
  refusals: ['not_found', 'hold_over', 'sign_in_again'],
})
