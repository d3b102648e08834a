/** What a debtor asks about an invoice or a claim: one thread each, with a clock for the creditor's answer. */
import { createHash } from 'node:crypto'
import { date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import type { AnswerOf, BodyOf, Loosen } from '@kvitt/domain/contract.ts'
import type {
  askOnInvoice,
  listInvoiceConversations,
  writeOnInvoice,
} from '@kvitt/domain/conversations/conversation.contract.ts'
import {
  LONGEST_MESSAGE,
  MOST_MESSAGES,
  MOST_UNANSWERED,
  moveConversation,
  type ConversationKind,
} from '@kvitt/domain/conversations/conversation.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { isEmail } from '@kvitt/domain/form/field-rules.ts'
import { saysSomething } from '@kvitt/domain/form/says-something.ts'
import { isUuid } from '@kvitt/domain/ids.ts'
import type { Debt } from '@kvitt/domain/ledger/booking.ts'
import { manyLines } from '@kvitt/domain/plain-text.ts'
import { deadlineOf, type TaskKind } from '@kvitt/domain/tasks/task-kind.ts'
import type { Context } from '../context.ts'
import { endingPayments, type OwnAgreed } from '../part-payments/part-payments.ts'
import { endOpenPayment } from '../payments/payments.ts'
import type { Transaction } from '../platform/database/database.ts'
import { Replayed } from '../platform/http/replayed.ts'
import { newId } from '../platform/identity.ts'
import { hasPower } from '../sign-in/principal.ts'
import { sessionOf, type Viewer } from '../sign-in/viewer.ts'
import { reopenTasks } from '../tasks/tasks.ts'
import {
  countMessages,
  insertConversationRow,
  insertMessageRow,
  lockConversation,
  moveConversationRow,
  readConversations,
  readDebtOf,
  readFiles,
  readMessages,
  readUsedKey,
  type ConversationRow,
  type NewRequest,
  type Outcome,
  type Reader,
} from './conversations.queries.ts'
import { presentFile } from './present-file.ts'
import { presentRequest } from './present-request.ts'
import { beginRequest, readRequest, readTerms, type RequestTerms } from './requests.ts'
import { findDebt, lockDebt, type DebtNumber, type LockedDebt } from './visible-debt.ts'

export { addConversationFile } from './conversation-files.ts'

export type Thread = Loosen<AnswerOf<typeof listInvoiceConversations>[number]>

/** The task that asks the creditor for an answer. */
export const TASKS: Readonly<Record<ConversationKind, TaskKind>> = {
  QUESTION: 'question_asked',
  MORE_TIME: 'more_time_asked',
  SAID_PAID: 'said_paid',
  PLAN: 'plan_proposed',
}

/** The last day for the answer; null where none is waited for. */
export function answerBy(
  { kind, status, asked_on: askedOn }: ConversationRow,
  country: string,
): CalendarDate | null {
  return status === 'OPEN' ? deadlineOf(TASKS[kind], date(askedOn), country) : null
}

/** A request with the key under which it may be repeated. */
export type Keyed<Body> = { readonly body: Body; readonly key: string | undefined }
/** And through what it came, for what is agreed by it. */
export type Evidenced<Body> = Keyed<Body> & { readonly evidence: Pick<OwnAgreed, 'language' | 'network'> }

/** Every thread of the debt that the viewer may see, the newest first. */
export async function listConversations(
  context: Context,
  viewer: Viewer,
  number: DebtNumber,
): Promise<Thread[]> {
  const { reader } = await findDebt(context, viewer, number)
  return presentThreads(context, viewer, await readConversations(context.db, reader))
}

/** What can be asked for about the debt now. */
export async function readRequestTerms(
  context: Context,
  viewer: Viewer,
  number: DebtNumber,
): Promise<RequestTerms> {
  const { asked } = await findDebt(context, viewer, number)
  return readTerms(context.db, asked, context.clock.today(viewer.instance.timeZone))
}

/**
 * Opens a thread, and asks the creditor for an answer. One of a kind is open about a debt at a time: else `conversation_open`. Refuses
 * `conversation_not_allowed` about what is over or in a claim, words that say nothing or too much, and requests as readRequest. What
 * starts a plan needs the power to.
 */
export async function ask(
  context: Context,
  viewer: Viewer,
  number: DebtNumber,
  { body, key, evidence }: Evidenced<BodyOf<typeof askOnInvoice>>,
): Promise<Thread | Replayed<Thread>> {
  const { debt, reader } = await findDebt(context, viewer, number)
  const text = readText(body.text ?? '', body.kind !== 'QUESTION')
  const email = (body.debtorEmail ?? '').trim()
  if (email !== '' && !isEmail(email)) throw new Refusal('invalid_email', {}, ['debtorEmail'])
  const { kind } = body
  if (kind === 'PLAN' && !hasPower(viewer, 'plans')) throw new Refusal('eid_required')
  const written = { reader, debt, key, what: ['ask', kind, text, email, body.day, body.amount, body.how] }
  return once(context, viewer, written, async (tx, message, { isOver, isInClaim, about, locked }) => {
    if (isOver || isInClaim) throw new Refusal('conversation_not_allowed', about)
    const { instanceId, door } = reader
    const id = newId(context.clock.now())
    const { writtenOn: today } = message
    const at = new Date(context.clock.now()).toISOString()
    const by = { ...evidence, sessionKind: viewer.kind, offerVersion: body.offerVersion || null, at }
    const request = await readRequest(tx, locked, { asked: body, today, by })
    const row = { instanceId, id, debt, kind, door, email, askedOn: today, request }
    if (!(await insertConversationRow(tx, row))) throw new Refusal('conversation_open')
    await insertMessageRow(tx, { ...message, conversationId: id, text })
    // Before a plan may start: that would end the thread unanswered.
    if (request?.byRule) {
      const outcome = grantedAs(request)
      await moveConversationRow(tx, { instanceId, id }, { from: 'OPEN', to: 'ANSWERED', outcome })
    } else await askForAnswer(tx, { instanceId, id, kind, debt, on: today })
    const agreed = { ...by, conversationId: id }
    if (request) await beginRequest(context, tx, locked, { request, today, agreed })
    return id
  })
}

/**
 * The debtor has more to say. A thread that was answered waits for the creditor again, and its clock starts anew. Refuses
 * `conversation_not_open` where there is none or what it is about is over, and `too_many_messages`.
 */
export async function writeAgain(
  context: Context,
  viewer: Viewer,
  number: DebtNumber,
  { body, key }: Keyed<BodyOf<typeof writeOnInvoice>>,
): Promise<Thread | Replayed<Thread>> {
  const { reader } = await findDebt(context, viewer, number)
  const text = readText(body.text)
  const { conversation: id } = body
  const debt = isUuid(id) ? await readDebtOf(context.db, reader, id) : undefined
  if (!debt) throw new Refusal('conversation_not_open')
  const written = { reader, debt, key, what: ['write', id, text] }
  return once(context, viewer, written, async (tx, message, { isOver }) => {
    const { instanceId, door } = reader
    const thread = await lockConversation(tx, reader, id)
    const to = thread && moveConversation('writeAgain', thread.status)
    // A request that was decided is over: another one is another thread.
    const isDecided = thread?.kind !== 'QUESTION' && thread?.status !== 'OPEN'
    if (!thread || !to || isOver || isDecided) throw new Refusal('conversation_not_open')
    const { all, unanswered } = await countMessages(tx, { instanceId, id })
    if (unanswered >= MOST_UNANSWERED || all >= MOST_MESSAGES)
      throw new Refusal('too_many_messages', { most: String(MOST_UNANSWERED) }, ['text'])
    await insertMessageRow(tx, { ...message, conversationId: id, text })
    const isBack = thread.status !== 'OPEN'
    await moveConversationRow(
      tx,
      { instanceId, id },
      {
        from: thread.status,
        to,
        ...(isBack ? { askedOn: message.writtenOn } : {}),
        ...(door === 'debtor' ? { door } : {}),
      },
    )
    if (isBack) await askForAnswer(tx, { instanceId, id, kind: thread.kind, debt, on: message.writtenOn })
    return id
  })
}

function grantedAs({ kind, day, minor }: NewRequest): Outcome {
  return kind === 'PLAN' && minor !== null ? { decision: 'ACCEPT', day, minor } : { decision: 'GRANT', day }
}

function readText(sent: string, mayBeEmpty = false): string {
  const text = manyLines(sent)
  if (mayBeEmpty && text.trim() === '') return ''
  if (!saysSomething(text)) throw new Refusal('message_required', {}, ['text'])
  if (text.length > LONGEST_MESSAGE)
    throw new Refusal('reason_too_long', { most: String(LONGEST_MESSAGE) }, ['text'])
  return text
}

type Asking = {
  readonly instanceId: string
  readonly id: string
  readonly kind: ConversationKind
  readonly debt: Debt
  readonly on: string
}

/** What a person had answered is open again when the debtor writes again. */
async function askForAnswer(tx: Transaction, { instanceId, id, kind, debt, on }: Asking): Promise<void> {
  const about = `conversation:${id}`
  await reopenTasks(tx, [{ instanceId, kind: TASKS[kind], about, details: debt, madeOn: on }])
}

export type Message = {
  readonly instanceId: string
  readonly id: string
  readonly author: 'debtor'
  readonly writtenOn: CalendarDate
  readonly key: string | undefined
  readonly hash: Uint8Array
}

export type Written = {
  readonly reader: Reader
  readonly debt: Debt
  readonly key: string | undefined
  readonly what: readonly unknown[]
}

/**
 * Does `work` under the lock of the debt, and answers the thread that it names. Under a key that has been used for the same about
 * this debt, nothing is done again. Refuses `idempotency_key_reused` when it was used for something else.
 */
export async function once(
  context: Context,
  viewer: Viewer,
  { reader, debt, key: sent, what }: Written,
  work: (tx: Transaction, message: Message, locked: LockedDebt) => Promise<string>,
): Promise<Thread | Replayed<Thread>> {
  const key = readKey(sent)
  const hash = createHash('sha256').update(JSON.stringify(what)).digest()
  const { instanceId } = reader
  const done = await endingPayments(context, { instanceId, endPayment: endOpenPayment }, () =>
    context.db.transaction(async (tx) => {
      const locked = await lockDebt(tx, instanceId, debt)
      const used = key === undefined ? undefined : await readUsedKey(tx, reader, key)
      if (used && !used.request_hash.equals(hash)) throw new Refusal('idempotency_key_reused')
      if (used) return { id: used.conversation_id, isReplayed: true }
      const writtenOn = context.clock.today(viewer.instance.timeZone)
      const message = {
        instanceId,
        id: newId(context.clock.now()),
        author: 'debtor',
        writtenOn,
        key,
        hash,
      } as const
      return { id: await work(tx, message, locked), isReplayed: false }
    }),
  )
  const rows = await readConversations(context.db, reader)
  const [thread] = await presentThreads(
    context,
    viewer,
    rows.filter((row) => row.id === done.id),
  )
  if (!thread) throw new Error(`conversation ${done.id} cannot be seen by who wrote it`)
  return done.isReplayed ? new Replayed(thread) : thread
}

function readKey(sent: string | undefined): string | undefined {
  const key = sent?.trim()
  if (!key) return undefined
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) throw new Refusal('invalid_request', {}, ['Idempotency-Key'])
  return key
}

async function presentThreads(
  context: Context,
  viewer: Viewer,
  rows: readonly ConversationRow[],
): Promise<Thread[]> {
  const { id: instanceId, row: instance } = viewer.instance
  const ids = rows.map(({ id }) => id)
  const [messages, files] = await Promise.all([
    readMessages(context.db, instanceId, ids),
    readFiles(context.db, instanceId, ids),
  ])
  const session = sessionOf(viewer)
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    status: row.status,
    askedOn: row.asked_on,
    answerBy: answerBy(row, instance.country),
    counterUntil: row.counter_until,
    ...presentRequest(row),
    messages: messages
      .filter((message) => message.conversation_id === row.id && message.text !== '')
      .map(({ id, author, text, written_on: day, created_at: at }) => ({
        id,
        from: author === 'debtor' ? ('DEBTOR' as const) : ('CREDITOR' as const),
        text,
        date: day,
        at: new Date(at).toISOString(),
      })),
    files: files
      .filter((file) => file.conversation_id === row.id)
      .map((file) => presentFile(context, { session }, file)),
  }))
}
