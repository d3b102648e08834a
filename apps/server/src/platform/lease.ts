/**
 * Work that one process does at a time. Its lease ends when it is not renewed, and another process takes over under the
 * next number. Every write of the work is refused under an older number, in its own transaction: a process that was
 * stopped for an hour and goes on then changes nothing.
 */
import { randomUUID } from 'node:crypto'
import { statement, type Database, type Transaction } from './database/database.ts'

export type Work = { readonly instanceId: string; readonly work: string; readonly day: string }

/** A process that has not renewed for so long is taken for dead. With the time until somebody looks: under a minute. */
const LEASE_MS = 30_000
const RENEW_MS = 8_000

/** This process. */
const SELF = randomUUID()

const prepare = statement(
  'lease.prepare',
  `insert into work_lease (instance_id, work, day, owner, number, until)
   values ($1, $2, $3, '', 1, '-infinity') on conflict do nothing`,
)

/** One that belongs to us is of a run that broke off. Waits for a transaction of the work that is under way. */
const take = statement(
  'lease.take',
  `with free as (
     select instance_id, work, day from work_lease
     where instance_id = $1 and work = $2 and day = $3 and (until < now() or owner = $4) for update
   )
   update work_lease l set owner = $4, number = l.number + 1, until = now() + make_interval(secs => $5 / 1000.0)
   from free where l.instance_id = free.instance_id and l.work = free.work and l.day = free.day
   returning l.number`,
)

const renew = statement(
  'lease.renew',
  `update work_lease set until = now() + make_interval(secs => $5 / 1000.0)
   where instance_id = $1 and work = $2 and day = $3 and number = $4`,
)

const hold = statement('lease.hold', 'select hold_lease($1, $2, $3, $4)')

const MAY_WRITE = /\b(insert|update|delete)\b/i

type Key = readonly [instanceId: string, work: string, day: string, number: number]

/** The database as the work sees it: what it writes, it writes under its number. */
function fenced(db: Database, key: Key): Database {
  const transaction: Database['transaction'] = (work) =>
    db.transaction((tx: Transaction) => {
      tx.send(hold, key)
      return work(tx)
    })
  return {
    transaction,
    rows: (sql, values) =>
      MAY_WRITE.test(sql.text) ? transaction((tx) => tx.rows(sql, values)) : db.rows(sql, values),
    close: () => db.close(),
  }
}

const underWay = new Map<string, Promise<unknown>>()

/**
 * Does the work with a database that writes under the lease only. Answers undefined when another process has it. Who
 * comes in the same process while it is under way gets its result.
 * @param owner another name for this process, in tests of several
 */
export function withLease<Result>(
  db: Database,
  { instanceId, work, day }: Work,
  run: (db: Database) => Promise<Result>,
  owner: string = SELF,
): Promise<Result | undefined> {
  const name = [owner, instanceId, work, day].join(' ')
  const running = underWay.get(name) as Promise<Result | undefined> | undefined
  if (running) return running
  const begun = lead(db, [instanceId, work, day], { run, owner }).finally(() => underWay.delete(name))
  underWay.set(name, begun)
  return begun
}

async function lead<Result>(
  db: Database,
  key: readonly [string, string, string],
  { run, owner }: { run: (db: Database) => Promise<Result>; owner: string },
): Promise<Result | undefined> {
  await db.rows(prepare, key)
  const [taken] = await db.rows<{ number: number }>(take, [...key, owner, LEASE_MS])
  if (!taken) return undefined
  const mine: Key = [...key, taken.number]
  const prolong = (ms: number): Promise<void> => db.rows(renew, [...mine, ms]).then(() => undefined)
  // A renewal that fails is made up for by the next; when none succeeds, the work is somebody else's.
  const timer = setInterval(() => void prolong(LEASE_MS).catch(() => {}), RENEW_MS)
  try {
    return await run(fenced(db, mine))
  } finally {
    clearInterval(timer)
    await prolong(0).catch(() => {})
  }
}
