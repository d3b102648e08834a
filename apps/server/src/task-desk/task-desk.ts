/** What a person decides about a task: who, why and what is written down with it, in one transaction, once. */
import { TASK_GUIDES, type TaskAct } from '@kvitt/domain/tasks/task-acts.ts'
import type { TaskKind } from '@kvitt/domain/tasks/task-kind.ts'
import { saysSomething } from '@kvitt/domain/form/says-something.ts'
import { noteDeed } from '../audit/audit.ts'
import {
  rejectClaimDispute,
  rejectDispute,
  upholdClaimDispute,
  upholdDispute,
} from '../collection/collection.ts'
import type { Context } from '../context.ts'
import { endDeadMail } from '../mail/mail.ts'
import type { Transaction } from '../platform/database/database.ts'
import { within } from '../platform/database/within.ts'
import { endTasks, readTask, type TaskRow } from '../tasks/tasks.ts'
import { TaskRefused } from './task-refused.ts'

export { keepTask, type Keeping } from './keep-task.ts'
export { TaskRefused } from './task-refused.ts'

export type Decision = {
  readonly instanceId: string
  readonly taskId: string
  readonly act: TaskAct
  /** Why; to a dispute it is the answer. */
  readonly reason: string
  /** Who decides, for the audit log. */
  readonly by: string
  /** What is credited of an upheld dispute, in minor units; all of it when left out. */
  readonly amountMinor?: number | undefined
}

type DeskContext = Pick<Context, 'db' | 'clock'> & Partial<Pick<Context, 'config'>>
type Work = {
  readonly context: DeskContext
  readonly tx: Transaction
  readonly decision: Decision
  readonly task: TaskRow
}

/**
 * Does it and ends the task. Asked again of a task that is done it changes nothing and answers the task. Throws TaskRefused,
 * or DecisionRefused about a dispute.
 */
export async function decideTask(context: DeskContext, decision: Decision): Promise<TaskRow> {
  const { instanceId, taskId: id, act, reason, by } = decision
  if (!saysSomething(reason)) throw new TaskRefused('Say why: the reason is empty.')
  const seen = await readTask(context.db, { instanceId, id })
  if (!seen) throw new TaskRefused(`The provider has no task ${id}.`)
  if (seen.done_at !== null) return seen
  requireAct(seen, act)
  return context.db.transaction(async (tx) => {
    const { kind, about, details } = seen
    // The task's own lock: whoever decides it at the same time waits here, and finds it done.
    const ended = await endTasks(tx, { instanceId, kind, abouts: [about], by })
    const task = (await readTask(tx, { instanceId, id })) ?? seen
    if (ended.length === 0) return task
    await WORKS[act]({ context, tx, decision, task })
    await noteDeed(tx, {
      instanceId,
      kind: 'task_done',
      by,
      about: `task:${id}`,
      reason: reason.trim(),
      before: { kind, about, details },
      after: { act, ...(decision.amountMinor === undefined ? {} : { amountMinor: decision.amountMinor }) },
    })
    return task
  })
}

function requireAct({ kind }: { readonly kind: TaskKind }, act: TaskAct): void {
  const { acts, advice } = TASK_GUIDES[kind]
  if (acts.includes(act)) return
  const known = acts.length === 0 ? 'Nothing is to be said about it' : `It takes ${acts.join(', ')}`
  throw new TaskRefused(`A task ${kind} does not take "${act}". ${known}. ${advice}`)
}

const WORKS: Readonly<Record<TaskAct, (work: Work) => Promise<void>>> = {
  reject: answerDispute,
  uphold: answerDispute,
  settled: requireDeduction,
  resend: endMail,
  drop: endMail,
  mended: requireLetter,
}

const idOf = ({ about }: TaskRow): string => about.slice(about.indexOf(':') + 1)

async function answerDispute({ context, tx, decision, task }: Work): Promise<void> {
  const { act, reason, amountMinor, by } = decision
  const { instance_id: instanceId, details } = task
  const desk = { ...context, db: within(tx) }
  const on = context.clock.today(task.time_zone)
  const answer = reason.trim()
  if (typeof details.claimId === 'string') {
    const key = { instanceId, claimId: details.claimId }
    const isDone =
      act === 'reject'
        ? await rejectClaimDispute(desk, key, { on, answer, by })
        : await upholdClaimDispute(desk, key, { on, answer, by, creditMinor: amountMinor ?? 'all' })
    if (!isDone) throw new TaskRefused('The dispute has just ended in another way.')
    return
  }
  const key = { instanceId, invoiceId: String(details.invoiceId) }
  const isDone =
    act === 'reject'
      ? await rejectDispute(desk, key, { on, answer, by })
      : await upholdDispute(desk, key, { on, decision: answer, by, creditMinor: amountMinor ?? 'all' })
  if (!isDone) throw new TaskRefused('The dispute has just ended in another way.')
}

/** Money of a bank's file is placed by its own command; only what the bank took back is settled elsewhere. */
async function requireDeduction({ task }: Work): Promise<void> {
  if (task.kind === 'bank_line' && Number(task.details.amountMinor) >= 0)
    throw new TaskRefused(`Place it, or have it sent back: npm run place-payment -- --line ${idOf(task)}`)
}

const isLetter = ({ details }: TaskRow): boolean =>
  String(details.cause).startsWith('step:') && details.kind !== 'expired_notice'

async function endMail({ tx, decision: { act }, task }: Work): Promise<void> {
  if (isLetter(task))
    throw new TaskRefused(
      'A letter of the schedule has not happened: mend what kept it here, and say "mended".',
    )
  const how = act === 'resend' ? 'resend' : 'drop'
  if (!(await endDeadMail(tx, { instance_id: task.instance_id, id: idOf(task) }, how)))
    throw new TaskRefused('The message waits for nobody any more.')
}

async function requireLetter({ task }: Work): Promise<void> {
  if (!isLetter(task)) throw new TaskRefused('The message is kept: say "resend" or "drop".')
}
