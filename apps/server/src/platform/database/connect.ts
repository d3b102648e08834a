/** The connections of a start, and of what works before it. A database that is still starting, or moving, gets some time. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { isDatabaseAway } from './database-away.ts'
import { reachOf, type DatabaseAddress, type Limits, type Reach } from './database.ts'
import { endOrCut } from './deadline.ts'
import { clientAt } from './hosts.ts'
import { StartupError } from '../startup-error.ts'

/** Wrong password or login, no such database, no right to connect: waiting mends none of them. */
const WRONG_SETTING = /^(28|3D000|42501)/
const AGAIN_MS = 500

export type Patience = {
  /** How long a database that does not answer is waited for, in milliseconds. */
  readonly waitMs: number
  /** How long one that is connected may say nothing, where that is not what the work's own limits say. */
  readonly answerMs?: number
  /** Gets a line when there is something to wait for. */
  readonly log: (line: string) => void
}

/** Does not wait, and says nothing. */
export const IMPATIENT: Patience = { waitMs: 0, log: () => {} }

/**
 * Works on a connection of its own, which is ended however that ends. A statement that has no answer after the `answerMs`
 * of `limits` is given up, unless it says itself how long it may take (`query_timeout`). Throws StartupError when the
 * database cannot be reached, or says nothing any more.
 */
export async function onOwnConnection<Result>(
  address: DatabaseAddress,
  limits: Limits,
  patience: Patience,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const { config, hosts } = reachOf(address, limits)
  const patient = { ...config, query_timeout: patience.answerMs ?? limits.answerMs }
  const client = await connectPatiently({ config: patient, hosts }, patience)
  try {
    return await work(client)
  } catch (error) {
    throw isDatabaseAway(error) ? unreachable((error as Error).message) : error
  } finally {
    await endOrCut(client)
  }
}

const unreachable = (reason: string): StartupError =>
  new StartupError(
    `The database cannot be reached (${reason}). Check DATABASE_URL and that the server runs.`,
    1,
  )

/** What answers only reads. In the minute of a failover that passes by itself. */
class Replica extends StartupError {}

async function refuseReplica(client: pg.Client): Promise<void> {
  const { rows } = await client.query('select pg_is_in_recovery() as "onlyReads"')
  if (!rows[0]?.onlyReads) return
  throw new Replica(
    'The database in DATABASE_URL is a replica, which only reads. Name the host that takes writes, or all of them: postgres://…@a,b,c/name?target_session_attrs=read-write.',
    1,
  )
}

/**
 * A connected client. Throws StartupError when the database cannot be reached: with status 2 when a
 * setting is wrong, with 1 when it was waited for in vain.
 */
async function connectPatiently({ config, hosts }: Reach, { waitMs, log }: Patience): Promise<pg.Client> {
  const until = performance.now() + waitMs
  const Client = hosts ? clientAt(hosts) : pg.Client
  for (let attempt = 1; ; attempt++) {
    const client = new Client(config)
    client.on('error', () => {})
    try {
      await client.connect()
      await refuseReplica(client)
      return client
    } catch (error) {
      await endOrCut(client)
      const { code, message } = error as { code?: string; message: string }
      const reason = message || code || 'no reason given'
      if (code !== undefined && WRONG_SETTING.test(code)) {
        throw new StartupError(
          `The database refuses the login (${reason}). Check DATABASE_URL; for a new database run "npm run migrate" first.`,
        )
      }
      if (performance.now() >= until) throw error instanceof Replica ? error : unreachable(reason)
      if (attempt === 1)
        log(`The database cannot be reached yet (${reason}); waiting ${waitMs / 1000} s for it`)
      await sleep(AGAIN_MS)
    }
  }
}
