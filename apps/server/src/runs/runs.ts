/** What a job did for an instance on a day: kept while it is done, so that people see what ran, and have it run again. */
import type { RunWork } from '@kvitt/domain/runs/run.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { noteDeed } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import { JsonText } from '../platform/http/json.ts'
import { newId } from '../platform/identity.ts'
import { actorOf, type OperatorMember } from '../staff/staff.ts'
import { OUTSIDE_DAILY_RUNS } from '../tasks/tasks.ts'
import { readRunJson } from './run-list.queries.ts'
import {
  askForRunRow,
  beginRunRow,
  cutOffRows,
  endRunRow,
  readAskedRuns,
  type WorkOfDay,
} from './runs.queries.ts'

export type { WorkOfDay } from './runs.queries.ts'

type Said = {
  /** Of each sort. */
  readonly done: Readonly<Record<string, number>>
  /** False: it is tried again. */
  readonly isEnded: boolean
}

/**
 * Does a piece of work and keeps what it did: that it began, how long it took, how it ended. Whoever calls holds the lease of the
 * work, so that what still runs by its row was cut off.
 */
export async function recordRun<Result>(
  { db, clock, log }: Pick<Context, 'db' | 'clock' | 'log'>,
  work: WorkOfDay,
  run: () => Promise<Result>,
  said: (result: Result) => Said,
): Promise<Result> {
  const at = (): string => new Date(clock.now()).toISOString()
  const { instanceId } = work
  const id = await db.transaction(async (tx) => {
    await cutOffRows(tx, work, at())
    return beginRunRow(tx, work, { id: newId(clock.now()), at: at() })
  })
  const end = (status: 'DONE' | 'WAITS' | 'FAILED', error: string | null, done: Said['done']) =>
    endRunRow(db, { instanceId, id }, { status, at: at(), error, done, butFor: OUTSIDE_DAILY_RUNS })
  let result: Result
  try {
    result = await run()
  } catch (error) {
    // Where the work is another's by now, or the database away, the next try says that this one was cut off.
    await end('FAILED', codeOf(error), {}).catch((err: unknown) =>
      log.warn({ err, instanceId }, 'run not kept'),
    )
    throw error
  }
  const { done, isEnded } = said(result)
  await end(isEnded ? 'DONE' : 'WAITS', null, done)
  return result
}

/** What may be shown of an error: its code or its sort, never its message. */
function codeOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  return [code, name].find((one) => typeof one === 'string') ?? 'Error'
}

/** Somebody wants it once more, as of today. Who asks for what is asked for already is told of that. */
export async function askForRun(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  principal: OperatorMember,
  work: RunWork,
): Promise<JsonText> {
  const { instance } = principal
  const by = actorOf(principal)
  const now = clock.now()
  return db.transaction(async (tx) => {
    const ofDay = { instanceId: instance.id, work, day: clock.today(instance.timeZone) }
    const row = { id: newId(now), by, at: new Date(now).toISOString() }
    const asked = (await askForRunRow(tx, ofDay, row)) ?? (await askForRunRow(tx, ofDay, row))
    if (!asked) throw new Error(`a run of ${work} is neither asked for nor can be`)
    if (asked.isNew)
      await noteDeed(tx, {
        instanceId: instance.id,
        kind: 'run_asked_for',
        by,
        about: `job:${asked.id}`,
        after: { work },
      })
    return findRun({ db: tx }, principal, asked.id)
  })
}

/** Refuses `not_found`: another provider's runs do not exist. */
export async function findRun(
  { db }: { readonly db: Parameters<typeof readRunJson>[0] },
  principal: OperatorMember,
  id: string,
): Promise<JsonText> {
  const json = await readRunJson(db, principal, { id })
  if (json === undefined) throw new Refusal('not_found')
  return new JsonText(json)
}

/** How each piece of work is done for one instance, as of today. */
export type WorksOfRuns<Instance> = Readonly<Record<RunWork, (instance: Instance) => Promise<void>>>

/** Does what people have asked for. What another process is in just now is left to the next time. */
export async function doAskedRuns<Instance extends { readonly id: string }>(
  { db, log }: Pick<Context, 'db' | 'log'>,
  instances: readonly Instance[],
  works: WorksOfRuns<Instance>,
): Promise<void> {
  for (const { instanceId, work } of await readAskedRuns(db)) {
    const instance = instances.find(({ id }) => id === instanceId)
    if (!instance) continue
    try {
      await works[work](instance)
    } catch (error) {
      log.error({ err: error, instanceId, work }, 'asked run not finished')
    }
  }
}
