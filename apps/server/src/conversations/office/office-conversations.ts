/** What debtors ask a creditor, and its answers. */
import { date } from '@kvitt/domain/calendar.ts'
import type { BodyOf, Loosen } from '@kvitt/domain/contract.ts'
import { LONGEST_MESSAGE, moveConversation } from '@kvitt/domain/conversations/conversation.ts'
import type {
  answerConversation,
  OfficeConversationDetail,
} from '@kvitt/domain/conversations/office-conversation.contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Debt } from '@kvitt/domain/ledger/booking.ts'
import { saysSomething } from '@kvitt/domain/form/says-something.ts'
import { Amount } from '@kvitt/domain/money.ts'
import { manyLines } from '@kvitt/domain/plain-text.ts'
import { deadlineOf } from '@kvitt/domain/tasks/task-kind.ts'
import { noteDeed } from '../../audit/audit.ts'
import type { Context } from '../../context.ts'
import { queueMail } from '../../mail/mail.ts'
import type { Listed } from '../../platform/http/paging.ts'
import { Replayed } from '../../platform/http/replayed.ts'
import { newId } from '../../platform/identity.ts'
import type { OfficeQuery } from '../../staff/office-list.ts'
import {
  actorOf,
  onceUnderKey,
  sessionOf,
  type AskedOnce,
  type ClientPrincipal,
  type OfficePrincipal,
} from '../../staff/staff.ts'
import { endTasks } from '../../tasks/tasks.ts'
import { insertMessageRow, moveConversationRow, readFiles, readMessages } from '../conversations.queries.ts'
import { TASKS } from '../conversations.ts'
import { presentFile } from '../present-file.ts'
import { lockDebt } from '../visible-debt.ts'
import {
  lockOfficeConversation,
  readReplyTo,
  readOfficeConversation,
  searchConversationRows,
  type OfficeConversationDetailRow,
  type OfficeConversationRow,
} from './office-conversations.queries.ts'

type Detail = Loosen<OfficeConversationDetail>
type Listing = Omit<Detail, 'email' | 'expireDate' | 'taskId' | 'files' | 'messages'>
/** What a program that may not read is told as well: nobody's data. */
export type Answered = Omit<Listing, 'debtor' | 'last'>

export async function searchOfficeConversations(
  context: Context,
  principal: OfficePrincipal,
  query: OfficeQuery,
  body: Readonly<Record<string, unknown>> | undefined,
): Promise<Listed<Listing>> {
  const { items, total, page } = await searchConversationRows(context, principal, query, body)
  return { items: items.map(({ text }) => present(text)), total, page }
}

const amountOf = (minor: number | null): Amount | null => (minor === null ? null : new Amount(minor))

function present(json: string): Listing {
  const { country, balance, wish, outcome, ...row } = JSON.parse(json) as OfficeConversationRow
  const deadline = row.status === 'OPEN' ? deadlineOf(TASKS[row.kind], date(row.askedOn), country) : null
  return {
    ...row,
    deadline,
    balance: new Amount(balance),
    wish: wish && { ...wish, amount: amountOf(wish.amount) },
    outcome: outcome && { ...outcome, amount: amountOf(outcome.amount) },
  }
}

/** Refuses `not_found`: another creditor's thread does not exist. */
export async function findOfficeConversation(
  { db }: Context,
  principal: ClientPrincipal,
  id: string,
): Promise<OfficeConversationDetailRow & { readonly id: string }> {
  const found = await readOfficeConversation(db, principal, id)
  if (!found) throw new Refusal('not_found')
  return { ...found, id }
}

export async function presentOfficeConversation(
  context: Context,
  principal: ClientPrincipal,
  row: OfficeConversationDetailRow,
): Promise<Detail> {
  const listed = present(row.json)
  const { id: instanceId } = principal.instance
  const [messages, files] = await Promise.all([
    readMessages(context.db, instanceId, [listed.id]),
    readFiles(context.db, instanceId, [listed.id]),
  ])
  const session = sessionOf(principal)
  return {
    ...listed,
    email: row.email,
    expireDate: row.expire_date,
    taskId: row.task_id,
    files: files.map((file) => presentFile(context, { session, isForStaff: true }, file)),
    messages: messages
      .filter(({ text }) => text !== '')
      .map(({ id, author, name, text, written_on: day, created_at: at }) => ({
        id,
        from: author === 'debtor' ? 'DEBTOR' : 'CREDITOR',
        text,
        date: day,
        at: new Date(at).toISOString(),
        by: name,
      })),
  }
}

type Answering = { readonly body: BodyOf<typeof answerConversation>; readonly asked: AskedOnce }

/**
 * The creditor's answer: the debtor is told, the task is done, and the debtor may write again. Refuses `answer_required`,
 * `reason_too_long`, and `conversation_answered` where nobody waits any more.
 */
export async function answerOffice(
  context: Context,
  principal: ClientPrincipal,
  row: OfficeConversationDetailRow & { readonly id: string },
  { body, asked }: Answering,
): Promise<Answered | Replayed<Answered>> {
  const { id } = row
  const text = manyLines(body.text)
  if (!saysSomething(text)) throw new Refusal('answer_required', {}, ['text'])
  if (text.length > LONGEST_MESSAGE)
    throw new Refusal('reason_too_long', { most: String(LONGEST_MESSAGE) }, ['text'])
  const instanceId = principal.instance.id
  const { kind } = JSON.parse(row.json) as OfficeConversationRow
  // A request is decided (decide-request.ts).
  if (kind !== 'QUESTION') throw new Refusal('act_not_open')
  const debt = debtOf(row)
  const done = await onceUnderKey(context, principal, asked, async (tx) => {
    // First, as everybody does: the message to the debtor holds the debt, too.
    await lockDebt(tx, instanceId, debt)
    const { status: from } = await lockOfficeConversation(tx, instanceId, id)
    const to = moveConversation('answer', from)
    if (!to) throw new Refusal('conversation_answered')
    const by = actorOf(principal)
    const about = `conversation:${id}`
    const messageId = newId(context.clock.now())
    const writtenOn = context.clock.today(principal.instance.timeZone)
    await insertMessageRow(tx, { instanceId, id: messageId, conversationId: id, author: by, text, writtenOn })
    await moveConversationRow(tx, { instanceId, id }, { from, to })
    await endTasks(tx, { instanceId, kind: TASKS[kind], abouts: [about], by })
    await queueMail(context, tx, {
      kind: 'question_answered',
      cause: `${about}:${messageId}`,
      instanceId,
      debt,
      ...(await readReplyTo(tx, instanceId, id)),
      // An empty line would end the paragraph.
      params: () => ({ answer: text.replaceAll(/\s*\n\s*/g, '\n') }),
    })
    await noteDeed(tx, {
      instanceId,
      kind: 'question_answered',
      by,
      about,
      before: { status: from },
      after: { status: to, message: messageId },
    })
    return id
  })
  return answeredAs(context, principal, done)
}

export const debtOf = (row: OfficeConversationDetailRow): Debt =>
  row.claim_id === null ? { invoiceId: row.invoice_id ?? '' } : { claimId: row.claim_id }

/** Where the thread stands afterwards. */
export async function answeredAs(
  context: Context,
  principal: ClientPrincipal,
  { id, isReplayed }: { readonly id: string; readonly isReplayed: boolean },
): Promise<Answered | Replayed<Answered>> {
  const {
    debtor: _,
    last: __,
    ...answer
  } = present((await findOfficeConversation(context, principal, id)).json)
  return isReplayed ? new Replayed(answer) : answer
}
