/** Money that was booked did not come after all, or was somebody else's (M-25). */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { resumeAfterReversal } from '@kvitt/domain/collection/schedule.ts'
import type { Debt, Line } from '@kvitt/domain/ledger/booking.ts'
import { bookReversal, netLines } from '@kvitt/domain/ledger/correction.ts'
import { bookPaymentBack, chargesWithout } from '@kvitt/domain/ledger/payment-back.ts'
import { money, type Currency } from '@kvitt/domain/money.ts'
import { paymentOfCreditUsed, shareCause, shareId } from '@kvitt/domain/payments/shares.ts'
import { lockClaim, moveClaim, type LockedClaim } from '../../claims/claims.ts'
import type { Context } from '../../context.ts'
import { lockInvoiceRow, moveInvoice, type InvoiceRow } from '../../invoices/invoices.ts'
import {
  insertLateDays,
  postBookings,
  readDebtEvents,
  readPostedLines,
  readWrittenOff,
  reopenLateDays,
} from '../../ledger/ledger.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/identity.ts'
import { endTask, endTasksUnder } from '../../tasks/tasks.ts'
import { DecisionRefused } from './decision-refused.ts'
import { findPaidDebt, readCreditsUsed, readSentBack, readSharesOf } from './decisions.queries.ts'
import { reschedule } from '../reschedule.ts'
import { applyCredits } from './apply-credits.ts'

type ReversalContext = Pick<Context, 'db' | 'clock'>
type Payment = { readonly instanceId: string; readonly paymentId: string }

/**
 * M-25: takes a booked payment back from all that it paid, with the small rests that were written off because of it. What it had closed is
 * owed again; the days on which it looked paid cost nothing, those before bear their interest, and the next step comes in ten days at the earliest.
 * What an invoice owes again is owed on its claim, if it is in one by now. Answers false when the payment has been
 * taken back before. Throws DecisionRefused.
 */
export function reversePayment(
  context: ReversalContext,
  payment: Payment,
  on: CalendarDate,
): Promise<boolean> {
  return context.db.transaction((tx) => takeBack(context, tx, payment, on))
}

/** The same inside the caller's transaction. It refuses before it writes. */
export async function takeBack(
  context: Pick<Context, 'clock'>,
  tx: Transaction,
  payment: Payment,
  on: CalendarDate,
): Promise<boolean> {
  const found = await findPaidDebt(tx, payment.instanceId, payment.paymentId)
  if (!found) throw new DecisionRefused('There is no such payment.')
  const booked = await readSharesOf(tx, payment.instanceId, payment.paymentId)
  // Never booked, or moved off another debt since: what stands in the books says what it paid.
  const shares =
    booked.length > 0 ? booked : [{ ...found, cause: shareCause(payment.paymentId, 1), share: 1 }]
  const ready: (() => Promise<void>)[] = []
  for (const { cause, share, invoice_id: invoiceId, claim_id: claimId } of shares) {
    const named = { cause, shareId: shareId(payment.paymentId, share) }
    const taken = { ...payment, gatewayPaymentId: found.payment_id, on, ...named }
    const one =
      claimId === null
        ? await readyOnInvoice(context, tx, { ...taken, invoiceId: invoiceId ?? '' })
        : await readyOnClaim(context, tx, { ...taken, claimId })
    if (one) ready.push(one)
  }
  for (const reverse of ready) await reverse()
  if (ready.length === 0) return false
  // The gateway had said that it failed: now the books say so too.
  const { instanceId, paymentId } = payment
  await endTasksUnder(tx, { instanceId, kind: 'payment_contradiction', under: `payment:${paymentId}:` })
  return true
}

/**
 * `cause`, `shareId`: the share of the payment that is taken back. `gatewayPaymentId`: as the ledger names the payment, null for
 * money from a bank's file.
 */
type Taken = Payment & {
  readonly cause: string
  readonly shareId: string
  readonly gatewayPaymentId: string | null
  readonly on: CalendarDate
}

/**
 * The lines of a share, and turned round those of what it brought too much. Undefined when it has been taken back before: asked under the lock.
 */
