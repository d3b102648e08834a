/** What is over its time: found by night, approved by a person, erased some at a time until all of it is gone. */
import type { AnswerOf, BodyOf } from '@kvitt/domain/contract.ts'
import type * as contract from '@kvitt/domain/data-protection/retention.contract.ts'
import { retentionRules } from '@kvitt/domain/data-protection/retention.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { noteDeed } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import { isDatabaseAway, isDatabaseBusy } from '../platform/database/database-away.ts'
import { newId } from '../platform/identity.ts'
import { actorOf, requireFreshSignIn, type OperatorMember } from '../staff/staff.ts'
import { countKeeping } from './data-request.queries.ts'
import { readStanding } from './legal-hold.queries.ts'
import {
  approvedRuns,
  approveRunRow,
  countOverOf,
  eraseSomeOf,
  findOver,
  insertRunOfOne,
  leaveNextOf,
  lockRunRow,
  readRuns,
} from './retention.queries.ts'
import { readStays } from './retention-stays.queries.ts'

type Parts = Pick<Context, 'db' | 'clock'>
export type Retention = AnswerOf<typeof contract.getRetention>
export type PersonErasure = AnswerOf<typeof contract.getPersonErasure>

/** How many things are erased in one transaction. */
const BATCH = 50
/** How often what somebody else stood in the way of is tried before the next round has it. */
const TRIES = 3

/** The rules of the provider's country, what waits for a person, and what was done. */
export async function readRetention(
  { db }: Pick<Context, 'db'>,
  { instance }: OperatorMember,
): Promise<Retention> {
  return {
    rules: retentionRules(instance.row.country).map(({ period, ...rule }) => ({
      ...rule,
      months: 'months' in period ? period.months : null,
      years: 'years' in period ? period.years : null,
    })),
    runs: await readRuns(db, instance.id),
  }
}

/** Looks for what is over its time at each instance. What was found before and is not approved yet grows by it. */
export async function findRetention(
  { db, clock }: Parts,
  instances: readonly { readonly id: string }[],
): Promise<void> {
  for (const { id } of instances) await db.transaction((tx) => findOver(tx, id, newId(clock.now())))
}

/**
 * Lets go what a run has found. Refuses `not_found`, `sign_in_again`, and `selection_changed` when it has grown since it was shown, or
 * holds keep more or less of it.
 * Of a run that was approved before it says what became of it.
 */
export async function approveRetention(
  context: Parts,
  principal: OperatorMember,
  { run: id, count, held, reason }: BodyOf<typeof contract.approveRetention>,
): Promise<Retention> {
  const { instance } = requireFreshSignIn(context, principal)
  const by = actorOf(principal)
  await context.db.transaction(async (tx) => {
    const run = await lockRunRow(tx, instance.id, id)
    if (!run) throw new Refusal('not_found')
    if (run.status !== 'FOUND') return
    if (run.count !== count || run.held !== held)
      throw new Refusal('selection_changed', { count: String(run.count - run.held) })
    await approveRunRow(tx, { instanceId: instance.id, id, by, reason })
    const deed = {
      instanceId: instance.id,
      kind: 'retention_approved',
      by,
      about: `retention:${id}`,
      reason,
    } as const
    await noteDeed(tx, { ...deed, after: { count, held } })
  })
  return readRetention(context, principal)
}

/** Erases what was approved, a batch in each transaction: what is cut off goes on where it was. Safe from any number of processes. */
export async function eraseApproved(context: Pick<Context, 'db' | 'log'>): Promise<void> {
  for (const run of await approvedRuns(context.db)) await eraseRun(context, run)
}

/**
 * What cannot be erased as it stands keeps nothing else waiting: it is left, and found again by the next night. What was only in
 * another's way is not left: it is tried again, and then by the next round.
 */
async function eraseRun(
  { db, log }: Pick<Context, 'db' | 'log'>,
  run: { readonly instanceId: string; readonly id: string },
): Promise<void> {
  let most = BATCH
  let busy = 0
  for (let gone = 1; gone > 0; ) {
    try {
      gone = await db.transaction((tx) => eraseSomeOf(tx, run, most))
      busy = 0
    } catch (error) {
      if (isDatabaseAway(error)) throw error
      busy = isDatabaseBusy(error) ? busy + 1 : 0
      if (busy > TRIES) return
      // One by one from here on, until it is known which it is.
      if (most > 1) most = 1
      else if (busy === 0)
        log.error({ err: error, ...(await db.transaction((tx) => leaveNextOf(tx, run))) }, 'not erased')
    }
  }
}

const ARTICLES = { ACCESS: 'GDPR art. 15', RECTIFICATION: 'GDPR art. 16', OBJECTION: 'GDPR art. 21' } as const

/** What of a person's may go, and what stays: on which ground, until when. Refuses `not_found`. */
export async function readPersonErasure(
  { db }: Pick<Context, 'db'>,
  { instance }: OperatorMember,
  debtorId: string,
): Promise<PersonErasure> {
  const held = await readStays(db, instance.id, debtorId)
  if (!held) throw new Refusal('not_found')
  const goes = await countOverOf(db, instance.id, debtorId)
  const groundOf = (kind: string): string =>
    retentionRules(instance.row.country).find((rule) => rule.kind === kind)?.ground ?? ''
  const standing = await readStanding(db, instance.id, debtorId)
  const { isErased, keptUntil, openDebts, cases, casesUntil, today } = held
  const stays: PersonErasure['stays'] = []
  for (const { source, until } of standing) stays.push({ kind: 'HOLD', ground: source, until, count: 1 })
  const isOver = !isErased && keptUntil !== null && keptUntil <= today
  for (const { wish, count } of await countKeeping(db, instance.id, debtorId))
    if (wish !== 'ERASURE') stays.push({ kind: 'REQUEST', ground: ARTICLES[wish], until: null, count })
    else if (isOver) stays.push({ kind: 'ANSWER', ground: 'GDPR art. 12.3', until: null, count })
  if (keptUntil === null) stays.push({ kind: 'OPEN', ground: '', until: null, count: openDebts })
  if (cases > 0) stays.push({ kind: 'CASE', ground: groundOf('CASE'), until: casesUntil, count: cases })
  if (!isErased && (keptUntil === null || keptUntil > today))
    stays.push({ kind: 'BOOKS', ground: groundOf('BOOKS'), until: keptUntil, count: 1 })
  return { goes, stays }
}

/** Lets go what may go of a person's, at once. Refuses `not_found`, `sign_in_again`, and `nothing_over_time` where all has to stay. */
export async function erasePerson(
  context: Parts & Pick<Context, 'log'>,
  principal: OperatorMember,
  { debtorId, reason }: { readonly debtorId: string; readonly reason: string },
): Promise<PersonErasure> {
  const { instance } = requireFreshSignIn(context, principal)
  const by = actorOf(principal)
  const id = newId(context.clock.now())
  await context.db.transaction(async (tx) => {
    const goes = await countOverOf(tx, instance.id, debtorId)
    if (goes.length === 0) throw new Refusal('nothing_over_time')
    await insertRunOfOne(tx, { instanceId: instance.id, id, debtorId, by, reason })
    const about = `debtor:${debtorId}`
    await noteDeed(tx, {
      instanceId: instance.id,
      kind: 'person_erased',
      by,
      about,
      reason,
      after: { run: id, goes },
    })
  })
  await eraseRun(context, { instanceId: instance.id, id })
  return readPersonErasure(context, principal, debtorId)
}
