/** A database of several hosts: the driver knows one, and the one that takes writes is found here. */
import { setTimeout as sleep } from 'node:timers/promises'
import { callbackify } from 'node:util'
import pg from 'pg'
import { DatabaseAway } from './database-away.ts'
import { cut, endOrCut } from './deadline.ts'
import type { Host } from './host-list.ts'

export type Hosts = {
  /** The one that took writes last; else all are asked at once, and the first that does is the answer. Throws NoWritableHost. */
  find(): Promise<Host>
  isKnown(): boolean
  /** It is not there, or takes no writes any more: the next who connects asks all of them. */
  forget(): void
}

/** What is known as the host that writes could not be connected to, or only reads by now. Nothing was asked of it. */
export class HostLost extends DatabaseAway {}

/** None of the hosts takes writes: one is about to be chosen, or nobody is there. */
export class NoWritableHost extends DatabaseAway {}

/** After so many milliseconds one that says nothing is given up. On a busy machine a host that lives takes seconds, too. */
const HOST_MS = 5_000
/** So long all of them are waited for; then they are asked anew, and what the slower ones answer is heard all the same. */
const ROUND_MS = 1_500
const nameOf = ({ host, port }: Host): string => `${host}:${port}`

const TAKES_WRITES = `select not pg_is_in_recovery() and current_setting('default_transaction_read_only') = 'off' as writes`

async function takesWrites(client: Pick<pg.ClientBase, 'query'>): Promise<boolean> {
  return (await client.query<{ writes: boolean }>(TAKES_WRITES)).rows[0]?.writes === true
}

/** Why it is not the one, or undefined when it is. Throws what is wrong with the login, which is wrong at all of them. */
async function tryHost(config: pg.ClientConfig, at: Host): Promise<string | undefined> {
  const client = aimed(
    new pg.Client({ ...config, connectionTimeoutMillis: HOST_MS, query_timeout: HOST_MS }),
    at,
  )
  client.on('error', () => {})
  try {
    await client.connect()
    return (await takesWrites(client)) ? undefined : 'only reads'
  } catch (error) {
    if (isWrongLogin(error)) throw error
    return (error as Error).message || 'does not answer'
  } finally {
    void endOrCut(client)
  }
}

/** No such login, password or database. */
const isWrongLogin = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && /^(28|3D)/.test(error.code ?? '')

/** A client that has not been connected yet, led to another host than its address says. */
function aimed<Client extends pg.Client>(client: Client, at: Host): Client {
  return Object.assign(client, at)
}

/** Throws NoWritableHost. `found` hears of one that answers later, too. */
async function findWritable(
  config: pg.ClientConfig,
  hosts: readonly Host[],
  found: (at: Host) => void,
): Promise<Host> {
  const silent = new Set(hosts)
  const tries = hosts.map(async (at) => {
    const reason = await tryHost(config, at).finally(() => silent.delete(at))
    if (reason === undefined) {
      found(at)
      return at
    }
    throw new Error(`${nameOf(at)} ${reason}`)
  })
  const answered = Promise.any(tries).catch(({ errors }: AggregateError) => {
    const wrong = errors.find(isWrongLogin) as Error | undefined
    throw (
      wrong ??
      new NoWritableHost(`no host takes writes: ${errors.map(({ message }: Error) => message).join('; ')}`)
    )
  })
  const over = new AbortController()
  const round = sleep(ROUND_MS, undefined, { signal: over.signal }).then(() => {
    throw new NoWritableHost(`no host takes writes: ${[...silent].map(nameOf).join(', ')} say nothing`)
  })
  answered.catch(() => {})
  return Promise.race([answered, round]).finally(() => over.abort())
}

/** @param config reaches any of them, but for host and port */
export function openHosts(config: pg.ClientConfig, hosts: readonly Host[]): Hosts {
  let known: Host | undefined
  /** Shared: whoever connects at the same moment would ask the same. */
  let underWay: Promise<Host> | undefined
  const ask = async (): Promise<Host> => {
    try {
      return (known = await findWritable(config, hosts, (at) => (known = at)))
    } finally {
      underWay = undefined
    }
  }
  return {
    find: async () => known ?? (underWay ??= ask()),
    isKnown: () => known !== undefined,
    forget() {
      known = undefined
    },
  }
}

type Done = (error: Error | null, client?: pg.Client) => void

/**
 * A client of the driver that connects to the host that takes writes, and to no other. One that stands still costs HOST_MS at most. Its
 * `connect` throws HostLost when the host that was known is it no longer; the next one then asks them all.
 */
export function clientAt(hosts: Hosts): typeof pg.Client {
  async function connectTo(
    client: pg.Client,
    connect: () => Promise<unknown>,
    mostMs: number,
  ): Promise<void> {
    // Until it is lent nobody else listens, and what nobody listens to ends the process.
    client.on('error', () => {})
    aimed(client, await hosts.find())
    const late = setTimeout(() => cut(client), mostMs)
    try {
      await connect()
      if (!(await takesWrites(client))) throw new Error('it only reads by now')
    } catch (error) {
      hosts.forget()
      void endOrCut(client)
      if (isWrongLogin(error)) throw error
      throw new HostLost(`the host that took writes was lost (${(error as Error).message})`, { cause: error })
    } finally {
      clearTimeout(late)
    }
  }
  return class extends pg.Client {
    /** Less than whoever waits for the connection does, or they are gone before another host is asked. */
    readonly #mostMs: number
    constructor(config?: string | pg.ClientConfig) {
      const given = typeof config === 'object' ? config : {}
      const mostMs = Math.min(HOST_MS, 0.8 * (given.connectionTimeoutMillis ?? HOST_MS))
      super(typeof config === 'object' ? { ...config, connectionTimeoutMillis: mostMs } : config)
      this.#mostMs = mostMs
    }
    override connect(): Promise<pg.Client>
    override connect(done: Done): void
    override connect(done?: Done): Promise<pg.Client> | undefined {
      const connected = connectTo(this as pg.Client, () => super.connect(), this.#mostMs).then(
        () => this as pg.Client,
      )
      if (!done) return connected
      callbackify(() => connected)(done)
      return undefined
    }
  }
}
