/** The answer to a dispute: the creditor was right (M-12), or the debtor was, wholly or in part (M-13). */
import { addDays, date, laterOf, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { resumeAfterDispute } from '@kvitt/domain/collection/schedule.ts'
import { saysSomething } from '@kvitt/domain/form/says-something.ts'
import { bookFeesBack, owedAfterCredit } from '@kvitt/domain/ledger/correction.ts'
import { amountText, money } from '@kvitt/domain/money.ts'
import {
  creditBookings,
  creditedDebt,
  giveUpWithoutGround,
  notPaid,
  owedAgainIn,
} from '../../claims/claims.ts'
import {
  insertStepRow,
  lockInvoiceRow,
  moveInvoice,
  type InvoiceKey,
  type InvoiceRow,
} from '../../invoices/invoices.ts'
import {
  bookingsBack,
  dropLateDays,
  postBookings,
  readChargedFees,
  readCreditedSum,
  readGivenUp,
} from '../../ledger/ledger.ts'
import { endPlanForCredit, lockRunningPlan } from '../../part-payments/part-payments.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/identity.ts'
import { DecisionRefused } from './decision-refused.ts'
import { findOpenDispute, setDueDateRow } from './decisions.queries.ts'
import { decideOpenDispute } from './end-dispute.ts'
import { reschedule } from '../reschedule.ts'
import { tellDecision, type DecisionContext } from './tell-decision.ts'

/** The time to pay what is left after a dispute was upheld in part. */
const DAYS_TO_PAY_REST = 14

/** The last day to pay the rest, when a dispute is upheld in part on a day: nobody has less time for having been right. */
export function lastDayOfRest(
  { expire_date: before }: { expire_date: string },
  on: CalendarDate,
): CalendarDate {
  return laterOf(addDays(on, DAYS_TO_PAY_REST), date(before))
}

/**
 * M-12: the creditor has answered in writing that the invoice stands. It goes on, and the next step comes in
 * fourteen days at the earliest; the debtor is told. Answers false when the dispute had ended already. Throws DecisionRefused without an answer.
 */
export function rejectDispute(
  context: DecisionContext,
  key: InvoiceKey,
  { on, answer, by }: { readonly on: CalendarDate; readonly answer: string; readonly by?: string },
): Promise<boolean> {
  if (!saysSomething(answer))
    throw new DecisionRefused('Write to the debtor why the invoice stands: the answer is empty.')
  return context.db.transaction(async (tx) => {
    const invoice = await lockInvoiceRow(tx, key.instanceId, key.invoiceId)
    if (invoice.status !== 'DISPUTED') return false
    const dispute = await decideOpenDispute(tx, key, { status: 'REJECTED', on, decision: answer.trim(), by })
    await moveInvoice(tx, invoice, { move: 'rejectDispute', to: 'ACTIVATED' })
    await reschedule(context, tx, key, resumeAfterDispute(on))
    const { instanceId, invoiceId } = key
    await tellDecision(context, tx, {
      instanceId,
      debt: { invoiceId },
      dispute,
      outcome: 'rejected',
      answer,
      on,
    })
    return true
  })
}

export type Upheld = {
  readonly on: CalendarDate
  readonly decision: string
  /** Who decides, where a person does. */
  readonly by?: string
  /** What is taken off the invoice in minor units; `all` of it when it should never have been sent. */
  readonly creditMinor: number | 'all'
}

/**
 * M-13: the debtor was right. The credit is booked and every fee and interest charged so far is taken back: they were
 * asked for a sum that was wrong. What was paid too much becomes the debtor's credit, and the debtor is told. Answers false when the
 * dispute had ended already. Throws DecisionRefused when the credit does not fit.
 */
export function upholdDispute(context: DecisionContext, key: InvoiceKey, upheld: Upheld): Promise<boolean> {
  return context.db.transaction(async (tx) => {
    await lockRunningPlan(tx, key)
    const seen = await lockInvoiceRow(tx, key.instanceId, key.invoiceId)
    const dispute = await findOpenDispute(tx, key)
    if (seen.status !== 'DISPUTED' || !dispute) return false
    const dueDate = lastDayOfRest(seen, upheld.on)
    const creditMinor = await creditOf(tx, seen, upheld)
    const invoice = await endPlanForCredit(context, tx, seen, { creditMinor, on: upheld.on })
    await bookUpheld(context, tx, { invoice, disputeId: dispute.id, creditMinor, on: upheld.on })
    const status = upheld.creditMinor === 'all' ? 'UPHELD' : 'UPHELD_PART'
    await decideOpenDispute(tx, key, { ...upheld, status, by: upheld.by })
    await insertStepRow(tx, key, {
      id: newId(context.clock.now()),
      type: 'CREDIT_INVOICE',
      plannedDate: null,
      performedDate: upheld.on,
      status: 'PERFORMED',
    })
    const { balance_minor: left, is_part_payment: isPlanned } = await lockInvoiceRow(
      tx,
      key.instanceId,
      key.invoiceId,
    )
    await moveInvoice(tx, invoice, { move: 'upholdDispute', to: left === 0 ? 'CLOSED' : 'ACTIVATED' })
    // What a plan has billed or will bill is left to the plan.
    const isDue = left > 0 && !isPlanned
    if (isDue) {
      await setDueDateRow(tx, key, dueDate)
      await reschedule(context, tx, key, addDays(dueDate, 1))
    }
    const told = { instanceId: key.instanceId, debt: { invoiceId: key.invoiceId }, dispute, on: upheld.on }
    const { currency } = invoice
    const rest = isDue ? { minor: left, dueDate } : undefined
    const outcome =
      status === 'UPHELD'
        ? ({ outcome: 'upheld' } as const)
        : ({ outcome: 'upheld_in_part', creditMinor, currency, rest } as const)
    await tellDecision(context, tx, { ...told, answer: upheld.decision, ...outcome })
    return true
  })
}

/** What is credited. Throws DecisionRefused when it is nothing, or more than is left of the document. */
async function creditOf(tx: Transaction, invoice: InvoiceRow, upheld: Upheld): Promise<number> {
  const key = { instanceId: invoice.instance_id, invoiceId: invoice.id }
  const most = invoice.total_minor - (await readCreditedSum(tx, key))
  const creditMinor = upheld.creditMinor === 'all' ? most : upheld.creditMinor
  if (creditMinor > 0 && creditMinor <= most) return creditMinor
  throw new DecisionRefused(
    `Between 0.01 and ${amountText(most)} ${invoice.currency} can be credited on invoice ${invoice.invoice_number}.`,
  )
}

type Case = {
  readonly invoice: InvoiceRow
  readonly disputeId: string
  readonly creditMinor: number
  readonly on: CalendarDate
}

async function bookUpheld(
  context: DecisionContext,
  tx: Transaction,
  { invoice, disputeId, creditMinor, on }: Case,
): Promise<void> {
  const { currency, instance_id: instanceId } = invoice
  const key = { instanceId, invoiceId: invoice.id }
  const credited = { invoice, claim: undefined }
  const { parties, owed } = creditedDebt(credited)
  const credit = money(creditMinor, currency)
  const fees = money(await readChargedFees(tx, key), currency)
  const cause = `dispute:${disputeId}`
  await notPaid(context, tx, credited, { takenMinor: creditMinor + fees.minor, cause, on })
  const bookings = await creditBookings(context, tx, credited, { creditMinor, cause, on })
  const givenUp = (await readGivenUp(tx, instanceId, key)) - owedAgainIn(bookings)
  const back = bookFeesBack(parties, fees, owedAfterCredit(credit, owed), money(givenUp, currency))
  const ofFees = { bookedOn: on, cause: `dispute-fees:${disputeId}`, invoiceId: invoice.id }
  const feesBack = bookingsBack(context.clock, ofFees, back)
  await postBookings(tx, instanceId, [...bookings, ...feesBack], context.clock)
  // What was asked for was wrong: nobody was late with it.
  await dropLateDays(tx, { instanceId, debt: key })
  await giveUpWithoutGround(context, tx, credited, { cause, on })
}
