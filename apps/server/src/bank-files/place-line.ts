/** One line of a bank file finds its debt and is booked: one transaction, under the locks of what it pays. */
import { alsoOwed, chooseDebt, referenceForms, type Unplaced } from '@kvitt/domain/bank-files/choose-debt.ts'
import { date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { bookArrival, bookOutOfSuspense, bookSuspense } from '@kvitt/domain/ledger/arrival.ts'
import type { Debt, Line } from '@kvitt/domain/ledger/booking.ts'
import { clearingOf } from '@kvitt/domain/ledger/holder.ts'
import { valueDayOf } from '@kvitt/domain/ledger/value-day.ts'
import { money, type Money } from '@kvitt/domain/money.ts'
import { shareCauses } from '@kvitt/domain/payments/shares.ts'
import { postBookings } from '../ledger/ledger.ts'
import {
  applyTransfer,
  askAboutDay,
  cameBeforePlan,
  arriveByFile,
  IN_SUMS,
  linkDailySum,
  lockDebtOf,
  partiesOf,
  readPayment,
  type LockedDebt,
  type PaymentRow,
} from '../payments/payments.ts'
import { newId } from '../platform/identity.ts'
import { endTask, openTask } from '../tasks/tasks.ts'
import { endLineRow, lockBankFiles, readWaitingLine, type LineRow } from './bank-files.queries.ts'
import { RETURNED } from './camt/camt.ts'
import { takeLateDebits } from './late/late-debits.ts'
import { lockDebtsOfOrders } from './late/lock-debts.ts'
import { outOf, reverseTaken, type LineWork } from './late/take-back.ts'
import { settleOutgoing, takePayoutBack } from './money-out.ts'
import { moveToCreditor, type PlaceContext } from './tell-holder.ts'
import { findSameDeposit, findSameLine, findSumOfDeposit, markRepeatedRow } from './told-again.queries.ts'
import { findCandidates, findKnownPayment, findTakenBack } from './find-debt.queries.ts'

export type Placed = {
  readonly line: LineRow
  readonly outcome: 'booked' | 'known' | 'reversed' | 'settled' | 'suspense' | 'repeated'
  /** The invoice or claim by its number, when it is booked on one. */
  readonly number: string | null
  readonly reason: Unplaced | 'unexplained_debit' | null
}

type Work = LineWork

/** Undefined when somebody else has placed it. */
export function placeLine(
  context: PlaceContext,
  { instanceId, lineId }: { readonly instanceId: string; readonly lineId: string },
  today: CalendarDate,
): Promise<Placed | undefined> {
  return context.db.transaction(async (tx) => {
    await lockBankFiles(tx, instanceId)
    const line = await readWaitingLine(tx, instanceId, lineId)
    if (!line) return undefined
    const work = { context, tx, line, today }
    if (line.is_doubtful) return quarantine(work, 'told_differently')
    if (line.kind !== 'DEDUCTION') await lockDebtsOfOrders(tx, instanceId, { orderId: line.named_payment_id })
    if (line.kind === 'OUTGOING') return placeOutgoing(work)
    if (line.kind === 'PAYMENT' && (await takePayoutBack(outOf(work), line))) {
      await takeLateDebits(outOf(work), { orderId: line.named_payment_id })
      return { line, outcome: 'settled', number: null, reason: null }
    }
    if (line.deposit_key.endsWith(RETURNED)) return quarantine(work, 'no_reference')
    if (await placeRepeat(work)) return { line, outcome: 'repeated', number: null, reason: null }
    return line.kind === 'PAYMENT' ? placePayment(work) : placeDeduction(work)
  })
}

async function placePayment(work: Work): Promise<Placed> {
  const { context, tx, line } = work
  if (line.format !== 'camt' && (await isToldOtherwise(work))) return quarantine(work, 'told_otherwise')
  const named = await readNamed(work)
  // Bankgirot keeps the zeros of a reference; those who do not send digits of a fixed length.
  const formsOf = (text: string): string[] => referenceForms(text, line.format === 'bgmax')
  const references = line.payment_references.flatMap(formsOf)
  const known = await findKnownPayment(tx, line, { references, namedId: named?.id })
  if (known) return placeKnown(work, known)
  if (line.payment_references.length === 0 && named === undefined && (await placeSum(work)))
    return { line, outcome: 'known', number: null, reason: null }
  // A slip of a digit at the bank or in a file closes debts that a person would have to open again.
  if (line.amount_minor > context.config.largestTransferMinor) return quarantine(work, 'implausible_amount')
  const found = await findCandidates(tx, line.instance_id, references, incomingOn(line))
  // What the payer ordered says more than a reference that leads nowhere.
  const isByName = found.length === 0 && named !== undefined
  const candidates = isByName
    ? await findCandidates(tx, line.instance_id, formsOf(named.payment_reference), incomingOn(line))
    : found
  const count = isByName ? 1 : line.payment_references.length
  const incoming = { amountMinor: line.amount_minor, currency: line.currency, creditorIds: line.creditor_ids }
  const choice = chooseDebt(candidates, incoming, count)
  if ('reason' in choice) return quarantine(work, choice.reason)
  return payDebt(work, choice.debt, { named, others: alsoOwed(candidates, choice.debt, count) })
}

/** The payment that the bank says was ordered with this money; undefined when it says nothing, or it is not ours. */
async function readNamed({ tx, line }: Work): Promise<PaymentRow | undefined> {
  const { named_payment_id: id } = line
  return id === null ? undefined : readPayment(tx, line.instance_id, id)
}

/** A gateway had told of the money: it has come to the account, and is in the books. */
async function placeKnown(work: Work, known: { id: string; gateway: string }): Promise<Placed> {
  const { tx, line } = work
  await post(
    work,
    bookArrival(clearingOf(line.holder), known.gateway, money(line.amount_minor, line.currency)),
  )
  if (line.holder === 'CREDITOR') {
    // It may have been moved to another debt since.
    const causes = shareCauses(known.id).flatMap((cause) => [cause, `refund:${cause}`])
    await moveToCreditor(work.context, tx, { instanceId: line.instance_id, causes, today: work.today })
  }
  await endLineRow(tx, line, { status: 'KNOWN', paymentId: known.id })
  return { line, outcome: 'known', number: null, reason: null }
}

/** A gateway had told of each payment in it. */
async function placeSum(work: Work): Promise<boolean> {
  const { tx, line } = work
  const { account_id: accountId } = line
  if (accountId === null || !(await linkDailySum(tx, { ...line, account_id: accountId }, 'WAITING')))
    return false
  await post(work, bookArrival(clearingOf(line.holder), IN_SUMS, money(line.amount_minor, line.currency)))
  return true
}

/** What was chosen without its lock may have changed: asked again under it. */
async function payDebt(
  work: Work,
  debt: Debt,
  { named, others }: { readonly named: PaymentRow | undefined; readonly others: readonly Debt[] },
): Promise<Placed> {
  const { context, tx, line, today } = work
  const locked = await lockDebtOf(tx, {
    id: line.id,
    instance_id: line.instance_id,
    invoice_id: 'invoiceId' in debt ? debt.invoiceId : null,
    claim_id: 'claimId' in debt ? debt.claimId : null,
  })
  const { is_part_payment: isPlanned, balance_minor: owed, status } = locked.claim ?? locked.invoice
  const money = { amountMinor: line.amount_minor, valueOn: valueDayOf([dayOfMoney(line)], today) }
  if (isPlanned && owed > 0 && !(await cameBeforePlan(tx, locked, money)))
    return quarantine(work, 'in_a_plan')
  if (status === 'ARCHIVED') return quarantine(work, 'unknown_reference')
  await askAboutDay(tx, { ...toldOf(work), ...partiesOf(locked) })
  const isArrived = named !== undefined && (await arriveByFile(tx, { named, line, locked, today }))
  const payment = { ...line, gateway: clearingOf(line.holder), isFromFile: true as const }
  const first = await applyTransfer(context, tx, {
    locked,
    others,
    payment,
    today,
    valueOn: valueDayOf([dayOfMoney(line)], today),
  })
  const paymentId = isArrived ? named.id : undefined
  await endLineRow(tx, line, { status: 'BOOKED', debt: debtOf(first), paymentId })
  const number = first.claim ? first.claim.claim_number : first.invoice.invoice_number
  return { line, outcome: 'booked', number, reason: null }
}

/** The earliest day that the bank tells of the money. */
export function dayOfMoney({ bank_date: day, value_date: value }: LineRow): CalendarDate {
  return valueDayOf([value === null ? null : date(value)], date(day))
}

function toldOf({ line, today }: Work) {
  const { instance_id: instanceId, id } = line
  return { instanceId, about: `bank-line:${id}`, toldOn: dayOfMoney(line), bookedOn: today }
}

const incomingOn = (line: LineRow) => ({ day: dayOfMoney(line), amountMinor: line.amount_minor })

export function debtOf(locked: LockedDebt): Debt {
  return locked.claim ? { claimId: locked.claim.id } : { invoiceId: locked.invoice.id }
}

/** Money that had come, by the line that told of it, and that the bank has taken back (M-25). */
async function placeDeduction(work: Work): Promise<Placed> {
  const { tx, line } = work
  const taken = await findTakenBack(tx, line)
  if (taken === undefined) return quarantine(work, 'nothing_to_take_back')
  if (!(await reverseTaken(work, taken, (lines) => post(work, lines))))
    return quarantine(work, 'not_reversible', taken.id)
  await endLineRow(tx, line, { status: 'REVERSED', reversesId: taken.id })
  return { line, outcome: 'reversed', number: null, reason: null }
}

/** Money that has left the account: what somebody was to send, or a person has to say what it was. */
async function placeOutgoing(work: Work): Promise<Placed> {
  const { line } = work
  if (!(await settleOutgoing(outOf(work), line))) return quarantine(work, 'unexplained_debit')
  return { line, outcome: 'settled', number: null, reason: null }
}

/** It is in the books, and a person has to place it. `takesBack`: the line whose money it would take back. */
async function quarantine(
  work: Work,
  reason: Unplaced | 'unexplained_debit',
  takesBack?: string,
): Promise<Placed> {
  const { tx, line } = work
  const minor = line.kind === 'PAYMENT' ? line.amount_minor : -line.amount_minor
  await post(work, bookSuspense(clearingOf(line.holder), money(minor, line.currency)))
  await endLineRow(tx, line, { status: 'SUSPENSE' })
  if (line.kind === 'PAYMENT') await askAboutDay(tx, toldOf(work))
  await openTask(tx, {
    instanceId: line.instance_id,
    kind: 'bank_line',
    about: `bank-line:${line.id}`,
    details: {
      reason,
      amountMinor: minor,
      currency: line.currency,
      account: line.account_key,
      day: line.bank_date,
      references: line.payment_references,
      ...(takesBack === undefined ? {} : { takesBack }),
    },
  })
  return { line, outcome: 'suspense', number: null, reason }
}

/** Another format's file has told of the money, by line or as a deposit's sum: it is taken out of the books in the same breath. */
async function placeRepeat(work: Work): Promise<boolean> {
  const { tx, line } = work
  if (line.account_id === null) return false
  const isSum = line.format === 'camt' && line.kind === 'PAYMENT' && line.payment_references.length === 0
  const same = (await findSameLine(tx, line)) ?? (isSum ? await findSameDeposit(tx, line) : undefined)
  if (same === undefined) return false
  const amount = money(line.kind === 'PAYMENT' ? line.amount_minor : -line.amount_minor, line.currency)
  await post(work, bookSuspense(clearingOf(line.holder), amount))
  await postRepeat(work, line, amount)
  await markRepeatedRow(tx, line, { of: same, from: 'WAITING' })
  return true
}

/**
 * A file of another format told of the deposit that this line is in as one sum. What of it lies in suspense leaves it, as the
 * lines say whose money it is. True when a person has placed the sum: then the lines cannot be booked besides.
 */
async function isToldOtherwise(work: Work): Promise<boolean> {
  const { tx, line } = work
  if (line.account_id === null) return false
  const sum = await findSumOfDeposit(tx, line)
  if (!sum) return false
  if (sum.status !== 'SUSPENSE') return true
  await markRepeatedRow(tx, { instance_id: line.instance_id, id: sum.id }, { of: line.id, from: 'SUSPENSE' })
  await postRepeat(work, sum, money(sum.amount_minor, line.currency))
  await endTask(tx, { instanceId: line.instance_id, kind: 'bank_line', about: `bank-line:${sum.id}` })
  return false
}

/** What the line put into suspense is no money of its own. */
async function postRepeat(
  { context, tx, line, today }: Work,
  repeat: Pick<LineRow, 'id' | 'holder'>,
  amount: Money,
): Promise<void> {
  const booking = {
    id: newId(context.clock.now()),
    kind: 'REVERSAL',
    bookedOn: today,
    cause: `repeated:bank-line:${repeat.id}`,
    invoiceId: null,
    paymentId: null,
    lines: bookOutOfSuspense(clearingOf(repeat.holder), amount),
  }
  await postBookings(tx, line.instance_id, [booking], context.clock)
}

async function post({ context, tx, line, today }: Work, lines: readonly Line[]): Promise<void> {
  const booking = {
    id: newId(context.clock.now()),
    kind: 'PAYMENT',
    bookedOn: today,
    cause: `bank-line:${line.id}`,
    invoiceId: null,
    paymentId: null,
    lines,
  }
  await postBookings(tx, line.instance_id, [booking], context.clock)
}
