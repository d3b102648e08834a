/** PostgreSQL: one pool, named statements, transactions that are retried when the database asks for it. */
import pg from 'pg'

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
   * after a serialisation failure or a deadlock, so `work` must have no effects outside the database.
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
  /** Set when the login is not the application role itself. */
  readonly role?: string
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

function rowsOf(client: pg.Pool | pg.ClientBase) {
  return async <Row>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> => {
    const result = await client.query({ name: statement.name, text: statement.text, values: [...values] })
    return result.rows as Row[]
  }
}

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

export function poolConfig(address: DatabaseAddress): pg.PoolConfig {
  const role = address.role ? ` -c role=${address.role}` : ''
  return {
    ...(address.connectionString ? { connectionString: address.connectionString } : {}),
    ...(address.host ? { host: address.host } : {}),
    ...(address.port ? { port: address.port } : {}),
    ...(address.user ? { user: address.user } : {}),
    ...(address.database ? { database: address.database } : {}),
    application_name: 'kvitt',
    // Several statements of one transaction may be under way (Transaction.send).
    pipeline: true,
    options: `-c TimeZone=UTC -c statement_timeout=20000 -c idle_in_transaction_session_timeout=30000${role}`,
    types,
  }
}

export function openDatabase(address: DatabaseAddress, maxConnections: number): Database {
  const pool = new pg.Pool({ ...poolConfig(address), max: maxConnections, idleTimeoutMillis: 60_000 })
  // A connection that breaks while idle is replaced by the pool, and one that breaks inside a transaction fails its
  // next statement; without listeners either would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))

  async function runOnce<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    const client = await pool.connect()
    const rows = rowsOf(client)
    const sent: Promise<unknown>[] = []
    let broken = false
    try {
      await client.query('begin')
      const result = await work({
        rows,
        isTransaction: true,
        send(statement, values) {
          const answer = rows(statement, values)
          answer.catch(() => {})
          sent.push(answer)
        },
      })
      // What was sent is answered before the commit is: its failure is the one that is told.
      const [committed] = await Promise.all([client.query('commit'), ...sent])
      // To the commit of what has failed the database answers by taking everything back.
      if (committed.command !== 'COMMIT') throw new Error('a failed transaction went on to its commit')
      return result
    } catch (error) {
      await client.query('rollback').catch(() => {
        broken = true
      })
      throw sqlState(error) === TRANSACTION_IS_LOST ? await causeOf(sent, error) : error
    } finally {
      client.release(broken)
    }
  }

  return {
    rows: rowsOf(pool),
    async transaction(work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await runOnce(work)
        } catch (error) {
          if (attempt >= 3 || !RETRIED.has(sqlState(error) ?? '')) throw error
        }
      }
    },
    close: () => pool.end(),
  }
}
