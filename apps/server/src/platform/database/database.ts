/**
 * PostgreSQL: one pool, named statements, transactions that are retried when the database asks for it. Nothing waits for
 * an answer without end, and a connection that did not answer in time is never used again.
 */
import pg from 'pg'
import { openPool, type Ask, type Connections, type Pool } from './connection-pool.ts'
import { HostAway, isDatabaseAway, isDatabaseLost } from './database-away.ts'
import { splitHosts } from './host-list.ts'
import { openHosts, type Hosts } from './hosts.ts'
import { UnsafeLogin } from './login-guard.ts'

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
   * after a serialisation failure or a deadlock, and once when a host of several was lost before its commit, so `work` must
   * have no effects outside the database. Throws DatabaseAway when the connection was lost: when that happened at its commit, the work is done or it is not, and
   * only looking tells which.
   */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

/** What can be told of a database's connections. */
export type Pooled = {
  connections(): Connections
  readonly mostConnections: number
}

export type DatabaseAddress = {
  readonly connectionString?: string
  readonly host?: string
  readonly port?: number
  readonly user?: string
  readonly database?: string
  /** It leads to a pooler that shares connections between transactions (DATABASE_POOLER). */
  readonly isPooled?: boolean
}

/** In milliseconds. */
export type Limits = {
  /** After this long the database gives a statement up, the wait for locks included. */
  readonly statementMs: number
  /** After this long a connection without an answer is taken for dead. Longer than `statementMs`. */
  readonly answerMs: number
  /** For a connection to be free or made. */
  readonly connectMs: number
  /** Of several hosts: until one takes writes. */
  readonly writableMs: number
}

/** Of whoever waits for a page. */
export const REQUEST_LIMITS: Limits = {
  statementMs: 6_000,
  answerMs: 8_000,
  connectMs: 5_000,
  // With the answer that was waited for before it, no longer than a call may take (call-deadline.ts).
  writableMs: 20_000,
}
/** Of daily runs, imports and what else works on large sets, or waits for its turn. */
export const WORK_LIMITS: Limits = {
  statementMs: 20_000,
  answerMs: 25_000,
  connectMs: 25_000,
  writableMs: 25_000,
}

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
/** Said by a server that is told to stop, of what it has not done: what had been committed is answered before, or not at all. */
const STOPS = '57P01'
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

export type Reach = {
  readonly config: pg.ClientConfig
  /** Of a database of several hosts. */
  readonly hosts: Hosts | undefined
}

/** How a login that migrates, or works, reaches the database, whichever of its hosts takes writes. */
export function reachOf(address: DatabaseAddress, limits: Limits): Reach {
  const several = address.connectionString ? splitHosts(address.connectionString) : undefined
  if (!several) return { config: clientConfig(address, limits), hosts: undefined }
  const config = clientConfig({ ...address, connectionString: several.first }, limits)
  return { config, hosts: openHosts(config, several.hosts) }
}

function clientConfig(address: DatabaseAddress, limits: Limits): pg.ClientConfig {
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
    // A pooler's connections are made before anybody asks for one: the role brings these along (PROGRAM_LIMITS).
    ...(address.isPooled
      ? {}
      : {
          options: `-c TimeZone=UTC -c statement_timeout=${limits.statementMs} -c idle_in_transaction_session_timeout=30000`,
        }),
    types,
  }
}

/** May be a read; the database itself refuses the second try of what is none. */
const MAY_READ = /^\s*(select|with)\b/i

async function askRows<Row>(
  ask: Ask,
  { name, text }: Statement,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  return (await ask({ name, text, values: [...values] })).rows as Row[]
}

/** In a transaction that only reads. */
function readRows<Row>(pool: Pool, sql: Statement, values: readonly unknown[] | undefined): Promise<Row[]> {
  return pool.borrow(async (ask) => {
    await ask('begin read only')
    try {
      return await askRows<Row>(ask, sql, values)
    } finally {
      await ask('rollback')
    }
  })
}

/** Of several hosts the one that was asked says itself that it has not done it, and that it writes no more: another one will. */
function isForAnother(error: unknown, { hosts }: Reach): boolean {
  return hosts !== undefined && [READS_ONLY, STOPS].includes(sqlState(error) ?? '')
}

