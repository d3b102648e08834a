/** The SQL of what is owed back and has gone, or is to go, by another way than a gateway. */
import type { Holder } from '@kvitt/domain/ledger/booking.ts'
import type { Currency } from '@kvitt/domain/money.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'
import { tasksOf } from '../tasks/tasks.ts'

export type OwedRow = {
  instance_id: string
  instance_name: string
  time_zone: string
  about: string
  holder: Holder
  /** What is left to send. */
  amount_minor: number
  currency: Currency
  /** Something of it is on its way by a gateway. */
  is_under_way: boolean
  invoice_id: string | null
  claim_id: string | null
  creditor_id: string
  debtor_id: string
}

const OWED = `select k.instance_id, n.name as instance_name, n.time_zone, k.about,
     case k.kind when 'refund' then 'INSTANCE' else 'CREDITOR' end as holder,
     ((k.details ->> 'amountMinor')::bigint - coalesce((select sum(r.amount_minor) from refund r
       where r.instance_id = k.instance_id and r.about = k.about and r.status <> 'FAILED'), 0))::bigint as amount_minor,
     k.details ->> 'currency' as currency,
     exists (select from refund r where r.instance_id = k.instance_id and r.about = k.about
       and r.status in ('CREATED', 'SENT')) as is_under_way,
     t.invoice_id, t.claim_id, coalesce(i.creditor_id, c.creditor_id) as creditor_id, coalesce(i.debtor_id, c.debtor_id) as debtor_id
   from ${tasksOf(['refund', 'creditor_refund'])} k join instance n on n.id = k.instance_id
   cross join lateral (select o.invoice_id, o.claim_id from ledger_transaction o where o.instance_id = k.instance_id
     and o.cause in (k.about, 'refund:' || k.about) and num_nonnulls(o.invoice_id, o.claim_id) > 0
     order by o.cause like 'refund:%' desc limit 1) t
   left join claim c on c.instance_id = k.instance_id and c.id = t.claim_id
   left join invoice i on i.instance_id = k.instance_id and i.id = t.invoice_id`
const all = statement(
  'recordRefund.all',
  `${OWED} where $1::uuid is null or k.instance_id = $1 order by n.name, k.about`,
)

/** All that debtors are owed back and nobody has recorded, of one instance or of every one (null). */
export function readOwedRows(db: Connection, instanceId: string | null): Promise<OwedRow[]> {
  return db.rows<OwedRow>(all, [instanceId])
}

const one = statement('recordRefund.one', `${OWED} where k.about = $1 and k.kind = $2 and k.instance_id = $3`)

export async function findOwedRow(
  db: Connection | Transaction,
  {
    instanceId,
    about,
    holder,
  }: { readonly instanceId: string; readonly about: string; readonly holder: Holder },
): Promise<OwedRow | undefined> {
  const kind = holder === 'CREDITOR' ? 'creditor_refund' : 'refund'
  return (await db.rows<OwedRow>(one, [about, kind, instanceId]))[0]
}

const recorded = statement(
  'recordRefund.recorded',
  `select t.instance_id, n.time_zone from ledger_transaction t join instance n on n.id = t.instance_id where t.cause = $1 and t.instance_id = $3
   union all
   select m.instance_id, n.time_zone from money_out m join instance n on n.id = m.instance_id where m.about = $2 and m.instance_id = $3`,
)

/** Where it was recorded before, or a line of a bank's file was sent back. */
export async function findRecorded(
  db: Connection,
  {
    instanceId,
    cause,
    about,
  }: { readonly instanceId: string; readonly cause: string; readonly about: string },
): Promise<{ instance_id: string; time_zone: string } | undefined> {
  return (await db.rows<{ instance_id: string; time_zone: string }>(recorded, [cause, about, instanceId]))[0]
}

const debtOf = statement(
  'recordRefund.debtOf',
  'select invoice_id as "invoiceId", claim_id as "claimId" from ledger_transaction where instance_id = $1 and cause = $2',
)

type DebtOfRecorded = { readonly invoiceId: string | null; readonly claimId: string | null }

/** Whose debt an entry is about that a person recorded. */
export async function readDebtOfRecorded(
  tx: Transaction,
  instanceId: string,
  cause: string,
): Promise<DebtOfRecorded> {
  const [found] = await tx.rows<DebtOfRecorded>(debtOf, [instanceId, cause])
  if (!found) throw new Error(`nothing is booked as ${cause}`)
  return found
}

const taskOf = statement(
  'recordRefund.task',
  `select k.details from ${tasksOf(['refund'], 'all')} k where k.instance_id = $1 and k.about = $2`,
)

/** What a task asked for that is done by now. */
export async function readRefundTask(
  tx: Transaction,
  instanceId: string,
  about: string,
): Promise<Readonly<Record<string, unknown>>> {
  const [found] = await tx.rows<{ details: Readonly<Record<string, unknown>> }>(taskOf, [instanceId, about])
  if (!found) throw new Error(`no task asked for ${about}`)
  return found.details
}