async function linesBack(
  tx: Transaction,
  { instanceId, paymentId, cause }: Taken,
  debts: readonly string[],
): Promise<{ readonly paid: Line[]; readonly refund: Line[] } | undefined> {
  const found = await findPaidDebt(tx, instanceId, paymentId)
  if ((await readPostedLines(tx, instanceId, [`reversal:${cause}`])).length > 0) return undefined
  if (found?.is_sent_back || (await readSentBack(tx, instanceId, cause)) !== 0)
    throw new DecisionRefused(
      'Money of the payment has been sent back: this needs a person.',
      'money_sent_back',
    )
  // It may have been found on the creditor's own account since it was booked.
  const used = await creditUsedOf(tx, { instanceId, cause, debts })
  const payment = netLines(await readPostedLines(tx, instanceId, [cause, `holder:${cause}`, ...used]))
  const lines = [...payment, ...(await writeOffOf(tx, { instanceId, cause }))]
  if (lines.length === 0) throw new DecisionRefused('The payment has not been booked.')
  const refund = netLines(
    await readPostedLines(tx, instanceId, [`refund:${cause}`, `holder:refund:${cause}`]),
  )
  return { paid: lines, refund: bookReversal(refund) }
}

/** By what the surplus of a share has settled what was owed again: that goes back with it. */
async function creditUsedOf(
  tx: Transaction,
  { instanceId, cause, debts }: { instanceId: string; cause: string; debts: readonly string[] },
): Promise<string[]> {
  const used = await readCreditsUsed(tx, instanceId, { debts, cause })
  return used.filter((of) => paymentOfCreditUsed(of) === cause)
}

/** What was written off because of a share, as far as nothing has undone it. */
async function writeOffOf(
  tx: Transaction,
  { instanceId, cause }: Pick<Taken, 'instanceId' | 'cause'>,
): Promise<Line[]> {
  const lines = await readPostedLines(tx, instanceId, [`write-off:${cause}`])
  const [bucket] = lines.filter(({ amount }) => amount.minor < 0)
  if (!bucket || bucket.account.kind !== 'principal') return lines
  const debt: Debt =
    'claimId' in bucket.account
      ? { claimId: bucket.account.claimId }
      : { invoiceId: bucket.account.invoiceId }
  const standing = await readWrittenOff(tx, instanceId, debt)
  if (standing >= -bucket.amount.minor) return lines
  const { currency } = bucket.amount
  return lines
    .map(({ account, amount }) => ({
      account,
      amount: money(amount.minor < 0 ? -standing : standing, currency),
    }))
    .filter(({ amount }) => amount.minor !== 0)
}

type Owing = {
  readonly currency: Currency
  readonly principal_minor: number
  readonly costs_minor: number
  readonly interest_minor: number
}

/** What takes the lines of a share back from a debt that owes `row`; of a claim's invoices what happened before they joined it counts too. */
async function takenFrom(
  tx: Transaction,
  { instanceId, cause }: Taken,
  paid: readonly Line[],
  {
    debt,
    row,
    members = [],
  }: { readonly debt: Debt; readonly row: Owing; readonly members?: readonly { id: string }[] },
): Promise<Line[]> {
  if (!paid.some(({ account }) => account.kind === 'costs' || account.kind === 'interest'))
    return bookReversal(paid)
  const stories = []
  for (const of of [...members.map(({ id }) => ({ invoiceId: id })), debt])
    stories.push(await readDebtEvents(tx, instanceId, of, 'posted'))
  const owed = {
    principal: money(row.principal_minor, row.currency),
    costs: money(row.costs_minor, row.currency),
    interest: money(row.interest_minor, row.currency),
  }
  return bookPaymentBack(paid, owed, chargesWithout(stories, cause))
}

/** Posts what `linesBack` found: the payment taken back, then what was owed back of it, which nobody is to send any more. */
async function postBack(
  context: Pick<Context, 'clock'>,
  tx: Transaction,
  { instanceId, cause, gatewayPaymentId, on }: Taken,
  entry: { readonly debt: Debt; readonly payment: readonly Line[]; readonly refund: readonly Line[] },
): Promise<void> {
  const { debt, payment, refund } = entry
  const booking = (kind: 'REVERSAL' | 'REFUND', of: string, lines: readonly Line[]) => ({
    id: newId(context.clock.now()),
    kind,
    bookedOn: on,
    cause: `reversal:${of}`,
    invoiceId: 'invoiceId' in debt ? debt.invoiceId : null,
    claimId: 'claimId' in debt ? debt.claimId : null,
    paymentId: gatewayPaymentId,
    lines,
  })
  await endTask(tx, { instanceId, kind: 'refund', about: cause })
  await endTask(tx, { instanceId, kind: 'creditor_refund', about: cause })
  const refunds = refund.length > 0 ? [booking('REFUND', `refund:${cause}`, refund)] : []
  await postBookings(tx, instanceId, [booking('REVERSAL', cause, payment), ...refunds], context.clock)
}

