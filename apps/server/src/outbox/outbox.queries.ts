/** The SQL of messages as an operator's people see them: all of the instance $1. */
import { MESSAGE_CHANNELS, MESSAGE_STATUSES, type MessageChannel } from '@kvitt/domain/messages/outbox.ts'
import { isProtected } from '../ledger/protected-persons.queries.ts'
import { MAIL_KINDS, SECRET_MAIL_KINDS } from '../mail/mail.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'
import { asWritten, instantText, sqlJson, word } from '../platform/database/sql-json.ts'
import { creditorJson } from '../staff/office-debtor.queries.ts'
import { openOfficeList, openOfficeRow, type OfficeListShape } from '../staff/office-list.ts'
import { tasksOf } from '../tasks/tasks.ts'

/** What a step has sent that asks for money: it happens with its letter, and is written again by a daily run. */
const IS_STEPS = `(m.step_id is not null and m.kind <> 'expired_notice')`

/** What can be done with a message `m`. Written down whole and about a debt, it can be sent once more. */
const ACTS = `case m.status
    when 'DEAD' then case when ${IS_STEPS} then '["mended"]' else '["resend","drop"]' end
    when 'WAITING' then case when cardinality(m.next_channels) > 0 then '["send-now","other-way"]' else '["send-now"]' end
    when 'SENT' then case when coalesce(m.text_body, '') <> '' and coalesce(m.claim_id, m.invoice_id) is not null
      then '["resend"]' else '[]' end
    else '[]' end`

const CLOSED = `(select coalesce(json_agg(json_build_object('channel', split_part(r, ' ', 1), 'error', substr(r, strpos(r || ' ', ' ') + 1)) order by n), '[]')
   from unnest(m.refusals) with ordinality u (r, n))`

/** Where it went is where somebody can be found (M-36): of a protected person nobody reads it, or finds it by searching. */
const RECIPIENT = `case when d.id is null or not ${isProtected('d')} then m.recipient end`

const LISTED = {
  id: word('m.id'),
  version: asWritten('m.xmin::text'),
  kind: word('m.kind'),
  status: word('m.status'),
  channel: word('m.channel'),
  nextChannels: 'm.next_channels',
  closed: asWritten(CLOSED),
  tries: asWritten('m.tries'),
  error: 'm.last_error',
  recipient: RECIPIENT,
  debt: asWritten(
    `case when coalesce(c.id, i.id) is null then 'null' else ${sqlJson({
      type: word(`case when c.id is null then 'invoices' else 'collection-batches' end`),
      id: word('coalesce(c.id, i.id)'),
      number: 'coalesce(c.claim_number, i.invoice_number)',
    })} end`,
  ),
  debtor: asWritten(
    `case when d.id is null then 'null' else ${sqlJson({ id: word('d.id'), name: 'd.name' })} end`,
  ),
  creditor: creditorJson('m.instance_id', 'coalesce(c.creditor_id, i.creditor_id)'),
  createdAt: instantText('m.created_at'),
  sentAt: instantText('m.sent_at'),
  nextAt: `case when m.status = 'WAITING' then ${instantText('m.next_at')} end`,
  acts: asWritten(ACTS),
}

const SHAPE: OfficeListShape = {
  name: 'outbox.office',
  from: (whose) => `mail_outbox m
   left join claim c on c.instance_id = m.instance_id and c.id = m.claim_id
   left join invoice i on i.instance_id = m.instance_id and i.id = m.invoice_id and c.id is null
   left join debtor d on d.instance_id = m.instance_id and d.id = coalesce(c.debtor_id, i.debtor_id)
   where m.instance_id = $1 and ${whose('null::uuid')}`,
  json: sqlJson(LISTED),
  targets: {
    invoiceNumber: `coalesce(c.claim_number, i.invoice_number, '')`,
    name: `coalesce(d.name, '')`,
    recipient: `coalesce(${RECIPIENT}, '')`,
  },
  filters: {
    id: { kind: 'id', sql: 'm.id::text' },
    status: { kind: 'choice', values: MESSAGE_STATUSES, sql: 'm.status' },
    channel: { kind: 'choice', values: MESSAGE_CHANNELS, sql: 'm.channel' },
    kind: { kind: 'choice', values: MAIL_KINDS, sql: 'm.kind' },
    createdAt: { kind: 'day', sql: 'm.created_at::date' },
    'debt.id': { kind: 'id', sql: 'coalesce(c.id, i.id)::text' },
    'debtor.id': { kind: 'id', sql: 'd.id::text' },
    'creditor.id': { kind: 'id', sql: 'coalesce(c.creditor_id, i.creditor_id)::text' },
  },
  orders: {
    id: 'm.created_at',
    createdAt: 'm.created_at',
    sentAt: 'm.sent_at',
    kind: 'm.kind',
    'debtor.name': 'd.name',
  },
  tie: 'm.id',
}

