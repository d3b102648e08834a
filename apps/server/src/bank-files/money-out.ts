/**
 * Money that leaves a bank account: a person orders it (money sent back, a refund by transfer) and the statement tells that it has
 * left, in any order; or a person says so. Either way BANK_RETURN, where it stands meanwhile, ends at zero; what is paid out to a
 * creditor stands on BANK_PAYOUT.
 */
import { bookArrival, bookOutOfSuspense, bookSuspense } from '@kvitt/domain/ledger/arrival.ts'
import type { Line } from '@kvitt/domain/ledger/booking.ts'
import { BANK_FILE } from '@kvitt/domain/ledger/holder.ts'
import { money, type Currency } from '@kvitt/domain/money.ts'
import { postBookings } from '../ledger/ledger.ts'
import { newId } from '../platform/identity.ts'
import { confirmPayout, returnPayout } from '../payouts/payouts.ts'
import { endTask } from '../tasks/tasks.ts'
import { endLineRow, type LineRow } from './bank-files.queries.ts'
import { isOwedBack } from './late/paid-twice.queries.ts'
import type { RowsOfDebit } from './late/rows-of-debit.ts'
import { namesLateOrder } from './late/late-orders.queries.ts'
import { gatewayOf, isSentBack, takeUpOrder, type OutWork } from './late/take-up-order.ts'
import {
  attachRow,
  comeBackRow,
  findExpected,
  findMoneyOut,
  findNamedInSuspense,
  findOfOrder,
  findPaidOut,
  findUnexplained,
  insertMoneyOutRow,
  isDebitedAgain,
  leaveRow,
  markByHandRow,
  returnRow,
  settleRow,
  type MoneyOutRow,
} from './money-out.queries.ts'

export { BANK_RETURN } from './late/take-up-order.ts'

type Work = OutWork

export type WantedOut = {
  readonly about: string
  /** The account that it leaves; null when that is open. */
  readonly accountId: string | null
  readonly amountMinor: number
  readonly currency: Currency
  /** The row of a file to the bank that it leaves with. */
  readonly orderId?: string
  /** A person says that it is ordered at the bank: a debit of its sum is it. */
  readonly isByHand?: boolean
}

async function post(
  { tx, clock, instanceId, today }: Work,
  cause: string,
  lines: readonly Line[],
): Promise<void> {
  const booking = { id: newId(clock.now()), kind: 'REFUND', bookedOn: today, cause, lines }
  await postBookings(tx, instanceId, [{ ...booking, invoiceId: null, paymentId: null }], clock)
}

/** It stands on BANK_RETURN, and is to leave the bank. Ordered by hand, a line that told of it before is it. Ask under lockBankFiles. */
export async function expectMoneyOut(work: Work, wanted: WantedOut): Promise<void> {
  const { tx, clock, instanceId, today } = work
  const out = await insertMoneyOutRow(tx, instanceId, { ...wanted, id: newId(clock.now()), on: today })
  if (out?.by_hand) await takeTold(work, out)
}

/** Answers false when it has been ordered so before, is in a file or has left. Ask under lockBankFiles. */
export async function orderByHand(work: Work, about: string): Promise<boolean> {
  const { tx, instanceId } = work
  const found = await findMoneyOut(tx, instanceId, about)
  const out = found && (await markByHandRow(tx, instanceId, found.id))
  if (out) await takeTold(work, out)
  return out !== undefined
}

/** The statement has told of what a person ordered by hand. Answers false where it has not. */
async function takeTold(work: Work, out: MoneyOutRow): Promise<boolean> {
  const { tx, instanceId } = work
  const line = await findUnexplained(tx, instanceId, out)
  if (!line) return false
  await explain(work, out, line)
  return true
}

/** It is in a file to the bank: what the statement told of before cannot be it. Ask under lockBankFiles. */
export async function expectOrdered(
  work: Work,
  wanted: WantedOut & { readonly orderId: string },
): Promise<void> {
  const { tx, clock, instanceId, today } = work
  if (!(await insertMoneyOutRow(tx, instanceId, { ...wanted, id: newId(clock.now()), on: today })))
    throw new Error(`${wanted.about} is on its way already`)
}

/** Money that is sent back, and stands there already, leaves with a row of a file. Answers false when it does, or has left. Ask under lockBankFiles. */
export function orderMoneyOut(
  { tx, instanceId }: Pick<Work, 'tx' | 'instanceId'>,
  of: { readonly about: string; readonly orderId: string },
): Promise<boolean> {
  return attachRow(tx, instanceId, of)
}

/**
 * The bank has refused a row of a file: no line will tell of it. What is sent back from suspense is to leave all the same. Answers false
 * when it has left. Ask under lockBankFiles.
 */
