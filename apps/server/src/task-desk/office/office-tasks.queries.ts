/** The SQL of a creditor's tasks. Everything starts from OFFICE: what is the creditor's $2 at the instance $1. */
import { OFFICE_TASK_STATES } from '@kvitt/domain/tasks/office-task.ts'
import {
  ALL_TASKS,
  CREDITOR_TASKS,
  RESTS_WITH_DEBTOR,
  TASK_KINDS,
  type TaskKind,
  type TaskRule,
} from '@kvitt/domain/tasks/task-kind.ts'
import { CURRENCIES } from '@kvitt/domain/money.ts'
import { isOfNobodyResting } from '../../ledger/resting-debts.queries.ts'
import { statement, type Connection } from '../../platform/database/database.ts'
import { asWritten, sqlJson, word } from '../../platform/database/sql-json.ts'
import { creditorJson } from '../../staff/office-debtor.queries.ts'
import { openOfficeList, openOfficeRow, type OfficeListShape, type Whose } from '../../staff/office-list.ts'
import { openOfficeSet } from '../../staff/office-set.ts'
import type { OfficePrincipal } from '../../staff/staff.ts'
import { idIn } from '../../tasks/tasks.ts'

const KINDS = CREDITOR_TASKS.map((kind) => `'${kind}'`).join(', ')

/** A task `t` with what it is about: its dispute `x` or conversation `v`, its claim `c` or invoice `i`, its flag `w`, its request `z`, their debtor `d`; and who looks after it, `p`. */
const office = (whose: Whose): string => `task t
   join instance n on n.id = t.instance_id
   left join dispute x on x.instance_id = t.instance_id and t.kind = 'dispute_to_answer'
     and x.id = ${idIn('t.about', 'dispute:')}
   left join conversation v on v.instance_id = t.instance_id and v.id = ${idIn('t.about', 'conversation:')}
   left join ledger_transaction g on g.instance_id = t.instance_id and t.kind in ('creditor_refund', 'refund') and g.cause = t.about
   left join claim c on c.instance_id = t.instance_id
     and c.id = coalesce(x.claim_id, v.claim_id, g.claim_id, ${idIn('t.about', 'claim:')})
   left join invoice i on i.instance_id = t.instance_id and i.id = coalesce(x.invoice_id, v.invoice_id, g.invoice_id) and c.id is null
   left join import q on q.instance_id = t.instance_id and t.kind = 'import_with_errors' and q.id = ${idIn('t.about', 'import:')}
   left join webhook h on h.instance_id = t.instance_id and t.kind = 'webhook_off' and h.id = ${idIn('t.about', 'webhook:')}
     and h.removed_at is null
   left join debtor_flag w on w.instance_id = t.instance_id and t.kind = 'debtor_flagged' and w.id = ${idIn('t.about', 'flag:')}
   left join data_request z on z.instance_id = t.instance_id and t.kind = 'data_request' and z.id = ${idIn('t.about', 'data-request:')}
   left join debtor d on d.instance_id = t.instance_id and d.id = coalesce(c.debtor_id, i.debtor_id, w.debtor_id, z.debtor_id)
   left join membership m on m.instance_id = t.instance_id and m.id = t.assignee_id and m.ended_at is null
   left join person p on p.id = m.person_id
   where t.instance_id = $1 and ${whose('t.creditor_id')} and (t.kind in (${KINDS}) or $2::uuid is null)`

/** With a debt that rests rests what is to be done about it: it is back in the list when the rest is over. */
const RESTING = `t.kind in (${RESTS_WITH_DEBTOR.map((kind) => `'${kind}'`).join(', ')}) and not (${isOfNobodyResting('d.id')})`

const STATE = `case when t.done_at is not null then 'DONE' when ${RESTING} then 'RESTING' when t.snoozed_until > $3::date then 'SNOOZED' else 'OPEN' end`

const SUBJECT = `case when x.id is not null then 'disputes' when v.id is not null then 'conversations' when c.id is not null then 'collection-batches'
   when i.id is not null then 'invoices' when t.about like 'bank-line:%' then 'bank-lines'
   when w.id is not null then 'debtor-flags' when z.id is not null then 'data-requests'
   when q.id is not null then 'imports' when h.id is not null then 'webhooks'
   when t.about like 'proposal:%' then 'proposals' when t.about like 'settlement:%' then 'settlements'
   when t.kind = 'payment_late' then 'payments' when t.about like 'account:%' then 'bank-accounts'
   when t.about like 'payout-file:%' or t.kind = 'paid_twice' then 'payouts' when t.about like 'mail:%' then 'outbox' else 'tasks' end`

