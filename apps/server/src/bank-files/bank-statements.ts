/** Each statement of an account begins where the one before it ended; where it does not, a file is missing. */
import type { Balances } from '@kvitt/domain/bank-files/bank-file.ts'
import { newId } from '../platform/identity.ts'
import type { Clock } from '../platform/clock.ts'
import type { Transaction } from '../platform/database/database.ts'
import { endTasks, openTasks } from '../tasks/tasks.ts'
import { insertStatementRow, readStatements } from './bank-statements.queries.ts'

type Of = { readonly instanceId: string; readonly fileId: string; readonly accountId: string }

/** Keeps the balances, and asks for the files between two statements that do not meet; files that come end the task. */
export async function keepBalances(
  tx: Transaction,
  of: Of & { readonly clock: Clock },
  balances: Balances,
): Promise<void> {
  const { instanceId, accountId, clock } = of
  await insertStatementRow(tx, { ...of, id: newId(clock.now()) }, balances)
  const all = await readStatements(tx, instanceId, accountId)
  const aboutOf = (id: string): string => `bank-statement:${id}`
  const gaps = all.filter((row) => row.is_gap)
  await openTasks(
    tx,
    gaps.map((row) => ({
      instanceId,
      kind: 'bank_file_gap' as const,
      about: aboutOf(row.id),
      details: {
        accountId,
        currency: row.currency,
        after: row.before_on,
        before: row.opening_on,
        openingMinor: row.opening_minor,
      },
    })),
  )
  const whole = all.filter((row) => !row.is_gap).map(({ id }) => aboutOf(id))
  await endTasks(tx, { instanceId, kind: 'bank_file_gap', abouts: whole })
}
