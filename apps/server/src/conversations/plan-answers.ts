/** How a debtor answers the creditor's other plan, or takes back its own; and what becomes of it when nobody does. */
import { date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import type { BodyOf } from '@kvitt/domain/contract.ts'
import type { answerPlanOnInvoice } from '@kvitt/domain/conversations/conversation.contract.ts'
import {
  moveConversation,
  type ConversationMove,
  type ConversationStatus,
} from '@kvitt/domain/conversations/conversation.ts'
import type { PlanAnswerGiven, RequestOutcome } from '@kvitt/domain/conversations/request.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { isUuid } from '@kvitt/domain/ids.ts'
import { debtId, type Debt } from '@kvitt/domain/ledger/booking.ts'
import { noteDeed } from '../audit/audit.ts'
import { letGoOn } from '../collection/collection.ts'
import type { Context } from '../context.ts'
import { presentOwnPlan, startOwnPlan } from '../part-payments/part-payments.ts'
import type { LockedDebt } from '../payments/payments.ts'
import type { Transaction } from '../platform/database/database.ts'
import type { Replayed } from '../platform/http/replayed.ts'
import type { Viewer } from '../sign-in/viewer.ts'
import { endTask, endTasks, LAPSE_MATTER, quarantine } from '../tasks/tasks.ts'
import {
  insertMessageRow,
  lockConversation,
  moveConversationRow,
  readConversations,
  readDebtOf,
  readLapsed,
  type ConversationRow,
} from './conversations.queries.ts'
import { once, TASKS, type Evidenced, type Thread } from './conversations.ts'
import { findPlanOf, plannableDebt, requireAhead } from './plan-requests.ts'
import { findOtherResting } from './requests.queries.ts'
import { readAskedPlan } from './requests.ts'
import { findDebt, lockDebt, type DebtNumber } from './visible-debt.ts'

/** By whom, in the audit log, what no person of the staff does. */
const BY_DEBTOR = 'debtor'
const BY_CLOCK = 'rule:clock'

type Move = { readonly move: ConversationMove; readonly decision: RequestOutcome }
const MOVES: Readonly<Record<PlanAnswerGiven, Move>> = {
  ACCEPT: { move: 'acceptCounter', decision: 'ACCEPT' },
  DECLINE: { move: 'declineCounter', decision: 'COUNTER_DECLINED' },
  WITHDRAW: { move: 'withdraw', decision: 'WITHDRAWN' },
}

/** The plan that the creditor would agree to. */
function counteredWish({ outcome_on: day, outcome_minor: minor }: ConversationRow) {
  if (day === null || minor === null) throw new Error('a counter-proposal without its figures')
  return { firstDay: date(day), monthlyMinor: minor }
}

const isOfPlan = (thread: ConversationRow | undefined): thread is ConversationRow => thread?.kind === 'PLAN'

type Sought = {
  readonly amount?: string | undefined
  readonly day?: string | undefined
  readonly conversation?: string | undefined
}

/** What a plan comes to that the debtor is about to ask for, or that the creditor has proposed. */
export async function readOwnPlan(context: Context, viewer: Viewer, number: DebtNumber, sought: Sought) {
  const { asked, reader } = await findDebt(context, viewer, number)
  const today = context.clock.today(viewer.instance.timeZone)
  if (sought.conversation === undefined) return readAskedPlan(context.db, asked, { sent: sought, today })
  const threads = await readConversations(context.db, reader)
  const thread = threads.find(({ id, status }) => id === sought.conversation && status === 'COUNTERED')
  if (!isOfPlan(thread)) throw new Refusal('conversation_not_open')
  const wish = counteredWish(thread)
  requireAhead(wish, today)
  const found = await findPlanOf(context.db, asked, { wish, today })
  return { ...presentOwnPlan(found), atOnce: true, rests: thread.rests }
}

/**
 * The debtor's answer, once. Agreed to, the plan starts; else what rested goes on. Refuses `conversation_not_open` where there is
 * nothing to answer or to take back, and as startOwnPlan.
 */
export async function answerPlan(
  context: Context,
  viewer: Viewer,
  number: DebtNumber,
  { body, key, evidence }: Evidenced<BodyOf<typeof answerPlanOnInvoice>>,
): Promise<Thread | Replayed<Thread>> {
  const { reader } = await findDebt(context, viewer, number)
  const { conversation: id, answer } = body
  const debt = isUuid(id) ? await readDebtOf(context.db, reader, id) : undefined
  if (!debt) throw new Refusal('conversation_not_open')
  const written = { reader, debt, key, what: ['answer', id, answer] }
  return once(context, viewer, written, async (tx, message, { isOver, locked }) => {
    const { instanceId } = reader
    const today = message.writtenOn
    const thread = await lockConversation(tx, reader, id)
    const { move, decision } = MOVES[answer]
    const to = isOfPlan(thread) && !isOver && moveConversation(move, thread.status)
    if (!to) throw new Refusal('conversation_not_open')
    const isLate = thread.counter_until !== null && thread.counter_until < today
    if (isLate && answer === 'ACCEPT') throw new Refusal('conversation_not_open')
    await insertMessageRow(tx, { ...message, conversationId: id, text: '' })
    const leaving = { instanceId, id, debt, from: thread.status, to, decision, by: BY_DEBTOR, today }
    await leave(context, tx, locked, { ...leaving, rests: thread.rests, isTaken: answer === 'ACCEPT' })
    if (answer === 'ACCEPT') {
      const wish = counteredWish(thread)
      requireAhead(wish, today)
      const offerVersion = body.offerVersion ?? undefined
      const agreed = { ...evidence, conversationId: id, sessionKind: viewer.kind, offerVersion }
      await startOwnPlan(context, tx, plannableDebt(locked), { wish, today, agreed })
    }
    return id
  })
}

type Leaving = {
  readonly instanceId: string
  readonly id: string
  readonly debt: Debt
  readonly from: ConversationStatus
  readonly to: ConversationStatus
  readonly decision: RequestOutcome
  readonly by: string
  readonly today: CalendarDate
  readonly rests: boolean
  /** A plan takes the debt: it goes on whatever else it rests for. */
  readonly isTaken: boolean
}

/** The thread is over, nobody has to answer it any more, and what rested goes on. */
async function leave(
  context: Context,
  tx: Transaction,
  locked: LockedDebt,
  { instanceId, id, debt, from, to, decision, by, today, rests, isTaken }: Leaving,
): Promise<void> {
  const about = `conversation:${id}`
  await moveConversationRow(tx, { instanceId, id }, { from, to, outcome: { decision } })
  await endTasks(tx, { instanceId, kind: TASKS.PLAN, abouts: [about], by })
  const restsOn = await findOtherResting(tx, { instanceId, debtId: debtId(debt), id })
  if (isTaken || (rests && !restsOn)) await letGoOn(context, tx, locked, today)
  await noteDeed(tx, { instanceId, kind: 'request_decided', by, about, after: { decision } })
}

/**
 * Creditors' proposals that the debtor has not answered in time: what rested goes on. Each in a transaction of its own, and one that
 * fails holds up no other.
 */
export async function endLapsedPlans(
  context: Context,
  instances: readonly { readonly id: string; readonly timeZone: string }[],
): Promise<void> {
  for (const { id: instanceId, timeZone } of instances) {
    const today = context.clock.today(timeZone)
    for (const lapsed of await readLapsed(context.db, instanceId, today)) {
      const about = `${LAPSE_MATTER}${lapsed.id}`
      const isDone = await quarantine(context, { instanceId, about }, async () => {
        await endLapsed(context, { ...lapsed, instanceId, today })
        return true
      })
      if (isDone) await endTask(context.db, { instanceId, kind: 'work_stuck', about })
    }
  }
}

type Lapsed = Pick<Leaving, 'instanceId' | 'id' | 'debt' | 'today'>

async function endLapsed(context: Context, { instanceId, id, debt, today }: Lapsed): Promise<void> {
  await context.db.transaction(async (tx) => {
    const { locked } = await lockDebt(tx, instanceId, debt)
    const reader = { instanceId, debtId: debtId(debt), door: 'debtor' as const }
    const thread = await lockConversation(tx, reader, id)
    const to = thread && moveConversation('lapse', thread.status)
    // The debtor has answered while we waited for the lock.
    if (!to) return
    const leaving = { instanceId, id, debt, from: thread.status, to, by: BY_CLOCK, today }
    const { rests } = thread
    await leave(context, tx, locked, { ...leaving, decision: 'LAPSED', rests, isTaken: false })
  })
}
