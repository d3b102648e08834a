/** The SQL of what debtors ask a creditor. Everything starts from OFFICE: what is the creditor's $2 at the instance $1. */
import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { searchOfficeConversations } from '@kvitt/domain/conversations/office-conversation.contract.ts'
import {
  CONVERSATION_KINDS,
  CONVERSATION_STATUSES,
  type ConversationKind,
  type ConversationStatus,
} from '@kvitt/domain/conversations/conversation.ts'
import type { PaidHow, RequestOutcome } from '@kvitt/domain/conversations/request.ts'
import { CURRENCIES, type Currency } from '@kvitt/domain/money.ts'
import { statement, type Connection, type Transaction } from '../../platform/database/database.ts'
import { asWritten, sqlJson, word } from '../../platform/database/sql-json.ts'
import { isProtected } from '../../ledger/protected-persons.queries.ts'
import { creditorJson, OFFICE_DEBTOR } from '../../staff/office-debtor.queries.ts'
import { ofCreditor, openOfficeList, type Whose } from '../../staff/office-list.ts'
import type { ClientPrincipal } from '../../staff/staff.ts'
import { tasksOf } from '../../tasks/tasks.ts'
import { RESTS, type ShownPlan } from '../conversations.queries.ts'

const ALL_TASKS = tasksOf(['question_asked', 'more_time_asked', 'plan_proposed', 'said_paid'], 'all')

/** A thread `v` about the invoice `i` or the claim `c`, as `o`; its debtor `d`; what was written last, `w`. */
const office = (whose: Whose): string => `conversation v
   join instance n on n.id = v.instance_id
   left join invoice i on i.instance_id = v.instance_id and i.id = v.invoice_id
   left join claim c on c.instance_id = v.instance_id and c.id = v.claim_id
   cross join lateral (select coalesce(i.debtor_id, c.debtor_id) as debtor_id,
     coalesce(i.creditor_id, c.creditor_id) as creditor_id, coalesce(i.invoice_number, c.claim_number) as number,
     coalesce(i.balance_minor, c.balance_minor) as balance, coalesce(i.currency, c.currency) as currency,
     coalesce(i.payment_reference, c.payment_reference) as reference, coalesce(i.expire_date, c.expire_date) as expire_date) o
   join debtor d on d.instance_id = v.instance_id and d.id = o.debtor_id
   cross join lateral (select m.author, m.text from conversation_message m
     where m.instance_id = v.instance_id and m.conversation_id = v.id order by m.created_at desc, m.id desc limit 1) w
   where v.instance_id = $1 and ${whose('o.creditor_id')}`

/** Amounts in minor units. `country` is for the last day, which only the calendar of banks knows. */
const LISTED = {
  id: word('v.id'),
  version: asWritten('v.xmin::text'),
  kind: word('v.kind'),
  status: word('v.status'),
  askedOn: word('v.asked_on'),
  subject: {
    type: word(`case when i.id is null then 'collection-batches' else 'invoices' end`),
    id: word('v.debt_id'),
    number: 'o.number',
  },
  last: { from: word(`case when w.author = 'debtor' then 'DEBTOR' else 'CREDITOR' end`), text: 'w.text' },
  balance: asWritten('o.balance'),
  currency: word('o.currency'),
  country: word('n.country'),
  wish: asWritten(
    `case when v.wished_on is null then 'null' else ${sqlJson({
      day: word('v.wished_on'),
      amount: asWritten(`coalesce(v.wished_minor::text, 'null')`),
      how: 'v.wished_how',
    })} end`,
  ),
  outcome: asWritten(
    `case when v.outcome is null then 'null' else ${sqlJson({
      decision: word('v.outcome'),
      day: 'v.outcome_on',
      amount: asWritten(`coalesce(v.outcome_minor::text, 'null')`),
      byRule: asWritten('v.by_rule::text'),
    })} end`,
  ),
  counterUntil: `case when v.status = 'COUNTERED' then v.counter_until end`,
  rests: asWritten(`(${RESTS})::text`),
  debtor: OFFICE_DEBTOR,
  creditor: creditorJson('v.instance_id', 'o.creditor_id'),
}

