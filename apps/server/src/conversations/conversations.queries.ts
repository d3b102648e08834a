/** The SQL of what debtors ask. Everything about a debtor starts from a debt that the viewer may see. */
import type { ConversationKind, ConversationStatus } from '@kvitt/domain/conversations/conversation.ts'
import type { PaidHow, RequestOutcome } from '@kvitt/domain/conversations/request.ts'
import type { FileType } from '@kvitt/domain/disputes/dispute-file.ts'
import type { Debt } from '@kvitt/domain/ledger/booking.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'
import type { Language } from '../platform/texts.ts'
import type { Viewer } from '../sign-in/viewer.ts'

/** A debt that has been found, and through which door; null as the door is the staff's. */
export type Reader = {
  readonly instanceId: string
  readonly debtId: string
  readonly door: Viewer['kind']
}

/** Threads of a debt, and of the invoices that are collected in it. A pair sees what pairs alone have written. */
const OF_DEBT = `v.instance_id = $1
   and (v.debt_id = $2 or v.invoice_id in (select i.id from invoice i where i.instance_id = $1 and i.claim_id = $2))
   and (v.door = 'public' or $3 <> 'public')`

export type ConversationRow = {
  readonly id: string
  readonly kind: ConversationKind
  readonly status: ConversationStatus
  readonly asked_on: string
  /** Of a request: the day, the amount in minor units, and how it was paid. */
  readonly wished_on: string | null
  readonly wished_minor: number | null
  readonly wished_how: PaidHow | null
  readonly outcome: RequestOutcome | null
  readonly outcome_on: string | null
  readonly outcome_minor: number | null
  readonly by_rule: boolean
  readonly rests: boolean
  readonly counter_until: string | null
}

/** It waits for an answer, and so does what it is about. */
export const RESTS = `v.rests and v.status in ('OPEN', 'COUNTERED') and coalesce(
   (select i.status from invoice i where i.instance_id = v.instance_id and i.id = v.invoice_id),
   (select c.status from claim c where c.instance_id = v.instance_id and c.id = v.claim_id)) = 'PAUSED'`

const COLUMNS = `v.id, v.kind, v.status, v.asked_on, v.wished_on, v.wished_minor, v.wished_how, v.outcome, v.outcome_on,
   v.outcome_minor, v.by_rule, ${RESTS} as rests, case when v.status = 'COUNTERED' then v.counter_until end as counter_until`

const ofDebt = statement(
  'conversations.ofDebt',
  `select ${COLUMNS} from conversation v where ${OF_DEBT} order by v.created_at desc, v.id`,
)

/** The newest first. */
export function readConversations(db: Connection, reader: Reader): Promise<ConversationRow[]> {
  return db.rows<ConversationRow>(ofDebt, [reader.instanceId, reader.debtId, reader.door])
}

const lockOne = statement(
  'conversations.lockOfDebt',
  `select ${COLUMNS} from conversation v where ${OF_DEBT} and v.id = $4 for update`,
)

/** One that the reader may see, locked until the transaction ends. */
export async function lockConversation(
  tx: Transaction,
  reader: Reader,
  id: string,
): Promise<ConversationRow | undefined> {
  const values = [reader.instanceId, reader.debtId, reader.door, id]
  return (await tx.rows<ConversationRow>(lockOne, values))[0]
}

const debtOf = statement(
  'conversations.debtOf',
  `select v.invoice_id, v.claim_id from conversation v where ${OF_DEBT} and v.id = $4`,
)

/** What a thread that the reader may see is about. */
export async function readDebtOf(db: Connection, reader: Reader, id: string): Promise<Debt | undefined> {
  const values = [reader.instanceId, reader.debtId, reader.door, id]
  const [row] = await db.rows<{ invoice_id: string | null; claim_id: string | null }>(debtOf, values)
  if (row?.claim_id) return { claimId: row.claim_id }
  return row?.invoice_id ? { invoiceId: row.invoice_id } : undefined
}

const insert = statement(
  'conversations.insert',
  `insert into conversation (instance_id, id, invoice_id, claim_id, kind, status, door, email, asked_on, wished_on, wished_minor,
     wished_how, rests, by_rule, shown)
   values ($1, $2, $3, $4, $5, 'OPEN', $6, $7, $8, $9, $10, $11, $12, $13, $14)
   on conflict (instance_id, debt_id, kind) where status in ('OPEN', 'COUNTERED') do nothing returning id`,
)

