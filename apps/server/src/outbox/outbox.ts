/** Messages as an operator's people see them, and what they do with one that has not arrived. */
import { Refusal } from '@kvitt/domain/errors.ts'
import type { MessageAct, MessageChannel } from '@kvitt/domain/messages/outbox.ts'
import type { OutboxMessage, OutboxMessageDetail } from '@kvitt/domain/messages/outbox.contract.ts'
import { noteDeed } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import type { Connection, Transaction } from '../platform/database/database.ts'
import { within } from '../platform/database/within.ts'
import type { Listed } from '../platform/http/paging.ts'
import { newId } from '../platform/identity.ts'
import { textOf, type Language, type TextKey } from '../platform/texts.ts'
import type { OfficeQuery } from '../staff/office-list.ts'
import { actorOf, onceByOperator, type AskedOnce, type OperatorMember } from '../staff/staff.ts'
import { decideTask, TaskRefused } from '../task-desk/task-desk.ts'
import {
  copyRow,
  goOtherWayRow,
  lockMessageRow,
  readOutboxRow,
  readTaskOf,
  searchOutboxRows,
  sendNowRow,
  type MessageKey,
} from './outbox.queries.ts'

/** Who reads, and in which language. */
export type Reader = { readonly principal: OperatorMember; readonly language: Language }

/** As it is headed, in the language of whoever reads. */
export function headed<Row extends { readonly kind: string }>(
  row: Row,
  { principal, language }: Reader,
): Row & { subject: string } {
  const params = { instance: principal.instance.row.name }
  return { ...row, subject: textOf(language, `mail.${row.kind}.subject` as TextKey, params) }
}

export async function searchOutbox(
  context: Context,
  principal: OperatorMember,
  {
    query,
    body,
    language,
  }: {
    readonly query: OfficeQuery
    readonly body: Readonly<Record<string, unknown>> | undefined
    readonly language: Language
  },
): Promise<Listed<OutboxMessage>> {
  const { items, total, page } = await searchOutboxRows(context, principal, query, body)
  const rows = items.map(({ text }) =>
    headed(JSON.parse(text) as Omit<OutboxMessage, 'subject'>, { principal, language }),
  )
  return { items: rows, total, page }
}

/** Refuses `not_found`: another provider's messages do not exist. */
export async function findMessage(
  { db }: { readonly db: Connection },
  principal: OperatorMember,
  id: string,
): Promise<Omit<OutboxMessageDetail, 'subject'>> {
  const json = await readOutboxRow(db, principal, { id })
  if (json === undefined) throw new Refusal('not_found')
  return JSON.parse(json) as Omit<OutboxMessageDetail, 'subject'>
}

export type Acting = {
  readonly context: Context
  readonly principal: OperatorMember
  readonly row: Omit<OutboxMessageDetail, 'subject'>
  readonly asked: AskedOnce
  readonly language: Language
}
type Wish = { readonly act: MessageAct; readonly reason?: string; readonly channel?: MessageChannel }

/**
 * Does it once under a key, with the deed. Answers the message, or the one that was made of it, and whether it was done before.
 * Refuses `message_not_open` when that cannot be done with it, also where somebody else was quicker.
 */
export async function actOnMessage(
  { context, principal, row, asked, language }: Acting,
  wish: Wish,
): Promise<{ readonly message: OutboxMessageDetail; readonly isReplayed: boolean }> {
  const { id, isReplayed } = await onceByOperator(context, principal, asked, async (tx) => {
    if (!row.acts.includes(wish.act)) throw new Refusal('message_not_open')
    return perform(tx, { context, principal, row }, wish)
  })
  return { message: headed(await findMessage(context, principal, id), { principal, language }), isReplayed }
}

async function perform(
  tx: Transaction,
  { context, principal, row }: Pick<Acting, 'context' | 'principal' | 'row'>,
  wish: Wish,
): Promise<string> {
  const key: MessageKey = { instanceId: principal.instance.id, id: row.id }
  const { act, reason, channel } = wish
  // Else somebody was quicker, or it has just been sent.
  if ((await lockMessageRow(tx, key)) !== row.status) throw new Refusal('message_not_open')
  if (row.status === 'DEAD') {
    await decideDead(tx, { context, principal }, key, wish)
    return row.id
  }
  const copyId = newId(context.clock.now())
  const isDone =
    act === 'resend'
      ? await copyRow(tx, key, copyId)
      : act === 'send-now'
        ? await sendNowRow(tx, key)
        : channel !== undefined && (await goOtherWayRow(tx, key, channel))
  if (!isDone) throw new Refusal('message_not_open', {}, act === 'other-way' ? ['channel'] : [])
  await noteDeed(tx, {
    instanceId: key.instanceId,
    kind: 'message_sent_again',
    by: actorOf(principal),
    about: `mail:${row.id}`,
    reason,
    before: { status: row.status, channel: row.channel },
    after: { act, ...(channel ? { channel } : {}), ...(act === 'resend' ? { copy: copyId } : {}) },
  })
  return act === 'resend' ? copyId : row.id
}

/** What nobody took has a task: what is decided of it ends that. */
async function decideDead(
  tx: Transaction,
  { context, principal }: Pick<Acting, 'context' | 'principal'>,
  { instanceId, id }: MessageKey,
  { act, reason = '' }: Wish,
): Promise<void> {
  const taskId = await readTaskOf(tx, instanceId, id)
  if (taskId === undefined || !(act === 'resend' || act === 'drop' || act === 'mended'))
    throw new Refusal('message_not_open')
  try {
    await decideTask(
      { ...context, db: within(tx) },
      { instanceId, taskId, act, reason, by: actorOf(principal) },
    )
  } catch (error) {
    if (!(error instanceof TaskRefused)) throw error
    throw new Refusal('message_not_open')
  }
}
