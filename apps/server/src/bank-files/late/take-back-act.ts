/** What an operator's person does about a deduction in suspense that could not be booked when it came. */
import type { SuspenseCase } from '@kvitt/domain/bank-files/suspense.contract.ts'
import type { Loosen } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Replayed } from '../../platform/http/replayed.ts'
import { note, type PlacementWork } from '../place-suspense.ts'
import { once, openLine, type Act, type Seen } from '../office/work-suspense.ts'
import { countMoved } from '../moves/count-moved.ts'
import { readPaidOn } from '../office/payment-acts.queries.ts'
import { findGoingBack } from './late-orders.queries.ts'
import { previewIn } from './preview.ts'
import { findTaken, takeBackNow } from './take-back.ts'

async function takeBack(work: PlacementWork): Promise<void> {
  const { context, tx, line, today } = work
  const { instance_id: instanceId } = line
  if (line.status !== 'SUSPENSE') throw new Refusal('not_in_suspense')
  if (line.kind !== 'DEDUCTION' || line.is_doubtful) throw new Refusal('entry_not_open')
  const taken = await findTaken(tx, line)
  if (taken === undefined) throw new Refusal('entry_not_open')
  if ((await findGoingBack(tx, instanceId, taken.id)) !== undefined) throw new Refusal('refund_under_way')
  const was = await readPaidOn(tx, instanceId, taken.payment_id ?? taken.id)
  if (!(await takeBackNow({ context, tx, line, today }, taken))) throw new Refusal('entry_not_open')
  if (was.length > 0) {
    const { currency, amount_minor: amountMinor } = line
    const of = { type: 'bank-line', id: taken.id } as const
    await countMoved(tx, { instanceId, kind: 'REVERSAL', of, currency, amountMinor, on: today }, was)
  }
  await note(work, 'money_entered', { takesBack: taken.id })
}

/** What it had paid is undone now, and nothing goes back to the payer. */
export function takeMoneyBack(act: Act): Promise<Loosen<SuspenseCase> | Replayed<Loosen<SuspenseCase>>> {
  return once(act, {}, takeBack)
}

export function previewTakeBack({ context, principal, row }: Omit<Act, 'asked'>): Promise<Seen> {
  return previewIn(context, principal.instance.id, async (tx) =>
    takeBack(await openLine(tx, { context, principal, lineId: row.id })),
  )
}
