/** A credit on an invoice, or on the claim that holds what it owed (I5), and the interest that goes with it. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { isOpenClaim } from '@kvitt/domain/claims/claim.ts'
import { isOpen } from '@kvitt/domain/invoices/invoice.ts'
import {
  bookCredit,
  bookSettledCredit,
  type Debt,
  type Line,
  type Owed,
  type Parties,
} from '@kvitt/domain/ledger/booking.ts'
import { bookWriteOff } from '@kvitt/domain/ledger/correction.ts'
import { money } from '@kvitt/domain/money.ts'
import type { Context } from '../context.ts'
import { endOpenDispute, lockInvoiceRow, moveInvoice, type InvoiceRow } from '../invoices/invoices.ts'
import {
  dropLateDays,
  postBookings,
  readCreditedSum,
  readInterestBills,
  readWrittenOff,
  type Booking,
} from '../ledger/ledger.ts'
import type { Transaction } from '../platform/database.ts'
import { newId } from '../platform/identity.ts'
import { lockClaim, lockInvoiceAndClaim, moveClaim, type LockedClaim } from './move-claim.ts'

type CreditContext = Pick<Context, 'clock'>

/** An invoice, locked, and the claim that it is in. */
export type Credited = { readonly invoice: InvoiceRow; readonly claim: LockedClaim | undefined }

/** What is owed, and where: what an invoice in a claim owes is owed on the claim. */
export function creditedDebt({ invoice, claim }: Credited): {
  readonly parties: Parties
  readonly owed: Owed
} {
  const row = claim ?? invoice
  const { currency, creditor_id: creditorId, debtor_id: debtorId } = invoice
  return {
    parties: { ...(claim ? { claimId: claim.id } : { invoiceId: invoice.id }), creditorId, debtorId },
    owed: {
      principal: money(row.principal_minor, currency),
      costs: money(row.costs_minor, currency),
      interest: money(row.interest_minor, currency),
    },
  }
}

type Credit = { readonly creditMinor: number; readonly cause: string; readonly on: CalendarDate }

/** What a credit does in the books; what of it had been paid is owed back. The first booking is the credit itself. */
export async function creditBookings(
  context: CreditContext,
  tx: Transaction,
  credited: Credited,
  { creditMinor, cause, on }: Credit,
): Promise<[Booking, ...Booking[]]> {
  const { invoice, claim } = credited
  const { parties, owed } = creditedDebt(credited)
  const credit = money(creditMinor, invoice.currency)
  const debt: Debt = claim ? { claimId: claim.id } : { invoiceId: invoice.id }
  const givenUp = await readWrittenOff(tx, invoice.instance_id, debt)
  const writtenOff = money(givenUp, invoice.currency)
  const settled = bookSettledCredit(parties, { credit, owed, writtenOff })
  const booking = (kind: string, of: string, lines: readonly Line[]): Booking => ({
    id: newId(context.clock.now()),
    kind,
    bookedOn: on,
    cause: of,
    invoiceId: invoice.id,
    claimId: claim?.id ?? null,
    paymentId: null,
    lines,
  })
  const first = booking('CREDIT_INVOICE', cause, bookCredit(parties, credit, owed))
  return [
    first,
    ...(settled.writeOff.length > 0 ? [booking('WRITE_OFF', `write-off:${cause}`, settled.writeOff)] : []),
    ...(settled.refund.length > 0 ? [booking('REFUND', `refund:${cause}`, settled.refund)] : []),
  ]
}

/** Of all that was credited nothing was owed: neither is what a plan that has ended, or whoever else, charged for it. */
export async function giveUpCharges(
  context: CreditContext,
  tx: Transaction,
  { invoice, claim }: Credited,
  { cause, on }: Pick<Credit, 'cause' | 'on'>,
): Promise<void> {
  const { instance_id: instanceId, id, currency } = invoice
  const row = claim
    ? await lockClaim(tx, { instanceId, claimId: claim.id })
    : await lockInvoiceRow(tx, instanceId, id)
  const { parties } = creditedDebt({ invoice, claim })
  const lines = bookWriteOff(parties, {
    principal: money(0, currency),
    costs: money(row.costs_minor, currency),
    interest: money(row.interest_minor, currency),
  })
  if (lines.length === 0) return
  const booking: Booking = {
    id: newId(context.clock.now()),
    kind: 'REVERSAL',
    bookedOn: on,
    cause,
    invoiceId: claim ? null : id,
    claimId: claim?.id ?? null,
    paymentId: null,
    lines,
  }
  await postBookings(tx, instanceId, [booking], context.clock)
}

/**
 * Nothing of these debts was owed after all: days on which they were late cost nothing, and what was billed for them is
 * credited.
 */
export async function forgiveLateInterest(
  context: CreditContext,
  tx: Transaction,
  {
    instanceId,
    debts,
    on,
  }: { readonly instanceId: string; readonly debts: readonly Debt[]; readonly on: CalendarDate },
): Promise<void> {
  for (const debt of debts) {
    await dropLateDays(tx, { instanceId, debt })
    for (const invoiceId of await readInterestBills(tx, { instanceId, debt })) {
      await creditBill(context, tx, await lockInvoiceAndClaim(tx, { instanceId, invoiceId }), on)
    }
  }
}

/** An interest invoice that has no ground, as far as it has not been credited. */
async function creditBill(
  context: CreditContext,
  tx: Transaction,
  bill: Credited,
  on: CalendarDate,
): Promise<void> {
  const { instance_id: instanceId, id: invoiceId, total_minor: totalMinor } = bill.invoice
  const creditMinor = totalMinor - (await readCreditedSum(tx, { instanceId, invoiceId }))
  if (creditMinor <= 0) return
  const cause = `no-ground:${invoiceId}`
  await postBookings(
    tx,
    instanceId,
    await creditBookings(context, tx, bill, { creditMinor, cause, on }),
    context.clock,
  )
  await closeCredited(tx, bill, { on, decision: null })
}

/** The invoice, or the claim that holds what it owed, is closed when the credit left nothing. */
export async function closeCredited(
  tx: Transaction,
  { invoice, claim }: Credited,
  { on, decision }: { readonly on: CalendarDate; readonly decision: string | null },
): Promise<void> {
  const { instance_id: instanceId } = invoice
  // What is being settled by a bank ends with that; what has ended stays so.
  const moves = claim ? isOpenClaim(claim.status) : isOpen(invoice.status)
  if (!moves || (!claim && invoice.status === 'PENDING_AUTHORIZATION')) return
  const key = { instanceId, ...(claim ? { claimId: claim.id } : { invoiceId: invoice.id }) }
  const left = 'claimId' in key ? await lockClaim(tx, key) : await lockInvoiceRow(tx, instanceId, invoice.id)
  const isSettled = left.balance_minor === 0
  if (isSettled) await endOpenDispute(tx, key, { status: 'UPHELD', on, decision })
  if (claim) {
    const move = isSettled ? 'creditedInFull' : 'credited'
    return moveClaim(tx, claim, { move, to: isSettled ? 'CLOSED' : claim.status })
  }
  const done = { move: 'creditedInFull', to: 'CLOSED' } as const
  return moveInvoice(tx, invoice, isSettled ? done : { move: 'credited', to: invoice.status })
}
