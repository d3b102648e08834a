/**
 * What is known of a person so that they must not be dunned (M-34): who said so and from where, what follows from it, and
 * that it is over.
 */
import { parseDate, type CalendarDate } from '@kvitt/domain/calendar.ts'
import type { AnswerOf, BodyOf, Loosen } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { saysSomething } from '@kvitt/domain/form/says-something.ts'
import { Amount } from '@kvitt/domain/money.ts'
import type * as contract from '@kvitt/domain/people/debtor-flag.contract.ts'
import { canAnswer, daysOfFlag, isRestingFlag } from '@kvitt/domain/people/debtor-flag.ts'
import { NEEDS_GUARDIAN } from '@kvitt/domain/people/representative.ts'
import { noteDeed } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import type { Transaction } from '../platform/database/database.ts'
import { retryOnce } from '../platform/database/retry.ts'
import { newId } from '../platform/identity.ts'
import {
  endFlagRow,
  insertFlagRow,
  lockFlagRows,
  type LockedFlag,
} from '../representatives/flag-rows.queries.ts'
import { hasGuardian } from '../representatives/representatives.queries.ts'
import { aboutOf, dropWaiting, endUnneeded } from '../representatives/representatives.ts'
import {
  actorOf,
  onceByOperator,
  onceUnderKey,
  rightsOf,
  type AskedOnce,
  type OfficePrincipal,
  type OperatorMember,
} from '../staff/staff.ts'
import { endTasks, openTask } from '../tasks/tasks.ts'
import { answerFlagRow, findFlagRow, readDoneSince, readShownFlag } from './debtor-flags.queries.ts'
import { goOn } from './go-on.ts'
import { stopAll } from './stop-all.ts'

type Once = { readonly isReplayed: boolean }

/**
 * Says what is known of a debtor whom the caller has been found to see. All their debts rest from then on: whoever charges or
 * writes at this moment is waited for, and letters that wait stay here, with what they charged. With a protected identity nothing rests:
 * it is hidden from the next query on. Refuses `not_allowed`, `day_out_of_reach`, and `flag_stands`.
 */
export async function setFlag(
  context: Context,
  principal: OfficePrincipal,
  {
    debtorId,
    asked,
    wanted,
  }: {
    readonly debtorId: string
    readonly asked: AskedOnce
    readonly wanted: BodyOf<typeof contract.flagDebtor>
  },
): Promise<Once> {
  const { instance } = principal
  // What is hidden then is the operator's to keep, and another creditor's address too.
  if (wanted.kind === 'PROTECTED' && principal.creditorId !== null)
    throw new Refusal('not_allowed', {}, ['kind'])
  const today = context.clock.today(instance.timeZone)
  const { from: first, to: last } = daysOfFlag(today)
  const from = parseDate(wanted.from)
  if (from === undefined) throw new Refusal('invalid_request', {}, ['from'])
  if (from < first || from > last) throw new Refusal('day_out_of_reach', { from: first, to: last }, ['from'])
  const work = (tx: Transaction): Promise<string> =>
    setWithin(context, tx, principal, { ...wanted, from, debtorId, today })
  // Nothing of it is outside the database: whoever stood in its way is waited for once more.
  return retryOnce(() =>
    principal.creditorId === null
      ? onceByOperator(context, principal, asked, work)
      : onceUnderKey(context, principal, asked, work),
  )
}

type Wanted = Pick<BodyOf<typeof contract.flagDebtor>, 'kind' | 'source'> & {
  readonly debtorId: string
  readonly from: CalendarDate
  readonly today: CalendarDate
}

