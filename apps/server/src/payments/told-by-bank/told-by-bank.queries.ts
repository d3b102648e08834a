/** The SQL of money that a bank's file told of before the gateway did. */
import { findAccounts } from '../../creditors/creditors.ts'
import { statement, type Transaction } from '../../platform/database/database.ts'
import type { LockedDebt } from '../payable.ts'
import type { PaymentRow } from '../payments.queries.ts'

/** The key of the lock under which the bank files of the instance $1 are worked on. */
export const BANK_FILES_OF = `hashtextextended('bank files of ' || $1::text, 0)`

const holdLines = statement('payments.holdBankLines', `select pg_advisory_xact_lock_shared(${BANK_FILES_OF})`)

/**
 * No line of a bank's file is placed until the transaction ends; other gateways' money is booked beside it. Taken before
 * the locks of debts, as whoever places lines does.
 */
export function holdBankLines(tx: Transaction, instanceId: string): void {
  tx.send(holdLines, [instanceId])
}

// Each part finds one line of its kind by an index, however many equal ones there are: what was ordered with the payment, what
// is booked on its debt, what a person has moved off it since the payment began, what lies in suspense. The conditions that are no
// part of an index are asked of single rows: as subqueries with a value the planner cannot turn them into a join with all there
// is. One account at a time: with a list the planner expects ten, and plans anew for each payment, which takes longer than all else.
const toldByBank = statement(
  'payments.toldByBank',
  `select l.id, l.status, l.bank_date, l.value_date, found.rank from (
     select id, 1 as rank from bank_line where instance_id = $1 and named_payment_id = $10
     union all
     select b.id, 2 from unnest(array[$2, $3]::uuid[]) d (id) cross join lateral (
       select l.id from bank_line l where l.instance_id = $1 and coalesce(l.invoice_id, l.claim_id) = d.id
         and l.amount_minor = $5 and l.currency = $6 and l.status = 'BOOKED' and l.payment_id is null and l.kind = 'PAYMENT'
         and l.account_id = $4 and l.bank_date between least($8::date, $9::date) - 10 and greatest($8::date, $9::date) + 5
         and exists (select from unnest(l.payment_references) r where bare_reference(r) = bare_reference($7))
         and (select o.id from payment o where o.instance_id = $1 and o.id = l.named_payment_id) is null
       order by l.bank_date, l.id limit 1) b
     union all
     select l.id, 2 from moved_payment m join bank_line l on l.instance_id = $1 and l.id = m.line_id
     where m.instance_id = $1 and coalesce(m.from_invoice_id, m.from_claim_id) in ($2, $3) and l.account_id = $4
       and m.moved_at > (select o.created_at from payment o where o.instance_id = $1 and o.id = $10)
       and l.bank_date between least($8::date, $9::date) - 10 and greatest($8::date, $9::date) + 5
       and exists (select from unnest(l.payment_references) r where bare_reference(r) = bare_reference($7))
       and (select o.id from payment o where o.instance_id = $1 and o.id = l.named_payment_id) is null
     union all
     select s.line_id, 3 from (
       select k.line_id from bank_line_key k where k.instance_id = $1 and k.reference = bare_reference($7)
         and k.account = $4::uuid::text and k.amount_minor = $5 and k.currency = $6 and k.kind = 'PAYMENT' and k.status = 'SUSPENSE'
         and k.bank_date between least($8::date, $9::date) - 10 and greatest($8::date, $9::date) + 5
         and (select o.id from bank_line l join payment o on o.instance_id = $1 and o.id = l.named_payment_id
           where l.instance_id = $1 and l.id = k.line_id) is null
       order by k.bank_date, k.line_id limit 1) s) found
   join bank_line l on l.instance_id = $1 and l.id = found.id and l.kind = 'PAYMENT' and l.payment_id is null
     and l.amount_minor = $5 and l.currency = $6
     and l.status in ('SUSPENSE', 'BOOKED')
   order by found.rank, l.status = 'BOOKED' desc, l.bank_date, l.id limit 1`,
)

/** The ids of the accounts that the payment may be paid to. */
export async function findPayeeAccounts(tx: Transaction, payment: PaymentRow): Promise<string[]> {
  const written = { scheme: payment.payee_scheme, account: payment.payee_account }
  return (await findAccounts(tx, payment.instance_id, written)).map(({ id }) => id)
}

export type ToldLine = {
  readonly id: string
  readonly status: 'BOOKED' | 'SUSPENSE'
  readonly bank_date: string
  readonly value_date: string | null
}

/**
 * The line of a bank's file that is this payment's money, booked on the debt, moved off it, or in suspense: ordered with it
 * as the bank says, else its account, sum and reference, around its days. Ask under holdBankLines and the debt's lock.
 */
export async function findToldByBank(
  tx: Transaction,
  payment: PaymentRow,
  {
    debt,
    accounts,
    today,
  }: { readonly debt: LockedDebt; readonly accounts: readonly string[]; readonly today: string },
): Promise<ToldLine | undefined> {
  const found: (ToldLine & { readonly rank: number })[] = []
  for (const account of accounts.length > 0 ? accounts : [null]) {
    const values = [
      payment.instance_id,
      payment.invoice_id,
      // Also the claim that its invoice is in, or the debt that took over what its instalment owed.
      (debt.claim ?? debt.invoice).id,
      account,
      payment.amount_minor,
      payment.currency,
      payment.payment_reference,
      payment.execution_date,
      today,
      payment.id,
    ]
    found.push(...(await tx.rows<(typeof found)[number]>(toldByBank, values)))
  }
  // As the statement orders them: booked before in suspense, then by day.
  const orderOf = ({ rank, status, bank_date: day, id }: (typeof found)[number]): string =>
    `${rank} ${status} ${day} ${id}`
  const [first] = found.toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1))
  return first
}

const linkLine = statement(
  'payments.linkToldLine',
  `update bank_line set payment_id = $3, status = case status when 'SUSPENSE' then 'KNOWN' else status end
   where instance_id = $1 and id = $2 and payment_id is null and status = $4 returning id`,
)

/** Keeps that the line is this payment's money; what lay in suspense is KNOWN. */
export async function linkToldLine(tx: Transaction, payment: PaymentRow, line: ToldLine): Promise<void> {
  const rows = await tx.rows(linkLine, [payment.instance_id, line.id, payment.id, line.status])
  if (rows.length !== 1) throw new Error(`bank line ${line.id} belongs to another payment`)
}
