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
import { lockFlagRows } from './debtor-flags.queries.ts'
import { restAgain } from './rest-again.ts'
import {
  endRepresentativeRow,
  findRepresentativeRow,
  insertRepresentativeRow,
  readOverRows,
} from './representatives.queries.ts'

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
 * person says so on the flag. Refuses what cannot be, and `representative_stands`.
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

/** Under the lock of the debtor's flags: whoever says that it goes on has seen the guardian, or waits. Answers false when it was over before. */
async function endWithin(context: Context, tx: Transaction, ended: Ended): Promise<boolean> {
  const { instanceId, debtorId, id, by, on, reason } = ended
  const flags = await lockFlagRows(tx, { instanceId, debtorId })
  if (!(await endRepresentativeRow(tx, { instanceId, id }, { on, by, reason }))) return false
  for (const flag of flags)
    if (NEEDS_GUARDIAN.includes(flag.kind) && flag.endedOn === null && flag.answer === 'GO_ON')
      await restAgain(context, tx, { instanceId, debtorId, flag, by, on })
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

/** Ends whose last day has been, each in a transaction of its own. */
export async function endOverRepresentatives(
  context: Context,
  instances: readonly { readonly id: string; readonly timeZone: string }[],
): Promise<void> {
  for (const { id: instanceId, timeZone } of instances) {
    const on = context.clock.today(timeZone)
    for (const row of await readOverRows(context.db, instanceId, on)) {
      const ended = { instanceId, ...row, by: BY_CLOCK, on, reason: null }
      await retryOnce(() => context.db.transaction((tx) => endWithin(context, tx, ended)))
    }
  }
}
