/** An operator's person has a gateway asked again about one payment, now and not with the next sweep. */
import { isOpenPayment, type PaymentStatus } from '@kvitt/domain/payments/payment.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Context } from '../../context.ts'
import type { OperatorMember } from '../../staff/staff.ts'
import { isTaskOpen } from '../../tasks/tasks.ts'
import { readPayment, type PaymentRow } from '../payments.queries.ts'
import { sweepAgain } from '../sweep.ts'

/** Refuses `not_found`: another provider's does not exist, nor does what no gateway knows of. */
export async function findUnderWay(
  { db }: Pick<Context, 'db'>,
  { instance }: OperatorMember,
  id: string,
): Promise<PaymentRow> {
  const row = await readPayment(db, instance.id, id)
  if (!row) throw new Refusal('not_found')
  return row
}

/** Asks, does what follows, and ends the task about it when it is late no more. Refuses `act_not_open` for what has ended. */
export async function askAgain(
  context: Context,
  { instance }: OperatorMember,
  row: PaymentRow,
): Promise<{ status: PaymentStatus; isAnswered: boolean; isLate: boolean }> {
  if (!isOpenPayment(row.status) && !row.is_outcome_unknown) throw new Refusal('act_not_open')
  const result = await sweepAgain(context, row, context.clock.today(instance.timeZone))
  const after = (await readPayment(context.db, instance.id, row.id)) ?? row
  const task = { instanceId: instance.id, kind: 'payment_late', about: `payment:${row.id}` } as const
  return {
    status: after.status,
    isAnswered: result !== 'unknown',
    isLate: await isTaskOpen(context.db, task),
  }
}
