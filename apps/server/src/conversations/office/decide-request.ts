/** What a creditor decides about a request of a debtor: more time, a plan, or that a payment was found. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import type { BodyOf } from '@kvitt/domain/contract.ts'
import { debtId } from '@kvitt/domain/ledger/booking.ts'
import {
  LONGEST_MESSAGE,
  moveConversation,
  type ConversationKind,
  type ConversationMove,
} from '@kvitt/domain/conversations/conversation.ts'
import type { decideConversation } from '@kvitt/domain/conversations/office-conversation.contract.ts'
import { NEED_ANSWER, REQUEST_DECISIONS, type RequestDecision } from '@kvitt/domain/conversations/request.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { saysSomething } from '@kvitt/domain/form/says-something.ts'
import { amountText, parseAmount, type Currency } from '@kvitt/domain/money.ts'
import { manyLines } from '@kvitt/domain/plain-text.ts'
import type { StaffRight } from '@kvitt/domain/staff/roles.ts'
import { noteDeed } from '../../audit/audit.ts'
import { letGoOn, pauseLocked } from '../../collection/collection.ts'
import { findOtherResting } from '../requests.queries.ts'
import type { Context } from '../../context.ts'
import { queueMail } from '../../mail/mail.ts'
import { asRefusals, dayAhead, enterOnLocked, grantMoreTime } from '../../office-invoices/office-invoices.ts'
import type { LockedDebt } from '../../payments/payments.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { Replayed } from '../../platform/http/replayed.ts'
import { printedAmount } from '../../platform/printed-amount.ts'
import { textOf } from '../../platform/texts.ts'
import { newId } from '../../platform/identity.ts'
import { actorOf, onceUnderKey, rightsOf, type AskedOnce, type ClientPrincipal } from '../../staff/staff.ts'
import { endTasks, reopenTasks } from '../../tasks/tasks.ts'
import { insertMessageRow, moveConversationRow, type Outcome } from '../conversations.queries.ts'
import { TASKS } from '../conversations.ts'
import { lockDebt } from '../visible-debt.ts'
import { readCounter, startAccepted } from './office-plan.ts'
import {
  lockOfficeConversation,
  readReplyTo,
  type OfficeConversationDetailRow,
  type OfficeConversationRow,
} from './office-conversations.queries.ts'
import { answeredAs, debtOf, type Answered } from './office-conversations.ts'

type Body = BodyOf<typeof decideConversation>
type Found = OfficeConversationDetailRow & { readonly id: string }

/** What a decision does besides needs a right of its own. */
const RIGHTS: Readonly<Partial<Record<RequestDecision, StaffRight>>> = {
  GRANT: 'more_time',
  ACCEPT: 'more_time',
  COUNTER: 'more_time',
  FOUND: 'direct_payment',
}

/**
 * Decides it, once: the debtor is told, the task is done, and what rested goes on, later by as long as it rested. TRACING goes on
 * waiting, with a new clock. Refuses `conversation_answered` where nobody waits any more, `answer_required`, and whatever giving more time and
 * entering a direct payment refuse.
 */
export async function decideRequest(
  context: Context,
  principal: ClientPrincipal,
  row: Found,
  { body, asked }: { readonly body: Body; readonly asked: AskedOnce },
): Promise<Answered | Replayed<Answered>> {
  const request = JSON.parse(row.json) as OfficeConversationRow
  const { decision } = body
  const possible: readonly RequestDecision[] = REQUEST_DECISIONS[request.kind]
  if (!possible.includes(decision)) throw new Refusal('act_not_open', {}, ['decision'])
  const right = RIGHTS[decision]
  if (right && !rightsOf(principal).includes(right)) throw new Refusal('not_allowed')
  const text = readAnswer(body)
  const deciding = { context, principal, row, request, body, text }
  const done = await onceUnderKey(context, principal, asked, (tx) =>
    asRefusals(() => WAYS[decision](deciding, tx)),
  )
  return answeredAs(context, principal, done)
}

type Way = (deciding: Deciding, tx: Transaction) => Promise<string>
const WAYS: Readonly<Record<RequestDecision, Way>> = {
  GRANT: decide,
  DECLINE: decide,
  FOUND: decide,
  NOT_FOUND: decide,
  ACCEPT: decide,
  TRACING: trace,
  COUNTER: counter,
}

