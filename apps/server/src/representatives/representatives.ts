/** Who acts for a debtor who may not act for themselves: entered, ended by hand, and over by its day (M-37). */
import { parseDate, type CalendarDate } from '@kvitt/domain/calendar.ts'
import type { BodyOf } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { isCountryCode } from '@kvitt/domain/form/country-codes.ts'
import { isEmail } from '@kvitt/domain/form/field-rules.ts'
import { saysSomething } from '@kvitt/domain/form/says-something.ts'
import type * as contract from '@kvitt/domain/people/representative.contract.ts'
import { lastDaysOf, NEEDS_GUARDIAN } from '@kvitt/domain/people/representative.ts'
import { isZipValid } from '@kvitt/domain/people/zip.ts'
import { noteDeed } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import type { Transaction } from '../platform/database/database.ts'
import { retryOnce } from '../platform/database/retry.ts'
import { newId } from '../platform/identity.ts'
import { actorOf, onceByOperator, type AskedOnce, type OperatorMember } from '../staff/staff.ts'
import { quarantine } from '../tasks/tasks.ts'
import { readdressWaiting } from './drop-waiting.ts'
import { lockFlagRows } from './flag-rows.queries.ts'
import { restAgain } from './rest-again.ts'
import {
  endRepresentativeRow,
  findRepresentativeRow,
  insertRepresentativeRow,
  isErased,
  readOverRows,
  readUnneeded,
} from './representatives.queries.ts'

export { aboutOf, dropWaiting } from './drop-waiting.ts'

/** Nobody did it: its day has been. */
const BY_CLOCK = 'rule:clock'

type Once = { readonly isReplayed: boolean }
type Body = BodyOf<typeof contract.enterRepresentative>

const orNull = (text: string | null | undefined): string | null => text ?? null

/** Names each field that cannot be. */
function checked(
  body: Body,
  today: CalendarDate,
): { readonly country: string; readonly until: string | null } {
  const country = body.countryCode.toUpperCase()
  const wrong = [
    ...(isCountryCode(country) ? [] : ['countryCode']),
    ...(isZipValid(country, body.zip) ? [] : ['zip']),
  ]
  if (wrong.length > 0) throw new Refusal('invalid_request', {}, wrong)
  if (body.email && !isEmail(body.email)) throw new Refusal('invalid_email', {}, ['email'])
  if (!body.until) return { country, until: null }
  const until = parseDate(body.until)
  if (until === undefined) throw new Refusal('invalid_request', {}, ['until'])
  const days = lastDaysOf(today)
  if (until < days.from || until > days.to) throw new Refusal('day_out_of_reach', days, ['until'])
  return { country, until }
}

/**
 * Enters who acts for a debtor whom the caller has been found to see: letters go to them from now on. What rests goes on only when a
 * person says so on the flag. Refuses what cannot be, `guardian_unneeded` of whoever may act for themselves as far as is known, and
 * `representative_stands`.
 */
export async function enterRepresentative(
  context: Context,
  principal: OperatorMember,
  { debtorId, asked, body }: { readonly debtorId: string; readonly asked: AskedOnce; readonly body: Body },
): Promise<Once> {
  const { instance } = principal
  const today = context.clock.today(instance.timeZone)
  const { country, until } = checked(body, today)
  const by = actorOf(principal)
  return onceByOperator(context, principal, asked, async (tx) => {
    const of = { instanceId: instance.id, debtorId }
    // Under their locks: whoever ends the last that asks for a guardian ends this one, or is seen here.
    const flags = await lockFlagRows(tx, of)
    if (await isErased(tx, of)) throw new Refusal('not_found')
    if (!flags.some(({ kind, endedOn }) => endedOn === null && NEEDS_GUARDIAN.includes(kind)))
      throw new Refusal('guardian_unneeded', {}, ['kind'])
    const id = newId(context.clock.now())
    const { kind, name, address, zip, city, source } = body
    const isNew = await insertRepresentativeRow(tx, {
      instanceId: instance.id,
      id,
      debtorId,
      kind,
      name,
      email: orNull(body.email),
      phone: orNull(body.phone),
      address,
      address2: orNull(body.address2),
      zip,
      city,
      country,
      source,
      until,
      by,
      on: today,
    })
    if (!isNew) throw new Refusal('representative_stands', {}, ['kind'])
    await readdressWaiting(tx, of)
    // Who it is and the proof are in its row, which is erased with the person.
    const after = { representative: id, kind, until }
    await noteDeed(tx, {
      instanceId: instance.id,
      kind: 'representative_entered',
      by,
      about: `debtor:${debtorId}`,
      after,
    })
    return id
  })
}