/** Of other kinds what is about a payment is about what the books have of it. */
const PAYMENT = `case when t.kind = 'payment_late' then ${idIn('t.about', 'payment:')} end`

/** The file that the row of a task is in. */
const FILE_OF_ROW = `case when t.kind = 'paid_twice' then (select o.file_id from payout o where o.instance_id = t.instance_id
   and o.id = ${idIn('t.about', 'payout:')}) end`

/** The creditor that a task is about, also where it is the operator's own to do: of a settlement, a payout, a proposal. */
const WHOSE_MONEY = `coalesce(t.creditor_id, (t.details ->> 'of')::uuid)`

const AMOUNT = `coalesce((t.details ->> 'amountMinor')::bigint, c.balance_minor, i.balance_minor)`

/** In the demo, whose clock moves, the day is what counts. */
const MADE_AT = `case when t.made_on = (t.opened_at at time zone n.time_zone)::date then t.opened_at
   else t.made_on::timestamp at time zone n.time_zone end`

/** `madeOn` and `country` are for the last day, which only the calendar of banks knows. */
const JSON_OF_TASK = sqlJson({
  id: word('t.id'),
  version: asWritten('t.xmin::text'),
  kind: word('t.kind'),
  subject: {
    type: word(SUBJECT),
    id: word(
      `coalesce(x.id, v.id, c.id, i.id, w.id, z.id, ${idIn('t.about', 'bank-line:')}, q.id, h.id, ${idIn('t.about', 'proposal:')}, ${idIn('t.about', 'settlement:')},
      ${idIn('t.about', 'payout-file:')}, ${FILE_OF_ROW}, ${idIn('t.about', 'mail:')}, ${PAYMENT}, ${idIn('t.about', 'account:')}, t.id)`,
    ),
    number: `coalesce(c.claim_number, i.invoice_number, q.file_name, (select s.number::text from settlement s
      where s.instance_id = t.instance_id and s.id = ${idIn('t.about', 'settlement:')}), substring(h.address from '^[a-z]+://([^/]+)'))`,
  },
  debtor: asWritten(
    `case when d.id is null then 'null' else ${sqlJson({ id: word('d.id'), name: 'd.name' })} end`,
  ),
  amountMinor: AMOUNT,
  currency: `coalesce(t.details ->> 'currency', c.currency, i.currency)`,
  createdAt: `to_char(${MADE_AT} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  madeOn: word('t.made_on'),
  country: word('n.country'),
  assignee: 'm.id',
  assigneeName: `coalesce(p.name, case when t.assignee_id is null then t.assignee end)`,
  state: word(STATE),
  creditor: creditorJson('t.instance_id', WHOSE_MONEY),
  snoozedUntil: `case when t.done_at is null and t.snoozed_until > $3::date then t.snoozed_until end`,
})

/** A task as the database writes it. */
export type OfficeTaskRow = {
  readonly id: string
  readonly version: number
  readonly kind: TaskKind
  readonly subject: {
    readonly type:
      | 'disputes'
      | 'conversations'
      | 'invoices'
      | 'collection-batches'
      | 'bank-lines'
      | 'debtor-flags'
      | 'data-requests'
      | 'imports'
      | 'webhooks'
      | 'outbox'
      | 'proposals'
      | 'settlements'
      | 'payouts'
      | 'payments'
      | 'bank-accounts'
      | 'tasks'
    readonly id: string
    readonly number: string | null
  }
  readonly debtor: { readonly id: string; readonly name: string } | null
  readonly amountMinor: number | null
  readonly currency: string | null
  readonly createdAt: string
  readonly madeOn: string
  readonly country: string
  readonly assignee: string | null
  readonly assigneeName: string | null
  readonly state: (typeof OFFICE_TASK_STATES)[number]
  readonly snoozedUntil: string | null
  /** Null for a task that is the operator's own. */
  readonly creditor: { readonly id: string; readonly name: string } | null
}

/** Days without banks are left out: what ends on one may stand up to a few days before its place. */
const LAST_DAY = `t.made_on + case t.kind ${ALL_TASKS.map((kind) => {
  const { clock }: TaskRule = TASK_KINDS[kind]
  const days = typeof clock === 'string' ? 'null' : 'days' in clock ? clock.days : clock.bankDays
  return `when '${kind}' then ${days}`
}).join(' ')} end`

const SHAPE: OfficeListShape = {
  name: 'tasks.office',
  from: office,
  json: JSON_OF_TASK,
  targets: {
    invoiceNumber: `coalesce(c.claim_number, i.invoice_number, '')`,
    paymentReference: `coalesce(c.payment_reference, i.payment_reference, '')`,
    name: `coalesce(d.name, '')`,
    identificationNumber: `coalesce(d.identification_number, '')`,
  },
  filters: {
    id: { kind: 'id', sql: 't.id::text' },
    kind: { kind: 'choice', values: ALL_TASKS, sql: 't.kind' },
    state: { kind: 'choice', values: OFFICE_TASK_STATES, sql: STATE },
    assignee: { kind: 'id', sql: 'm.id::text' },
    'subject.id': { kind: 'id', sql: 'coalesce(x.id, v.id, c.id, i.id, q.id)::text' },
    'creditor.id': { kind: 'id', sql: `${WHOSE_MONEY}::text` },
    'debtor.id': { kind: 'id', sql: 'd.id::text' },
    createdAt: { kind: 'day', sql: 't.made_on' },
    amount: { kind: 'amount', sql: AMOUNT },
    currency: {
      kind: 'choice',
      values: CURRENCIES,
      sql: `coalesce(t.details ->> 'currency', c.currency, i.currency)`,
    },
  },
  orders: {
    id: 't.opened_at',
    createdAt: MADE_AT,
    deadline: LAST_DAY,
    amount: AMOUNT,
    kind: 't.kind',
    'debtor.name': 'd.name',
  },
  tie: 't.id',
}

export const searchTaskRows = openOfficeList(SHAPE)

export const taskSet = openOfficeSet({
  ...SHAPE,
  worth: AMOUNT,
  alsoWorth: [],
  currency: `coalesce(t.details ->> 'currency', c.currency, i.currency)`,
})

const readJson = openOfficeRow(SHAPE)

/** One task; undefined when it is not the principal's or not there. */
export async function readOfficeTask(
  db: Connection,
  principal: OfficePrincipal,
  row: { readonly id: string; readonly today: string },
): Promise<OfficeTaskRow | undefined> {
  const json = await readJson(db, principal, row)
  return json === undefined ? undefined : (JSON.parse(json) as OfficeTaskRow)
}

const members = statement(
  'tasks.officeMember',
  `select p.name from membership m join person p on p.id = m.person_id
   where m.instance_id = $1 and m.creditor_id is not distinct from $2 and m.id = $3 and m.ended_at is null`,
)

/** The name of who has a membership of the creditor's; undefined when nobody has it. */
export async function readMemberName(
  db: Connection,
  { instance, creditorId }: OfficePrincipal,
  membershipId: string,
): Promise<string | undefined> {
  return (await db.rows<{ name: string }>(members, [instance.id, creditorId, membershipId]))[0]?.name
}

const notes = statement(
  'tasks.officeNotes',
  `select o.text, coalesce(p.name, k.name, regexp_replace(o.noted_by, '^person:', '')) as by,
     to_char(o.noted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
   from task_note o
   left join person p on p.id = (select r[1]::uuid from regexp_match(o.noted_by, '^person:([0-9a-f-]{36}):') r)
   left join api_key k on k.instance_id = o.instance_id
     and k.id = (select r[1]::uuid from regexp_match(o.noted_by, '^key:([0-9a-f-]{36})$') r)
   where o.instance_id = $1 and o.task_id = $3 and ($2::uuid is null or coalesce(k.creditor_id, (select m.creditor_id from membership m
     where m.instance_id = o.instance_id
       and m.id = (select r[1]::uuid from regexp_match(o.noted_by, '^person:[0-9a-f-]{36}:([0-9a-f-]{36})$') r))) = $2)
   order by o.noted_at, o.id`,
)

/**
 * What has been written beside a task, with names, the oldest first. A creditor's staff sees what its own people and programs
 * wrote: an operator's notes are internal.
 */
export function readOfficeNotes(
  db: Connection,
  { instance, creditorId }: OfficePrincipal,
  taskId: string,
): Promise<{ text: string; by: string; at: string }[]> {
  return db.rows(notes, [instance.id, creditorId, taskId])
}
