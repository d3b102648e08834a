/** The tasks of staff: what they have to do, who looks after it, and what is put aside. */
import { date } from '@kvitt/domain/calendar.ts'
import type { Loosen } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { Amount } from '@kvitt/domain/money.ts'
import type { OfficeTaskDetail } from '@kvitt/domain/tasks/office-task.contract.ts'
import { deadlineOf, EXPLAINED, TASK_KINDS, type TaskRule } from '@kvitt/domain/tasks/task-kind.ts'
import type { Context } from '../../context.ts'
import type { Listed } from '../../platform/http/paging.ts'
import type { OfficeQuery } from '../../staff/office-list.ts'
import { actorOf, type OfficePrincipal } from '../../staff/staff.ts'
import { readTask } from '../../tasks/tasks.ts'
import { keepTask, type Keeping } from '../keep-task.ts'
import { decideTask } from '../task-desk.ts'
import { TaskRefused } from '../task-refused.ts'
import {
  readMemberName,
  readOfficeNotes,
  readOfficeTask,
  searchTaskRows,
  type OfficeTaskRow,
} from './office-tasks.queries.ts'

type Shown = Loosen<Omit<OfficeTaskDetail, 'notes' | 'details'>>

export async function searchOfficeTasks(
  context: Context,
  principal: OfficePrincipal,
  query: OfficeQuery,
  body: Readonly<Record<string, unknown>> | undefined,
): Promise<Listed<Shown>> {
  const { items, total, page } = await searchTaskRows(context, principal, query, body)
  return { items: items.map(({ text }) => present(JSON.parse(text) as OfficeTaskRow)), total, page }
}

function present({ amountMinor, madeOn, country, ...row }: OfficeTaskRow): Shown {
  return {
    ...row,
    amount: amountMinor === null ? null : new Amount(amountMinor),
    deadline: deadlineOf(row.kind, date(madeOn), country),
  }
}

/** Refuses `not_found`: for a creditor's staff another's task, or the operator's, does not exist. */
export async function findOfficeTask(
  { db, clock }: Context,
  principal: OfficePrincipal,
  id: string,
): Promise<OfficeTaskRow> {
  const today = clock.today(principal.instance.timeZone)
  const found = await readOfficeTask(db, principal, { id, today })
  if (!found) throw new Refusal('not_found')
  return found
}

export async function presentOfficeTask(
  { db }: Pick<Context, 'db'>,
  principal: OfficePrincipal,
  row: OfficeTaskRow,
): Promise<Loosen<OfficeTaskDetail>> {
  const { instance, creditorId } = principal
  const notes = await readOfficeNotes(db, principal, row.id)
  if (creditorId !== null || !EXPLAINED.includes(row.kind)) return { ...present(row), details: null, notes }
  const kept = await readTask(db, { instanceId: instance.id, id: row.id })
  return { ...present(row), details: kept?.details ?? {}, notes }
}

/** Whose it is to solve also says who looks after it; an operator writes its own notes beside a creditor's. */
function requireOwn({ creditorId }: OfficePrincipal, { kind }: OfficeTaskRow): void {
  const { solver }: TaskRule = TASK_KINDS[kind]
  if (creditorId === null && solver === 'creditor') throw new Refusal('not_allowed')
}

/** Gives a task to a membership of the same creditor, or of the operator. Refuses `assignee_unknown`, `task_done`. */
export async function assignOfficeTask(
  context: Context,
  principal: OfficePrincipal,
  row: OfficeTaskRow,
  membershipId: string | null,
): Promise<Loosen<OfficeTaskDetail>> {
  requireOwn(principal, row)
  if (membershipId === null) return keep(context, principal, row, { assignee: null })
  const name = await findAssignee(context, principal, membershipId)
  return keep(context, principal, row, { assignee: shortOf(name), membershipId })
}

/** Their name. Refuses `assignee_unknown`: whoever is not of the same creditor. */
export async function findAssignee(
  { db }: Pick<Context, 'db'>,
  principal: OfficePrincipal,
  membershipId: string,
): Promise<string> {
  const name = await readMemberName(db, principal, membershipId)
  if (name === undefined) throw new Refusal('assignee_unknown', {}, ['assignee'])
  return name
}

/** As the command line shows it. */
const shortOf = (name: string): string => [...name.trim()].slice(0, 60).join('').trim() || '-'

export async function snoozeOfficeTask(
  context: Context,
  principal: OfficePrincipal,
  row: OfficeTaskRow,
  until: string | null,
): Promise<Loosen<OfficeTaskDetail>> {
  requireOwn(principal, row)
  return keep(context, principal, row, { snoozedUntil: until })
}

export function noteOfficeTask(
  context: Context,
  principal: OfficePrincipal,
  row: OfficeTaskRow,
  note: string,
): Promise<Loosen<OfficeTaskDetail>> {
  return keep(context, principal, row, { note })
}

/** Ends a task that was settled outside. Refuses `task_done` where another has ended it. */
export async function settleOfficeTask(
  context: Context,
  principal: OfficePrincipal,
  { id }: OfficeTaskRow,
  reason: string,
): Promise<Loosen<OfficeTaskDetail>> {
  const by = actorOf(principal)
  try {
    const wanted = { instanceId: principal.instance.id, taskId: id, act: 'settled', reason, by } as const
    const task = await decideTask(context, wanted)
    if (task.done_by !== by) throw new Refusal('task_done')
  } catch (error) {
    if (!(error instanceof TaskRefused)) throw error
    throw new Refusal(error.code, {}, error.code === 'invalid_request' ? ['reason'] : undefined)
  }
  return presentOfficeTask(context, principal, await findOfficeTask(context, principal, id))
}

const FIELD_OF = { snooze_day_invalid: ['until'], invalid_request: ['text'] } as Readonly<
  Record<string, readonly string[]>
>

async function keep(
  context: Context,
  principal: OfficePrincipal,
  { id }: OfficeTaskRow,
  keeping: Keeping,
): Promise<Loosen<OfficeTaskDetail>> {
  const key = { instanceId: principal.instance.id, id }
  try {
    await keepTask(context, key, { keeping, by: actorOf(principal) })
  } catch (error) {
    if (!(error instanceof TaskRefused)) throw error
    throw new Refusal(error.code, {}, FIELD_OF[error.code])
  }
  return presentOfficeTask(context, principal, await findOfficeTask(context, principal, id))
}
