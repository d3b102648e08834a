/** M-27: fees or interest that a debtor is let off. The rest of the debt stays as it is. */
import { addDays } from '@kvitt/domain/calendar.ts'
import { bookWaiver, waivedParts, waiverCause, type Waivable } from '@kvitt/domain/ledger/let-off.ts'
import { money, type Money } from '@kvitt/domain/money.ts'
import { moveClaim } from '../../claims/claims.ts'
import { endOpenDispute, moveInvoice } from '../../invoices/invoices.ts'
import { dropLateDays, postBookings, readStory, type Booking, type StoryRow } from '../../ledger/ledger.ts'
import { redrawLetters } from '../../mail/mail.ts'
import { isRunningInstalment } from '../../part-payments/part-payments.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/identity.ts'
import { DecisionRefused } from './decision-refused.ts'
import { countLetOff, setInterestWaived } from './let-off.queries.ts'
import {
  amountOf,
  debtOf,
  decisionName,
  keyOf,
  lockAgain,
  owedOn,
  partiesOf,
  refuseUnlessOwed,
  rowOf,
  stayOpen,
  type LetOff,
  type LockedDebt,
} from './let-off.ts'
import type { DecisionContext } from './tell-decision.ts'
import { tellLetOff } from './tell-let-off.ts'

export type Waiver = LetOff & {
  readonly bucket: Waivable
  /** Up to when all interest of the debt has been waived. */
  readonly waivedTo: string | null
}

/**
 * Waives an amount, or all that is open of a bucket. All of the interest is also what the days up to and including today have
 * borne and no posting has counted. Under the lock of the debt. Answers what less is owed; false when it had been waived so before.
 * Throws DecisionRefused.
 */
export async function waiveOnLocked(
  context: Pick<DecisionContext, 'clock' | 'config'>,
  tx: Transaction,
  locked: LockedDebt,
  waiver: Waiver,
): Promise<Money | false> {
  const { instanceId } = keyOf(locked)
  const { bucket, amount } = waiver
  const name = decisionName(locked, `waive ${bucket}`, waiver)
  const before = await countLetOff(tx, { instanceId, debt: debtOf(locked) }, `waived:${name}-`)
  if (isDone(locked, waiver, before)) return false
  await refuseUnlessWaivable(tx, locked, waiver)
  const waived = amountOf(amount, owedOn(locked)[bucket], WORDS[bucket])
  const decision = `${name}-${before + 1}`
  await book(context, tx, locked, { ...waiver, waived, decision })
  if (bucket === 'interest' && amount === null) {
    await setInterestWaived(tx, { instanceId, debt: debtOf(locked) }, waiver.on)
    await dropLateDays(tx, { instanceId, debt: debtOf(locked) })
  }
  await redrawLetters(tx, instanceId, debtOf(locked))
  const { balance_minor: restMinor } = rowOf(await lockAgain(tx, locked))
  if (restMinor === 0) await close(tx, locked, waiver)
  else await stayOpen(tx, locked)
  const isAll = amount === null && bucket === 'interest'
  const kind = isAll ? 'all_interest_waived' : (`${bucket}_waived` as const)
  await tellLetOff(context, tx, locked, {
    kind,
    cause: `waived:${decision}:${waiver.on}`,
    on: waiver.on,
    off: waived,
    restMinor,
  })
  return waived
}

const WORDS: Readonly<Record<Waivable, string>> = {
  costs: 'fees that are open',
  interest: 'interest that is open',
}

/**
 * An amount that was waived for the same reason; or all, and nothing has come to stand since. Of interest each day adds something: on the
 * day after it is a command repeated after midnight, and later a decision of its own.
 */
function isDone(locked: LockedDebt, waiver: Waiver, before: number): boolean {
  const { amount, bucket, waivedTo, on, isKeyed = false } = waiver
  if (amount !== null) return before > 0 && !isKeyed
  if (owedOn(locked)[bucket].minor > 0) return false
  return bucket === 'costs' ? before > 0 : waivedTo !== null && waivedTo >= (isKeyed ? on : addDays(on, -1))
}

