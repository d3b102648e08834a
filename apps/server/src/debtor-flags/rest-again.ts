/** Whoever may not be dunned without a guardian has none any more (M-37): their debts rest again, and somebody is asked. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { noteDeed } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import type { Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { openTask } from '../tasks/tasks.ts'
import { endFlagRow, insertFlagRow, readSourceRow, type LockedFlag } from './debtor-flags.queries.ts'
import { aboutOf, dropWaiting } from './drop-waiting.ts'

type Again = {
  readonly instanceId: string
  readonly debtorId: string
  /** One that goes on, locked. */
  readonly flag: LockedFlag
  readonly by: string
  readonly on: CalendarDate
}

/** The flag ends and another takes its place, with nothing answered: when each rest began and was over stays known. */
export async function restAgain(
  context: Pick<Context, 'clock' | 'config'>,
  tx: Transaction,
  { instanceId, debtorId, flag, by, on }: Again,
): Promise<void> {
  const told = await readSourceRow(tx, { instanceId, id: flag.id })
  await endFlagRow(tx, { instanceId, id: flag.id }, { on, by, reason: 'guardian ended' })
  const id = newId(context.clock.now())
  const { kind, from } = flag
  await insertFlagRow(tx, { instanceId, id, debtorId, kind, from, ...told, by, on })
  await dropWaiting(context, tx, { instanceId, debtorId, on })
  await openTask(tx, { instanceId, kind: 'debtor_flagged', about: aboutOf(id), details: {} })
  const after = { flag: id, kind, from, isReported: told.reportedBy !== null, insteadOf: flag.id }
  await noteDeed(tx, { instanceId, kind: 'debtor_flag_set', by, about: `debtor:${debtorId}`, after })
}
