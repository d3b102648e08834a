/** The SQL of money that a bank's file told of before the gateway did. */
import { accountKey } from '../creditors/creditors.ts'
import { statement, type Transaction } from '../platform/database.ts'
import type { LockedDebt } from './payable.ts'
import type { PaymentRow } from './payments.queries.ts'

const toldByBank = statement(
  'payments.toldByBank',
  `select l.id from bank_line l
   where l.instance_id = $1 and $2 = 'DIRECT_BANK' and l.kind = 'PAYMENT' and l.status = 'BOOKED' and l.payment_id is null
     and (l.invoice_id = $3 or l.claim_id = $4) and l.account_key = $5 and l.amount_minor = $6 and l.currency = $7
     and exists (select from unnest(l.payment_references) r
       where ltrim(regexp_replace(r, '^RF[0-9]{2}', ''), '0') = ltrim($8, '0'))
     and l.bank_date between least($9::date, $10::date) - 10 and greatest($9::date, $10::date) + 5
   order by l.bank_date, l.id limit 1`,
)

/**
 * The line of a bank's file that was booked on the debt and is this payment's money: its account, sum and reference,
 * around its days. The debt is locked, so no such line is being booked.
 */
export async function findToldByBank(
  tx: Transaction,
  payment: PaymentRow,
  { debt, today }: { readonly debt: LockedDebt; readonly today: string },
): Promise<string | undefined> {
  const rows = await tx.rows<{ id: string }>(toldByBank, [
    payment.instance_id,
    payment.gateway,
    payment.invoice_id,
    payment.claim_id ?? debt.claim?.id ?? null,
    accountKey(payment.payee_account),
    payment.amount_minor,
    payment.currency,
    payment.payment_reference,
    payment.execution_date,
    today,
  ])
  return rows[0]?.id
}

const linkLine = statement(
  'payments.linkToldLine',
  `update bank_line set payment_id = $3 where instance_id = $1 and id = $2 and payment_id is null returning id`,
)

/** Keeps that the line is this payment's money. */
export async function linkToldLine(tx: Transaction, payment: PaymentRow, lineId: string): Promise<void> {
  const rows = await tx.rows(linkLine, [payment.instance_id, lineId, payment.id])
  if (rows.length !== 1) throw new Error(`bank line ${lineId} belongs to another payment`)
}
