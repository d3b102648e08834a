/** The SQL of what was paid twice: what two people have said so, and what of it has come back. */
import type { Currency } from '@kvitt/domain/money.ts'
import { statement, type Connection, type Transaction } from '../../platform/database/database.ts'

const insert = statement(
  'paidTwice.insert',
  `insert into paid_twice (instance_id, payout_id, line_id, amount_minor, currency, said_on, proposal_id)
   values ($1, $2, $3, $4, $5, $6, $7)`,
)

export async function insertPaidTwiceRow(
  tx: Transaction,
  instanceId: string,
  row: {
    readonly payoutId: string
    readonly lineId: string
    readonly amountMinor: number
    readonly currency: Currency
    readonly on: string
    readonly proposalId: string
  },
): Promise<void> {
  const { payoutId, lineId, amountMinor, currency, on, proposalId } = row
  await tx.rows(insert, [instanceId, payoutId, lineId, amountMinor, currency, on, proposalId])
}

const BACK = `coalesce((select sum(e.amount_minor) from bank_entry e where e.instance_id = w.instance_id and e.payout_id = w.payout_id), 0)`
const claims = statement(
  'paidTwice.claims',
  `select w.payout_id as payout, o.file_id as file, coalesce(a.receiver_name, o.receiver_name) as name, w.said_on as "saidOn",
     (w.amount_minor - ${BACK})::bigint as minor
   from paid_twice w
   join payout o on o.instance_id = w.instance_id and o.id = w.payout_id
   left join payout_account a on a.instance_id = o.instance_id and a.id = o.account_id
   where w.instance_id = $1 and w.currency = $2 and coalesce(w.payout_id = $3::uuid, true) and w.amount_minor > ${BACK}
   order by w.said_on, w.payout_id`,
)

const SAME = `(x.id = o.id or x.about = o.about or x.settlement_id = o.settlement_id)`
const otherWay = statement(
  'paidTwice.otherWay',
  `select from payout o join payout x on x.instance_id = o.instance_id and ${SAME}
   join paid_twice w on w.instance_id = x.instance_id and w.payout_id = x.id
   where o.instance_id = $1 and o.id = $2::uuid and w.amount_minor - ${BACK} >= $3 limit 1`,
)

/** Whether what a row of a file paid was paid twice, by it or by another, and as much of that has not come back. Ask under lockBankFiles. */
export async function isOwedBack(
  tx: Transaction,
  instanceId: string,
  { orderId, minor }: { readonly orderId: string; readonly minor: number },
): Promise<boolean> {
  return (await tx.rows(otherWay, [instanceId, orderId, minor])).length > 0
}

const isTwice = statement(
  'paidTwice.isTwice',
  'select from paid_twice where instance_id = $1 and payout_id = $2::uuid',
)

/** Whether two people have said that a row was paid twice. */
export async function isPaidTwice(tx: Transaction, instanceId: string, id: string | null): Promise<boolean> {
  return id !== null && (await tx.rows(isTwice, [instanceId, id])).length > 0
}

const samePay = statement(
  'paidTwice.same',
  `select from payout o join payout x on x.instance_id = o.instance_id and ${SAME}
   where o.instance_id = $1 and o.id = $2::uuid and x.id = $3::uuid`,
)

/** Whether a line names this row of a file, or another one by which the same money went. */
export async function isOfSameMoney(
  tx: Transaction,
  instanceId: string,
  { named, payoutId }: { readonly named: string | null; readonly payoutId: string },
): Promise<boolean> {
  return named !== null && (await tx.rows(samePay, [instanceId, named, payoutId])).length > 0
}

export type PaidTwiceRow = {
  readonly payout: string
  readonly file: string
  /** Whoever got it. */
  readonly name: string
  readonly saidOn: string
  /** What has not come back, in minor units. */
  readonly minor: number
}

/** What was paid twice in a currency and has not come back, the oldest first: all, or one row of a file. */
export function readOwedBack(
  db: Connection,
  instanceId: string,
  { currency, payoutId }: { readonly currency: string; readonly payoutId: string | null },
): Promise<PaidTwiceRow[]> {
  return db.rows<PaidTwiceRow>(claims, [instanceId, currency, payoutId])
}