export function takeBackMoneyOut({ tx, instanceId, today }: Work, about: string): Promise<boolean> {
  return isSentBack(about)
    ? attachRow(tx, instanceId, { about, orderId: null })
    : returnRow(tx, instanceId, { about, on: today })
}

/**
 * The payer's bank has taken back what was to be sent back: nobody sends it. Answers false where it is ordered already, or has left. Ask
 * under lockBankFiles.
 */
export async function cancelSendBack(
  { tx, instanceId, today }: Pick<Work, 'tx' | 'instanceId' | 'today'>,
  lineId: string,
): Promise<boolean> {
  const about = `bank-line:${lineId}`
  const out = await findMoneyOut(tx, instanceId, about)
  if (!out || out.order_id !== null || out.by_hand) return false
  if (!(await returnRow(tx, instanceId, { about, on: today }))) return false
  await endTask(tx, { instanceId, kind: 'send_back', about })
  return true
}

/** A line of the statement tells that money has left. Answers false when nobody expected it. Ask under lockBankFiles. */
export async function settleOutgoing(work: Work, line: LineRow): Promise<boolean> {
  const out = (await findExpected(work.tx, line)) ?? (await findLate(work, line))
  if (!out) return false
  const amount = money(line.amount_minor, line.currency)
  // A person had said so: from now on the line does.
  if (out.left_on !== null)
    await post(work, `told:money-out:${out.id}`, bookArrival(BANK_FILE, gatewayOf(out.about), amount))
  await post(work, `bank-line:${line.id}`, bookArrival(gatewayOf(out.about), BANK_FILE, amount))
  await settle(work, out, line, 'WAITING')
  return true
}

/** A row of a file that was said to be not executed has left all the same: it is on its way again, and this line is it. */
async function findLate(work: Work, line: LineRow): Promise<MoneyOutRow | undefined> {
  if (!(await namesLateOrder(work.tx, line))) return undefined
  const isTaken = await takeUpOrder(work, line.named_payment_id ?? '')
  return isTaken ? findExpected(work.tx, line) : undefined
}

/** A debit in suspense names a row that was said to be not executed, and what it paid is owed again: that has left with it. Ask under lockBankFiles. */
export async function settleLate(work: Work, line: LineRow): Promise<boolean> {
  const out = await findLate(work, line)
  if (!out) return false
  await explain(work, out, line)
  return true
}

/** The debit in suspense is what was to leave. */
async function explain(work: Work, out: MoneyOutRow, line: LineRow): Promise<void> {
  const amount = money(-line.amount_minor, line.currency)
  await post(work, `explained:bank-line:${line.id}`, bookOutOfSuspense(gatewayOf(out.about), amount))
  await endTask(work.tx, { instanceId: work.instanceId, kind: 'bank_line', about: `bank-line:${line.id}` })
  await settle(work, out, line, 'SUSPENSE')
}

async function settle(
  work: Work,
  out: MoneyOutRow,
  line: LineRow,
  from: 'WAITING' | 'SUSPENSE',
): Promise<void> {
  await endLineRow(work.tx, line, { status: 'SETTLED' }, from)
  await settleOut(work, out, line)
}

async function settleOut(work: Work, out: MoneyOutRow, line: LineRow): Promise<void> {
  const { tx, instanceId } = work
  await settleRow(tx, instanceId, { id: out.id, lineId: line.id })
  await endTask(tx, { instanceId, kind: 'send_back', about: out.about })
  // Last: what told that it came back may be here already, and asks for it again.
  await confirm(work, out)
}

/**
 * A person says what a debit in suspense is of: rows of a file, which the bank has debited as one, or one of them. They have left with it;
 * what was said to be not executed, and is owed still, is on its way again before. Ask under lockBankFiles.
 * @param rest how what is left of the debit is booked
 */
export async function settleRows(
  work: Work,
  line: LineRow,
  { outs: told, late }: Pick<RowsOfDebit, 'outs' | 'late'>,
  rest: readonly Line[] = [],
): Promise<void> {
  const outs = [...told]
  for (const { id } of late) {
    if (!(await takeUpOrder(work, id))) throw new Error(`payout ${id} has gone another way under its lock`)
    outs.push(await findOfOrder(work.tx, work.instanceId, id))
  }
  const gateway = gatewayOf(outs[0]?.about ?? '')
  for (const out of outs)
    if (out.left_on !== null)
      await post(
        work,
        `told:money-out:${out.id}`,
        bookArrival(BANK_FILE, gateway, money(out.amount_minor, line.currency)),
      )
  const minor = outs.reduce((sum, out) => sum + out.amount_minor, 0)
  const left = minor === 0 ? [] : bookOutOfSuspense(gateway, money(-minor, line.currency))
  await post(work, `explained:bank-line:${line.id}`, [...left, ...rest])
  await endTask(work.tx, { instanceId: work.instanceId, kind: 'bank_line', about: `bank-line:${line.id}` })
  await endLineRow(work.tx, line, { status: 'SETTLED' }, 'SUSPENSE')
  for (const out of outs) await settleOut(work, out, line)
}

