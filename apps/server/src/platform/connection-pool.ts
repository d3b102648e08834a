/** Connections that are lent out one by one. One that is lost is never lent again. */
import { callbackify } from 'node:util'
import pg from 'pg'
import { DatabaseAway, isDatabaseAway } from './database-away.ts'
import { cut, watchAnswers } from './deadline.ts'
import { checkLogin, UnsafeLogin } from './login-guard.ts'

/** Asks on one connection. Throws DatabaseAway when it is lost, or has not answered in time. */
export type Ask = (query: pg.QueryConfig | string) => Promise<pg.QueryResult>

export type Pool = {
  /** Lends a connection for as long as `work` takes. */
  borrow<Result>(work: (ask: Ask) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

/** What the driver says of a lost connection has no class of its own. */
function asLost(error: unknown): unknown {
  const isKnown =
    error instanceof DatabaseAway || error instanceof UnsafeLogin || error instanceof pg.DatabaseError
  if (isKnown || !isDatabaseAway(error)) return error
  return new DatabaseAway((error as Error).message, { cause: error })
}

/** @param options.answerMs after this long without an answer a connection is taken for dead */
export function openPool(config: pg.ClientConfig, options: { max: number; answerMs: number }): Pool {
  const idle = new Set<pg.PoolClient>()
  const watch = watchAnswers(options.answerMs)
  const pool = new pg.Pool({
    ...config,
    // Several statements of one transaction may be under way.
    pipeline: true,
    max: options.max,
    idleTimeoutMillis: 60_000,
    verify: callbackify((client: pg.ClientBase) => watch.over(client, checkLogin(client))),
  })
  // A connection that breaks while idle is replaced by the pool, and one that breaks inside a transaction fails its
  // next statement; without listeners either would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('acquire', (client) => idle.delete(client))
  pool.on('release', (error, client) => void (error ? idle.delete(client) : idle.add(client)))
  pool.on('remove', (client) => idle.delete(client))

  /** When a connection is lost, those that nobody uses are most likely lost as well: none of them is tried. */
  function drop(client: pg.PoolClient): void {
    client.release(true)
    cut(client)
    for (const other of idle) cut(other)
  }

  return {
    async borrow(work) {
      const client = await pool.connect().catch((error: unknown) => {
        throw asLost(error)
      })
      let isLost = false
      try {
        return await work(async (query) => {
          try {
            return await watch.over(client, client.query(query))
          } catch (error) {
            isLost ||= isDatabaseAway(error)
            throw asLost(error)
          }
        })
      } finally {
        if (isLost) drop(client)
        else client.release()
      }
    },
    async close() {
      await pool.end()
      watch.stop()
    },
  }
}
