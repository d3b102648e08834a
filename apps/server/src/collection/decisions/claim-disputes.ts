/** The answer to the dispute of a claim: the creditor was right, or the debtor was, wholly or in part. */
import { addDays, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { resumeAfterDispute } from '@kvitt/domain/collection/schedule.ts'
import { saysSomething } from '@kvitt/domain/form/says-something.ts'
import { bookFeesBack } from '@kvitt/domain/ledger/correction.ts'
import { amountText, money } from '@kvitt/domain/money.ts'
import {
  creditBookings,
  creditedDebt,
  forgiveLateInterest,
  giveUpWithoutGround,
  lockClaim,
  moveClaim,
  notPaid,
  type ClaimKey,
  type LockedClaim,
} from '../../claims/claims.ts'
import type { Context } from '../../context.ts'
import type { InvoiceRow } from '../../invoices/invoices.ts'
import {
  bookingsBack,
  dropLateDays,
  postBookings,
  readChargedOnClaim,
  readCreditedSum,
  readGivenUp,
} from '../../ledger/ledger.ts'
import { endClaimPlanForCredit, lockRunningClaimPlan } from '../../part-payments/part-payments.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { DecisionRefused } from './decision-refused.ts'
import { findOpenDispute, setClaimDueDateRow, type OpenDisputeRow } from './decisions.queries.ts'
import { lastDayOfRest } from './dispute-decisions.ts'
import { decideOpenDispute } from './end-dispute.ts'
import { reschedule } from '../reschedule.ts'
import { tellDecision, type DecisionContext } from './tell-decision.ts'

type Answer = { readonly on: CalendarDate; readonly answer: string; readonly by?: string | undefined }

/**
 * The creditor stands by the debt and has told the debtor why: the schedule is built anew, fourteen days on. Answers false when the
 * dispute had ended already. Throws DecisionRefused without an answer.
 */
export function rejectClaimDispute(
  context: DecisionContext,
  key: ClaimKey,
  { on, answer, by }: Answer,
): Promise<boolean> {
  requireAnswer(answer)
  return context.db.transaction(async (tx) => {
    const claim = await lockClaim(tx, key)
    if (claim.status !== 'DISPUTED') return false
    const dispute = await rejectLockedDispute(context, tx, claim, { on, answer, by })
    const { instanceId, claimId } = key
    await tellDecision(context, tx, {
      instanceId,
      debt: { claimId },
      dispute,
      outcome: 'rejected',
      answer,
      on,
    })
    return true
  })
}

/** As rejectClaimDispute, of a locked claim that is disputed; the debtor is not told by us. Answers the dispute. */
export async function rejectLockedDispute(
  context: Pick<Context, 'clock'>,
  tx: Transaction,
  claim: LockedClaim,
  { on, answer, by }: Answer,
): Promise<OpenDisputeRow> {
  const key = { instanceId: claim.instance_id, claimId: claim.id }
  const dispute = await decideOpenDispute(tx, key, { status: 'REJECTED', on, decision: answer.trim(), by })
  await moveClaim(tx, claim, { move: 'rejectDispute', to: 'RESUME' })
  await reschedule(context, tx, key, resumeAfterDispute(on))
  return dispute
}

function requireAnswer(answer: string): void {
  if (!saysSomething(answer)) throw new DecisionRefused('Write to the debtor why: the answer is empty.')
}

/** What of the principal is credited, VAT included, in minor units: all that its invoices were over, or a part of what is open. */
export type Conceded = Answer & { readonly creditMinor: number | 'all' }

/**
 * The debtor was right. Principal is credited, and all fees and interest that the claim and its invoices have been charged
 * are taken back. What had been paid of that settles what is left, and is owed back beyond it. Wholly, the case is over; in
 * part, the rest is due in fourteen days. Answers false when the dispute had ended already. Throws DecisionRefused when the
 * credit does not fit.
 */
export function upholdClaimDispute(
  context: DecisionContext,
  key: ClaimKey,
  { on, answer, by, creditMinor }: Conceded,
): Promise<boolean> {
  requireAnswer(answer)
  return context.db.transaction(async (tx) => {
    await lockRunningClaimPlan(tx, key)
    const seen = await lockClaim(tx, key)
    const dispute = await findOpenDispute(tx, key)
    if (seen.status !== 'DISPUTED' || !dispute) return false
    const feesMinor = await readChargedOnClaim(tx, key)
    const takenMinor = creditMinor === 'all' ? creditMinor : creditMinor + feesMinor
    const claim = await endClaimPlanForCredit(context, tx, seen, { takenMinor, on })
    if (creditMinor !== 'all') requireFit(claim, creditMinor)
    const shares = await shareCredit(tx, claim, creditMinor)
    await bookUpheld(context, tx, { key, disputeId: dispute.id, shares, feesMinor, on })
    const status = creditMinor === 'all' ? 'UPHELD' : 'UPHELD_PART'
    await decideOpenDispute(tx, key, { status, on, decision: answer.trim(), by })
    const rest = await goOn(context, tx, claim, on)
    const told = { instanceId: key.instanceId, debt: { claimId: key.claimId }, dispute, answer, on }
    await tellDecision(
      context,
      tx,
      creditMinor === 'all'
        ? { ...told, outcome: 'upheld' }
        : { ...told, outcome: 'upheld_in_part', creditMinor, currency: claim.currency, rest },
    )
    return true
  })
}

function requireFit(
  { principal_minor: open, currency, claim_number: number }: LockedClaim,
  minor: number,
): void {
  if (minor > 0 && minor < open) return
  throw new DecisionRefused(
    `More than nothing and less than the open principal of ${amountText(open)} ${currency} can be credited in part on claim ${number}.`,
  )
}

type Share = { readonly invoiceId: string; readonly minor: number }

/** The credit as parts of its invoices, the one that was due first first, each up to what has not been credited of it. */
async function shareCredit(
  tx: Transaction,
  { instance_id: instanceId, members }: LockedClaim,
  creditMinor: number | 'all',
): Promise<Share[]> {
  const inOrder = members.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
  const shares: Share[] = []
  let left = creditMinor === 'all' ? Number.MAX_SAFE_INTEGER : creditMinor
  for (const { id: invoiceId, total_minor: total } of inOrder) {
    const most = total - (await readCreditedSum(tx, { instanceId, invoiceId }))
    const minor = Math.min(left, most)
    if (minor > 0) shares.push({ invoiceId, minor })
    left -= Math.max(0, minor)
  }
  if (creditMinor !== 'all' && left > 0)
    throw new DecisionRefused('More than is left of the documents of the claim cannot be credited.')
  return shares
}

const orderOf = ({ expire_date: dueDate, id }: InvoiceRow): string => `${dueDate} ${id}`

type Case = {
  readonly key: ClaimKey
  readonly disputeId: string
  readonly shares: readonly Share[]
  readonly feesMinor: number
  readonly on: CalendarDate
}

async function bookUpheld(
  context: DecisionContext,
  tx: Transaction,
  { key, disputeId, shares, feesMinor, on }: Case,
): Promise<void> {
  const { instanceId, claimId } = key
  /** The claim as it is by now, seen from one of its invoices. */
  const creditedOn = async (invoiceId?: string) => {
    const claim = await lockClaim(tx, key)
    const invoice = claim.members.find(({ id }) => id === invoiceId) ?? claim.members[0]
    if (!invoice) throw new Error(`claim ${claimId} has no invoices`)
    return { claim, invoice }
  }
  const takenMinor = shares.reduce((sum, { minor }) => sum + minor, feesMinor)
  await notPaid(context, tx, await creditedOn(), { takenMinor, cause: `dispute:${disputeId}`, on })
  for (const { invoiceId, minor } of shares) {
    const cause = `dispute:${disputeId}:${invoiceId}`
    const bookings = await creditBookings(context, tx, await creditedOn(invoiceId), {
      creditMinor: minor,
      cause,
      on,
    })
    await postBookings(tx, instanceId, bookings, context.clock)
  }
  const { parties, owed } = creditedDebt(await creditedOn())
  const { currency } = owed.principal
  const givenUp = money(await readGivenUp(tx, instanceId, { claimId }), currency)
  const back = bookFeesBack(parties, money(feesMinor, currency), owed, givenUp)
  const of = { bookedOn: on, cause: `dispute-fees:${disputeId}`, invoiceId: null, claimId }
  await postBookings(tx, instanceId, bookingsBack(context.clock, of, back), context.clock)
  // What was asked for was wrong: nobody was late with it.
  const { claim } = await creditedOn()
  const debts = [...claim.members.map(({ id }) => ({ invoiceId: id })), { claimId }]
  for (const debt of debts) await dropLateDays(tx, { instanceId, debt })
  for (const { invoiceId } of shares) {
    const cause = `dispute:${disputeId}:${invoiceId}`
    await giveUpWithoutGround(context, tx, await creditedOn(invoiceId), { cause, on })
  }
  const except = claim.members.map(({ id }) => id)
  await forgiveLateInterest(context, tx, { instanceId, debts, on, except })
}

/** Nothing is left, and the case is over; or the rest has a new last day, and what comes next comes after it; answers that. */
async function goOn(
  context: DecisionContext,
  tx: Transaction,
  before: LockedClaim,
  on: CalendarDate,
): Promise<{ minor: number; dueDate: CalendarDate } | undefined> {
  const key = { instanceId: before.instance_id, claimId: before.id }
  const { balance_minor: left, is_part_payment: isPlanned } = await lockClaim(tx, key)
  // What a plan has billed or will bill is left to the plan.
  if (left === 0 && !isPlanned) {
    await moveClaim(tx, before, { move: 'upholdDispute', to: 'CLOSED' })
    return undefined
  }
  await moveClaim(tx, before, { move: 'upholdInPart', to: 'RESUME' })
  if (isPlanned) return undefined
  const dueDate = lastDayOfRest(before, on)
  await setClaimDueDateRow(tx, key, dueDate)
  await reschedule(context, tx, key, addDays(dueDate, 1))
  return { minor: left, dueDate }
}
