/** Legal holds on persons: who set one, why and from where; who lifted it. */
import { parseDate } from '@kvitt/domain/calendar.ts'
import type { AnswerOf, BodyOf } from '@kvitt/domain/contract.ts'
import type * as contract from '@kvitt/domain/data-protection/legal-hold.contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { noteDeed } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import { newId } from '../platform/identity.ts'
import {
  actorOf,
  onceByOperator,
  requireFreshSignIn,
  type AskedOnce,
  type OperatorMember,
} from '../staff/staff.ts'
import { findSamePerson } from './export-person.queries.ts'
import { findHoldRow, type FoundHold, insertHoldRow, liftHoldRow, readHolds } from './legal-hold.queries.ts'

type Parts = Pick<Context, 'db' | 'clock'>

/** Every hold of the provider, and what each that stands keeps. */
export async function listHolds(
  { db }: Pick<Context, 'db'>,
  { instance }: OperatorMember,
): Promise<AnswerOf<typeof contract.getLegalHolds>> {
  return { holds: await readHolds(db, instance.id) }
}

/** The hold that a call is about. Refuses `not_found`: another provider's does not exist. */
export async function findHold(
  { db }: Pick<Context, 'db'>,
  { instance }: OperatorMember,
  id: string,
): Promise<FoundHold> {
  const hold = await findHoldRow(db, instance.id, id)
  if (!hold) throw new Refusal('not_found')
  return hold
}

/**
 * Holds a person: each debtor that is certainly the same one, or none of them. Nobody has to sign in anew for it: it takes nothing away, and may be urgent. Refuses `not_found` for who is no debtor
 * of the provider, `invalid_request` for a day that is none, and `hold_ends_too_early`.
 */
export async function setHold(
  context: Parts,
  principal: OperatorMember,
  { asked, wanted }: { readonly asked: AskedOnce; readonly wanted: BodyOf<typeof contract.setLegalHold> },
): Promise<{ readonly isReplayed: boolean }> {
  const { instance } = principal
  const { debtor, from, reason, source } = wanted
  const until = wanted.until ?? null
  const wrong = [
    ...(parseDate(from) ? [] : ['from']),
    ...(until === null || parseDate(until) ? [] : ['until']),
  ]
  if (wrong.length > 0) throw new Refusal('invalid_request', {}, wrong)
  if (until !== null && until < from) throw new Refusal('hold_ends_too_early', {}, ['until'])
  const by = actorOf(principal)
  return onceByOperator(context, principal, asked, async (tx) => {
    const of = { instanceId: instance.id, debtorId: debtor }
    const same = await findSamePerson(tx, of, context.clock.today(instance.timeZone))
    if (!same) throw new Refusal('not_found')
    let first: string | undefined
    for (const debtorId of same.ids) {
      const id = newId(context.clock.now())
      first ??= id
      await insertHoldRow(tx, { instanceId: instance.id, id, debtorId, from, until, reason, source, by })
      // What the person's data are held for goes with the person from the hold; the log keeps the reason, as of any deed.
      const about = `debtor:${debtorId}`
      const after = { hold: id, from, until }
      await noteDeed(tx, { instanceId: instance.id, kind: 'hold_set', by, about, reason, after })
    }
    return first ?? debtor
  })
}

/**
 * Lifts a hold, once: of one that was lifted before nothing changes. Refuses `hold_over`: it holds nothing any more; and
 * `sign_in_again`: what is over its time may go after it.
 */
export async function liftHold(
  context: Parts,
  principal: OperatorMember,
  { hold, reason }: { readonly hold: FoundHold; readonly reason: string },
): Promise<void> {
  const { instance } = requireFreshSignIn(context, principal)
  const { id, isOver } = hold
  if (isOver) throw new Refusal('hold_over')
  const by = actorOf(principal)
  await context.db.transaction(async (tx) => {
    const lifted = await liftHoldRow(tx, { instanceId: instance.id, id, by, reason })
    if (!lifted) return
    const about = `debtor:${lifted.debtorId}`
    await noteDeed(tx, {
      instanceId: instance.id,
      kind: 'hold_lifted',
      by,
      about,
      reason,
      after: { hold: id },
    })
  })
}
