/** Money that goes back to whoever paid. */
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Context } from '../context.ts'
import { openTasks } from '../tasks/tasks.ts'
import { followRefund, type RefundContext } from './follow-refund.ts'
import {
  claimRefundsForSweep,
  endRefundTasks,
  readOverdueRefunds,
  readRefundBySecret,
  type RefundRow,
} from './refunds.queries.ts'

export { followRefund, isDoubted } from './follow-refund.ts'
export { readJournal, type Hearing, type Summary } from './read-journal.ts'
export { recordRefund, type RecordWish } from './record-refund.ts'
export { REFUND_FILE_WORK } from './files/refund-files.ts'
export { NOT_ORDERED_WORK } from './office/not-ordered.ts'
export { REFUND_WORK } from './office/work-refund.ts'
export { readOwedRows } from './record-refund.queries.ts'
export { orderRefund, RefundRefused, type RefundWish } from './order-refund.ts'
export type { RefundRow } from './refunds.queries.ts'

/** The net under it all: refunds that have not ended are asked about; `all` asks about every one at once. */
export async function sweepRefunds(context: RefundContext, { all }: { all: boolean }): Promise<void> {
  for (const refund of await claimRefundsForSweep(context.db, all)) {
    try {
      await followRefund(context, refund)
    } catch (error) {
      context.log.error({ err: error, refundId: refund.id }, 'refund not swept')
    }
  }
  await endRefundTasks(context.db)
  const asked = await openTasks(
    context.db,
    (await readOverdueRefunds(context.db)).map(
      ({ instance_id: instanceId, id, payment_id: payment, ...refund }) => ({
        instanceId,
        kind: 'refund_late' as const,
        about: `refund:${id}`,
        details: { payment, status: refund.status, createdAt: refund.created_at },
      }),
    ),
  )
  if (asked.length > 0)
    context.log.error({ late: asked.length }, 'refunds that should have ended need a person')
}

/**
 * A gateway's call about a refund: answers which one its address means. The call itself is a hint and is not read.
 * Unknown secrets get 404.
 */
export async function receiveRefundCallback({ db }: Pick<Context, 'db'>, secret: string): Promise<RefundRow> {
  const isPossible = /^[A-Za-z0-9_-]{20,40}$/.test(secret)
  const refund = isPossible ? await readRefundBySecret(db, secret) : undefined
  if (!refund) throw new Refusal('not_found')
  return refund
}