function readAnswer({ answer, decision }: Body): string {
  const text = manyLines(answer ?? '')
  const isSaid = saysSomething(text)
  if (!isSaid && (NEED_ANSWER.includes(decision) || text.trim() !== ''))
    throw new Refusal('answer_required', {}, ['answer'])
  if (text.length > LONGEST_MESSAGE)
    throw new Refusal('reason_too_long', { most: String(LONGEST_MESSAGE) }, ['answer'])
  return isSaid ? text : ''
}

type Deciding = {
  readonly context: Context
  readonly principal: ClientPrincipal
  readonly row: Found
  readonly request: OfficeConversationRow
  readonly body: Body
  readonly text: string
}

/** The thread and its debt under their locks, while it waits. */
async function lockWaiting(
  { context, principal, row }: Deciding,
  tx: Transaction,
  move: ConversationMove = 'answer',
) {
  const instanceId = principal.instance.id
  // First, as everybody does: what is decided holds the debt, too.
  const { locked } = await lockDebt(tx, instanceId, debtOf(row))
  const { status, rests, shown } = await lockOfficeConversation(tx, instanceId, row.id)
  const to = moveConversation(move, status)
  if (!to) throw new Refusal('conversation_answered')
  const today = context.clock.today(principal.instance.timeZone)
  return { instanceId, locked, from: status, to, rests, shown, today }
}

/** It is looked for, and what rests goes on resting: the creditor has its days anew. */
async function trace(deciding: Deciding, tx: Transaction): Promise<string> {
  const { principal, row, request } = deciding
  const { id } = row
  const { instanceId, from, today } = await lockWaiting(deciding, tx)
  const outcome = { decision: 'TRACING' } as const
  await moveConversationRow(tx, { instanceId, id }, { from, to: 'OPEN', askedOn: today, outcome })
  const about = `conversation:${id}`
  const kind = TASKS[request.kind]
  await endTasks(tx, { instanceId, kind, abouts: [about], by: actorOf(principal) })
  await reopenTasks(tx, [{ instanceId, kind, about, details: debtOf(row), madeOn: today }])
  await sayAndNote(deciding, tx, { outcome, today })
  return id
}

/** Another plan, which the debtor answers: what rests goes on resting until then. */
async function counter(deciding: Deciding, tx: Transaction): Promise<string> {
  const { context, principal, row, text } = deciding
  const { id } = row
  const { instanceId, locked, from, to, shown, today } = await lockWaiting(deciding, tx, 'counter')
  const { wish, until } = await readCounter(deciding, tx, { locked, shown, today })
  const outcome = { decision: 'COUNTER', day: wish.firstDay, minor: wish.monthlyMinor } as const
  await moveConversationRow(tx, { instanceId, id }, { from, to, outcome, counterUntil: until })
  const by = actorOf(principal)
  await endTasks(tx, { instanceId, kind: TASKS.PLAN, abouts: [`conversation:${id}`], by })
  await sayAndNote(deciding, tx, { outcome, today })
  const { currency } = deciding.request
  await queueMail(context, tx, {
    kind: 'plan_countered',
    cause: `conversation:${id}:counter`,
    instanceId,
    debt: debtOf(row),
    ...(await readReplyTo(tx, instanceId, id)),
    params: (language) => ({
      monthly: printedAmount(wish.monthlyMinor, currency, language),
      firstDay: wish.firstDay,
      until,
      words:
        text === ''
          ? ''
          : textOf(language, 'mail.plan_countered_words', { words: text.replaceAll(/\s*\n\s*/g, '\n') }),
    }),
  })
  return id
}