async function refuseUnlessWaivable(
  tx: Transaction,
  locked: LockedDebt,
  { number, bucket, amount, on }: Waiver,
): Promise<void> {
  const row = rowOf(locked)
  refuseUnlessOwed(locked, number, 'waived')
  if (row.status === 'STOPPED')
    throw new DecisionRefused(`${number} is stopped: nothing of it is asked for. Write it off.`)
  if (locked.invoice && (await isRunningInstalment(tx, locked.invoice)))
    throw new DecisionRefused(
      `${number} is an instalment: its fees and interest are the plan's. Stop it, or write it off.`,
      'owed_in_plan',
    )
  const bears = bucket === 'interest' && amount === null && row.principal_minor > 0 && row.expire_date < on
  if (owedOn(locked)[bucket].minor === 0 && !bears)
    throw new DecisionRefused(`${number} has no ${WORDS[bucket]}.`, 'nothing_left')
}

type Waived = Waiver & { readonly waived: Money; readonly decision: string }

/** Each part by an entry that names its charge. */
async function book(
  { clock }: Pick<DecisionContext, 'clock'>,
  tx: Transaction,
  locked: LockedDebt,
  { bucket, waived, decision, on }: Waived,
): Promise<void> {
  const { instanceId } = keyOf(locked)
  const charges = await readCharges(tx, locked, bucket)
  const ids = new Map(charges.map(({ cause, id }) => [cause, id]))
  const parts = waivedParts(
    waived.minor,
    charges.map(({ cause, ...charge }) => ({ cause, minor: standingOf(charge) })),
  )
  const debt = debtOf(locked)
  const bookings = parts.map(
    ({ cause, minor }): Booking => ({
      id: newId(clock.now()),
      kind: 'REVERSAL',
      bookedOn: on,
      cause: waiverCause(decision, cause),
      invoiceId: 'invoiceId' in debt ? debt.invoiceId : null,
      claimId: 'claimId' in debt ? debt.claimId : null,
      paymentId: null,
      restatesId: cause === undefined ? undefined : ids.get(cause),
      lines: bookWaiver(partiesOf(locked), bucket, money(minor, waived.currency)),
    }),
  )
  await postBookings(tx, instanceId, bookings, clock)
}

/**
 * What was charged in a bucket of the debt, or of a claim's invoices before they joined it: by steps, and for the days of a plan that
 * was withdrawn; the oldest first.
 */
async function readCharges(tx: Transaction, locked: LockedDebt, bucket: Waivable): Promise<StoryRow[]> {
  const { instanceId } = keyOf(locked)
  const members = (locked.claim?.members ?? []).map(({ id }) => ({ invoiceId: id }))
  const stories = []
  for (const debt of [...members, debtOf(locked)]) stories.push(...(await readStory(tx, instanceId, debt)))
  const inBucket = ({ costsMinor, interestMinor }: StoryRow): number =>
    bucket === 'costs' ? costsMinor : interestMinor
  return stories.filter((event) => (event.isCharge || isOfWithdrawal(event)) && inBucket(event) > 0)
}

const isOfWithdrawal = ({ cause }: StoryRow): boolean => cause.startsWith('withdrawal-interest:')

const standingOf = ({ costsMinor, interestMinor, takenBackMinor }: Omit<StoryRow, 'cause'>): number =>
  Math.max(0, costsMinor + interestMinor - takenBackMinor)

/** Nothing else was left, and whoever objected to it was right. */
async function close(tx: Transaction, locked: LockedDebt, { on }: Waiver): Promise<void> {
  await endOpenDispute(tx, keyOf(locked), { status: 'UPHELD', on, decision: null })
  const closed = { move: 'waivedInFull', to: 'CLOSED' } as const
  if (locked.claim) await moveClaim(tx, locked.claim, closed)
  else await moveInvoice(tx, locked.invoice, closed)
}
