/** The SQL of debts whose charges lost their ground. */
import { debtId, type Debt } from '@kvitt/domain/ledger/booking.ts'
import { FELL_DUE_ON } from '../ledger/ledger.ts'
import { statement, type Transaction } from '../platform/database/database.ts'

type Key = { readonly instanceId: string; readonly debt: Debt }

const steps = statement(
  'restatements.steps',
  `select s.id, s.type, s.number, s.debt_id, coalesce(s.performed_date, t.booked_on) as performed_date, s.interest_before, s.rest_before
   from collection_step s
   left join ledger_transaction t on t.instance_id = s.instance_id and t.cause = 'interest:' || s.id
   where s.instance_id = $1 and s.debt_id = any($2) and (s.status = 'PERFORMED' or s.status = 'SKIPPED' and t.id is not null)
   order by coalesce(s.performed_date, t.booked_on), s.id`,
)

export type PerformedRow = {
  id: string
  type: string
  number: number
  debt_id: string
  performed_date: string
  /** Up to which day interest was in the books before the step. */
  interest_before: string | null
  /** What earlier postings had left over before the step posted; null when it posted none. */
  rest_before: number | null
}

/** The steps of these debts that were performed, and those that only posted interest as their letter never was; oldest first. */
export function readPerformed(
  tx: Transaction,
  instanceId: string,
  debts: readonly string[],
): Promise<PerformedRow[]> {
  return tx.rows<PerformedRow>(steps, [instanceId, debts])
}

const parties = (table: 'invoice' | 'claim'): string =>
  `select k.country, d.kind, x.interest_waived_to, ${FELL_DUE_ON[table]('x')} from ${table} x
   join creditor k on k.instance_id = x.instance_id and k.id = x.creditor_id
   join debtor d on d.instance_id = x.instance_id and d.id = x.debtor_id
   where x.instance_id = $1 and x.id = $2`
const invoiceParties = statement('restatements.invoiceParties', parties('invoice'))
const claimParties = statement('restatements.claimParties', parties('claim'))

export type PartiesRow = {
  country: string
  kind: 'PERSON' | 'COMPANY'
  /** All interest up to this day was waived. */
  interest_waived_to: string | null
  fell_due_on: string
}

/** The creditor's country and what the debtor is: the law that a charge goes by; and up to when interest was waived. */
export async function readParties(tx: Transaction, { instanceId, debt }: Key): Promise<PartiesRow> {
  const read = 'claimId' in debt ? claimParties : invoiceParties
  const row = (await tx.rows<PartiesRow>(read, [instanceId, debtId(debt)]))[0]
  if (!row) throw new Error(`debt ${debtId(debt)} does not exist`)
  return row
}

const setInterest = (table: 'invoice' | 'claim') =>
  statement(
    `restatements.setInterest.${table}`,
    `update ${table} set interest_rest = $3, interest_posted_to = case when $4 then $5::date else interest_posted_to end
     where instance_id = $1 and id = $2`,
  )
const setOfInvoice = setInterest('invoice')
const setOfClaim = setInterest('claim')

const lowerRest = statement(
  'restatements.lowerRest',
  'update claim set interest_rest = $3 where instance_id = $1 and id = $2 and interest_rest > $3',
)

/** A claim carries no more along than that; never more than it did. */
export async function lowerRestRow(
  tx: Transaction,
  { instanceId, debt }: Key,
  restParts: number,
): Promise<void> {
  await tx.rows(lowerRest, [instanceId, debtId(debt), restParts])
}

/** What the postings left over; and when `back` is told, up to which day interest is in the books again. */
export async function setInterestRows(
  tx: Transaction,
  { instanceId, debt }: Key,
  {
    restParts,
    back,
  }: { readonly restParts: number; readonly back: { readonly to: string | null } | undefined },
): Promise<void> {
  const set = 'claimId' in debt ? setOfClaim : setOfInvoice
  await tx.rows(set, [instanceId, debtId(debt), restParts, back !== undefined, back?.to ?? null])
}
