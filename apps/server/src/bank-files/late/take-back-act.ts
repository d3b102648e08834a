/** What an operator's person does about a deduction in suspense that could not be booked when it came. */
import type { SuspenseCase } from '@kvitt/domain/bank-files/suspense.contract.ts'
import type { Loosen } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Replayed } from '../../platform/http/replayed.ts'
import { note, type PlacementWork } from '../place-suspense.ts'
import { once, openLine, type Act, type Seen } from '../office/work-suspense.ts'
import { findGoingBack, readTakesBack } from './late-orders.queries.ts'
import { previewIn } from './preview.ts'
import { takeBackNow } from './take-back.ts'

async function takeBack(work: PlacementWork): Promise<void> {
  const { context, tx, line, today } = work
  const { instance_id: instanceId, id } = line
  if (line.status !== 'SUSPENSE') throw new Refusal('not_in_suspense')
  if (line.kind !== 'DEDUCTION' || line.is_doubtful) throw new Refusal('entry_not_open')
  const taken = await readTakesBack(tx, instanceId, id)
  if (taken !== undefined && (await findGoingBack(tx, instanceId, taken)) !== undefined)
    throw new Refusal('refund_under_way')
  if (!(await takeBackNow({ context, tx, line, today }))) throw new Refusal('entry_not_open')
  await note(work, 'money_entered', { takesBack: taken ?? null })
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
