/** Money of a bank's line that was booked on the wrong debt is taken back, and placed anew or left to be placed. */
import { bookSuspense } from '@kvitt/domain/ledger/arrival.ts'
import { clearingOf } from '@kvitt/domain/ledger/holder.ts'
import { money } from '@kvitt/domain/money.ts'
import { MOST_SHARES } from '@kvitt/domain/payments/shares.ts'
import { noteDeed } from '../../audit/audit.ts'
import { DecisionRefused, readSharesOf } from '../../collection/collection.ts'
import { postBookings } from '../../ledger/ledger.ts'
import { newId } from '../../platform/identity.ts'
import { reopenTasks } from '../../tasks/tasks.ts'
import { lockBankFiles } from '../bank-files.queries.ts'
import { readPaidOn } from '../office/payment-acts.queries.ts'
import { countMoved } from './count-moved.ts'
import { insertMovedRow, liftLineRow, readTarget, type MovedRow } from './move-payment.queries.ts'
import type { PlaceContext } from '../tell-holder.ts'
import {
  isOnDebt,
  payNamed,
  perform,
  type Named,
  type PlacementWork,
  type Settled,
} from '../place-suspense.ts'
import { PlacementRefused } from '../placement-refused.ts'
import { findPlaceOfLine, readLine } from '../suspense.queries.ts'
import { takeBackAndTell } from './tell-undone.ts'

export type Move = {
  readonly instanceId: string
  readonly lineId: string
  /** Undefined: it waits in suspense for a person. */
  readonly to: Named | undefined
  readonly by: string
  readonly reason: string
  /** The caller counts it for the limit of the day. */
  readonly isCounted?: boolean
}

/**
 * Moves it, in one transaction: what it had paid is owed again, and it pays the other debt. The same move again changes nothing.
 * Throws PlacementRefused, or DecisionRefused where what it paid cannot be taken back.
 */
export async function movePayment(context: PlaceContext, move: Move): Promise<Settled> {
  const place = await findPlaceOfLine(context.db, move.lineId)
  if (place?.instance_id !== move.instanceId)
    throw new PlacementRefused(
      'no_such_line',
      `No line of a bank's file of the provider has the name ${move.lineId}.`,
    )
  const today = context.clock.today(place.time_zone)
  return context.db.transaction(async (tx) => {
    await lockBankFiles(tx, place.instance_id)
    const line = await readLine(tx, place.instance_id, move.lineId)
    const placement = { ...move, to: move.to ?? ('back' as const) }
    const work = { context, tx, line, today, placement }
    if (line.status === 'SUSPENSE' && !move.to) return { line, on: null }
    if (line.status === 'BOOKED' && !(move.to && (await isOnDebt(work, move.to)))) return lift(work, move)
    return move.to ? perform(work, move.to) : requireBooked(work)
  })
}

function requireBooked({ line }: PlacementWork): never {
  throw new PlacementRefused('not_booked', `The money is not booked on a debt: it is ${line.status}.`)
}

/** Out of the debt that it is on: into suspense, and from there where it belongs. */
async function lift(work: PlacementWork, { to, by, reason, isCounted }: Move): Promise<Settled> {
  const { context, tx, line, today } = work
  const { instance_id: instanceId, id, payment_id: paymentId } = line
  // A gateway told of it as well: it is settled money, which is somewhere.
  if (paymentId !== null && !to)
    throw new PlacementRefused(
      'not_booked',
      `The money is that of the payment ${paymentId}, which its gateway told of: say where it belongs.`,
    )
  const number = (await readSharesOf(tx, instanceId, id)).length
  if (number >= MOST_SHARES)
    throw new PlacementRefused('not_booked', 'It has been moved too often: send it back, or ask for help.')
  const was = await readPaidOn(tx, instanceId, id)
  const undone = { instanceId, paymentId: id, currency: line.currency, why: 'payment_moved' } as const
  if (!(await takeBackAndTell(context, tx, undone, today)))
    throw new DecisionRefused('The payment has been taken back before.')
  const booking = {
    id: newId(context.clock.now()),
    kind: 'REVERSAL',
    bookedOn: today,
    cause: `moved:bank-line:${id}:${number}`,
    invoiceId: null,
    paymentId: null,
    lines: bookSuspense(clearingOf(line.holder), money(line.amount_minor, line.currency)),
  }
  await postBookings(tx, instanceId, [booking], context.clock)
  await liftLineRow(tx, instanceId, id)
  await reopenTasks(tx, [
    { instanceId, kind: 'bank_line', about: `bank-line:${id}`, details: detailsOf(work) },
  ])
  const lifted = await readLine(tx, instanceId, id)
  const settled = to ? await payNamed({ ...work, line: lifted }, to) : { line: lifted, on: null }
  const moved: MovedRow = {
    line_id: id,
    number,
    from_invoice_id: line.invoice_id,
    from_claim_id: line.claim_id,
    ...(await readTarget(tx, instanceId, id)),
    moved_by: by,
    reason,
  }
  await insertMovedRow(tx, instanceId, moved)
  if (!isCounted) {
    const { currency, amount_minor: amountMinor } = line
    const of = { type: 'bank-line', id } as const
    await countMoved(tx, { instanceId, kind: 'MOVE', of, currency, amountMinor, on: today }, was)
  }
  const from = { invoiceId: line.invoice_id, claimId: line.claim_id }
  const about = `bank-line:${id}:${number}`
  await noteDeed(tx, {
    instanceId,
    kind: 'payment_moved',
    by,
    about,
    reason,
    before: from,
    after: settled.on ?? {},
  })
  return settled
}

function detailsOf({ line }: PlacementWork) {
  const { amount_minor: amountMinor, currency, account_key: account, bank_date: day } = line
  return { reason: 'moved', amountMinor, currency, account, day, references: line.payment_references }
}
