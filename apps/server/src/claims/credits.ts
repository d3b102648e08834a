/** A credit on an invoice, or on the claim that holds what it owed (M-05), and all that goes with it. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { isOpenClaim } from '@kvitt/domain/claims/claim.ts'
import { isOpen } from '@kvitt/domain/invoices/invoice.ts'
import {
  bookCredit,
  bookSettledCredit,
  debtId,
  type Debt,
  type Line,
  type Owed,
  type Parties,
} from '@kvitt/domain/ledger/booking.ts'
import { bookWriteOff, owedAfterCredit } from '@kvitt/domain/ledger/correction.ts'
import { money } from '@kvitt/domain/money.ts'
import type { Context } from '../context.ts'
import {
  endOpenDispute,
  insertStepRow,
  lockInvoiceRow,
  moveInvoice,
  type InvoiceKey,
  type InvoiceRow,
} from '../invoices/invoices.ts'
import {
  creditLateDays,
  dropLateDays,
  postBookings,
  readCreditedSum,
  readGivenUp,
  readInterestBills,
  type Booking,
} from '../ledger/ledger.ts'
import type { Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { bookChargesLost, readChargesToReverse } from './credited-charges.ts'
import { giveUpStopped } from './give-up-stopped.ts'
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

/** What holds what the invoice owes. */
function debtOf({ invoice, claim }: Credited): Debt {
  return claim ? { claimId: claim.id } : { invoiceId: invoice.id }
}

type CreditNote = {
  /** Its number, which answers a dispute that is open. */
  readonly number: string
  readonly creditMinor: number
  readonly issuedOn: CalendarDate
  readonly on: CalendarDate
  /** Ends the plan of the invoice, or of its claim, when that has less than `minor` still to bill; answers both as they are then. */
  readonly endPlan: (credited: Credited, minor: number) => Promise<Credited>
}

/**
 * M-05, under the lock of the invoice, its claim and its plan: credits what is at most left of the document, and with it all that
 * was charged for the principal that it takes away. Answers the transaction of the credit.
 */
export async function creditInvoice(
  context: CreditContext,
  tx: Transaction,
  { invoice: seen, claim }: Credited,
  { number, creditMinor, issuedOn, on, endPlan }: CreditNote,
): Promise<string> {
  const { instance_id: instanceId, id: invoiceId, claim_id: claimId, currency } = seen
  const lost = await readChargesToReverse(tx, { instanceId, invoiceId, claimId, creditMinor })
  const goneMinor = lost.reduce((all, back) => all + back.costsMinor + back.interestMinor, creditMinor)
  const isOver = claim ? !isOpenClaim(claim.status) : seen.status === 'CLOSED'
  const credited = isOver ? { invoice: seen, claim } : await endPlan({ invoice: seen, claim }, goneMinor)
  const { invoice } = credited
  const { parties, owed } = creditedDebt(credited)
  const cause = `credit-note:${invoice.creditor_id}:${number}`
  await notPaid(context, tx, credited, { takenMinor: goneMinor, cause, on })
  const bookings = await creditBookings(context, tx, credited, { creditMinor, cause, on })
  const left = owedAfterCredit(money(creditMinor, currency), owed)
  const givenUpMinor = await readGivenUp(tx, instanceId, debtOf(credited))
  const charges = bookChargesLost(context, lost, {
    parties,
    owed: left,
    currency,
    on,
    nameOf: (of) => `credited:${of}`,
    // What was given up was never paid, and is not owed back.
    writtenOffMinor: givenUpMinor - owedAgainIn(bookings),
  })
  await postBookings(tx, instanceId, [...bookings, ...charges], context.clock)
  const late = { creditMinor, owedMinor: owed.principal.minor }
  await creditLateDays(tx, { instanceId, debt: debtOf(credited) }, late)
  await giveUpWithoutGround(context, tx, credited, { cause, on })
  await closeCredited(tx, credited, { on, decision: number })
  await insertStepRow(
    tx,
    { instanceId, invoiceId },
    {
      id: newId(context.clock.now()),
      type: 'CREDIT_INVOICE',
      plannedDate: null,
      performedDate: issuedOn,
      status: 'PERFORMED',
    },
  )
  return bookings[0].id
}

