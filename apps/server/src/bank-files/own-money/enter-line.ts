/** A line in suspense is the bank's own money or the operator's: a person says so, and it is booked as that, once. */
import { canBeEntered } from '@kvitt/domain/bank-files/bank-entry.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import {
  BANK_FEES,
  BANK_INTEREST,
  bookAdvanceBack,
  bookEntered,
  freeOfAdvance,
  type Entered,
} from '@kvitt/domain/ledger/own-money.ts'
import { amountText, isCurrency, money } from '@kvitt/domain/money.ts'
import { coveredOf, postBookings } from '../../ledger/ledger.ts'
import { newId } from '../../platform/identity.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { endTask } from '../../tasks/tasks.ts'
import { endLineRow } from '../bank-files.queries.ts'
import { isOfSameMoney, readOwedBack } from '../late/paid-twice.queries.ts'
import { namesRow } from '../money-out.queries.ts'
import { note, type PlacementWork } from '../place-suspense.ts'
import { insertEntryRow, readDrawable, readShort, readStanding } from './own-money.queries.ts'

const payoutOf = (entered: Entered): string | null => (entered.kind === 'PAID_BACK' ? entered.payoutId : null)
const creditorOf = (entered: Entered): string | null =>
  entered.kind === 'ADVANCE' ? entered.creditorId : null

/**
 * Refuses `not_in_suspense`; `entry_not_open` for a line that cannot be it, such as one of an account that is not of client funds, or one that names a row of a file;
 * `nothing_to_advance` for a creditor whose own money is enough; `more_than_fees`; `more_than_paid_twice`; and
 * `more_than_booked` for charges that come back beyond what was charged, and interest that goes beyond what was given.
 */
export async function requireEnterable({ tx, line }: PlacementWork, entered: Entered): Promise<void> {
  const { instance_id: instanceId, amount_minor: minor, currency } = line
  if (line.status !== 'SUSPENSE') throw new Refusal('not_in_suspense')
  if (!canBeEntered(entered.kind, line.kind) || line.holder !== 'INSTANCE' || line.is_doubtful)
    throw new Refusal('entry_not_open')
  // It is told of a row of a file: the bank's correction of it comes, or a person asks the bank. What comes back of what was paid twice may name either row.
  const payoutId = payoutOf(entered)
  const named = line.named_payment_id
  const isOfNamed = payoutId !== null && (await isOfSameMoney(tx, instanceId, { named, payoutId }))
  if (!isOfNamed && (await namesRow(tx, instanceId, line.named_payment_id)))
    throw new Refusal('entry_not_open')
  if (entered.kind === 'PAID_BACK') {
    const [owed] = await readOwedBack(tx, instanceId, { currency, payoutId: entered.payoutId })
    if (minor > (owed?.minor ?? 0))
      throw new Refusal('more_than_paid_twice', { amount: amountText(owed?.minor ?? 0), currency }, [
        'payout',
      ])
  }
  if (entered.kind === 'ADVANCE') {
    const { creditorId } = entered
    await coveredOf(tx, instanceId, { creditorId, currency })
    const isShort = (await readShort(tx, instanceId, currency)).some(({ id }) => id === creditorId)
    if (!isShort) throw new Refusal('nothing_to_advance', {}, ['creditor'])
  }
  const most = await mostOf(tx, line, entered)
  if (most !== undefined && minor > most)
    throw new Refusal('more_than_booked', { amount: amountText(Math.max(0, most)), currency })
  if (entered.kind === 'FEES_DRAWN') {
    const drawable = await readDrawable(tx, instanceId, currency)
    if (minor > drawable)
      throw new Refusal('more_than_fees', { amount: amountText(Math.max(0, drawable)), currency })
  }
}

/** What a charge that comes back, or interest that goes, can be at most, in minor units. Undefined where it has no end. */
async function mostOf(
  tx: Transaction,
  { instance_id: instanceId, kind, currency }: PlacementWork['line'],
  entered: Entered,
): Promise<number | undefined> {
  if (entered.kind === 'FEE' && kind === 'PAYMENT')
    return readStanding(tx, instanceId, { gateway: BANK_FEES, currency })
  if (entered.kind === 'INTEREST' && kind === 'OUTGOING')
    return -(await readStanding(tx, instanceId, { gateway: BANK_INTEREST, currency }))
  return undefined
}

/** Books it. Ask requireEnterable first, in the same transaction. */
export async function enterLine(work: PlacementWork, entered: Entered): Promise<void> {
  const { context, tx, line, today, placement } = work
  const { instance_id: instanceId, id: lineId, amount_minor: amountMinor, currency } = line
  const amount = money(line.kind === 'PAYMENT' ? amountMinor : -amountMinor, currency)
  const booking = {
    id: newId(context.clock.now()),
    kind: 'PAYOUT',
    bookedOn: today,
    cause: `explained:bank-line:${lineId}`,
    invoiceId: null,
    paymentId: null,
    lines: bookEntered(entered, amount),
  }
  await postBookings(tx, instanceId, [booking], context.clock)
  await endTask(tx, { instanceId, kind: 'bank_line', about: `bank-line:${lineId}` })
  await endLineRow(tx, line, { status: 'SETTLED' }, 'SUSPENSE')
  const { kind } = entered
  const creditorId = creditorOf(entered)
  const payoutId = payoutOf(entered)
  const of = { lineId, kind, creditorId, payoutId, by: placement.by, on: today, amountMinor, currency }
  await insertEntryRow(tx, instanceId, of)
  if (payoutId !== null) await endOwedBack(work, payoutId)
  const ofWhom = {
    ...(creditorId === null ? {} : { creditor: creditorId }),
    ...(payoutId === null ? {} : { payoutId }),
  }
  await note(work, 'money_entered', { kind, ...ofWhom })
}

/** Nobody asks for it any more once all of what was paid twice has come back. */
async function endOwedBack({ tx, line }: PlacementWork, payoutId: string): Promise<void> {
  const { instance_id: instanceId, currency } = line
  if ((await readOwedBack(tx, instanceId, { currency, payoutId })).length > 0) return
  await endTask(tx, { instanceId, kind: 'paid_twice', about: `payout:${payoutId}` })
}

/**
 * What of an advance covers nothing any more becomes the operator's, to be drawn like its fees. Answers how much. Ask under lockBankFiles.
 * @param cause names the act or payout that it is returned with: once for each
 */
export async function returnAdvance(
  {
    tx,
    clock,
    instanceId,
    today,
  }: { tx: Transaction; clock: Clock; instanceId: string; today: PlacementWork['today'] },
  of: { readonly creditorId: string; readonly currency: string; readonly cause: string },
): Promise<number> {
  const { creditorId, currency, cause } = of
  if (!isCurrency(currency)) throw new Error(`${currency} is no currency of an advance`)
  const minor = freeOfAdvance(await coveredOf(tx, instanceId, { creditorId, currency }))
  if (minor === 0) return 0
  const booking = {
    id: newId(clock.now()),
    kind: 'PAYOUT',
    bookedOn: today,
    cause,
    invoiceId: null,
    paymentId: null,
    lines: bookAdvanceBack(creditorId, money(minor, currency)),
  }
  await postBookings(tx, instanceId, [booking], clock)
  return minor
}
