/** The task that asks for rows to be mended: made once, and ended when nothing is wrong any more. */
import { endTask, openTask } from '../../tasks/tasks.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { LockedImport } from './office-imports.queries.ts'

const taskOf = ({ instance_id: instanceId, id }: LockedImport) =>
  ({ instanceId, kind: 'import_with_errors', about: `import:${id}` }) as const

export async function keepTaskOf(
  tx: Transaction,
  one: LockedImport,
  { wrong }: { readonly wrong: number },
): Promise<void> {
  if (wrong === 0) await endTask(tx, taskOf(one))
  else await openTask(tx, { ...taskOf(one), details: { creditorId: one.creditor_id } })
}
