/** The SQL of what a gateway pays out once a day: one line of a bank for many payments. */
import type { Currency } from '@kvitt/domain/money.ts'
import { statement, type Transaction } from '../../platform/database/database.ts'

/** The payments `p` of $3 to the account $2 on a day whose money no line of a bank is. */
const UNTOLD = `from payment p join account_address a on a.instance_id = p.instance_id and a.account_id = $2
     and a.address = 'SE SWISH ' || p.payee_account
   where p.instance_id = $1 and p.gateway = $3 and p.currency = $4 and p.execution_date between $5::date and $6::date
     and (p.status = 'COMPLETED' or p.arrived_on is not null) and p.reversed_on is null
     and not exists (select from bank_line l where l.instance_id = p.instance_id and l.payment_id = p.id)
     and not exists (select from bank_line_share s where s.instance_id = p.instance_id and s.payment_id = p.id)`

const untoldDays = statement(
  'dailySum.untold',
  `select array_agg(p.id order by p.id) as ids ${UNTOLD} group by p.execution_date having sum(p.amount_minor) = $7
   order by p.execution_date desc limit 1`,
)

export type SumOf = {
  readonly instanceId: string
  readonly accountId: string
  readonly gateway: string
  readonly currency: Currency
  /** The days of the payments, both included. */
  readonly from: string
  readonly to: string
}

/** The payments of one of the days when they add up to this; undefined when no day's do. */
export async function findDayOfSum(
  tx: Transaction,
  { instanceId, accountId, gateway, currency, from, to }: SumOf,
  amountMinor: number,
): Promise<readonly string[] | undefined> {
  const values = [instanceId, accountId, gateway, currency, from, to, amountMinor]
  return (await tx.rows<{ ids: string[] }>(untoldDays, values))[0]?.ids
}

const insertShares = statement(
  'dailySum.insertShares',
  `insert into bank_line_share (instance_id, payment_id, line_id) select $1, p.id, $3 from unnest($2::uuid[]) as p (id)`,
)

/** Keeps that the line is the money of these payments. */
export async function insertShareRows(
  tx: Transaction,
  { instanceId, lineId }: { readonly instanceId: string; readonly lineId: string },
  paymentIds: readonly string[],
): Promise<void> {
  await tx.rows(insertShares, [instanceId, paymentIds, lineId])
}

const waitingSums = statement(
  'dailySum.waiting',
  `select id, account_id, amount_minor, bank_date, payer, message from bank_line
   where instance_id = $1 and account_id = any($2) and currency = $3 and kind = 'PAYMENT' and status = 'SUSPENSE'
     and payment_references = '{}' and named_payment_id is null and bank_date between $4::date and $4::date + 5
   order by bank_date, id for update`,
)

export type WaitingSum = {
  readonly id: string
  readonly account_id: string
  readonly amount_minor: number
  readonly bank_date: string
  readonly payer: string | null
  readonly message: string | null
}

/** Lines in suspense without a reference that may be a sum of the day's payments. Locked: two payments may complete one sum. */
export function lockWaitingSums(
  tx: Transaction,
  instanceId: string,
  { accountIds, currency, day }: { accountIds: readonly string[]; currency: Currency; day: string },
): Promise<WaitingSum[]> {
  return tx.rows<WaitingSum>(waitingSums, [instanceId, accountIds, currency, day])
}

const markKnown = statement(
  'dailySum.markKnown',
  `update bank_line set status = 'KNOWN' where instance_id = $1 and id = $2 and status = $3 returning id`,
)

export async function markSumKnownRow(
  tx: Transaction,
  { instanceId, lineId }: { readonly instanceId: string; readonly lineId: string },
  from: 'WAITING' | 'SUSPENSE',
): Promise<void> {
  const rows = await tx.rows(markKnown, [instanceId, lineId, from])
  if (rows.length !== 1) throw new Error(`bank line ${lineId} was not ${from}`)
}
