/** What was credited, or paid, beyond what was owed is the debtor's credit; when the debt comes back, it comes first. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import type { Debt } from '@kvitt/domain/ledger/booking.ts'
import { allocationOrderOf } from '@kvitt/domain/collection/country-params.ts'
import { bookCreditUsed, restOf } from '@kvitt/domain/ledger/correction.ts'
import { money } from '@kvitt/domain/money.ts'
import { creditUsedCause, shareCauses } from '@kvitt/domain/payments/shares.ts'
import type { LockedClaim } from '../../claims/claims.ts'
import type { Context } from '../../context.ts'
import type { InvoiceRow } from '../../invoices/invoices.ts'
import { postBookings, readFamily, type Booking } from '../../ledger/ledger.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/identity.ts'
import { endTask } from '../../tasks/tasks.ts'
import { readCreditsOf } from './decisions.queries.ts'

type Owing =
  | { readonly invoice: InvoiceRow; readonly claim?: undefined }
  | { readonly claim: LockedClaim; readonly invoice?: undefined }

/** The day, and the share of a payment that was taken back. */
type Taken = { readonly on: CalendarDate; readonly paymentId: string; readonly shareId: string }

/**
 * A payment was taken back: what a credit note, an upheld dispute or an unsent letter owed back of it was never paid, so
 * nobody is to send it; and what another payment brought too much was not too much. It settles what is owed again; of a larger one
 * the rest is sent. What is on its way back already stays with a person.
 */
export async function applyCredits(
  context: Pick<Context, 'clock'>,
  tx: Transaction,
  { invoice, claim }: Owing,
  { on, paymentId, shareId }: Taken,
): Promise<void> {
  const row = claim ?? invoice
  const { instance_id: instanceId, currency } = row
  const order = allocationOrderOf(row.creditor_country)
  const debt: Debt = claim ? { claimId: claim.id } : { invoiceId: row.id }
  const debts = [row.id, ...(claim?.members ?? []).map(({ id }) => id)]
  let owed = {
    principal: money(row.principal_minor, currency),
    costs: money(row.costs_minor, currency),
    interest: money(row.interest_minor, currency),
  }
  let left = row.balance_minor
  // What was credited of a whole invoice is owed back there, and may have been paid as an instalment of it.
  const family = await readFamily(tx, instanceId, debts)
  const credits = await readCreditsOf(tx, instanceId, { debts, family, notOf: shareCauses(paymentId) })
  for (const { about, amount_minor: creditMinor, holder } of credits) {
    if (left === 0) return
    const parties = { ...debt, creditorId: row.creditor_id, debtorId: row.debtor_id }
    const lines = bookCreditUsed(parties, { credit: money(creditMinor, currency), holder }, owed, order)
    const booking: Booking = {
      id: newId(context.clock.now()),
      kind: 'REVERSAL',
      bookedOn: on,
      cause: creditUsedCause(about, holder, shareId),
      invoiceId: 'invoiceId' in debt ? debt.invoiceId : null,
      claimId: 'claimId' in debt ? debt.claimId : null,
      paymentId: null,
      lines,
    }
    // First: what is left of a payment's is asked for anew by the same name.
    await endTask(tx, { instanceId, kind: holder === 'CREDITOR' ? 'creditor_refund' : 'refund', about })
    await postBookings(tx, instanceId, [booking], context.clock)
    left -= Math.min(left, creditMinor)
    owed = restOf(money(creditMinor, currency), owed, order).rest
  }
}
