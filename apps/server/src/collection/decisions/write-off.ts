/** M-28: what a creditor gives up. The debtor owes it no more, and is told. */
import { bookWrittenOff } from '@kvitt/domain/ledger/let-off.ts'
import { money, type Money } from '@kvitt/domain/money.ts'
import { stopLockedClaim } from '../../claims/claims.ts'
import { endOpenDispute, moveInvoice, setStopReason } from '../../invoices/invoices.ts'
import { dropLateDays, postBookings, type Booking } from '../../ledger/ledger.ts'
import { redrawLetters } from '../../mail/mail.ts'
import { completePlanOf, lockPlanOf } from '../../part-payments/part-payments.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/identity.ts'
import { dropLettersOf } from '../../unsent-letters/unsent-letters.ts'
import { DecisionRefused } from './decision-refused.ts'
import { countLetOff } from './let-off.queries.ts'
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

/**
 * Writes an amount off, or all that is left: then the case is over. Under the lock of the debt. Answers what less is owed; false
 * when it had been written off so before. Throws DecisionRefused.
 */
export async function writeOffOnLocked(
  context: Pick<DecisionContext, 'clock' | 'config'>,
  tx: Transaction,
  seen: LockedDebt,
  off: LetOff,
): Promise<Money | false> {
  const { instanceId } = keyOf(seen)
  const debt = debtOf(seen)
  const name = decisionName(seen, 'write off', off)
  const before = await countLetOff(tx, { instanceId, debt }, `written-off:${name}-`)
  const isRepeated = off.amount !== null && off.isKeyed !== true
  if (before > 0 && (isRepeated || rowOf(seen).balance_minor === 0)) return false
  refuseUnlessOwed(seen, off.number, 'written off')
  if (rowOf(seen).balance_minor === 0)
    throw new DecisionRefused(`Nothing is left of ${off.number}.`, 'nothing_left')
  const whole = (row: LockedDebt): Money => money(rowOf(row).balance_minor, rowOf(row).currency)
  const isAll = amountOf(off.amount, whole(seen), 'what is left').minor === whole(seen).minor
  const locked = isAll ? await withoutWaiting(context, tx, seen, off) : seen
  const written = isAll ? whole(locked) : amountOf(off.amount, whole(locked), 'what is left')
  // A letter that was never sent had been all that was owed.
  if (written.minor === 0) return written
  if (isAll && locked.invoice) await lockPlanOf(tx, locked.invoice)
  const cause = `written-off:${name}-${before + 1}`
  await book(context, tx, locked, { written, cause, on: off.on })
  if (isAll) await end(tx, locked, off)
  else {
    await redrawLetters(tx, instanceId, debtOf(locked))
    await stayOpen(tx, locked)
  }
  const restMinor = isAll ? 0 : whole(locked).minor - written.minor
  await tellLetOff(context, tx, locked, { kind: 'written_off', cause, on: off.on, off: written, restMinor })
  return written
}

/** The debt without letters that wait: they have not happened. */
async function withoutWaiting(
  context: Pick<DecisionContext, 'clock'>,
  tx: Transaction,
  locked: LockedDebt,
  { on }: LetOff,
): Promise<LockedDebt> {
  const { instanceId } = keyOf(locked)
  await dropLettersOf(context, tx, { instanceId, debt: debtOf(locked), on, reason: 'written off' })
  return lockAgain(tx, locked)
}

type Written = { readonly written: Money; readonly cause: string } & Pick<LetOff, 'on'>

async function book(
  { clock }: Pick<DecisionContext, 'clock'>,
  tx: Transaction,
  locked: LockedDebt,
  { written, cause, on }: Written,
): Promise<void> {
  const debt = debtOf(locked)
  const booking: Booking = {
    id: newId(clock.now()),
    kind: 'WRITE_OFF',
    bookedOn: on,
    cause,
    invoiceId: 'invoiceId' in debt ? debt.invoiceId : null,
    claimId: 'claimId' in debt ? debt.claimId : null,
    paymentId: null,
    lines: bookWrittenOff(partiesOf(locked), written, owedOn(locked)),
  }
  await postBookings(tx, keyOf(locked).instanceId, [booking], clock)
}

/** Nothing more is asked for: no late days are billed, no dispute waits, and a plan's last instalment ends its plan. */
async function end(tx: Transaction, locked: LockedDebt, { on, reason }: LetOff): Promise<void> {
  const key = keyOf(locked)
  await dropLateDays(tx, { instanceId: key.instanceId, debt: debtOf(locked) })
  await endOpenDispute(tx, key, { status: 'UPHELD', on, decision: null })
  if (locked.claim) return stopLockedClaim(tx, locked.claim, reason, 'writtenOff')
  const { invoice } = locked
  await setStopReason(tx, { instanceId: invoice.instance_id, invoiceId: invoice.id }, reason)
  await moveInvoice(tx, invoice, { move: 'writtenOff', to: 'STOPPED' })
  await completePlanOf(tx, invoice, on)
}