/** Of a plan: what the debtor was shown when it asked, and by whom and through what it did. */
export type ShownPlan = {
  readonly setting: string
  readonly totalCostMinor: number
  readonly instalments: number
  /** Null: the caller named no figures. */
  readonly offerVersion: string | null
  readonly language: Language
  readonly sessionKind: string
  readonly network: string
  readonly at: string
}

/** What a request asks for; whether the debt rests for it, and whether it is granted by rule. */
export type NewRequest = {
  readonly kind: Exclude<ConversationKind, 'QUESTION'>
  readonly day: string
  readonly minor: number | null
  readonly how: PaidHow | null
  readonly rests: boolean
  readonly byRule: boolean
  readonly shown?: ShownPlan
}

/** Answers false where one of its kind is open about the debt already. */
export async function insertConversationRow(
  tx: Transaction,
  row: {
    readonly instanceId: string
    readonly id: string
    readonly debt: Debt
    readonly kind: ConversationKind
    readonly door: Viewer['kind']
    readonly email: string
    readonly askedOn: string
    readonly request?: NewRequest | undefined
  },
): Promise<boolean> {
  const { instanceId, id, debt, kind, door, email, askedOn, request } = row
  const wished = request ? [request.day, request.minor, request.how] : [null, null, null]
  const shown = request?.shown ? JSON.stringify(request.shown) : null
  const values = [door, email, askedOn, ...wished, request?.rests ?? false, request?.byRule ?? false, shown]
  const invoiceId = 'invoiceId' in debt ? debt.invoiceId : null
  const claimId = 'claimId' in debt ? debt.claimId : null
  return (await tx.rows(insert, [instanceId, id, invoiceId, claimId, kind, ...values])).length === 1
}

/** What was decided about a request, or became of it, with the day or the amount of it. */
export type Outcome = {
  readonly decision: RequestOutcome
  readonly day?: string
  readonly minor?: number
}

const move = statement(
  'conversations.move',
  `update conversation set status = $4, asked_on = coalesce($5::date, asked_on), door = coalesce($6, door),
     counter_until = coalesce($10::date, counter_until), outcome = coalesce($7, outcome), outcome_on = coalesce($8::date, outcome_on), outcome_minor = coalesce($9, outcome_minor),
     email = case when $6 = 'debtor' and door = 'public' then '' else email end
   where instance_id = $1 and id = $2 and status = $3 returning id`,
)

/**
 * Along the table of moves, of a row that is locked. What an electronic ID has written in is answered to the debtor's own
 * addresses, and no more to one that a stranger may have typed. Throws when it did not stand where it was said to. */
export async function moveConversationRow(
  tx: Transaction,
  key: { readonly instanceId: string; readonly id: string },
  to: {
    readonly from: ConversationStatus
    readonly to: ConversationStatus
    readonly askedOn?: string
    readonly door?: Viewer['kind']
    readonly outcome?: Outcome
    readonly counterUntil?: string
  },
): Promise<void> {
  const { decision = null, day = null, minor = null } = to.outcome ?? {}
  const values = [
    key.instanceId,
    key.id,
    to.from,
    to.to,
    to.askedOn ?? null,
    to.door ?? null,
    decision,
    day,
    minor,
    to.counterUntil ?? null,
  ]
  const moved = await tx.rows(move, values)
  if (moved.length !== 1) throw new Error(`conversation ${key.id} was not ${to.from} under its own lock`)
}

const lapsed = statement(
  'conversations.lapsed',
  `select id, invoice_id, claim_id from conversation
   where instance_id = $1 and status = 'COUNTERED' and counter_until < $2::date order by counter_until, id limit 1000`,
)

/** Threads in which the debtor has not answered the creditor's plan in time. */
export async function readLapsed(
  db: Connection,
  instanceId: string,
  today: string,
): Promise<{ readonly id: string; readonly debt: Debt }[]> {
  const rows = await db.rows<{ id: string; invoice_id: string | null; claim_id: string | null }>(lapsed, [
    instanceId,
    today,
  ])
  return rows.map(({ id, invoice_id: invoiceId, claim_id: claimId }) => ({
    id,
    debt: claimId === null ? { invoiceId: invoiceId ?? '' } : { claimId },
  }))
}

