/** A transfer that is larger than one document pays what else its reference names (D-22). */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import type { Debt } from '@kvitt/domain/ledger/booking.ts'
import { MOST_SHARES, allocateToDebts } from '@kvitt/domain/payments/shares.ts'
import type { Context } from '../context.ts'
import type { Transaction } from '../platform/database/database.ts'
import { payReady, readyToPay, type ReadyToPay } from './apply-payment.ts'
import { lockDebtOf, payableClaim, payableInvoice, type LockedDebt, type Received } from './payable.ts'
import { readJoinedPayments, readPayments } from './listed-payments.queries.ts'

type Transfer = {
  /** What it pays first; locked. */
  readonly locked: LockedDebt
  /** What else its reference names, in the order in which it is paid. */
  readonly others: readonly Debt[]
  readonly payment: Received
  readonly today: CalendarDate
  /** The day from which it counts. */
  readonly valueOn: CalendarDate
}

/**
 * Books a transfer: on what it is for, then on each of the others that can be paid, as payments of their own; what is
 * left is owed back (M-19). Nobody's dispute is paid with it, nor what a signed payment is about to pay. Answers what
 * its first share is booked on.
 */
export async function applyTransfer(
  context: Pick<Context, 'clock' | 'config'>,
  tx: Transaction,
  { locked, others, payment, today, valueOn }: Transfer,
): Promise<LockedDebt> {
  // What was told of late may leave less to be owed on the first than stands there now.
  const isLarger = payment.amount_minor > owedOn(locked) || valueOn < today
  const debts = [locked, ...(isLarger ? await lockOthers(tx, locked, { others, payment }) : [])]
  const ready: ReadyToPay[] = []
  let leftMinor = payment.amount_minor
  for (const debt of debts) {
    const share = { ...payment, amount_minor: leftMinor, share: ready.length + 1 }
    if (leftMinor === 0) break
    // What is paid already gets none of the money as long as others take it.
    const isOver = debts.length > 1 && owedOn(debt) <= 0
    const paid = { locked: debt, payment: share, today, valueOn }
    const one = isOver ? { ...paid, restated: undefined } : await readyToPay(context, tx, paid)
    ready.push(one)
    leftMinor -= Math.min(leftMinor, Math.max(0, owedOn(one.locked)))
  }
  const shares = allocateToDebts(
    payment.amount_minor,
    ready.map((one) => owedOn(one.locked)),
  )
  const paid = ready
    .flatMap((one, index) => ({ one, minor: shares[index] ?? 0 }))
    .filter(({ minor }) => minor > 0)
  for (const [index, { one, minor }] of paid.entries()) {
    const share = { ...payment, amount_minor: minor, share: index + 1 }
    await payReady(context, tx, { ...one, payment: share })
  }
  return paid[0]?.one.locked ?? locked
}

function owedOn({ claim, invoice }: LockedDebt): number {
  return (claim ?? invoice).balance_minor
}

/** All are locked before anything is booked: paying the last bill of a plan locks the plan and what it pays. */
async function lockOthers(
  tx: Transaction,
  first: LockedDebt,
  { others, payment }: Pick<Transfer, 'others' | 'payment'>,
): Promise<LockedDebt[]> {
  const found = new Map<string, LockedDebt>()
  const { id: firstId } = first.claim ?? first.invoice
  for (const debt of others) {
    const one = await lockDebtOf(tx, {
      id: payment.id,
      instance_id: payment.instance_id,
      invoice_id: 'invoiceId' in debt ? debt.invoiceId : null,
      claim_id: 'claimId' in debt ? debt.claimId : null,
    })
    const { id } = one.claim ?? one.invoice
    if (id !== firstId && (await mayBePaid(tx, one))) found.set(id, one)
  }
  return [...found.values()].slice(0, MOST_SHARES - 1)
}

async function mayBePaid(tx: Transaction, { claim, invoice }: LockedDebt): Promise<boolean> {
  const { isPayable, instanceId, debt } = claim ? payableClaim(claim) : payableInvoice(invoice)
  const { status, is_part_payment: isPlanned } = claim ?? invoice
  if (!isPayable || isPlanned || status === 'DISPUTED') return false
  const payments = [
    ...(await readPayments(tx, instanceId, debt)),
    ...(await readJoinedPayments(tx, instanceId, debt)),
  ]
  return !payments.some((payment) => payment.status === 'AUTHORIZED' || payment.is_outcome_unknown)
}
