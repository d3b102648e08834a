/** A credit of what an instalment was stopped with: nobody paid that, and nobody owes it any more. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { allocateToBuckets, type Debt } from '@kvitt/domain/ledger/booking.ts'
import { bookWriteOff } from '@kvitt/domain/ledger/correction.ts'
import { money } from '@kvitt/domain/money.ts'
import type { Context } from '../context.ts'
import { lockInvoiceRow } from '../invoices/invoices.ts'
import { postBookings, readGivenUp, readStoppedParts } from '../ledger/ledger.ts'
import type { Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'

type Taken = {
  readonly instanceId: string
  readonly debt: Debt
  /** What the debt owes now. */
  readonly balanceMinor: number
  /** What is about to be taken off the debt, fees and interest included. */
  readonly takenMinor: number
  readonly cause: string
  readonly on: CalendarDate
}

/**
 * As far as more is taken off a debt than it owes, and than was given up of it, what its stopped instalments have open is written off:
 * then it counts as given up, and is not owed back as if it had been paid. Under the locks of the plan.
 */
export async function giveUpStopped(
  { clock }: Pick<Context, 'clock'>,
  tx: Transaction,
  { instanceId, debt, balanceMinor, takenMinor, cause, on }: Taken,
): Promise<void> {
  if (takenMinor <= balanceMinor) return
  const stopped = await readStoppedParts(tx, instanceId, debt)
  if (stopped.length === 0) return
  let left = takenMinor - balanceMinor - (await readGivenUp(tx, instanceId, debt))
  for (const { invoiceId, stoppedMinor } of stopped) {
    const minor = Math.min(left, stoppedMinor)
    if (minor <= 0) return
    left -= minor
    const row = await lockInvoiceRow(tx, instanceId, invoiceId)
    const { currency, creditor_id: creditorId, debtor_id: debtorId } = row
    const owed = {
      principal: money(row.principal_minor, currency),
      costs: money(row.costs_minor, currency),
      interest: money(row.interest_minor, currency),
    }
    // What was bought first: that is what is credited.
    const { parts } = allocateToBuckets(money(minor, currency), owed, ['principal', 'interest', 'costs'])
    const booking = {
      id: newId(clock.now()),
      kind: 'WRITE_OFF',
      bookedOn: on,
      cause: `write-off:${cause}:${invoiceId}`,
      invoiceId,
      claimId: null,
      paymentId: null,
      lines: bookWriteOff({ invoiceId, creditorId, debtorId }, parts),
    }
    await postBookings(tx, instanceId, [booking], clock)
  }
}
