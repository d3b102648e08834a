/** The SQL of what a person lets a debtor off. */
import { debtId, type Debt } from '@kvitt/domain/ledger/booking.ts'
import { statement, type Transaction } from '../../platform/database/database.ts'

type Key = { readonly instanceId: string; readonly debt: Debt }

const made = statement(
  'letOff.made',
  `select count(distinct split_part(t.cause, ':', 2))::int as n from ledger_transaction t
   where t.instance_id = $1 and (t.invoice_id = $2 or t.claim_id = $2) and starts_with(t.cause, $3)`,
)

/** How often something was let off a debt by a decision whose causes begin with `prefix`. */
export async function countLetOff(
  tx: Transaction,
  { instanceId, debt }: Key,
  prefix: string,
): Promise<number> {
  return (await tx.rows<{ n: number }>(made, [instanceId, debtId(debt), prefix]))[0]?.n ?? 0
}

const waive = (table: 'invoice' | 'claim') =>
  statement(
    `letOff.waiveInterest.${table}`,
    `update ${table} set interest_posted_to = greatest(interest_posted_to, $3::date), interest_rest = 0,
       interest_waived_to = $3::date
     where instance_id = $1 and id = $2`,
  )
const waiveOfInvoice = waive('invoice')
const waiveOfClaim = waive('claim')

/** No posting counts the days up to `day` any more. */
export async function setInterestWaived(
  tx: Transaction,
  { instanceId, debt }: Key,
  day: string,
): Promise<void> {
  await tx.rows('claimId' in debt ? waiveOfClaim : waiveOfInvoice, [instanceId, debtId(debt), day])
}
