/** The bank tells of a payout that two people had said was not executed: what the bank says counts, as far as nothing else has gone since. */
import { bookPayout } from '@kvitt/domain/ledger/payout.ts'
import { isCurrency, money } from '@kvitt/domain/money.ts'
import { postBookings, readPostedLines, REFUND_AGAIN } from '../ledger/ledger.ts'
import { newId } from '../platform/identity.ts'
import { endTask, openTask } from '../tasks/tasks.ts'
import type { BackWork } from './give-back.ts'
import { moveSettlement } from './move-payout.ts'
import {
  isAgreedAfter,
  isTakeable,
  lockPayoutRow,
  markToldAfterRow,
  readDebtOfCause,
  readSettlementStatus,
  readTaskOfPayout,
  type PayoutRow,
} from './payouts.queries.ts'

/**
 * It is on its way once more, as accepted by the bank: the clearing account stands with its sum, and the caller expects it on the
 * statement. Undefined when it is no such payout, or what it paid has gone another way or is not owed any more: a person looks then. Ask
 * under lockBankFiles, with its debt locked.
 */
export async function takeUpAgain(work: BackWork, id: string): Promise<PayoutRow | undefined> {
  const { tx, instanceId } = work
  const payout = await lockPayoutRow(tx, instanceId, id)
  if (payout?.status !== 'NOT_EXECUTED' || !(await isTakeable(tx, instanceId, id))) return undefined
  await markToldAfterRow(tx, instanceId, id)
  await (payout.settlementId === null ? owesNoMore(work, payout) : leavesAgain(work, payout))
  await openTask(tx, {
    instanceId,
    kind: 'payout_to_confirm',
    about: `payout-file:${payout.fileId}`,
    details: { amountMinor: payout.amountMinor, currency: payout.currency, count: 1 },
  })
  return { ...payout, status: 'ACCEPTED', round: payout.round + 1 }
}

/** Of the round that begins with it. */
const againName = ({ id, round }: PayoutRow): string => (round === 1 ? id : `${id}:${round + 1}`)

async function leavesAgain({ tx, clock, instanceId, today }: BackWork, payout: PayoutRow): Promise<void> {
  const { id, settlementId, creditorId, currency, amountMinor } = payout
  if (!isCurrency(currency) || creditorId === null || settlementId === null)
    throw new Error(`payout ${id} is nobody's`)
  const from = await readSettlementStatus(tx, instanceId, settlementId)
  await moveSettlement(tx, instanceId, { id: settlementId, from, to: 'SENT' })
  const booking = {
    id: newId(clock.now()),
    kind: 'PAYOUT',
    bookedOn: today,
    cause: `payout-again:${againName(payout)}`,
    lines: bookPayout(creditorId, money(amountMinor, currency)),
  }
  await postBookings(tx, instanceId, [{ ...booking, invoiceId: null, paymentId: null }], clock)
  await endTask(tx, { instanceId, kind: 'payout_refused', about: `settlement:${settlementId}` })
}

/** The entry that it left with is made once more, and nobody is asked to send it. */
async function owesNoMore({ tx, clock, instanceId, today }: BackWork, payout: PayoutRow): Promise<void> {
  const { id, cause } = payout
  // What was nobody's stands on its way back as before: its task ends when it has left.
  if (cause === null) return
  const booking = {
    ...(await readDebtOfCause(tx, instanceId, cause)),
    id: newId(clock.now()),
    kind: 'REFUND',
    bookedOn: today,
    cause: `${REFUND_AGAIN}${againName(payout)}`,
    paymentId: null,
    lines: await readPostedLines(tx, instanceId, [cause]),
  }
  await postBookings(tx, instanceId, [booking], clock)
  const { kind, about } = await readTaskOfPayout(tx, instanceId, id)
  await endTask(tx, { instanceId, kind, about })
}

/** Whether two people said that it was not executed after the bank wrote that. */
export const saidAfter = (...of: Parameters<typeof isAgreedAfter>): Promise<boolean> => isAgreedAfter(...of)
