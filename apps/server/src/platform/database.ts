/**
 * PostgreSQL: one pool, named statements, transactions that are retried when the database asks for it. Nothing waits for
 * an answer without end, and a connection that did not answer in time is never used again.
 */
import { callbackify } from 'node:util'
import pg from 'pg'
import { DatabaseAway, isDatabaseAway } from './database-away.ts'
import { cut, watchAnswers } from './deadline.ts'
import { checkLogin, UnsafeLogin } from './login-guard.ts'

/** A statement is prepared once per connection under its name. */
export type Statement = { readonly name: string; readonly text: string }

export function statement(name: string, text: string): Statement {
  return { name, text }
}

/**
 * SQL for a new identifier of the moment of the one that `parameter` holds: rows that one statement makes lie together
 * in the indexes, as those do whose identifiers the program makes one by one.
 */
export const idLike = (parameter: string): string =>
  `overlay(gen_random_uuid()::text placing left(${parameter}::uuid::text, 15) from 1)::uuid`

export type Connection = {
  /** Outside a transaction, a read that met a lost connection is asked once more. */
  rows<Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>
}

export type Transaction = Connection & {
  readonly isTransaction: true
  /**
   * A statement whose answer nobody needs: it goes out at once and is not waited for, which saves a round trip. The
   * database executes statements in the order in which they were asked for. If it fails, so does the transaction.
   */
  send(statement: Statement, values?: readonly unknown[]): void
}

