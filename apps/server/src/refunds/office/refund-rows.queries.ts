/** The SQL of what is owed back, as an operator's people see it: each task of the kinds below, open or done, at the instance $1. */
import { CURRENCIES, type Currency } from '@kvitt/domain/money.ts'
import { REFUND_KINDS, REFUND_STATUSES, type RefundKind } from '@kvitt/domain/refunds/refund.ts'
import { statement, type Connection } from '../../platform/database/database.ts'
import { amount, asWritten, instantText, sqlJson, word } from '../../platform/database/sql-json.ts'
import { creditorJson } from '../../staff/office-debtor.queries.ts'
import { openOfficeList, openOfficeRow, type OfficeListShape, type Whose } from '../../staff/office-list.ts'

const KINDS = REFUND_KINDS.map((kind) => `'${kind}'`).join(', ')

/** A task `t` with the debt `o` in whose books it is owed, and the transfer `m` that a person has ordered. */
const from = (whose: Whose): string => `task t
   left join lateral (select g.invoice_id, g.claim_id from ledger_transaction g where g.instance_id = t.instance_id
     and g.cause in (t.about, 'refund:' || t.about) and num_nonnulls(g.invoice_id, g.claim_id) > 0
     order by g.cause like 'refund:%' desc limit 1) o on true
   left join claim c on c.instance_id = t.instance_id and c.id = o.claim_id
   left join invoice i on i.instance_id = t.instance_id and i.id = o.invoice_id and c.id is null
   left join debtor d on d.instance_id = t.instance_id and d.id = coalesce(c.debtor_id, i.debtor_id)
   left join money_out m on m.instance_id = t.instance_id and t.kind <> 'creditor_refund'
     and m.about = case t.kind when 'send_back' then t.about else 'refund:' || t.about end
     and m.returned_on is null and m.back_line_id is null
   where t.instance_id = $1 and ${whose('null::uuid')} and t.kind in (${KINDS})`

const TOTAL = `coalesce((t.details ->> 'amountMinor')::bigint, 0)`
const LEFT = `case when t.done_at is not null then 0 else ${TOTAL} - coalesce((select sum(r.amount_minor) from refund r
   where r.instance_id = t.instance_id and r.about = t.about and r.status <> 'FAILED'), 0)::bigint end`
const IS_AT_GATEWAY = `exists (select from refund r where r.instance_id = t.instance_id and r.about = t.about
   and r.status in ('CREATED', 'SENT'))`
const IS_AT_BANK = `(m.id is not null and (t.kind <> 'send_back' or m.order_id is not null or m.by_hand) and m.left_on is null and m.line_id is null and m.returned_on is null)`
const STATUS = `case when ${IS_AT_GATEWAY} or ${IS_AT_BANK} then 'UNDER_WAY' when t.done_at is not null then 'ENDED' else 'OWED' end`
const WHOSE_MONEY = `coalesce(c.creditor_id, i.creditor_id, t.creditor_id, (t.details ->> 'creditorId')::uuid)`
const CURRENCY = `t.details ->> 'currency'`

const LISTED = {
  id: word('t.id'),
  version: asWritten('t.xmin::text'),
  kind: word('t.kind'),
  status: word(STATUS),
  amount: amount(TOTAL),
  left: amount(LEFT),
  currency: word(CURRENCY),
  since: word('t.made_on'),
  debtor: asWritten(
    `case when d.id is null then 'null' else ${sqlJson({ id: word('d.id'), name: 'd.name' })} end`,
  ),
  creditor: creditorJson('t.instance_id', WHOSE_MONEY),
  debt: asWritten(
    `case when coalesce(c.id, i.id) is null then 'null' else ${sqlJson({
      type: word(`case when c.id is null then 'invoices' else 'collection-batches' end`),
      id: word('coalesce(c.id, i.id)'),
      number: 'coalesce(c.claim_number, i.invoice_number)',
    })} end`,
  ),
}

const SHAPE: OfficeListShape = {
  name: 'refunds.office',
  from,
  json: sqlJson(LISTED),
  targets: {
    invoiceNumber: `coalesce(c.claim_number, i.invoice_number, '')`,
    paymentReference: `coalesce(c.payment_reference, i.payment_reference, '')`,
    name: `coalesce(d.name, '')`,
  },
  filters: {
    id: { kind: 'id', sql: 't.id::text' },
    kind: { kind: 'choice', values: REFUND_KINDS, sql: 't.kind' },
    status: { kind: 'choice', values: REFUND_STATUSES, sql: STATUS },
    currency: { kind: 'choice', values: CURRENCIES, sql: CURRENCY },
    'creditor.id': { kind: 'id', sql: `${WHOSE_MONEY}::text` },
    'debtor.id': { kind: 'id', sql: 'd.id::text' },
    since: { kind: 'day', sql: 't.made_on' },
    amount: { kind: 'amount', sql: TOTAL },
  },
  orders: { id: 't.opened_at', since: 't.made_on', amount: TOTAL, 'debtor.name': 'd.name' },
  tie: 't.id',
}

export const searchRefundRows = openOfficeList(SHAPE)