/** Throws it; as HostAway where another host answers what this one no longer does. */
function ofSeveral(error: unknown, { hosts }: Reach): never {
  if (!hosts || error instanceof UnsafeLogin || !isDatabaseLost(error)) throw error
  throw new HostAway((error as Error).message, { cause: error })
}

type Way = { readonly pool: Pool; readonly reach: Reach }

/** A statement of its own that gave way to another has done nothing: it is asked again, as a transaction is. */
async function rowsOf<Row>(way: Way, sql: Statement, values?: readonly unknown[]): Promise<Row[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await rowsOnce<Row>(way, sql, values)
    } catch (error) {
      if (attempt >= 3 || !RETRIED.has(sqlState(error) ?? '')) throw error
    }
  }
}

/** @throws DatabaseAway when the connection is lost twice, and at once when what was asked may have written */
async function rowsOnce<Row>(
  { pool, reach }: Way,
  sql: Statement,
  values?: readonly unknown[],
): Promise<Row[]> {
  try {
    return await askRows<Row>(pool.ask, sql, values)
  } catch (error) {
    if (isForAnother(error, reach)) return askRows<Row>(pool.ask, sql, values)
    if (!isDatabaseAway(error) || error instanceof UnsafeLogin || !MAY_READ.test(sql.text)) throw error
    // Connections that were cut leave the pool in a moment.
    await new Promise((settled) => setImmediate(settled))
    try {
      return await readRows<Row>(pool, sql, values)
    } catch (again) {
      throw sqlState(again) === READS_ONLY ? error : again
    }
  }
}

/** How far a transaction has come: until its commit is sent nothing of it can have been kept. */
type Progress = { at: 'waits' | 'works' | 'commits' }

function runOnce<Result>(
  pool: Pool,
  work: (tx: Transaction) => Promise<Result>,
  progress: Progress,
): Promise<Result> {
  return pool.borrow(async (ask) => {
    const sent: Promise<unknown>[] = []
    try {
      progress.at = 'works'
      await ask('begin')
      const result = await work({
        rows: (sql, values) => askRows(ask, sql, values),
        isTransaction: true,
        send(sql, values) {
          const answer = askRows(ask, sql, values)
          answer.catch(() => {})
          sent.push(answer)
        },
      })
      progress.at = 'commits'
      // What was sent is answered before the commit is: its failure is the one that is told.
      const [committed] = await Promise.all([ask('commit'), ...sent])
      // To the commit of what has failed the database answers by taking everything back.
      if (committed.command !== 'COMMIT') throw new Error('a failed transaction went on to its commit')
      return result
    } catch (error) {
      await ask('rollback').catch(() => {})
      throw sqlState(error) === TRANSACTION_IS_LOST ? await causeOf(sent, error) : error
    }
  })
}

/** A pool of connections to `address`, each checked before its first use (login-guard.ts). */
export function openDatabase(
  address: DatabaseAddress,
  maxConnections: number,
  limits: Limits = WORK_LIMITS,
): Database & Pooled {
  const found = reachOf(address, limits)
  // What a pooler says of a server is its own word.
  const reach = address.isPooled ? { ...found, hosts: undefined } : found
  const pool = openPool(found, {
    max: maxConnections,
    answerMs: limits.answerMs,
    writableMs: limits.writableMs,
    isPooled: address.isPooled === true,
  })
  return {
    rows: <Row>(sql: Statement, values?: readonly unknown[]) =>
      rowsOf<Row>({ pool, reach }, sql, values).catch((error: unknown) => ofSeveral(error, reach)),
    async transaction(work) {
      for (let attempt = 1; ; attempt++) {
        const progress: Progress = { at: 'waits' }
        try {
          return await runOnce(pool, work, progress)
        } catch (error) {
          const isLostAtWork = reach.hosts !== undefined && progress.at === 'works' && isDatabaseLost(error)
          const mayMove = attempt === 1 && (isLostAtWork || isForAnother(error, reach))
          if (attempt >= 3 || !(mayMove || RETRIED.has(sqlState(error) ?? ''))) return ofSeveral(error, reach)
        }
      }
    },
    connections: () => pool.connections(),
    mostConnections: maxConnections,
    close: () => pool.close(),
  }
}
