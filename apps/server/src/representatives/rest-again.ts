/** Whoever may not be dunned without a guardian has none any more (M-37): their debts rest again, and somebody is asked. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { noteDeed } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import type { Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { openTask } from '../tasks/tasks.ts'
import { endFlagRow, insertFlagRow, readSourceRow, type LockedFlag } from './flag-rows.queries.ts'
import { aboutOf, dropWaiting } from './drop-waiting.ts'

type Again = {
  readonly instanceId: string
  readonly debtorId: string
  /** Those that go on, locked. */
  readonly flags: readonly LockedFlag[]
  readonly by: string
  readonly on: CalendarDate
}

/**
 * The flags end and others take their place, with nothing answered: when each rest began and was over stays known. Where one of the same
 * kind stands for them all, as the operator's does for a creditor's, it is the only one that is asked about.
 */
export async function restAgain(
  context: Pick<Context, 'clock' | 'config'>,
  tx: Transaction,
  { instanceId, debtorId, flags, by, on }: Again,
): Promise<void> {
  if (flags.length === 0) return
  for (const { id } of flags) await endFlagRow(tx, { instanceId, id }, { on, by, reason: 'guardian ended' })
  for (const flag of flags) {
    const told = await readSourceRow(tx, { instanceId, id: flag.id })
    const id = newId(context.clock.now())
    const { kind, from } = flag
    if (!(await insertFlagRow(tx, { instanceId, id, debtorId, kind, from, ...told, by, on }))) continue
    await openTask(tx, { instanceId, kind: 'debtor_flagged', about: aboutOf(id), details: {} })
    const after = { flag: id, kind, from, isReported: told.reportedBy !== null, insteadOf: flag.id }
    await noteDeed(tx, { instanceId, kind: 'debtor_flag_set', by, about: `debtor:${debtorId}`, after })
  }
  await dropWaiting(context, tx, { instanceId, debtorId, on })
}