export type NewMessage = {
  readonly instanceId: string
  readonly id: string
  readonly conversationId: string
  /** `debtor`, or an actor of the staff. */
  readonly author: string
  readonly text: string
  readonly writtenOn: string
  readonly key?: string | undefined
  readonly hash?: Uint8Array
}

const insertMessage = statement(
  'conversations.insertMessage',
  `insert into conversation_message (instance_id, id, conversation_id, author, text, written_on, idempotency_key, request_hash)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
)

export async function insertMessageRow(tx: Transaction, row: NewMessage): Promise<void> {
  const { instanceId, id, conversationId, author, text, writtenOn, key, hash } = row
  const kept = key === undefined ? [null, null] : [key, hash]
  await tx.rows(insertMessage, [instanceId, id, conversationId, author, text, writtenOn, ...kept])
}

const usedKey = statement(
  'conversations.usedKey',
  `select m.conversation_id, m.request_hash from conversation_message m
   join conversation v on v.instance_id = m.instance_id and v.id = m.conversation_id
   where ${OF_DEBT} and m.idempotency_key = $4`,
)

/** The thread into which a message was written under this key, about this debt. */
export async function readUsedKey(
  db: Connection,
  reader: Reader,
  key: string,
): Promise<{ readonly conversation_id: string; readonly request_hash: Buffer } | undefined> {
  const values = [reader.instanceId, reader.debtId, reader.door, key]
  return (await db.rows<{ conversation_id: string; request_hash: Buffer }>(usedKey, values))[0]
}

const counted = statement(
  'conversations.counted',
  `select count(*)::int as all, (count(*) filter (where m.author = 'debtor' and m.id > coalesce(
       (select max(a.id::text)::uuid from conversation_message a
        where a.instance_id = $1 and a.conversation_id = $2 and a.author <> 'debtor'),
       '00000000-0000-0000-0000-000000000000')))::int as unanswered
   from conversation_message m where m.instance_id = $1 and m.conversation_id = $2`,
)

/** How many messages a thread has, and how many of the debtor's came after the last answer. */
export async function countMessages(
  tx: Transaction,
  key: { readonly instanceId: string; readonly id: string },
): Promise<{ readonly all: number; readonly unanswered: number }> {
  const rows = await tx.rows<{ all: number; unanswered: number }>(counted, [key.instanceId, key.id])
  return rows[0] ?? { all: 0, unanswered: 0 }
}

export type MessageRow = {
  readonly conversation_id: string
  readonly id: string
  readonly author: string
  /** The name of the person of the staff who wrote it. */
  readonly name: string | null
  readonly text: string
  readonly written_on: string
  readonly created_at: string
}

const messages = statement(
  'conversations.messages',
  `select m.conversation_id, m.id, m.author, p.name, m.text, m.written_on, m.created_at from conversation_message m
   left join person p on p.id = (select r[1]::uuid from regexp_match(m.author, '^person:([0-9a-f-]{36}):') r)
   where m.instance_id = $1 and m.conversation_id = any ($2) order by m.created_at, m.id`,
)

/** The messages of several threads, the oldest first. */
export function readMessages(
  db: Connection,
  instanceId: string,
  ids: readonly string[],
): Promise<MessageRow[]> {
  return db.rows<MessageRow>(messages, [instanceId, ids])
}

export type ConversationFileRow = {
  readonly conversation_id: string
  readonly id: string
  readonly name: string
  readonly size: number
  readonly mime_type: FileType
  readonly added_on: string
}

const files = statement(
  'conversations.files',
  `select x.conversation_id, x.id, x.name, x.size, f.mime_type, x.added_on from conversation_file x
   join file f on f.instance_id = x.instance_id and f.id = x.id
   where x.instance_id = $1 and x.conversation_id = any ($2) order by x.created_at, x.id`,
)

/** The files of several threads, the oldest first. Whoever sees a thread sees its files. */
export function readFiles(
  db: Connection,
  instanceId: string,
  ids: readonly string[],
): Promise<ConversationFileRow[]> {
  return db.rows<ConversationFileRow>(files, [instanceId, ids])
}
