/** The ledger: the one way in. A booking's lines become postings; the database checks and sums them. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import type { InterestPeriod } from '@kvitt/domain/collection/interest-periods.ts'
import type { Account, Line } from '@kvitt/domain/ledger/booking.ts'
import type { GivenBack } from '@kvitt/domain/ledger/correction.ts'
import { chargeOf, type Charge, type ChargeOwner } from '@kvitt/domain/ledger/charge-owner.ts'
import { shareRefund } from '@kvitt/domain/ledger/holder.ts'
import { paymentOfCreditUsed } from '@kvitt/domain/payments/shares.ts'
import type { Clock } from '../platform/clock.ts'
import type { Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { sendTasks, type NewTask } from '../tasks/tasks.ts'
import { lockCovered, readBelowZero, sendAdvancesEnded, type Covered } from './advances.queries.ts'
import {
  findAccountRows,
  insertAccountRows,
  insertPostingRows,
  insertTransactionRows,
  type AccountRow,
} from './ledger.queries.ts'
import { readMoneyOfDebt } from './posted.queries.ts'

export {
  readClaimEvents,
  readInvoiceEvents,
  type FinancialEventRow,
} from './ledger.queries.ts'
export {
  readBucketEvents,
  readBucketEventsOfMany,
  readClaimBucketEvents,
  readChargedFees,
  readChargedOnClaim,
  creditedOn,
  readCreditedSum,
  readDebtEvents,
  readPostedLines,
  type BucketEvent,
} from './posted.queries.ts'

export { FELL_DUE_ON } from './fell-due-on.queries.ts'
export { readFamily } from './family.ts'
export { readGivenUp, readStoppedParts, readWrittenOff } from './given-up.ts'
export {
  creditLateDays,
  dropLateDays,
  endLateDays,
  insertLateDays,
  insertPlannedDays,
  joinBill,
  lessenPlannedDays,
  lateDaysOf,
  lockLateDays,
  owedDays,
  postLateDays,
  readInterestBills,
  reopenLateDays,
  unpostLateDays,
  type LateDays,
} from './late-days.queries.ts'

export { CHARGED_ON_CLAIM, CHARGED_ON_INVOICE } from './charged.queries.ts'
export { restatedMinor } from './restated.queries.ts'
export { restateLateDays } from './restated-days.queries.ts'
export { readStory, type StoryRow } from './story.queries.ts'

export { interestLines, isLetOff, withoutUnsent, type InterestLine } from './interest-lines.ts'

export type Booking = {
  readonly id: string
  /** The financial event, such as INVOICE or PAYMENT. */
  readonly kind: string
  readonly bookedOn: CalendarDate
  /** What caused it, such as `payment:{id}`. The database refuses the same cause twice. */
  readonly cause: string
  readonly invoiceId: string | null
  /** The claim whose balance it moves; a transfer names the invoice as well. */
  readonly claimId?: string | null
  readonly paymentId: string | null
  readonly lines: readonly Line[]
  /** What interest was counted on. */
  readonly periods?: readonly InterestPeriod[]
  /** Of money that came: the day from which it counts, never after `bookedOn`. */
  readonly valueOn?: CalendarDate
  /** The transaction whose charge it takes back, because money had come before that, or waives. */
  readonly restatesId?: string | undefined
  /** What it charges, where its kind does not say so: the invoice of interest. */
  readonly charge?: Charge
  /** Whose the charge is, where that does not follow from what was agreed: what the creditor did itself is the creditor's. */
  readonly owner?: ChargeOwner
}

function accountRow(id: string, { account, amount }: Line): AccountRow {
  return {
    id,
    kind: account.kind,
    currency: amount.currency,
    invoice_id: 'invoiceId' in account ? account.invoiceId : null,
    claim_id: 'claimId' in account ? account.claimId : null,
    creditor_id: 'creditorId' in account ? account.creditorId : null,
    debtor_id: 'debtorId' in account ? account.debtorId : null,
    gateway: 'gateway' in account ? account.gateway : null,
  }
}

function accountKey(row: AccountRow): string {
  const owner = [row.invoice_id, row.claim_id, row.creditor_id, row.debtor_id, row.gateway]
  return [row.kind, row.currency, ...owner].join('|')
}

