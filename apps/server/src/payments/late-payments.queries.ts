/** The SQL of principal that is paid late: written down with the money, billed by a night. */
import { debtId, type Debt } from '@kvitt/domain/ledger/booking.ts'
import { statement, type Transaction } from '../platform/database.ts'

const ofInvoice = statement(
  'latePayments.ofInvoice',
  `insert into late_payment (instance_id, payment_id, invoice_id, principal_minor, from_day, paid_on)
   select $1, $3, i.id, $4, greatest(i.interest_posted_to, i.expire_date) + 1, $5::date
   from invoice i where i.instance_id = $1 and i.id = $2 and not i.is_part_payment
     and i.type in ('INVOICE', 'MEMBERSHIP_FEE') and greatest(i.interest_posted_to, i.expire_date) < $5::date`,
)
const ofClaim = statement(
  'latePayments.ofClaim',
  `insert into late_payment (instance_id, payment_id, claim_id, principal_minor, from_day, paid_on)
   select $1, $3, c.id, $4, c.interest_posted_to + 1, $5::date
   from claim c where c.instance_id = $1 and c.id = $2 and not c.is_part_payment and c.interest_posted_to < $5::date`,
)

export type LatePart = {
  readonly instanceId: string
  readonly debt: Debt
  readonly paymentId: string
  /** Of the payment, what settles principal. */
  readonly principalMinor: number
  readonly paidOn: string
}

/** Keeps for which days the principal bears interest that is in no posting, if there are any. Under the debt's lock. */
export function insertLatePayment(tx: Transaction, late: LatePart): void {
  const { instanceId, debt, paymentId, principalMinor, paidOn } = late
  tx.send('claimId' in debt ? ofClaim : ofInvoice, [
    instanceId,
    debtId(debt),
    paymentId,
    principalMinor,
    paidOn,
  ])
}
