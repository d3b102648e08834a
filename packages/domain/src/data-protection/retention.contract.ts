/** What is over its time, and who lets it go: of all, and of one person who asks. */
import { z } from 'zod'
import { adminCall, day, instant } from '../contract.ts'
import { typedLines } from '../typed-text.contract.ts'
import { RETENTION_KINDS } from './retention.ts'

const rule = z.strictObject({
  kind: z.enum(RETENTION_KINDS),
  /** One of the two: months after the end, or whole calendar years after the year of the last entry. */
  months: z.number().int().nullable(),
  years: z.number().int().nullable(),
  ground: z.string(),
  isConfirmed: z.boolean(),
})

const found = z.strictObject({
  kind: z.enum(RETENTION_KINDS),
  count: z.number().int(),
  /** What has been over its time for longest. */
  oldest: day,
  /** A few of them, by id alone. */
  samples: z.array(z.uuid()),
  /** How many of them are kept as it stands today, and left when the others go: by which legal holds, and how many by a request that is open. */
  held: z.number().int(),
  holds: z.array(z.uuid()),
  asked: z.number().int(),
})

const run = z.strictObject({
  id: z.uuid(),
  status: z.enum(['FOUND', 'APPROVED', 'DONE']),
  /** It is one person's who asked for it. */
  isOfOne: z.boolean(),
  foundAt: instant,
  approvedAt: instant.nullable(),
  approvedBy: z.string().nullable(),
  reason: z.string().nullable(),
  endedAt: instant.nullable(),
  /** How many things in all, how many are gone, and how many were not over any more when their turn came. */
  count: z.number().int(),
  done: z.number().int(),
  left: z.number().int(),
  /** How many of those that are still to go are kept now. */
  held: z.number().int(),
  found: z.array(found),
})

export const retention = z.strictObject({
  rules: z.array(rule),
  /** The newest first: what was found and waits for a person, and the last twenty. */
  runs: z.array(run),
})

export const getRetention = adminCall({
  name: 'retention',
  right: 'audit',
  path: '/data-protection',
  response: retention,
})

/** Looks now for what is over its time, and does not wait for the night. */
export const findRetention = adminCall({
  name: 'findRetention',
  right: 'erase',
  method: 'POST',
  path: '/data-protection/find',
  response: retention,
})

/** `count` and `held` are what the person was shown: with another number it is refused, and nothing goes. Said twice it is said once. */
export const approveRetention = adminCall({
  name: 'approveRetention',
  right: 'erase',
  method: 'POST',
  path: '/data-protection/approve',
  body: z.strictObject({
    run: z.uuid(),
    count: z.number().int(),
    held: z.number().int(),
    reason: typedLines(500).min(1),
  }),
  response: retention,
  refusals: ['not_found', 'selection_changed', 'sign_in_again'],
})

const stay = z.strictObject({
  /** OPEN: something is open still, so there is no day yet. HOLD: a legal hold stands, whose source is the ground. REQUEST: something they asked is not answered. ANSWER: who they are, until they are told what went. */
  kind: z.enum([...RETENTION_KINDS, 'OPEN', 'HOLD', 'REQUEST', 'ANSWER']),
  ground: z.string(),
  /** The first day on which it may go; of a hold the day after its last, null as long as it has no end. */
  until: day.nullable(),
  count: z.number().int(),
})

export const personErasure = z.strictObject({
  goes: z.array(z.strictObject({ kind: z.enum(RETENTION_KINDS), count: z.number().int() })),
  stays: z.array(stay),
})

/** What of a person's could go now, and what has to stay: on which ground, until when. As a PDF it is the letter to the person. */
export const getPersonErasure = adminCall({
  name: 'personErasure',
  right: 'export_person',
  path: '/debtors/:id/erasure',
  response: personErasure,
  alsoFiles: ['application/pdf'],
})

/** Lets go what may go, at once. Refuses `nothing_over_time` where all of it has to stay. */
export const erasePerson = adminCall({
  name: 'erasePerson',
  right: 'erase',
  method: 'POST',
  path: '/debtors/:id/erasure',
  body: z.strictObject({ reason: typedLines(500).min(1) }),
  response: personErasure,
  refusals: ['nothing_over_time', 'sign_in_again'],
})