async function setWithin(
  context: Context,
  tx: Transaction,
  principal: OfficePrincipal,
  { debtorId, kind, source, from, today }: Wanted,
): Promise<string> {
  const instanceId = principal.instance.id
  const id = newId(context.clock.now())
  const by = actorOf(principal)
  const reportedBy = principal.creditorId
  // Before the locks: whoever gets one of them after this transaction sees it.
  const isNew = await insertFlagRow(tx, {
    instanceId,
    id,
    debtorId,
    kind,
    from,
    source,
    reportedBy,
    by,
    on: today,
  })
  if (!isNew) throw new Refusal('flag_stands', {}, ['kind'])
  if (isRestingFlag(kind)) {
    await dropWaiting(context, tx, { instanceId, debtorId, on: today })
    await openTask(tx, { instanceId, kind: 'debtor_flagged', about: aboutOf(id), details: {} })
  }
  // Its source is in the flag, which is erased with the person.
  const after = { flag: id, kind, from, isReported: reportedBy !== null }
  await noteDeed(tx, { instanceId, kind: 'debtor_flag_set', by, about: `debtor:${debtorId}`, after })
  return id
}

/** The debtor of a flag that a call is about. Refuses `not_found`: another provider's does not exist. */
export async function findFlag(
  { db }: Pick<Context, 'db'>,
  { instance }: OperatorMember,
  id: string,
): Promise<{ readonly id: string; readonly debtorId: string }> {
  const debtorId = await findFlagRow(db, { instanceId: instance.id, id })
  if (debtorId === undefined) throw new Refusal('not_found')
  return { id, debtorId }
}

export type FlagAct = {
  readonly context: Context
  readonly principal: OperatorMember
  readonly row: { readonly id: string; readonly debtorId: string }
  readonly asked: AskedOnce
}

type Found = {
  readonly flag: LockedFlag
  readonly flags: readonly LockedFlag[]
  readonly today: CalendarDate
}

/** Under the locks of the debtor's flags. Refuses `act_not_open` for what is over. */
function onFlag(
  { context, principal, row, asked }: FlagAct,
  work: (tx: Transaction, found: Found) => Promise<void>,
): Promise<Once> {
  const { instance } = principal
  const today = context.clock.today(instance.timeZone)
  return retryOnce(() =>
    onceByOperator(context, principal, asked, async (tx) => {
      const flags = await lockFlagRows(tx, { instanceId: instance.id, debtorId: row.debtorId })
      const flag = flags.find(({ id }) => id === row.id)
      if (!flag || flag.endedOn !== null) throw new Refusal('act_not_open')
      await work(tx, { flag, flags, today })
      await endTasks(tx, {
        instanceId: instance.id,
        kind: 'debtor_flagged',
        abouts: [aboutOf(row.id)],
        by: actorOf(principal),
      })
      return row.id
    }),
  )
}

/**
 * Says what follows from a flag. `FILED` needs with whom and the day, which has been; `STOP` the right to stop: what can be stopped is,
 * and its debtor is told; the rest goes on resting. After `GO_ON` dunning goes on as after a pause.
 */
export async function answerFlag(
  act: FlagAct,
  body: BodyOf<typeof contract.answerDebtorFlag>,
): Promise<Once> {
  const { principal, row } = act
  if (body.answer === 'STOP' && !rightsOf(principal).includes('stop')) throw new Refusal('not_allowed')
  const filed = filedOf(body)
  const instanceId = principal.instance.id
  const by = actorOf(principal)
  return onFlag(act, async (tx, found) => {
    const { flag, today } = found
    const { answer } = body
    const { kind } = flag
    // Nothing rests because of a protected identity: there is nothing to answer.
    if (!isRestingFlag(kind) || !canAnswer(flag.answer)) throw new Refusal('act_not_open')
    // Who may not act for themselves is asked for nothing until somebody acts for them, who gets the letters.
    const isAlone =
      NEEDS_GUARDIAN.includes(kind) && !(await hasGuardian(tx, { instanceId, debtorId: row.debtorId }, today))
    if (answer === 'GO_ON' && isAlone) throw new Refusal('guardian_missing', {}, ['answer'])
    if (filed.filedOn !== null && (filed.filedOn < flag.from || filed.filedOn > today))
      throw new Refusal('day_out_of_reach', { from: flag.from, to: today }, ['filedOn'])
    await answerFlagRow(tx, { instanceId, id: row.id }, { answer, by, on: today, ...filed })
    const stopped =
      answer === 'STOP'
        ? await stopAll(act.context, tx, {
            instanceId,
            debtorId: row.debtorId,
            kind,
            note: body.note,
            by,
          })
        : undefined
    if (answer === 'GO_ON') await goOn(act.context, tx, { instanceId, debtorId: row.debtorId }, found)
    await noteDeed(tx, {
      instanceId,
      kind: 'debtor_flag_answered',
      by,
      about: `debtor:${row.debtorId}`,
      ...(saysSomething(body.note ?? '') ? { reason: (body.note ?? '').trim() } : {}),
      before: { flag: row.id, answer: flag.answer },
      after: { flag: row.id, kind, answer, ...filed, ...stopped },
    })
  })
}

