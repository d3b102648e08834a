/** The SQL of what of a debt was given up: as too little to ask for, or by a person (M-28). Nobody paid that. */
import { debtId, type Debt } from '@kvitt/domain/ledger/booking.ts'
import { statement, type Transaction } from '../platform/database/database.ts'

const BUCKETS = `join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
     join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id and a.kind in ('principal', 'costs', 'interest')`
const DEBTS = `select $2::uuid as id union select i.id from invoice i where i.instance_id = $1 and i.claim_id = $2`
/** On the invoice or claim $2; of a claim also on its invoices before they joined it. */
const ofDebt = (entry: string): string =>
  `(${entry}.claim_id = $2 or ${entry}.claim_id is null and ${entry}.invoice_id = any(array(${DEBTS})))`

/** A payment that was taken back took along what was written off because of it: what its lines are more than the payment's. */
const takenAlong = (which: string): string => `coalesce((
       select sum(p.amount_minor) from ledger_transaction r
       join ledger_transaction t on t.instance_id = r.instance_id and t.cause in (r.cause, substr(r.cause, length('reversal:') + 1))
       ${BUCKETS}
       where r.instance_id = $1 and ${which} and r.kind = 'REVERSAL' and r.cause like 'reversal:%'), 0)`

const OWN = `coalesce((select -sum(p.amount_minor) from ledger_transaction t ${BUCKETS}
       where t.instance_id = $1 and ${ofDebt('t')} and t.kind = 'WRITE_OFF'), 0) - ${takenAlong(ofDebt('r'))}`
const writtenOff = statement('ledger.writtenOff', `select (${OWN})::bigint as minor`)

type Minor = { readonly minor: number }

/** What was given up on the debt itself: less than nothing where an instalment's write-off was undone on the debt that it had been taken from. */
export async function readWrittenOffMinor(tx: Transaction, instanceId: string, debt: Debt): Promise<number> {
  return (await tx.rows<Minor>(writtenOff, [instanceId, debtId(debt)]))[0]?.minor ?? 0
}

/** So much of what a plan added to an instalment stands. */
const fee = (columns: string): string => `case when exists (select from ledger_transaction b
         where b.instance_id = n.instance_id and b.cause = 'fees-back:' || n.invoice_id) then 0 else ${columns} end`

/**
 * What the instalments of $2, or of the invoices of that claim, took and nobody paid. Fees of the plan are given up first. Money pays
 * first what an instalment took first: `later` has been taken from other debts of the plan after it.
 */
const unpaid = statement(
  'ledger.unpaidByInstalments',
  `with debts as (${DEBTS}), taken as (
     select n.invoice_id, m.debt_id, t.id, ${fee('n.fee_minor + n.start_fee_minor')} as fees, ${fee('n.interest_minor')} as interest,
       (select -sum(p.amount_minor) from posting p
         join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id and a.kind in ('principal', 'costs', 'interest')
         where p.instance_id = t.instance_id and p.transaction_id = t.id) as minor
     from part_payment_instalment n
     join part_payment_member m on m.instance_id = n.instance_id and m.part_payment_id = n.part_payment_id
     join ledger_transaction t on t.instance_id = n.instance_id and t.cause = 'plan:' || n.id || ':' || m.debt_id
     where n.instance_id = $1 and n.invoice_id is not null and n.part_payment_id in (
       select o.part_payment_id from part_payment_member o where o.instance_id = $1 and o.debt_id in (select id from debts))
   ), part as (
     select k.*, sum(k.minor) over (partition by k.invoice_id order by k.id desc) - k.minor as later,
       (select greatest(0, coalesce(sum(-p.amount_minor) filter (where a.kind = 'costs'), 0) - k.fees)
          + greatest(0, coalesce(sum(-p.amount_minor) filter (where a.kind = 'interest'), 0) - k.interest)
          + coalesce(sum(-p.amount_minor) filter (where a.kind = 'principal'), 0)
        from ledger_transaction t ${BUCKETS}
        where t.instance_id = $1 and t.invoice_id = k.invoice_id and t.kind = 'WRITE_OFF')
         - ${takenAlong('r.invoice_id = k.invoice_id')} as given,
       case when i.status = 'STOPPED' then i.principal_minor + greatest(0, i.costs_minor - k.fees)
         + greatest(0, i.interest_minor - k.interest) else 0 end as stopped
     from taken k join invoice i on i.instance_id = $1 and i.id = k.invoice_id
   )
   select invoice_id as "invoiceId", least(minor, greatest(0, given - later))::bigint as "givenUpMinor",
     (least(minor, greatest(0, given + stopped - later)) - least(minor, greatest(0, given - later)))::bigint as "stoppedMinor"
   from part where debt_id in (select id from debts) order by id`,
)

/** What an instalment took from a debt and nobody paid: given up, or open and not asked for any more. In minor units. */
export type UnpaidPart = {
  readonly invoiceId: string
  readonly givenUpMinor: number
  readonly stoppedMinor: number
}

/** Of each instalment of a debt, and of a claim's invoices. */
export function readUnpaidPartRows(tx: Transaction, instanceId: string, debt: Debt): Promise<UnpaidPart[]> {
  return tx.rows<UnpaidPart>(unpaid, [instanceId, debtId(debt)])
}