async function decide(deciding: Deciding, tx: Transaction): Promise<string> {
  const { context, principal, row, request, body } = deciding
  const { id } = row
  const { instanceId, locked, from, to, rests, shown, today } = await lockWaiting(deciding, tx)
  const outcome = outcomeOf(deciding)
  // Before the debt may be over: that would end the thread unanswered.
  await moveConversationRow(tx, { instanceId, id }, { from, to, outcome })
  const task = {
    instanceId,
    kind: TASKS[request.kind],
    abouts: [`conversation:${id}`],
    by: actorOf(principal),
  }
  await endTasks(tx, task)
  if (body.decision === 'FOUND') await enter(deciding, tx, locked, { outcome, today })
  const others = { instanceId, debtId: debtId(debtOf(row)), id }
  const restsOn = await findOtherResting(tx, others)
  const isGranted = body.decision === 'GRANT' || body.decision === 'ACCEPT'
  const goesOn = isGranted ? rests || restsOn !== undefined : rests && !restsOn
  const going = goesOn ? await letGoOn(context, tx, locked, today) : locked
  if (body.decision === 'ACCEPT') await startAccepted(deciding, tx, { outcome, shown, today })
  if (body.decision === 'GRANT') {
    const until = dayAhead({ context, principal }, outcome.day ?? '')
    await grantMoreTime(context, tx, going, { until, on: today, by: actorOf(principal) })
    // What else was asked for still waits.
    if (restsOn) await restAgain(deciding, tx, { reason: restsOn, today })
  }
  await sayAndNote(deciding, tx, { outcome, today })
  return id
}

async function restAgain(
  { principal, row }: Deciding,
  tx: Transaction,
  { reason, today }: { readonly reason: ConversationKind; readonly today: CalendarDate },
): Promise<void> {
  const { locked } = await lockDebt(tx, principal.instance.id, debtOf(row))
  const { status } = locked.claim ?? locked.invoice
  const isRunning = status === 'ACTIVATED' || status === 'OPEN' || status === 'RESUME'
  if (isRunning) await pauseLocked(tx, locked, { on: today, reason, resumeDate: null })
}

function outcomeOf({ body, request }: Deciding): Outcome {
  const { decision } = body
  const { wish, currency } = request
  const day = body.day ?? wish?.day ?? ''
  if (decision === 'GRANT') return { decision, day }
  // The plan that was asked for, and no other.
  if (decision === 'ACCEPT') return { decision, day: wish?.day ?? '', minor: wish?.amount ?? 0 }
  if (decision !== 'FOUND') return { decision }
  const given = body.amount ?? amountText(wish?.amount ?? 0)
  return { decision, day, minor: minorOf(given, currency) }
}

function minorOf(text: string | number, currency: Currency): number {
  const amount = parseAmount(String(text), currency)
  if (!amount || amount.minor <= 0) throw new Refusal('amount_malformed', {}, ['amount'])
  return amount.minor
}

/** As a clerk who enters what the creditor was paid itself. */
function enter(
  { context, principal }: Deciding,
  tx: Transaction,
  locked: LockedDebt,
  { outcome, today }: { readonly outcome: Outcome; readonly today: CalendarDate },
): Promise<void> {
  const paid = { amount: amountText(outcome.minor ?? 0), date: outcome.day ?? '' }
  return enterOnLocked(context, tx, locked, { ...paid, by: actorOf(principal), today })
}

/** The words of the answer, where there are some; more time and a payment have a message of their own. */
async function sayAndNote(
  { context, principal, row, body, text }: Deciding,
  tx: Transaction,
  { outcome, today: writtenOn }: { readonly outcome: Outcome; readonly today: CalendarDate },
): Promise<void> {
  const { id } = row
  const { id: instanceId } = principal.instance
  const by = actorOf(principal)
  const messageId = newId(context.clock.now())
  if (text !== '')
    await insertMessageRow(tx, { instanceId, id: messageId, conversationId: id, author: by, text, writtenOn })
  if (NEED_ANSWER.includes(body.decision))
    await queueMail(context, tx, {
      kind: 'request_answered',
      cause: `conversation:${id}:${messageId}`,
      instanceId,
      debt: debtOf(row),
      ...(await readReplyTo(tx, instanceId, id)),
      // An empty line would end the paragraph.
      params: () => ({ answer: text.replaceAll(/\s*\n\s*/g, '\n') }),
    })
  await noteDeed(tx, {
    instanceId,
    kind: 'request_decided',
    by,
    about: `conversation:${id}`,
    after: outcome,
  })
}
