/** What persons ask about their data: entered, extended and answered within the time of the law (GDPR art. 12.3). */
import { addMonths, date, laterOf, parseDate, type CalendarDate } from '@kvitt/domain/calendar.ts'
import type { BodyOf } from '@kvitt/domain/contract.ts'
import type * as contract from '@kvitt/domain/data-protection/data-request.contract.ts'
import {
  canBeAnswered,
  groundsFor,
  isNo,
  lastDayToAnswer,
  OLDEST_MONTHS,
} from '@kvitt/domain/data-protection/data-request.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { saysSomething } from '@kvitt/domain/form/says-something.ts'
import { noteDeed } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import type { Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { actorOf, onceByOperator, type AskedOnce, type OperatorMember } from '../staff/staff.ts'
import { endTasks, moveTask, openTask } from '../tasks/tasks.ts'
import {
  answerRequestRow,
  extendRequestRow,
  firstCopyDay,
  insertRequestRow,
  listRequestRows,
  lockRequest,
  readRequest,
  type ShownRequest,
} from './data-request.queries.ts'
import { findSamePerson } from './export-person.queries.ts'

const aboutOf = (id: string): string => `data-request:${id}`

/** A day that has been, not before `first`. Refuses `invalid_request` and `day_out_of_reach`. */
function dayOf(text: string, field: string, first: CalendarDate, last: CalendarDate): CalendarDate {
  const day = parseDate(text)
  if (day === undefined) throw new Refusal('invalid_request', {}, [field])
  if (day < first || day > last) throw new Refusal('day_out_of_reach', { from: first, to: last }, [field])
  return day
}

/** Refuses `request_stands` while the same is open, where asked twice it is answered once. */
export async function enterRequest(
  context: Context,
  principal: OperatorMember,
  of: {
    readonly debtorId: string
    readonly asked: AskedOnce
    readonly wanted: BodyOf<typeof contract.enterDataRequest>
  },
): Promise<{ readonly id: string; readonly isReplayed: boolean }> {
  const { instance } = principal
  const { wish, cameBy, words } = of.wanted
  const today = context.clock.today(instance.timeZone)
  const by = actorOf(principal)
  // What was entered before under the key is answered by that, however long ago.
  return onceByOperator(context, principal, of.asked, async (tx) => {
    const cameOn = dayOf(of.wanted.cameOn, 'cameOn', addMonths(today, -OLDEST_MONTHS), today)
    const id = newId(context.clock.now())
    const dueOn = lastDayToAnswer(cameOn, false, instance.row.country)
    const row = { instanceId: instance.id, id, debtorId: of.debtorId, wish, cameOn, cameBy, dueOn, by }
    const same = await findSamePerson(tx, { instanceId: instance.id, debtorId: of.debtorId }, today)
    if (!same) throw new Refusal('not_found')
    const isNew = await insertRequestRow(tx, {
      ...row,
      debtorIds: same.ids,
      words: saysSomething(words ?? '') ? (words ?? null) : null,
    })
    if (!isNew) throw new Refusal('request_stands', {}, ['wish'])
    const task = { instanceId: instance.id, kind: 'data_request', about: aboutOf(id) } as const
    await openTask(tx, { ...task, details: {}, madeOn: cameOn })
    const after = { request: id, wish, cameOn, cameBy }
    await noteDeed(tx, {
      instanceId: instance.id,
      kind: 'data_request_entered',
      by,
      about: `debtor:${of.debtorId}`,
      after,
    })
    return id
  })
}

export type RequestAct = {
  readonly context: Context
  readonly principal: OperatorMember
  readonly row: { readonly id: string }
  readonly asked: AskedOnce
}

/** Under the lock of the request. Refuses `act_not_open` for what is answered. */
function onRequest(
  { context, principal, row, asked }: RequestAct,
  work: (tx: Transaction, request: ShownRequest, today: CalendarDate) => Promise<void>,
): Promise<{ readonly isReplayed: boolean }> {
  const { instance } = principal
  const today = context.clock.today(instance.timeZone)
  return onceByOperator(context, principal, asked, async (tx) => {
    const request = await lockRequest(tx, { instanceId: instance.id, id: row.id })
    if (!request || request.answer !== null) throw new Refusal('act_not_open')
    await work(tx, request, today)
    return row.id
  })
}

/** Once, while the first month lasts: the person was told by its last day. Its task counts two months later from then on. */
export function extendRequest(
  act: RequestAct,
  { toldOn: told, reason }: BodyOf<typeof contract.extendDataRequest>,
): Promise<{ readonly isReplayed: boolean }> {
  if (!saysSomething(reason)) throw new Refusal('invalid_request', {}, ['reason'])
  const { instance } = act.principal
  const by = actorOf(act.principal)
  return onRequest(act, async (tx, request, today) => {
    if (request.extendedToldOn !== null) throw new Refusal('act_not_open')
    const [cameOn, firstDue] = [date(request.cameOn), date(request.dueOn)]
    const toldOn = dayOf(told, 'toldOn', cameOn, today < firstDue ? today : firstDue)
    const dueOn = lastDayToAnswer(cameOn, true, instance.row.country)
    const key = { instanceId: instance.id, id: request.id }
    await extendRequestRow(tx, key, { dueOn, toldOn, reason, by })
    const task = { instanceId: instance.id, kind: 'data_request', about: aboutOf(request.id) } as const
    await moveTask(tx, { ...task, madeOn: addMonths(cameOn, 2) })
    const about = `debtor:${request.debtor.id}`
    // Its reason is in the request, which is erased with the person.
    const after = { request: request.id, dueOn, toldOn }
    await noteDeed(tx, { instanceId: instance.id, kind: 'data_request_extended', by, about, after })
  })
}

/** Which fields an answer needs, or must not have. */
function wrongOf({
  answer,
  toldOn,
  ground,
  wasToldHow,
  reason,
}: BodyOf<typeof contract.answerDataRequest>): string[] {
  const says = saysSomething(reason ?? '')
  return [
    ...((answer === 'WITHDRAWN') === Boolean(toldOn) ? ['toldOn'] : []),
    ...(isNo(answer) === Boolean(ground) ? [] : ['ground']),
    ...(isNo(answer) === Boolean(wasToldHow) ? [] : ['wasToldHow']),
    ...(answer === 'HANDED_OUT' || says ? [] : ['reason']),
  ]
}

/**
 * Ends the request and its task. Refuses `export_not_made` for a copy that nobody has had made and fetched since the request was entered;
 * nobody was told of one before the day on which it was first fetched.
 */
export function answerRequest(
  act: RequestAct,
  body: BodyOf<typeof contract.answerDataRequest>,
): Promise<{ readonly isReplayed: boolean }> {
  const wrong = wrongOf(body)
  if (wrong.length > 0) throw new Refusal('invalid_request', {}, wrong)
  const { id: instanceId, timeZone } = act.principal.instance
  const by = actorOf(act.principal)
  const { answer, ground, reason = null } = body
  return onRequest(act, async (tx, request, today) => {
    if (!canBeAnswered(request.wish, answer)) throw new Refusal('invalid_request', {}, ['answer'])
    if (ground && !groundsFor(request.wish, answer).includes(ground))
      throw new Refusal('invalid_request', {}, ['ground'])
    const key = { instanceId, id: request.id }
    let first = date(request.cameOn)
    if (answer === 'HANDED_OUT') {
      const fetched = await firstCopyDay(tx, key, { debtorId: request.debtor.id, timeZone })
      if (fetched === undefined) throw new Refusal('export_not_made', {}, ['answer'])
      // The demo's clock may stand before the database's.
      first = laterOf(first, date(fetched) < today ? date(fetched) : today)
    }
    const toldOn = body.toldOn ? dayOf(body.toldOn, 'toldOn', first, today) : null
    await answerRequestRow(tx, key, { answer, ground: ground ?? null, reason, toldOn, by, on: today })
    await endTasks(tx, { instanceId, kind: 'data_request', abouts: [aboutOf(request.id)], by })
    const about = `debtor:${request.debtor.id}`
    const after = { request: request.id, answer, ground: ground ?? null, toldOn }
    await noteDeed(tx, { instanceId, kind: 'data_request_answered', by, about, after })
  })
}

/** The request that a call is about. Refuses `not_found`: another provider's does not exist. */
export async function findRequest(
  { db }: Pick<Context, 'db'>,
  { instance }: OperatorMember,
  id: string,
): Promise<ShownRequest> {
  const found = await readRequest(db, { instanceId: instance.id, id })
  if (!found) throw new Refusal('not_found')
  return found
}

/** What one person has asked, on whichever of their rows. The newest first. */
export async function listRequests(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { instance }: OperatorMember,
  debtorId: string,
): Promise<ShownRequest[]> {
  const today = clock.today(instance.timeZone)
  const same = await findSamePerson(db, { instanceId: instance.id, debtorId }, today)
  return same ? listRequestRows(db, instance.id, same.ids) : []
}