export const searchOutboxRows = openOfficeList(SHAPE)
const SECRET_KINDS = SECRET_MAIL_KINDS.map((kind) => `'${kind}'`).join(', ')

export const readOutboxRow = openOfficeRow({
  ...SHAPE,
  name: 'outbox.detail',
  // Whoever reads a link that proves somebody could be them.
  json: sqlJson({
    ...LISTED,
    text: `case when m.kind not in (${SECRET_KINDS}) and (d.id is null or not ${isProtected('d')}) then nullif(m.text_body, '') end`,
  }),
})

const task = statement(
  'outbox.task',
  `select k.id from ${tasksOf(['mail_undeliverable'])} k where k.instance_id = $1 and k.about = 'mail:' || $2::text`,
)

/** The open task that asks what becomes of it. */
export async function readTaskOf(
  db: Connection,
  instanceId: string,
  id: string,
): Promise<string | undefined> {
  return (await db.rows<{ id: string }>(task, [instanceId, id]))[0]?.id
}

export type MessageKey = { readonly instanceId: string; readonly id: string }

const lock = statement(
  'outbox.lock',
  `select status from mail_outbox where instance_id = $1 and id = $2 for no key update`,
)

/** How it stands; whoever does something with it at the same time waits. */
export async function lockMessageRow(
  tx: Transaction,
  { instanceId, id }: MessageKey,
): Promise<string | undefined> {
  return (await tx.rows<{ status: string }>(lock, [instanceId, id]))[0]?.status
}

const sendNow = statement(
  'outbox.sendNow',
  `update mail_outbox set next_at = now() where instance_id = $1 and id = $2 and status = 'WAITING' returning id`,
)

/** Answers false when it waits no more. */
export async function sendNowRow(tx: Transaction, { instanceId, id }: MessageKey): Promise<boolean> {
  return (await tx.rows(sendNow, [instanceId, id])).length > 0
}

const otherWay = statement(
  'outbox.otherWay',
  `update mail_outbox m set channel = $3, next_channels = array_remove(m.next_channels, $3), tries = 0, next_at = now(),
     recipient = null, last_error = null, refusals = m.refusals || (m.channel || ' by a person')
   where m.instance_id = $1 and m.id = $2 and m.status = 'WAITING' and $3 = any(m.next_channels) returning m.id`,
)

/** Answers false when it waits no more, or that way is none of those that are left. */
export async function goOtherWayRow(
  tx: Transaction,
  { instanceId, id }: MessageKey,
  channel: MessageChannel,
): Promise<boolean> {
  return (await tx.rows(otherWay, [instanceId, id, channel])).length > 0
}

/** To whom it went stands where the debtor's own address is not meant: what tells the creditor, or goes where a dispute came from. */
const copy = statement(
  'outbox.copy',
  `insert into mail_outbox (instance_id, id, channel, next_channels, kind, cause, recipient, language, subject, text_body, html_body,
     invoice_id, claim_id)
   select instance_id, $3::uuid, ways[1], ways[2:], kind, 'again:' || $2::uuid || ':' || $3::uuid,
     case when kind like 'dispute%' then recipient end, language, subject, text_body, html_body, invoice_id, claim_id
   from (
     select m.*, array(select split_part(r, ' ', 1) from unnest(m.refusals) with ordinality u (r, n) order by n)
       || m.channel || m.next_channels as ways
     from mail_outbox m where m.instance_id = $1 and m.id = $2::uuid) one
   where status = 'SENT' and coalesce(text_body, '') <> '' and coalesce(claim_id, invoice_id) is not null
   returning id`,
)

/** Makes another message of one that was sent. Answers false when it cannot be sent once more. */
export async function copyRow(
  tx: Transaction,
  { instanceId, id }: MessageKey,
  copyId: string,
): Promise<boolean> {
  return (await tx.rows(copy, [instanceId, id, copyId])).length > 0
}
