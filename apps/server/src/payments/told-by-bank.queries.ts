/** The SQL of money that a bank's file told of before the gateway did. */
import { findAccounts } from '../creditors/creditors.ts'
import { statement, type Transaction } from '../platform/database.ts'
import type { LockedDebt } from './payable.ts'
import type { PaymentRow } from './payments.queries.ts'

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

const toldByBank = statement(
  'payments.toldByBank',
  `select l.id, l.status, l.bank_date, l.value_date from bank_line l left join payment o on o.instance_id = l.instance_id and o.id = l.named_payment_id
   where l.instance_id = $1 and l.kind = 'PAYMENT' and l.payment_id is null and l.amount_minor = $5 and l.currency = $6
     and (l.status = 'SUSPENSE' or l.status = 'BOOKED' and (l.invoice_id = $2 or l.claim_id = $3))
     and case when o.id is not null then o.id = $10 else l.account_id = any($4)
       and exists (select from unnest(l.payment_references) r
         where ltrim(regexp_replace(r, '^RF[0-9]{2}', ''), '0') = ltrim($7, '0'))
       and l.bank_date between least($8::date, $9::date) - 10 and greatest($8::date, $9::date) + 5 end
   order by o.id is not null desc, l.status = 'BOOKED' desc, l.bank_date, l.id limit 1`,
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
 * The line of a bank's file that is this payment's money, booked on the debt or in suspense: ordered with it as the bank
 * says, else its account, sum and reference, around its days. Ask under holdBankLines and the debt's lock.
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
  const rows = await tx.rows<ToldLine>(toldByBank, [
    payment.instance_id,
    payment.invoice_id,
    payment.claim_id ?? debt.claim?.id ?? null,
    accounts,
    payment.amount_minor,
    payment.currency,
    payment.payment_reference,
    payment.execution_date,
    today,
    payment.id,
  ])
  return rows[0]
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