export type Database = Connection & {
  /**
   * Runs `work` in one transaction. Nothing in it may call out over the network. Retried up to three times
   * after a serialisation failure or a deadlock, so `work` must have no effects outside the database. Throws
   * DatabaseAway when the connection was lost: when that happened at its commit, the work is done or it is not, and
   * only looking tells which.
   */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

export type DatabaseAddress = {
  readonly connectionString?: string
  readonly host?: string
  readonly port?: number
  readonly user?: string
  readonly database?: string
}

/** In milliseconds. */
export type Limits = {
  /** After this long the database gives a statement up, the wait for locks included. */
  readonly statementMs: number
  /** After this long a connection without an answer is taken for dead. Longer than `statementMs`. */
  readonly answerMs: number
  /** For a connection to be free or made. */
  readonly connectMs: number
}

/** Of whoever waits for a page. */
export const REQUEST_LIMITS: Limits = { statementMs: 6_000, answerMs: 8_000, connectMs: 5_000 }
/** Of nights, imports and what else works on large sets, or waits for its turn. */
export const WORK_LIMITS: Limits = { statementMs: 20_000, answerMs: 25_000, connectMs: 25_000 }

const SAFE_INTEGER = (text: string): number => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} does not fit a safe integer`)
  return value
}
const types = new pg.TypeOverrides()
types.setTypeParser(20, SAFE_INTEGER)
types.setTypeParser(1082, (text: string) => text)
types.setTypeParser(1184, (text: string) => new Date(text).toISOString())

const RETRIED = new Set(['40001', '40P01'])
/** Said of every statement after the one that failed. */
const TRANSACTION_IS_LOST = '25P02'
/** Said to a write in a transaction that only reads. */
const READS_ONLY = '25006'
/** A connection that nobody uses is asked by the operating system whether its other end is there. */
const KEEP_ALIVE_MS = 10_000

function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code
  return typeof code === 'string' ? code : undefined
}

/** The failure of something sent, which statements after it have been told of. */
async function causeOf(sent: readonly Promise<unknown>[], error: unknown): Promise<unknown> {
  const settled = await Promise.allSettled(sent)
  const causes = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
  return causes.find((cause) => sqlState(cause) !== TRANSACTION_IS_LOST) ?? error
}

/** True when `error` is a violation of the unique constraint or index `name`. */
export function isUniqueViolation(error: unknown, name: string): boolean {
  return sqlState(error) === '23505' && (error as { constraint?: string }).constraint === name
}

/** What the driver says of a lost connection has no class of its own. */
function asLost(error: unknown): unknown {
  const isKnown =
    error instanceof DatabaseAway || error instanceof UnsafeLogin || error instanceof pg.DatabaseError
  if (isKnown || !isDatabaseAway(error)) return error
  return new DatabaseAway((error as Error).message, { cause: error })
}

/** How a login that migrates, or works, reaches the database. */
export function clientConfig(address: DatabaseAddress, limits: Limits): pg.ClientConfig {
  return {
    ...(address.connectionString ? { connectionString: address.connectionString } : {}),
    ...(address.host ? { host: address.host } : {}),
    ...(address.port ? { port: address.port } : {}),
    ...(address.user ? { user: address.user } : {}),
    ...(address.database ? { database: address.database } : {}),
    application_name: 'kvitt',
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    connectionTimeoutMillis: limits.connectMs,
    options: `-c TimeZone=UTC -c statement_timeout=${limits.statementMs} -c idle_in_transaction_session_timeout=30000`,
    types,
  }
}

/** May be a read; the database itself refuses the second try of what is none. */
const MAY_READ = /^\s*(select|with)\b/i

/** A pool of connections to `address`, each checked before its first use (login-guard.ts). */
export function openDatabase(
  address: DatabaseAddress,
  maxConnections: number,
  limits: Limits = WORK_LIMITS,
): Database {
  const idle = new Set<pg.PoolClient>()
  const watch = watchAnswers(limits.answerMs)
  const pool = new pg.Pool({
    ...clientConfig(address, limits),
    // Several statements of one transaction may be under way (Transaction.send).
    pipeline: true,
    max: maxConnections,
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

  async function connect(): Promise<pg.PoolClient> {
    try {
      return await pool.connect()
    } catch (error) {
      throw asLost(error)
    }
  }

  async function ask(client: pg.PoolClient, query: pg.QueryConfig | string): Promise<pg.QueryResult> {
    try {
      return await watch.over(client, client.query(query))
    } catch (error) {
      throw asLost(error)
    }
  }

  async function askRows<Row>(
    client: pg.PoolClient,
    { name, text }: Statement,
    values: readonly unknown[] = [],
  ): Promise<Row[]> {
    return (await ask(client, { name, text, values: [...values] })).rows as Row[]
  }

  /** Gives a connection back. When it is lost, those that nobody uses are most likely lost as well: none is tried. */
  function release(client: pg.PoolClient, error?: unknown): void {
    const isLost = error !== undefined && isDatabaseAway(error)
    client.release(isLost)
    if (!isLost) return
    cut(client)
    for (const other of idle) cut(other)
  }

  async function readOnce<Row>(sql: Statement, values?: readonly unknown[], isAgain = false): Promise<Row[]> {
    const client = await connect()
    let failure: unknown
    try {
      if (isAgain) await ask(client, 'begin read only')
      const rows = await askRows<Row>(client, sql, values)
      if (isAgain) await ask(client, 'commit')
      return rows
    } catch (error) {
      failure = error
      if (isAgain) await ask(client, 'rollback').catch(() => {})
      throw error
    } finally {
      release(client, failure)
    }
  }

  async function rows<Row>(sql: Statement, values?: readonly unknown[]): Promise<Row[]> {
    try {
      return await readOnce<Row>(sql, values)
    } catch (error) {
      if (!isDatabaseAway(error) || error instanceof UnsafeLogin || !MAY_READ.test(sql.text)) throw error
      // Connections that were cut leave the pool in a moment.
      await new Promise((settled) => setImmediate(settled))
      try {
        return await readOnce<Row>(sql, values, true)
      } catch (again) {
        throw sqlState(again) === READS_ONLY ? error : again
      }
    }
  }

  async function runOnce<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    const client = await connect()
    const sent: Promise<unknown>[] = []
    let failure: unknown
    try {
      await ask(client, 'begin')
      const result = await work({
        rows: (sql, values) => askRows(client, sql, values),
        isTransaction: true,
        send(sql, values) {
          const answer = askRows(client, sql, values)
          answer.catch(() => {})
          sent.push(answer)
        },
      })
      // What was sent is answered before the commit is: its failure is the one that is told.
      const [committed] = await Promise.all([ask(client, 'commit'), ...sent])
      // To the commit of what has failed the database answers by taking everything back.
      if (committed.command !== 'COMMIT') throw new Error('a failed transaction went on to its commit')
      return result
    } catch (error) {
      failure = error
      await ask(client, 'rollback').catch((lost: unknown) => {
        if (isDatabaseAway(lost)) failure = lost
      })
      throw sqlState(error) === TRANSACTION_IS_LOST ? await causeOf(sent, error) : error
    } finally {
      release(client, failure)
    }
  }

  return {
    rows,
    async transaction(work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await runOnce(work)
        } catch (error) {
          if (attempt >= 3 || !RETRIED.has(sqlState(error) ?? '')) throw error
        }
      }
    },
    async close() {
      await pool.end()
      watch.stop()
    },
  }
}
