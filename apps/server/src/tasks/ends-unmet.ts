/** Causes that every night meets as long as they last: what a night has not met is gone, however that came about. */
import type { TaskKind } from '@kvitt/domain/tasks/task-kind.ts'
import type { Connection } from '../platform/database/database.ts'
import { endUnmetRows, readMoment } from './tasks.queries.ts'

/** Whoever opens one of these asks again every night for as long as the cause lasts. */
const MET_EACH_NIGHT = [
  'work_stuck',
  'ceiling_unknown',
  'bank_file_missing',
  'account_files_unset',
] as const satisfies readonly TaskKind[]

/** Begins the matters that no night meets: the job that sends messages meets them itself, and ends them. */
export const OUTSIDE_NIGHTS = 'mail '

/**
 * Runs a night, and ends the tasks of the instance whose cause it has not met. Nothing ends when it fails or does not come to
 * its end.
 */
export async function endsUnmet<Night extends { readonly isEnded: boolean }>(
  db: Connection,
  instanceId: string,
  night: () => Promise<Night>,
): Promise<Night> {
  const since = await readMoment(db)
  const result = await night()
  if (result.isEnded)
    await endUnmetRows(db, { instanceId, kinds: MET_EACH_NIGHT, since, butFor: OUTSIDE_NIGHTS })
  return result
}
