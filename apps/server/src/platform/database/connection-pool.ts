/** Connections that are lent out one by one. One that is lost is never lent again. */
import { callbackify } from 'node:util'
import pg from 'pg'
import { DatabaseAway, isDatabaseAway } from './database-away.ts'
import { cut, cutLater, watchAnswers } from './deadline.ts'
import { clientAt, HostLost, NoWritableHost, type Hosts } from './hosts.ts'
import { checkLogin, UnsafeLogin } from './login-guard.ts'

/** Asks on one connection. Throws DatabaseAway when it is lost, or has not answered in time. */
export type Ask = (query: pg.QueryConfig | string) => Promise<pg.QueryResult>

export type Pool = {
  /** Asks once, on whatever connection is free. Nearly all reads go this way: with callbacks, it costs them half as much. */
  readonly ask: Ask
  /** Lends a connection for as long as `work` takes. */
  borrow<Result>(work: (ask: Ask) => Promise<Result>): Promise<Result>
  /** How many are used and idle, and how many wait for one. */
  connections(): Connections
  close(): Promise<void>
}

export type Connections = {
  readonly in_use: number
  readonly idle: number
  readonly waiting: number
}

/** What the driver says of a lost connection has no class of its own. */
function asLost(error: unknown): unknown {
  const isKnown =
    error instanceof DatabaseAway || error instanceof UnsafeLogin || error instanceof pg.DatabaseError
  if (isKnown || !isDatabaseAway(error)) return error
  return new DatabaseAway((error as Error).message, { cause: error })
}

/** Answers by calling `answered`; with what is wrong, and whether the connection is lost by that. */
function askOn(
  { client, watch }: { client: pg.PoolClient; watch: ReturnType<typeof watchAnswers> },
  query: pg.QueryConfig | string,
  answered: (error: unknown, isLost: boolean, result: pg.QueryResult) => void,
): void {
  let isAnswered = false
  watch.begin(client)
  client.query(query as pg.QueryConfig, (error: unknown, result: pg.QueryResult) => {
    // The driver calls twice about a value that it cannot write: at once, and when the database has answered what came with it.
    if (isAnswered) return
    isAnswered = true
    const isLost = isDatabaseAway(error)
    watch.end(client, isLost)
    if (error) answered(asLost(error), isLost, result)
    else answered(undefined, false, result)
  })
}

/** What is sent where statements have no names. */
const unnamed = (query: pg.QueryConfig | string): pg.QueryConfig | string =>
  typeof query === 'string' ? query : { text: query.text, values: query.values ?? [] }

/** Between two looks for a host that takes writes. */
const AGAIN_MS = 200

type PoolOptions = {
  readonly max: number
  /** How long a host that takes writes is waited for, where there are several. */
  readonly writableMs: number
  /** After this long without an answer a connection is taken for dead. */
  readonly answerMs: number
  /** A pooler hands each transaction to another connection: a statement that one of them knows by its name is unknown to the next. */
  readonly isPooled: boolean
}

type Lent = (failure: unknown, client: pg.PoolClient | undefined) => void
type Lend = (lent: Lent) => void

/** The driver's own, which has no code: all connections were lent for `connectMs`. */
const isWaitedInVain = (failure: unknown): boolean =>
  failure instanceof Error && failure.message.startsWith('timeout exceeded when trying to connect')

/**
 * Lends a connection. Of several hosts one is waited for that takes writes: nothing was asked of any yet, and when one is about to take
 * another's place it is a matter of seconds. All who wait have one look in common, and stand in no queue for connections that cannot
 * be made. Where all connections are lent, those of a host that stands still are waited for, and those of a busy one are not.
 */
function lendFrom(
  pool: pg.Pool,
  hosts: Hosts,
  options: PoolOptions & { readonly answeredAt: () => number },
): Lend {
  function lend(lent: Lent, until: number): void {
    const began = performance.now()
    const failed = (failure: unknown): void => {
      const isPassing =
        failure instanceof HostLost ||
        failure instanceof NoWritableHost ||
        (isWaitedInVain(failure) && options.answeredAt() < began)
      if (isPassing && performance.now() < until) setTimeout(lend, AGAIN_MS, lent, until)
      else lent(failure, undefined)
    }
    const take = (): void =>
      pool.connect((failure, client) => (failure || !client ? failed(failure) : lent(undefined, client)))
    if (hosts.isKnown()) take()
    else void hosts.find().then(take, failed)
  }
  return (lent) => lend(lent, performance.now() + options.writableMs)
}

/** As checkLogin; one that says nothing is cut. */
async function checkWatched(
  client: pg.ClientBase,
  watch: ReturnType<typeof watchAnswers>,
  options: PoolOptions,
): Promise<void> {
  watch.begin(client)
  let isLost = true
  try {
    await checkLogin(client, options)
    isLost = false
  } finally {
    watch.end(client, isLost)
  }
}

/** Where the connections of a pool lead: to one host, or to that of several which takes writes. */
type Reached = { readonly config: pg.ClientConfig; readonly hosts: Hosts | undefined }

export function openPool({ config, hosts }: Reached, options: PoolOptions): Pool {
  const idle = new Set<pg.PoolClient>()
  const watch = watchAnswers(options.answerMs)
  const pool = new pg.Pool({
    ...config,
    ...(hosts ? { Client: clientAt(hosts) } : {}),
    // Several statements of one transaction may be under way.
    pipeline: true,
    max: options.max,
    idleTimeoutMillis: 60_000,
    verify: callbackify((client: pg.ClientBase) => checkWatched(client, watch, options)),
  })
  // A connection that breaks while idle is replaced by the pool, and one that breaks inside a transaction fails its
  // next statement; without listeners either would end the process.
  pool.on('error', () => hosts?.forget())
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('acquire', (client) => idle.delete(client))
  pool.on('release', (error, client) => void (error ? idle.delete(client) : idle.add(client)))
  pool.on('remove', (client) => idle.delete(client))

  /** When a connection is lost, those that nobody uses are most likely lost as well: none of them is tried. */
  function drop(client: pg.PoolClient): void {
    hosts?.forget()
    client.release(true)
    cut(client)
    for (const other of idle) cut(other)
  }

  const lend: Lend = hosts
    ? lendFrom(pool, hosts, { ...options, answeredAt: watch.answeredAt })
    : (lent) => pool.connect((failure, client) => lent(failure, client))

  return {
    ask: (query) =>
      new Promise((resolve, reject) => {
        lend((failure, client) => {
          if (failure || !client) return reject(asLost(failure))
          askOn({ client, watch }, options.isPooled ? unnamed(query) : query, (error, isLost, result) => {
            if (isLost) drop(client)
            else client.release()
            if (error) reject(error)
            else resolve(result)
          })
        })
      }),
    async borrow(work) {
      const client = await new Promise<pg.PoolClient>((resolve, reject) => {
        lend((failure, lent) => (failure || !lent ? reject(asLost(failure)) : resolve(lent)))
      })
      let isAnyLost = false
      const ask: Ask = (query) =>
        new Promise((resolve, reject) => {
          askOn({ client, watch }, options.isPooled ? unnamed(query) : query, (error, isLost, result) => {
            isAnyLost ||= isLost
            if (error) reject(error)
            else resolve(result)
          })
        })
      try {
        return await work(ask)
      } finally {
        if (isAnyLost) drop(client)
        else client.release()
      }
    },
    connections: () => ({
      in_use: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    async close() {
      await pool.end()
      watch.stop()
      // They have been told to end, which one that has gone silent does not hear.
      cutLater(idle)
    },
  }
}