/** A thread as the database writes it. */
export type OfficeConversationRow = {
  readonly id: string
  readonly version: number
  readonly kind: ConversationKind
  readonly status: ConversationStatus
  readonly askedOn: string
  readonly subject: {
    readonly type: 'invoices' | 'collection-batches'
    readonly id: string
    readonly number: string
  }
  readonly last: { readonly from: 'DEBTOR' | 'CREDITOR'; readonly text: string }
  readonly balance: number
  readonly currency: Currency
  readonly country: string
  readonly creditor: { readonly id: string; readonly name: string }
  readonly wish: {
    readonly day: string
    readonly amount: number | null
    readonly how: PaidHow | null
  } | null
  readonly outcome: {
    readonly decision: RequestOutcome
    readonly day: string | null
    readonly amount: number | null
    readonly byRule: boolean
  } | null
  readonly counterUntil: string | null
  readonly rests: boolean
  readonly debtor: AnswerOf<typeof searchOfficeConversations>[number]['debtor']
}

export const searchConversationRows = openOfficeList({
  name: 'conversations.office',
  from: office,
  json: sqlJson(LISTED),
  targets: {
    invoiceNumber: 'o.number',
    paymentReference: 'o.reference',
    name: 'd.name',
    identificationNumber: `coalesce(d.identification_number, '')`,
  },
  filters: {
    id: { kind: 'id', sql: 'v.id::text' },
    kind: { kind: 'choice', values: CONVERSATION_KINDS, sql: 'v.kind' },
    status: { kind: 'choice', values: CONVERSATION_STATUSES, sql: 'v.status' },
    'subject.id': { kind: 'id', sql: 'v.debt_id::text' },
    'creditor.id': { kind: 'id', sql: 'o.creditor_id::text' },
    'debtor.id': { kind: 'id', sql: 'd.id::text' },
    currency: { kind: 'choice', values: CURRENCIES, sql: 'o.currency' },
    askedOn: { kind: 'day', sql: 'v.asked_on' },
  },
  orders: { id: 'v.created_at', askedOn: 'v.asked_on', balance: 'o.balance', 'debtor.name': 'd.name' },
  tie: 'v.id',
})

const one = statement(
  'conversations.officeOne',
  `select ${sqlJson(LISTED)} as json, case when ${isProtected('d')} then '' else v.email end as email, v.invoice_id, v.claim_id, o.expire_date,
     (select t.id from ${ALL_TASKS} t where t.instance_id = $1 and t.about = 'conversation:' || v.id) as task_id
   from ${office(ofCreditor)} and v.id = $3`,
)

export type OfficeConversationDetailRow = {
  readonly json: string
  readonly email: string
  readonly invoice_id: string | null
  readonly claim_id: string | null
  readonly expire_date: string
  readonly task_id: string | null
}

/** One of the creditor's threads; undefined when it is not the creditor's or not there. */
export async function readOfficeConversation(
  db: Connection,
  { instance, creditorId }: ClientPrincipal,
  id: string,
): Promise<OfficeConversationDetailRow | undefined> {
  return (await db.rows<OfficeConversationDetailRow>(one, [instance.id, creditorId, id]))[0]
}

const replyTo = statement(
  'conversations.replyTo',
  'select email from conversation where instance_id = $1 and id = $2',
)

/** Where the debtor wants to be answered, under the thread's lock: an electronic ID may have taken it back since it was found. */
export async function readReplyTo(
  tx: Transaction,
  instanceId: string,
  id: string,
): Promise<{ readonly to?: string }> {
  const [row] = await tx.rows<{ email: string }>(replyTo, [instanceId, id])
  return row && row.email !== '' ? { to: row.email } : {}
}

const lock = statement(
  'conversations.officeLock',
  'select status, rests, shown from conversation where instance_id = $1 and id = $2 for update',
)

export type LockedConversation = {
  readonly status: ConversationStatus
  readonly rests: boolean
  readonly shown: ShownPlan | null
}

/** Where a thread that was found before stands now; it stays locked. */
export async function lockOfficeConversation(
  tx: Transaction,
  instanceId: string,
  id: string,
): Promise<LockedConversation> {
  const [row] = await tx.rows<LockedConversation>(lock, [instanceId, id])
  if (!row) throw new Error(`conversation ${id} is gone`)
  return row
}