/** As giveUpStopped, of what a credit of an invoice is about to take. */
export function notPaid(
  context: CreditContext,
  tx: Transaction,
  credited: Credited,
  { takenMinor, cause, on }: { readonly takenMinor: number } & Pick<Credit, 'cause' | 'on'>,
): Promise<void> {
  const { instance_id: instanceId, balance_minor: balanceMinor } = credited.claim ?? credited.invoice
  const debt = debtOf(credited)
  return giveUpStopped(context, tx, { instanceId, debt, balanceMinor, takenMinor, cause, on })
}

/** What the bookings of a credit take out of what had been given up, in minor units. */
export function owedAgainIn(bookings: readonly Booking[]): number {
  const lines = bookings.filter(({ kind }) => kind === 'WRITE_OFF').flatMap((booking) => booking.lines)
  return lines.reduce(
    (sum, { account, amount }) => sum + (account.kind === 'principal' ? amount.minor : 0),
    0,
  )
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
  const givenUp = await readGivenUp(tx, invoice.instance_id, debtOf(credited))
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

/**
 * When all that an invoice, or all of its claim, was over has been credited, nothing was owed after all: days on which it was
 * late cost nothing, what was billed for them is credited, and what a plan that has ended, or whoever else, charged is
 * given up.
 */
export async function giveUpWithoutGround(
  context: CreditContext,
  tx: Transaction,
  credited: Credited,
  { cause, on }: Pick<Credit, 'cause' | 'on'>,
): Promise<void> {
  const debts = await debtsWithoutGround(tx, credited)
  await forgiveLateInterest(context, tx, { instanceId: credited.invoice.instance_id, debts, on })
  const owedOn = debtId(debtOf(credited))
  if (debts.some((debt) => debtId(debt) === owedOn))
    await giveUpCharges(context, tx, credited, { cause: `credited:rest:${cause}`, on })
}

/** The invoice, and its claim, when all that they were over has been credited. */
async function debtsWithoutGround(tx: Transaction, { invoice, claim }: Credited): Promise<Debt[]> {
  const isCredited = async ({ instance_id: instanceId, id, total_minor: total }: InvoiceRow) =>
    (await readCreditedSum(tx, { instanceId, invoiceId: id })) >= total
  if (!(await isCredited(invoice))) return []
  const own: Debt[] = [{ invoiceId: invoice.id }]
  if (!claim) return own
  for (const member of claim.members) if (!(await isCredited(member))) return own
  return [...own, { claimId: claim.id }]
}

/** What is left of fees and interest on what owes nothing else. */
async function giveUpCharges(
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

type NotOwed = {
  readonly instanceId: string
  readonly debts: readonly Debt[]
  readonly on: CalendarDate
  /** Invoices that have been taken back already. */
  readonly except?: readonly string[]
}

/**
 * Days on which these debts were late cost nothing, and what was billed for them is credited; what was paid of that is owed
 * back. Under the locks of the debts.
 */
export async function forgiveLateInterest(
  context: CreditContext,
  tx: Transaction,
  { instanceId, debts, on, except = [] }: NotOwed,
): Promise<void> {
  for (const debt of debts) {
    await dropLateDays(tx, { instanceId, debt })
    for (const invoiceId of await readInterestBills(tx, { instanceId, debt })) {
      if (except.includes(invoiceId)) continue
      await creditInterestBill(
        context,
        tx,
        { instanceId, invoiceId },
        { keptMinor: 0, on, cause: `no-ground:${invoiceId}` },
      )
    }
  }
}

type KeptOfBill = {
  /** What of it has its ground. */
  readonly keptMinor: number
  readonly cause: string
  readonly on: CalendarDate
}

/** Credits what of an interest invoice has no ground, as far as it has not been credited. */
export async function creditInterestBill(
  context: CreditContext,
  tx: Transaction,
  key: InvoiceKey,
  { keptMinor, cause, on }: KeptOfBill,
): Promise<void> {
  const { instanceId } = key
  const bill = await lockInvoiceAndClaim(tx, key)
  const creditMinor = bill.invoice.total_minor - keptMinor - (await readCreditedSum(tx, key))
  if (creditMinor <= 0) return
  await postBookings(
    tx,
    instanceId,
    await creditBookings(context, tx, bill, { creditMinor, cause, on }),
    context.clock,
  )
  await closeCredited(tx, bill, { on, decision: null })
}

/** The invoice, or the claim that holds what it owed, is closed when the credit left nothing. */
async function closeCredited(
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
