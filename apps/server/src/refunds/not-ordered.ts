/** What goes back by transfer was said to be ordered at the bank by hand, and was not: it is to go back as before. */
import { bookReversal } from '@kvitt/domain/ledger/correction.ts'
import {
  lockDebtsOfAbouts,
  takeBackWaiting,
  takeLateDebits,
  takeOrderBack,
} from '../bank-files/bank-files.ts'
import type { Context } from '../context.ts'
import { noteDeed } from '../audit/audit.ts'
import { postBookings, readPostedLines, REFUND_BACK } from '../ledger/ledger.ts'
import type { Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { reopenTasks } from '../tasks/tasks.ts'
import { RefundRefused } from './order-refund.ts'
import { readDebtOfRecorded, readRefundTask } from './record-refund.queries.ts'

export type NotOrdered = {
  readonly instanceId: string
  /** Who says so, for the audit log. */
  readonly by: string
  /** As the task says what it is about; or `bank-line:{id}` of what was sent back from suspense. */
  readonly about: string
}

/**
 * What a debtor was owed is owed again; what was nobody's may go in a file. Where the payer's bank has taken the money back meanwhile, what
 * that had paid is undone with it, and nothing goes back. Throws RefundRefused where nothing is ordered by hand, or it has left; refuses `debit_in_suspense`. Ask under
 * lockBankFiles.
 */
export async function takeBackOrder(
  tx: Transaction,
  context: Pick<Context, 'db' | 'clock' | 'config' | 'log'>,
  { instanceId, by, about }: NotOrdered,
  today: ReturnType<Context['clock']['today']>,
): Promise<void> {
  const work = { tx, clock: context.clock, instanceId, today }
  const isNobodys = about.startsWith('bank-line:')
  const outAbout = isNobodys ? about : `refund:${about}`
  await lockDebtsOfAbouts(tx, instanceId, [outAbout])
  const out = await takeOrderBack(work, { about: outAbout, by })
  if (!out) throw new RefundRefused(`Nothing is ordered by hand for ${about}, or it has left.`)
  if (!isNobodys) await oweAgain(work, about, out)
  await noteDeed(tx, { instanceId, kind: 'refund_recorded', by, about: `not-ordered:${outAbout}` })
  await takeBackWaiting(context, work, about)
  await takeLateDebits(work, { about: outAbout })
}

async function oweAgain(
  { tx, clock, instanceId, today }: Parameters<typeof takeOrderBack>[0],
  about: string,
  { id, earlier }: { readonly id: string; readonly earlier: number },
): Promise<void> {
  const cause = earlier === 0 ? `refunded:${about}` : `refunded:${about}:again:${earlier}`
  const booking = {
    ...(await readDebtOfRecorded(tx, instanceId, cause)),
    id: newId(clock.now()),
    kind: 'REFUND',
    bookedOn: today,
    cause: `${REFUND_BACK}${id}`,
    paymentId: null,
    lines: bookReversal(await readPostedLines(tx, instanceId, [cause])),
  }
  await postBookings(tx, instanceId, [booking], clock)
  const details = await readRefundTask(tx, instanceId, about)
  await reopenTasks(tx, [{ instanceId, kind: 'refund', about, details }])
}