export type RefundJson = {
  /** As the list has it, as JSON's text. */
  readonly listed: string
  readonly kind: RefundKind
  readonly status: 'OWED' | 'UNDER_WAY' | 'ENDED'
  readonly about: string
  readonly totalMinor: number
  readonly leftMinor: number
  readonly currency: Currency
  readonly debtorId: string | null
  readonly debtor: string | null
  readonly creditorId: string | null
  readonly invoiceId: string | null
  readonly claimId: string | null
  readonly debt: string | null
  readonly orderedOn: string | null
  readonly orderedMinor: number | null
  /** A person has said that it is ordered at the bank, and it has not left as far as anybody knows. */
  readonly isByHand: boolean
  readonly leftOn: string | null
}

/** One of them, with what it is decided by. */
export const readRefundJson = openOfficeRow({
  ...SHAPE,
  name: 'refunds.officeOne',
  json: sqlJson({
    listed: sqlJson(LISTED),
    kind: word('t.kind'),
    status: word(STATUS),
    about: 't.about',
    totalMinor: asWritten(TOTAL),
    leftMinor: asWritten(LEFT),
    currency: word(CURRENCY),
    debtorId: 'd.id',
    debtor: 'd.name',
    creditorId: WHOSE_MONEY,
    invoiceId: 'i.id',
    claimId: 'c.id',
    debt: 'coalesce(c.claim_number, i.invoice_number)',
    orderedOn: 'm.ordered_on',
    orderedMinor: 'm.amount_minor',
    isByHand: asWritten(`coalesce(m.by_hand and m.left_on is null and m.line_id is null, false)::text`),
    // A line's own day counts for more than what a person has said.
    leftOn: `coalesce((select l.bank_date from bank_line l where l.instance_id = m.instance_id and l.id = m.line_id), m.left_on)`,
  }),
})

export type WayRow = {
  readonly id: string
  readonly gateway: string
  readonly paid_minor: number
  readonly paid_on: string
  readonly room_minor: number
}

const waysOf = statement(
  'refunds.waysOf',
  `select p.id, p.gateway, p.amount_minor as paid_minor,
     coalesce((select min(g.booked_on) from ledger_transaction g where g.instance_id = p.instance_id and g.payment_id = p.id
       and g.kind = 'PAYMENT'), (p.created_at at time zone n.time_zone)::date) as paid_on,
     (p.amount_minor - coalesce((select sum(r.amount_minor) from refund r where r.instance_id = p.instance_id and r.payment_id = p.id
       and r.status <> 'FAILED'), 0))::bigint as room_minor
   from payment p join instance n on n.id = p.instance_id
   where p.instance_id = $1 and p.currency = $5 and p.gateway = any($6) and (p.status = 'COMPLETED' or p.arrived_on is not null)
     and case when $2::text like '%payment:%' then p.id = substring($2::text from 'payment:([0-9a-f-]{36})')::uuid
       else p.invoice_id = $3 or p.claim_id = $4 or p.invoice_id in (select i.id from invoice i where i.instance_id = $1 and i.claim_id = $4) end
     and not exists (select from refund r where r.instance_id = p.instance_id and r.payment_id = p.id and r.status in ('CREATED', 'SENT'))
   order by p.id`,
)

/** The payments that it may go back with, where something of each has not been sent back. What one brought too much goes back with that. */
export async function readWays(
  db: Connection,
  instanceId: string,
  { about, invoiceId, claimId, currency }: RefundJson,
  gateways: readonly string[],
): Promise<WayRow[]> {
  const rows = await db.rows<WayRow>(waysOf, [instanceId, about, invoiceId, claimId, currency, gateways])
  return rows.filter(({ room_minor: room }) => room > 0)
}

export type TryRow = {
  readonly id: string
  readonly payment: string
  readonly amount_minor: number
  readonly status: 'CREATED' | 'SENT' | 'PAID' | 'FAILED'
  readonly failure: string | null
  readonly at: string
}

const triesOf = statement(
  'refunds.triesOf',
  `select id, payment_id as payment, amount_minor, status, failure, ${instantText('created_at')} as at
   from refund where instance_id = $1 and about = $2 order by id desc`,
)

export function readTries(db: Connection, instanceId: string, about: string): Promise<TryRow[]> {
  return db.rows<TryRow>(triesOf, [instanceId, about])
}

export type LineSaid = {
  readonly payer: string | null
  readonly bankDate: string
  readonly account: string
  readonly message: string | null
}

const lineOf = statement(
  'refunds.lineOf',
  `select l.payer, l.bank_date as "bankDate", l.account_key as account, l.message from bank_line l
   where l.instance_id = $1 and l.id = substring($2::text from '^(?:reversal:)?(?:payment|bank-line):([0-9a-f-]{36})')::uuid`,
)

/** What the bank's file said of the money; undefined when it came another way. */
export async function readLineSaid(
  db: Connection,
  instanceId: string,
  about: string,
): Promise<LineSaid | undefined> {
  return (await db.rows<LineSaid>(lineOf, [instanceId, about]))[0]
}
