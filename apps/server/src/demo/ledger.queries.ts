/** The SQL of what the sandbox shows of the books: every invariant, the sums, and what became of each gateway's orders. */
import { statement, type Connection } from '../platform/database/database.ts'
import { tasksOf } from '../tasks/tasks.ts'

const views = statement(
  'demo.invariants',
  `select viewname as name from pg_views where schemaname = 'public' and viewname like 'inv\\_%' order by viewname`,
)

export type CheckRow = { name: string; rows: number }

/** Each view of what may not be, and how many rows it has: none, when the books are right. */
export async function readChecks(db: Connection): Promise<CheckRow[]> {
  const checks: CheckRow[] = []
  for (const { name } of await db.rows<{ name: string }>(views)) {
    // The name is the catalogue's own, of letters, digits and underscores.
    const counted = statement(`demo.count.${name}`, `select count(*)::int as rows from ${name}`)
    checks.push({ name, rows: (await db.rows<{ rows: number }>(counted))[0]?.rows ?? 0 })
  }
  return checks
}

const sums = statement(
  'demo.sums',
  `select currency, sum(amount_minor) filter (where amount_minor > 0)::bigint as debit_minor,
     -sum(amount_minor) filter (where amount_minor < 0)::bigint as credit_minor, count(*)::int as postings
   from posting group by currency order by currency desc`,
)

export type SumRow = { currency: string; debit_minor: number; credit_minor: number; postings: number }

/** What was ever posted, by currency. */
export function readSums(db: Connection): Promise<SumRow[]> {
  return db.rows<SumRow>(sums)
}

const orders = statement(
  'demo.orders',
  `select p.id, p.gateway, p.status, p.amount_minor, p.currency,
     (count(t.id) + (select count(*) from bank_line l where l.instance_id = p.instance_id and l.payment_id = p.id
       and l.status in ('BOOKED', 'REVERSED') and coalesce(l.invoice_id, l.claim_id) is not null))::int as bookings,
     exists (select from ${tasksOf(['payment_contradiction', 'payment_late'], 'all')} o where o.instance_id = p.instance_id
       and o.about like 'payment:' || p.id || '%') as with_a_person
   from payment p
   left join ledger_transaction t on t.instance_id = p.instance_id and t.payment_id = p.id and t.kind = 'PAYMENT'
   group by p.instance_id, p.id
   union all
   select r.id, p.gateway, r.status, -r.amount_minor, r.currency, count(t.id)::int,
     exists (select from ${tasksOf(['refund_contradiction', 'refund_late'], 'all')} o where o.instance_id = r.instance_id
       and o.about = 'refund:' || r.id)
   from refund r
   join payment p on p.instance_id = r.instance_id and p.id = r.payment_id
   left join ledger_transaction t on t.instance_id = r.instance_id and t.cause = 'sent:refund:' || r.id
   group by r.instance_id, r.id, p.gateway order by id`,
)

export type OrderRow = {
  id: string
  gateway: string
  status: string
  amount_minor: number
  currency: string
  bookings: number
  with_a_person: boolean
}

/** Every payment, and every refund with its amount below zero: how often it is booked, and whether somebody was asked. */
export function readOrders(db: Connection): Promise<OrderRow[]> {
  return db.rows<OrderRow>(orders)
}