/**
 * A line tells of money that has come back from the bank that a row of a file went to. Answers false when it names none that has left
 * with as much: a part of one is placed by a person. Ask under lockBankFiles.
 */
export async function takePayoutBack(work: Work, line: LineRow): Promise<boolean> {
  if (line.named_payment_id === null || line.holder !== 'INSTANCE') return false
  return (await undoDebit(work, line, line.named_payment_id)) || cameBack(work, line, 'WAITING')
}

/** Of two debits of one payout the bank takes one back: that one was nobody's, and the payout has left all the same. */
async function undoDebit(work: Work, line: LineRow, payoutId: string): Promise<boolean> {
  const { tx, instanceId } = work
  const { amount_minor: amountMinor, currency } = line
  const wanted = { kind: 'OUTGOING', payoutId, amountMinor, currency } as const
  const debit = await findNamedInSuspense(tx, instanceId, wanted)
  if (!debit) return false
  await post(work, `bank-line:${line.id}`, bookSuspense(BANK_FILE, money(amountMinor, currency)))
  for (const [one, from] of [
    [line, 'WAITING'],
    [debit, 'SUSPENSE'],
  ] as const)
    await endLineRow(tx, one, { status: 'SETTLED' }, from)
  await endTask(tx, { instanceId, kind: 'bank_line', about: `bank-line:${debit.id}` })
  return true
}

async function cameBack(work: Work, line: LineRow, from: 'WAITING' | 'SUSPENSE'): Promise<boolean> {
  const { tx, instanceId } = work
  const out = await findPaidOut(tx, line)
  // Of more debits than one it may be the correction, and the money is not back.
  if (!out?.order_id || (await isDebitedAgain(tx, line, out))) return false
  // It was paid twice, and this is the one of the two that comes back: nobody is owed it again, and a person enters it as that.
  const { order_id: orderId, amount_minor: minor } = out
  if (await isOwedBack(tx, instanceId, { orderId, minor })) return false
  if (!(await returnPayout(work, orderId))) return false
  const gateway = gatewayOf(out.about)
  const amount = money(line.amount_minor, line.currency)
  if (from === 'WAITING') {
    await post(work, `bank-line:${line.id}`, bookArrival(BANK_FILE, gateway, amount))
  } else {
    await post(work, `explained:bank-line:${line.id}`, bookOutOfSuspense(gateway, amount))
    await endTask(tx, { instanceId, kind: 'bank_line', about: `bank-line:${line.id}` })
  }
  await endLineRow(tx, line, { status: 'SETTLED' }, from)
  await comeBackRow(tx, instanceId, { id: out.id, lineId: line.id })
  if (isSentBack(out.about)) await expectAgain(work, out)
  return true
}

/** It is nobody's as before, and is to leave once more. */
async function expectAgain({ tx, clock, instanceId, today }: Work, out: MoneyOutRow): Promise<void> {
  const { about, account_id: accountId, amount_minor: amountMinor, currency } = out
  const again = { id: newId(clock.now()), about, accountId, amountMinor, currency, on: today }
  await insertMoneyOutRow(tx, instanceId, again)
}

/** A row of a file has left. What told that it came back may have been told before. */
async function confirm(
  work: Work,
  { order_id: payoutId, amount_minor: amountMinor, currency, left_on: leftOn }: MoneyOutRow,
): Promise<void> {
  // A person had said so, and it was confirmed with that.
  if (payoutId === null || leftOn !== null) return
  await confirmPayout(work.tx, work.instanceId, payoutId)
  const wanted = { kind: 'PAYMENT', payoutId, amountMinor, currency } as const
  const early = await findNamedInSuspense(work.tx, work.instanceId, wanted)
  if (early) await cameBack(work, early, 'SUSPENSE')
}

/**
 * A person says that it has left the bank, where no statement tells. Answers whether that is news; said again, or
 * after the statement, it changes nothing. Ask under lockBankFiles.
 */
export async function sayItLeft(work: Work, about: string): Promise<boolean> {
  const { tx, instanceId, today } = work
  const out = await findMoneyOut(tx, instanceId, about)
  if (!out) return false
  if (out.order_id === null && out.line_id === null && out.left_on === null && (await takeTold(work, out)))
    return true
  if (!(await leaveRow(tx, instanceId, { id: out.id, on: today }))) return false
  const amount = money(out.amount_minor, out.currency)
  await post(work, `left:money-out:${out.id}`, bookArrival(gatewayOf(about), BANK_FILE, amount))
  await endTask(tx, { instanceId, kind: 'send_back', about })
  await confirm(work, out)
  return true
}