/** Identifiers of the accounts that `lines` name, opened when they do not exist, by account key. */
async function resolveAccounts(
  tx: Transaction,
  instanceId: string,
  lines: readonly Line[],
  clock: Clock,
): Promise<Map<string, string>> {
  const wanted = new Map<string, AccountRow>()
  for (const line of lines) {
    const row = accountRow(newId(clock.now()), line)
    if (!wanted.has(accountKey(row))) wanted.set(accountKey(row), row)
  }
  // One order for everybody, so that two transactions that open the same accounts wait, never deadlock.
  const rows = [...wanted.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
  insertAccountRows(tx, instanceId, rows)
  return new Map((await findAccountRows(tx, instanceId, rows)).map((row) => [accountKey(row), row.id]))
}

/** Begins the cause of what the bank refused or sent back: whoever books it opens the task that had asked for it. */
export const REFUND_BACK = 'refund-back:'
/** Begins the cause of what was said to be not executed, and the bank has told of all the same. */
export const REFUND_AGAIN = 'refund-again:'

/**
 * M-19: whatever makes a debtor's credit, a payment or a decision, it is owed back, and a person sends it: the creditor what it
 * has itself. What a payment brought too much is asked for by the name of the payment.
 */
function refundsOf(instanceId: string, bookings: readonly Booking[]): NewTask[] {
  return bookings.flatMap(({ cause, lines }) =>
    (cause.startsWith(REFUND_BACK) ? [] : lines).flatMap(({ account, amount }): NewTask[] => {
      if ((account.kind !== 'credit' && account.kind !== 'credit_at_creditor') || amount.minor >= 0) return []
      const owed = { amountMinor: -amount.minor, currency: amount.currency }
      const about = paymentOfCreditUsed(cause) ?? cause.replace(/^(holder:)?refund:/, '')
      return account.kind === 'credit'
        ? [{ instanceId, kind: 'refund', about, details: owed }]
        : [
            {
              instanceId,
              kind: 'creditor_refund',
              about,
              details: { ...owed, creditorId: account.creditorId },
            },
          ]
    }),
  )
}

/** What is taken back, for the books: `of.cause`, what was given up of it, and the refund of what had been paid. */
export function bookingsBack(
  clock: Clock,
  of: Pick<Booking, 'bookedOn' | 'cause' | 'invoiceId' | 'claimId'>,
  { reversal, writeOff, refund }: GivenBack,
): Booking[] {
  const booking = (kind: string, cause: string, lines: readonly Line[]): Booking[] =>
    lines.length === 0 ? [] : [{ ...of, id: newId(clock.now()), kind, cause, paymentId: null, lines }]
  return [
    ...booking('REVERSAL', of.cause, reversal),
    ...booking('WRITE_OFF', `write-off:${of.cause}`, writeOff),
    ...booking('REFUND', `refund:${of.cause}`, refund),
  ]
}

/**
 * Posts the bookings, all or none, in the caller's transaction. Asks a person to send back what becomes a debtor's
 * credit; what a decision owes back of a debt that was paid to the creditor itself is the creditor's to send back.
 */
export async function postBookings(
  tx: Transaction,
  instanceId: string,
  wanted: readonly Booking[],
  clock: Clock,
): Promise<void> {
  if (wanted.length === 0) return
  const bookings = await shareRefunds(tx, instanceId, wanted)
  const lines = bookings.flatMap((b) => b.lines)
  const accounts = await resolveAccounts(tx, instanceId, lines, clock)
  insertTransactionRows(
    tx,
    instanceId,
    bookings.map((b) => ({
      id: b.id,
      kind: b.kind,
      booked_on: b.bookedOn,
      cause: b.cause,
      invoice_id: b.invoiceId,
      claim_id: b.claimId ?? null,
      payment_id: b.paymentId,
      periods: b.periods ?? null,
      value_on: b.valueOn === b.bookedOn ? null : (b.valueOn ?? null),
      restates_id: b.restatesId ?? null,
      charge: b.charge ?? chargeOf(b.kind) ?? null,
      owner: b.owner ?? null,
      creditor_id: creditorIn(b.lines),
    })),
  )
  insertPostingRows(
    tx,
    instanceId,
    bookings.flatMap((b) =>
      b.lines.map((line, index) => ({
        transaction_id: b.id,
        line: index,
        account_id: accounts.get(accountKey(accountRow('', line))) ?? missingAccount(line.account),
        currency: line.amount.currency,
        amount_minor: line.amount.minor,
      })),
    ),
  )
  sendTasks(tx, refundsOf(instanceId, bookings))
  await askForAdvances(tx, instanceId, lines)
}

/**
 * What a creditor's own money does not cover is another's: a person is asked to advance it, until as much is held again.
 * The accounts are locked by now, so whoever comes to below nothing says so.
 */
async function askForAdvances(tx: Transaction, instanceId: string, lines: readonly Line[]): Promise<void> {
  const moved = lines.flatMap(({ account, amount }) =>
    account.kind === 'held_for_creditor' || account.kind === 'advance'
      ? [{ creditorId: account.creditorId, amount }]
      : [],
  )
  const of = (isTaken: boolean): string[] => [
    ...new Set(
      moved.filter(({ amount }) => amount.minor > 0 === isTaken).map(({ creditorId }) => creditorId),
    ),
  ]
  const [taken, given] = [of(true), of(false)]
  if (given.length > 0) sendAdvancesEnded(tx, instanceId, given)
  if (taken.length === 0) return
  sendTasks(
    tx,
    (await readBelowZero(tx, instanceId, taken)).map(({ creditorId, currency, minor }) => ({
      instanceId,
      kind: 'advance_wanted',
      about: `creditor:${creditorId}:${currency}`,
      details: { amountMinor: minor, currency, of: creditorId },
    })),
  )
}

/** What is held for a creditor and advanced for it, with nobody moving either meanwhile. Ask under the lock of whoever places lines. */
export function coveredOf(
  tx: Transaction,
  instanceId: string,
  of: { readonly creditorId: string; readonly currency: string },
): Promise<Covered> {
  return lockCovered(tx, instanceId, of)
}

function creditorIn(lines: readonly Line[]): string | null {
  const [creditorId] = lines.flatMap(({ account }) => ('creditorId' in account ? [account.creditorId] : []))
  return creditorId ?? null
}

/** What a payment brought too much is where the payment is: its own booking says so. */
async function shareRefunds(
  tx: Transaction,
  instanceId: string,
  bookings: readonly Booking[],
): Promise<readonly Booking[]> {
  const shared: Booking[] = []
  for (const booking of bookings) {
    const owesBack = booking.lines.some(
      ({ account, amount }) => account.kind === 'credit' && amount.minor < 0,
    )
    const held = booking.lines.find(({ account }) => account.kind === 'held_for_creditor')
    const isOfPayment = booking.cause.includes('payment:')
    if (!owesBack || isOfPayment || held?.account.kind !== 'held_for_creditor') shared.push(booking)
    else {
      const { creditorId } = held.account
      const { currency } = held.amount
      const money = await readMoneyOfDebt(tx, instanceId, { debts: debtsIn([booking]), currency })
      // What those before it take is not in the books yet.
      const lines = shareRefund(booking.lines, { creditorId, ...lessTaken(money, shared, creditorId) })
      shared.push({ ...booking, lines })
    }
  }
  return shared
}

function debtsIn(bookings: readonly Booking[]): string[] {
  return bookings.flatMap(({ invoiceId, claimId }) =>
    [invoiceId, claimId ?? null].filter((id) => id !== null),
  )
}

function lessTaken(
  { heldMinor, paidMinor }: { heldMinor: number; paidMinor: number },
  before: readonly Booking[],
  creditorId: string,
): { heldMinor: number; paidMinor: number } {
  const lines = before.flatMap((booking) => booking.lines)
  const taken = (kind: 'held_for_creditor' | 'paid_to_creditor'): number =>
    lines.reduce(
      (sum, { account, amount }) =>
        sum + (account.kind === kind && account.creditorId === creditorId ? amount.minor : 0),
      0,
    )
  return {
    heldMinor: heldMinor - taken('held_for_creditor'),
    paidMinor: paidMinor - taken('paid_to_creditor'),
  }
}

function missingAccount(account: Account): never {
  throw new Error(`no ledger account for ${account.kind}`)
}