/** The debtor of a representative that a call is about. Refuses `not_found`: another provider's does not exist. */
export async function findRepresentative(
  { db }: Pick<Context, 'db'>,
  { instance }: OperatorMember,
  id: string,
): Promise<{ readonly id: string; readonly debtorId: string }> {
  const debtorId = await findRepresentativeRow(db, { instanceId: instance.id, id })
  if (debtorId === undefined) throw new Refusal('not_found')
  return { id, debtorId }
}

type Ended = {
  readonly instanceId: string
  readonly debtorId: string
  readonly id: string
  readonly by: string
  readonly on: CalendarDate
  readonly reason: string | null
}

type EndContext = Pick<Context, 'clock' | 'config'>

/** Under the lock of the debtor's flags: whoever says that it goes on has seen the guardian, or waits. Answers false when it was over before. */
async function endWithin(context: EndContext, tx: Transaction, ended: Ended): Promise<boolean> {
  const { instanceId, debtorId, by, on } = ended
  const flags = await lockFlagRows(tx, { instanceId, debtorId })
  if (!(await endNoted(tx, ended))) return false
  const goingOn = flags.filter(
    ({ kind, endedOn, answer }) => NEEDS_GUARDIAN.includes(kind) && endedOn === null && answer === 'GO_ON',
  )
  await restAgain(context, tx, { instanceId, debtorId, flags: goingOn, by, on })
  return true
}

/** Ends the row, with its deed; what waits goes to somebody else. Answers false when it was over before. */
async function endNoted(tx: Transaction, ended: Ended): Promise<boolean> {
  const { instanceId, debtorId, id, by, on, reason } = ended
  if (!(await endRepresentativeRow(tx, { instanceId, id }, { on, by, reason }))) return false
  await readdressWaiting(tx, { instanceId, debtorId })
  await noteDeed(tx, {
    instanceId,
    kind: 'representative_ended',
    by,
    about: `debtor:${debtorId}`,
    ...(reason === null ? {} : { reason }),
    after: { representative: id },
  })
  return true
}

/** Under the lock of the debtor's flags, of which one has ended: was it the last that asks for a guardian, theirs is over too. */
export async function endUnneeded(
  tx: Transaction,
  { instanceId, debtorId, by, on }: Omit<Ended, 'id' | 'reason'>,
): Promise<void> {
  for (const id of await readUnneeded(tx, { instanceId, debtorId }, NEEDS_GUARDIAN))
    await endNoted(tx, { instanceId, debtorId, id, by, on, reason: null })
}

/** They act no longer: whoever may not be dunned without them rests again. Refuses `why_required`, and `act_not_open` when it is over. */
export async function endRepresentative(
  context: Context,
  principal: OperatorMember,
  {
    row,
    asked,
    reason,
  }: {
    readonly row: { readonly id: string; readonly debtorId: string }
    readonly asked: AskedOnce
    readonly reason: string
  },
): Promise<Once> {
  if (!saysSomething(reason)) throw new Refusal('why_required', {}, ['reason'])
  const { instance } = principal
  const on = context.clock.today(instance.timeZone)
  const ended = { instanceId: instance.id, ...row, by: actorOf(principal), on, reason: reason.trim() }
  return retryOnce(() =>
    onceByOperator(context, principal, asked, async (tx) => {
      if (!(await endWithin(context, tx, ended))) throw new Refusal('act_not_open')
      return row.id
    }),
  )
}

/** Ends whose last day has been, of each instance by its own day. */
export async function endOverRepresentatives(
  context: EndContext & Pick<Context, 'db' | 'log'>,
  instances: readonly { readonly id: string; readonly timeZone: string }[],
): Promise<void> {
  for (const { id, timeZone } of instances) await endOverBefore(context, id, context.clock.today(timeZone))
}

/** How many are read at once. */
const AT_ONCE = 200

/** Ends whose last day is before `on`, each in a transaction of its own; one that fails is set aside, and a person asked. */
export async function endOverBefore(
  context: EndContext & Pick<Context, 'db' | 'log'>,
  instanceId: string,
  on: CalendarDate,
): Promise<void> {
  for (let after: string | null = null; ; ) {
    const rows = await readOverRows(context.db, instanceId, { on, after, limit: AT_ONCE })
    for (const row of rows) {
      const ended = { instanceId, ...row, by: BY_CLOCK, on, reason: null }
      await quarantine(context, { instanceId, about: `end representative ${row.id}` }, () =>
        context.db.transaction((tx) => endWithin(context, tx, ended)),
      )
    }
    after = rows.at(-1)?.id ?? null
    if (rows.length < AT_ONCE) return
  }
}
