/** Interest that was billed for a late payment, when the payment did not come after all. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { isOpen } from '@kvitt/domain/invoices/invoice.ts'
import { bookCredit, type Debt, type Parties } from '@kvitt/domain/ledger/booking.ts'
import { money } from '@kvitt/domain/money.ts'
import { lockClaim, lockInvoiceAndClaim, moveClaim } from '../claims/claims.ts'
import type { Context } from '../context.ts'
import { lockInvoiceRow, moveInvoice, type InvoiceKey } from '../invoices/invoices.ts'
import { postBookings } from '../ledger/ledger.ts'
import type { Transaction } from '../platform/database.ts'
import { newId } from '../platform/identity.ts'
import { readBilledPart, readLateDebt, settleLateRows } from './interest-invoices.queries.ts'

type Reversed = {
  readonly instanceId: string
  readonly debt: Debt
  readonly paymentId: string
  readonly on: CalendarDate
}

/**
 * After a payment was taken back. Its principal is owed again for all days since interest was last posted: where these
 * are days that were billed, the bill is taken back. What was not billed yet never is.
 */
export async function takeLateInterestBack(
  context: Pick<Context, 'clock'>,
  tx: Transaction,
  reversed: Reversed,
): Promise<void> {
  const { instanceId, paymentId } = reversed
  const part = await readBilledPart(tx, reversed)
  if (part?.status === 'WAITING') {
    await settleLateRows(tx, { instanceId, billId: null }, [{ paymentId, interestMinor: 0 }])
  }
  if (!part?.bill_id || !part.interest_minor) return
  const { posted_to: postedTo } = await readLateDebt(tx, reversed)
  if (postedTo >= part.paid_on) return
  await creditBill(context, tx, {
    ...reversed,
    invoiceId: part.bill_id,
    creditMinor: part.interest_minor,
  })
}

/** The bill, or the claim that it has joined, owes so much less; what was paid of it is owed back. */
async function creditBill(
  context: Pick<Context, 'clock'>,
  tx: Transaction,
  {
    instanceId,
    paymentId,
    on,
    invoiceId,
    creditMinor,
  }: Omit<Reversed, 'debt'> & InvoiceKey & { creditMinor: number },
): Promise<void> {
  const { invoice: bill, claim } = await lockInvoiceAndClaim(tx, { instanceId, invoiceId })
  const { currency } = bill
  const row = claim ?? bill
  const owed = {
    principal: money(row.principal_minor, currency),
    costs: money(row.costs_minor, currency),
    interest: money(row.interest_minor, currency),
  }
  const owners = { creditorId: bill.creditor_id, debtorId: bill.debtor_id }
  const parties: Parties = claim ? { claimId: claim.id, ...owners } : { invoiceId, ...owners }
  const booking = {
    id: newId(context.clock.now()),
    kind: 'REVERSAL',
    bookedOn: on,
    cause: `late-interest:${paymentId}`,
    invoiceId,
    claimId: claim?.id ?? null,
    paymentId: null,
    lines: bookCredit(parties, money(creditMinor, currency), owed),
  }
  await postBookings(tx, instanceId, [booking], context.clock)
  const move = { move: 'creditedInFull', to: 'CLOSED' } as const
  if (claim) {
    const left = await lockClaim(tx, { instanceId, claimId: claim.id })
    if (left.balance_minor === 0 && left.status !== 'CLOSED' && left.status !== 'STOPPED')
      await moveClaim(tx, left, move)
    return
  }
  const left = await lockInvoiceRow(tx, instanceId, invoiceId)
  if (left.balance_minor === 0 && isOpen(left.status)) await moveInvoice(tx, left, move)
}