/** Locks the invoice and looks whether the share can be taken back: what does it, or undefined when it has been done. */
async function readyOnInvoice(
  context: Pick<Context, 'clock'>,
  tx: Transaction,
  taken: Taken & { readonly invoiceId: string },
): Promise<(() => Promise<void>) | undefined> {
  const { instanceId, invoiceId, on } = taken
  const key = { instanceId, invoiceId }
  const {
    status,
    is_part_payment: isPlanned,
    claim_id: claimId,
  } = await lockInvoiceRow(tx, instanceId, invoiceId)
  const back = await linesBack(tx, taken, [invoiceId])
  if (!back) return undefined
  if (isPlanned || status === 'PENDING_AUTHORIZATION' || status === 'ARCHIVED')
    throw new DecisionRefused(
      'The invoice is in a plan, being paid or archived: this needs a person.',
      isPlanned ? 'owed_in_plan' : status === 'ARCHIVED' ? 'act_not_open' : 'payment_signed',
    )
  if (claimId !== null) throw new DecisionRefused('The invoice has just joined a claim. Try again.')
  return async () => {
    // Another share that was taken back may have changed it.
    const invoice = await lockInvoiceRow(tx, instanceId, invoiceId)
    const debt = { invoiceId }
    const payment = await takenFrom(tx, taken, back.paid, { debt, row: invoice })
    await postBack(context, tx, taken, { debt, payment, refund: back.refund })
    await applyCredits(context, tx, { invoice: await lockInvoiceRow(tx, instanceId, invoiceId) }, taken)
    const now = await lockInvoiceRow(tx, instanceId, invoiceId)
    const { balance_minor: owed } = now
    await looksPaidNoMore(tx, { ...taken, debt }, { before: invoice, now })
    const isOwedAgain = isOver(invoice) && owed > 0
    await moveInvoice(tx, invoice, {
      move: 'reverse',
      to: isOwedAgain ? 'ACTIVATED' : invoice.status,
    } as const)
    if (isOwedAgain) {
      await reschedule(context, tx, key, resumeAfterReversal(on))
    }
  }
}

/** Nothing was owed: it was paid, or what had not been paid was written off (M-28). What is owed of one that was stopped is not asked for. */
function isOver({ status, balance_minor: balanceMinor }: InvoiceRow | LockedClaim): boolean {
  return status === 'CLOSED' || (status === 'STOPPED' && balanceMinor === 0)
}

/** More is owed from the day after on: on the days since it was paid it bears no interest. */
async function looksPaidNoMore(
  tx: Transaction,
  { instanceId, shareId, on, debt }: Taken & { readonly debt: Debt },
  { before, now }: { readonly before: Owing; readonly now: Owing },
): Promise<void> {
  const [wasMinor, isMinor] = [before.principal_minor, now.principal_minor]
  insertLateDays(tx, { instanceId, debt, shareId, wasMinor, isMinor, to: on })
  await reopenLateDays(tx, { instanceId, debt })
}

/** The same for a claim. */
async function readyOnClaim(
  context: Pick<Context, 'clock'>,
  tx: Transaction,
  taken: Taken & { readonly claimId: string },
): Promise<(() => Promise<void>) | undefined> {
  const { instanceId, claimId, on } = taken
  const key = { instanceId, claimId }
  const { members } = await lockClaim(tx, key)
  const back = await linesBack(tx, taken, [claimId, ...members.map(({ id }) => id)])
  if (!back) return undefined
  if (members.some(({ status }) => status === 'ARCHIVED'))
    throw new DecisionRefused('The claim has archived invoices: this needs a person.')
  return async () => {
    // Another share of the payment may have been on the same claim.
    const claim = await lockClaim(tx, key)
    const debt = { claimId }
    const paid = back.paid.map((line) => onClaim(line, claimId))
    const refund = back.refund.map((line) => onClaim(line, claimId))
    const payment = await takenFrom(tx, taken, paid, { debt, row: claim, members: claim.members })
    await postBack(context, tx, taken, { debt, payment, refund })
    await applyCredits(context, tx, { claim: await lockClaim(tx, key) }, taken)
    const now = await lockClaim(tx, key)
    await looksPaidNoMore(tx, { ...taken, debt }, { before: claim, now })
    if (isOver(claim) && now.balance_minor > 0) {
      await moveClaim(tx, claim, { move: 'reverse', to: 'RESUME' })
      await reschedule(context, tx, key, resumeAfterReversal(on))
    }
  }
}

/** What was paid on an invoice before it joined its claim is owed on the claim now. */
function onClaim({ account, amount }: Line, claimId: string): Line {
  const isBucket = account.kind === 'principal' || account.kind === 'costs' || account.kind === 'interest'
  return { account: isBucket ? { kind: account.kind, claimId } : account, amount }
}