type Filed = {
  readonly filedWith: NonNullable<BodyOf<typeof contract.answerDebtorFlag>['filedWith']>
  readonly filedOn: CalendarDate
}

/** With whom and when, of what was filed; of nothing else. */
function filedOf({
  answer,
  filedWith,
  filedOn,
}: BodyOf<typeof contract.answerDebtorFlag>): Filed | { filedWith: null; filedOn: null } {
  if (answer !== 'FILED') {
    const said = [...(filedWith ? ['filedWith'] : []), ...(filedOn ? ['filedOn'] : [])]
    if (said.length > 0) throw new Refusal('invalid_request', {}, said)
    return { filedWith: null, filedOn: null }
  }
  const on = parseDate(filedOn ?? '')
  if (!filedWith || on === undefined)
    throw new Refusal('invalid_request', {}, [
      ...(filedWith ? [] : ['filedWith']),
      ...(on ? [] : ['filedOn']),
    ])
  return { filedWith, filedOn: on }
}

/** It was wrong, or is over; a guardian whom nothing asks for any more with it (M-37). Refuses `why_required`, and `not_allowed` to whoever may not see what a protected identity hides. */
export async function endFlag(act: FlagAct, reason: string): Promise<Once> {
  if (!saysSomething(reason)) throw new Refusal('why_required', {}, ['reason'])
  const { principal, row } = act
  const instanceId = principal.instance.id
  const by = actorOf(principal)
  return onFlag(act, async (tx, found) => {
    const { flag, today } = found
    if (flag.kind === 'PROTECTED' && !rightsOf(principal).includes('see_protected'))
      throw new Refusal('not_allowed')
    await endFlagRow(tx, { instanceId, id: row.id }, { on: today, by, reason: reason.trim() })
    await endUnneeded(tx, { instanceId, debtorId: row.debtorId, by, on: today })
    if (isRestingFlag(flag.kind) && flag.answer !== 'GO_ON')
      await goOn(act.context, tx, { instanceId, debtorId: row.debtorId }, found)
    await noteDeed(tx, {
      instanceId,
      kind: 'debtor_flag_ended',
      by,
      about: `debtor:${row.debtorId}`,
      reason: reason.trim(),
      after: { flag: row.id, kind: flag.kind },
    })
  })
}

/** A flag as the operator's people see it. */
export async function presentFlag(
  { db }: Pick<Context, 'db'>,
  { instance }: OperatorMember,
  id: string,
): Promise<Loosen<AnswerOf<typeof contract.getDebtorFlag>>> {
  const flag = await readShownFlag(db, { instanceId: instance.id, id })
  if (!flag) throw new Refusal('not_found')
  const { debtorId, debtorName, ...shown } = flag
  const rows = await readDoneSince(db, { instanceId: instance.id, debtorId }, flag.from)
  return {
    ...shown,
    debtor: { id: debtorId, name: debtorName },
    since: rows.map(({ chargedMinor, ...row }) => ({ ...row, charged: new Amount(chargedMinor) })),
  }
}
