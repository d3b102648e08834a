/** The SQL of a debt's payments as they are shown: with what became of their money. */
import { debtId, type Debt } from '@kvitt/domain/ledger/booking.ts'
import { statement, type Connection } from '../platform/database/database.ts'
import { PAYMENT_COLUMNS, type PaymentRow } from './payments.queries.ts'

/** A payment with what of its money is in the books: nothing when it never came or has gone back. Minor units. */
export type ListedPayment = PaymentRow & {
  readonly received_minor: number
  /** A person found that its money belonged elsewhere. */
  readonly is_moved: boolean
}

/** What a file's line brought is in the books under the line, and is taken back with it. */
const RECEIVED_MINOR = `case when (p.status = 'COMPLETED' or p.arrived_on is not null) and (not exists (
     select from ledger_transaction t where t.instance_id = p.instance_id and t.cause = 'reversal:payment:' || p.id)
     or exists (
     select from ledger_transaction t where t.instance_id = p.instance_id and t.payment_id = p.id and t.kind = 'PAYMENT'
       and (t.invoice_id = p.invoice_id or t.claim_id = p.claim_id or t.claim_id = (
         select i.claim_id from invoice i where i.instance_id = p.instance_id and i.id = p.invoice_id))
       and not exists (
         select from ledger_transaction r where r.instance_id = t.instance_id and r.cause = 'reversal:' || t.cause)))
     and not exists (
     select from bank_line l where l.instance_id = p.instance_id and l.payment_id = p.id and (l.status = 'REVERSED'
       or l.status = 'BOOKED' and coalesce(l.claim_id, l.invoice_id) <> p.debt_id and exists (
         select from moved_payment m where m.instance_id = l.instance_id and m.line_id = l.id)))
   then p.amount_minor else 0 end as received_minor,
   exists (select from ledger_transaction t where t.instance_id = p.instance_id and t.cause = 'payment:' || p.id || ':2')
     or exists (select from bank_line l join moved_payment m on m.instance_id = l.instance_id and m.line_id = l.id
       where l.instance_id = p.instance_id and l.payment_id = p.id) as is_moved`

const paymentsOfDebt = statement(
  'payments.ofDebt',
  `select ${PAYMENT_COLUMNS}, ${RECEIVED_MINOR} from payment p
   where instance_id = $1 and debt_id = $2 order by created_at desc, id desc`,
)

/** All payments of an invoice or a claim, newest first. The caller has already been shown to be allowed it. */
export function readPayments(db: Connection, instanceId: string, debt: Debt): Promise<ListedPayment[]> {
  return db.rows<ListedPayment>(paymentsOfDebt, [instanceId, debtId(debt)])
}

const paymentsOfMembers = statement(
  'payments.ofMembers',
  `select ${PAYMENT_COLUMNS}, ${RECEIVED_MINOR} from payment p
   where p.instance_id = $1 and p.invoice_id in (select id from invoice where instance_id = $1 and claim_id = $2)
     and (p.status in ('CREATED', 'IN_PROGRESS', 'AUTHORIZED') or p.is_outcome_unknown or exists (
       select from ledger_transaction t where t.instance_id = p.instance_id and t.payment_id = p.id
         and t.kind = 'PAYMENT' and t.claim_id = $2))
   order by p.created_at desc, p.id desc`,
)

/**
 * Payments that were started for an invoice before it joined its claim, under way or booked on the claim: what comes of
 * them is money for the claim. None for an invoice.
 */
export async function readJoinedPayments(
  db: Connection,
  instanceId: string,
  debt: Debt,
): Promise<ListedPayment[]> {
  return 'claimId' in debt ? db.rows<ListedPayment>(paymentsOfMembers, [instanceId, debt.claimId]) : []
}
