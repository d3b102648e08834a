/** Work that goes through many matters of many people: one that fails must not hold up the others. */
import type { Clock } from './clock.ts'
import { statement, type Connection } from './database.ts'
import { newId } from './identity.ts'
import type { Log } from './log.ts'

type Workplace = { readonly db: Connection; readonly clock: Clock; readonly log: Log }

/** Which matter it is: `about` names it for the operator, without personal data. */
export type Matter = { readonly instanceId: string; readonly about: string | (() => string) }

const askAboutStuck = statement(
  'platform.askAboutStuck',
  `insert into task (instance_id, id, kind, about, details) values ($1, $2, 'work_stuck', $3, $4)
   on conflict (instance_id, kind, about) do update set done_at = null`,
)

/** SQLSTATE classes and system errors. */
const DATABASE_AWAY = /^(08|53|57|58|E[A-Z])/
/** One statement was cancelled: it waited too long for a lock, or took too long. The database is there. */
const CANCELLED = '57014'
/** With conflicts and deadlocks: what stood in the way may be gone in a moment. */
const PASSING: readonly unknown[] = [CANCELLED, '55P03', '40001', '40P01']

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | null)?.code
}

/** Is the database out of reach, so that nothing else would succeed either? */
export function isDatabaseAway(error: unknown): boolean {
  const code = codeOf(error)
  return typeof code === 'string' && code !== CANCELLED && DATABASE_AWAY.test(code)
}

/** Does the work, and once more when somebody stood in its way. So it must have no effects outside the database. */
export async function onceMore<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!PASSING.includes(codeOf(error))) throw error
    return work()
  }
}

/**
 * Does one matter, as onceMore. When it fails the error is logged, an operator is asked to look, and undefined comes back;
 * the matter is tried again whenever it is met again. Throws only when the database is out of reach.
 */
export async function setAside<Result>(
  { db, clock, log }: Workplace,
  { instanceId, about }: Matter,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await onceMore(work)
  } catch (error) {
    if (isDatabaseAway(error)) throw error
    const name = typeof about === 'string' ? about : about()
    const { code, name: sort } = error as { code?: unknown; name?: unknown }
    log.error({ err: error, instanceId, about: name }, 'set aside')
    const details = JSON.stringify({ error: typeof code === 'string' ? code : String(sort) })
    await db.rows(askAboutStuck, [instanceId, newId(clock.now()), name, details])
    return undefined
  }
}
