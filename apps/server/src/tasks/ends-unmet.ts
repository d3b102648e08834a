/** Causes that every daily run meets as long as they last: what a daily run has not met is gone, however that came about. */
import type { TaskKind } from '@kvitt/domain/tasks/task-kind.ts'
import type { Connection } from '../platform/database/database.ts'
import { endUnmetRows, readMoment } from './tasks.queries.ts'

/** Whoever opens one of these asks again on every daily run for as long as the cause lasts. */
const MET_BY_EACH_RUN = [
  'work_stuck',
  'ceiling_unknown',
  'bank_file_missing',
  'account_files_unset',
] as const satisfies readonly TaskKind[]

/** What the matter of a message, of a line of a bank file, and of a plan that nobody answered begins with. */
export const MAIL_MATTER = 'mail '
export const BANK_LINE_MATTER = 'place bank line '
export const LAPSE_MATTER = 'end proposed plan '
/** Begin the matters that no daily run meets: jobs of their own meet them, and end them. */
export const OUTSIDE_DAILY_RUNS = [MAIL_MATTER, BANK_LINE_MATTER, LAPSE_MATTER]

/**
 * Does a daily run, and ends the tasks of the instance whose cause it has not met. Nothing ends when it fails or does not come to
 * its end.
 */
export async function endsUnmet<Run extends { readonly isEnded: boolean }>(
  db: Connection,
  instanceId: string,
  run: () => Promise<Run>,
): Promise<Run> {
  const since = await readMoment(db)
  const result = await run()
  if (result.isEnded)
    await endUnmetRows(db, { instanceId, kinds: MET_BY_EACH_RUN, since, butFor: OUTSIDE_DAILY_RUNS })
  return result
}
