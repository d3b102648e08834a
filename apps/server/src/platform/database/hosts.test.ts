/** A database of two hosts, played by two real servers: one that writes and its replica, which takes its place. */
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeAfterwards } from '../../testing/close-afterwards.ts'
import { openDatabaseLine, type DatabaseLine } from '../../testing/database-line.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../embedded-postgres/embedded-postgres.ts'
import { StartupError } from '../startup-error.ts'
import { DatabaseAway } from './database-away.ts'
import { openDatabase, statement, type Database } from './database.ts'
import { refusedHosts, splitHosts } from './host-list.ts'
import { checkMigrated } from './migrate.ts'

const LIMITS = { statementMs: 500, answerMs: 800, connectMs: 3_000, writableMs: 4_000 }
const ADD = statement('test.addNote', 'insert into note (text) values ($1)')
const COUNT = statement('test.countNotes', 'select count(*)::int as n from note')
const WHERE = statement('test.where', `select current_setting('cluster_name') as name`)
/** Nobody listens there. */
const DEAD = '127.0.0.1:1'

const folder = mkdtempSync(join(tmpdir(), 'kvitt-hosts-'))
chmodSync(folder, 0o711)
const start = (name: string): Promise<EmbeddedPostgres> =>
  startEmbeddedPostgres({
    dataDir: join(folder, name),
    log: () => {},
    settings: { fsync: 'off', cluster_name: name },
  })

let first: EmbeddedPostgres
let second: EmbeddedPostgres

async function asOwner<Row extends object>(at: EmbeddedPostgres, sql: string): Promise<Row[]> {
  const client = new pg.Client({ host: at.host, port: at.port, user: at.ownerUser, database: 'postgres' })
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}

/** A copy of what was stopped, as a replica: it answers, and takes no writes until it is promoted. */
function copyAsReplica(from: string, into: string, cluster: string): void {
  execFileSync('cp', ['-a', join(folder, from), join(folder, into)])
  const copied = join(folder, into, relative(join(folder, from), cluster))
  const { uid, gid } = statSync(copied)
  writeFileSync(join(copied, 'standby.signal'), '')
  chownSync(join(copied, 'standby.signal'), uid, gid)
}

beforeAll(async () => {
  const made = await start('first')
  await asOwner(
    made,
    'create role kvitt_app login; create table note (text text); grant select, insert on note to kvitt_app',
  )
  const [cluster] = await asOwner<{ data_directory: string }>(made, 'show data_directory')
  await made.stop()
  copyAsReplica('first', 'second', cluster?.data_directory ?? '')
  ;[first, second] = await Promise.all([start('first'), start('second')])
}, 60_000)
afterAll(async () => {
  await Promise.all([first?.stop(), second?.stop()])
  rmSync(folder, { recursive: true, force: true })
})

/** Both hosts behind lines that can go silent, and the database of them. */
async function openBoth(order: 'first' | 'second' = 'first') {
  const [a, b] = await Promise.all([first, second].map(({ host, port }) => openDatabaseLine({ host, port })))
  const at = ({ address }: DatabaseLine): string => `${address.host}:${address.port}`
  const pair = order === 'first' ? [a, b] : [b, a]
  const url = `postgres://kvitt_app@${DEAD},${pair.map((line) => at(line as DatabaseLine)).join(',')}/postgres?target_session_attrs=read-write`
  const db = openDatabase({ connectionString: url }, 4, LIMITS)
  closeAfterwards(() => db.close())
  return { a: a as DatabaseLine, b: b as DatabaseLine, db, url }
}

const whoWrites = async (db: Database): Promise<string | undefined> =>
  (await db.rows<{ name: string }>(WHERE))[0]?.name
const add = (db: Database, text: string): Promise<unknown> => db.transaction((tx) => tx.rows(ADD, [text]))
const notes = async (at: EmbeddedPostgres): Promise<string[]> =>
  (await asOwner<{ text: string }>(at, 'select text from note order by 1')).map(({ text }) => text)

test.each([
  [
    'postgres://u:p@a,b:5433,[::1]:6/kvitt?target_session_attrs=read-write&sslmode=require',
    'a:5432 b:5433 ::1:6',
    'postgres://u:p@localhost/kvitt?sslmode=require',
  ],
  ['postgres://u@/kvitt?host=/s1,/s2&port=1,2', '/s1:1 /s2:2', 'postgres://u@localhost/kvitt'],
  ['postgres://u@a/kvitt?target_session_attrs=primary', 'a:5432', 'postgres://u@localhost/kvitt'],
])('%s is several hosts', (url, hosts, first) => {
  const split = splitHosts(url)
  expect(split?.hosts.map(({ host, port }) => `${host}:${port}`).join(' ')).toBe(hosts)
  expect(split?.first).toBe(first)
  expect(refusedHosts(url)).toBeUndefined()
})

test('an address of one host stays as it is, and one that cannot be meant is refused with what is wrong', () => {
  for (const url of ['postgres://u:p@a:1/kvitt', 'postgres://u@localhost/kvitt?host=%2Fvar%2Frun'])
    expect([splitHosts(url), refusedHosts(url)]).toEqual([undefined, undefined])
  expect(refusedHosts('postgres://u@a,b/k?target_session_attrs=standby')).toMatch(/=standby; Kvitt writes/)
  expect(refusedHosts('postgres://u@a,b:x/k')).toMatch(/has "b:x" among its hosts/)
})

test('of a dead host, a replica and one that writes the last is found, whatever their order', async () => {
  for (const order of ['first', 'second'] as const) {
    const { db } = await openBoth(order)
    expect(await whoWrites(db)).toBe('first')
    await add(db, `order ${order}`)
  }
  expect(await notes(first)).toEqual(['order first', 'order second'])
})

test('a start against a replica says so in one sentence, and one against both finds the one that writes', async () => {
  const { b, url } = await openBoth()
  const alone = { ...b.address, user: 'kvitt_app', database: 'postgres' }
  const refused = await checkMigrated(alone, folder).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(StartupError)
  expect((refused as StartupError).message).toMatch(
    /^The database in DATABASE_URL is a replica, which only reads\. Name/,
  )
  expect((refused as StartupError).status).toBe(1)
  await checkMigrated({ connectionString: url }, folder)
})

test('while none takes writes one is waited for, but not for long; when it is back all is well', async () => {
  const { a, db } = await openBoth()
  expect(await whoWrites(db)).toBe('first')
  a.silence()
  a.silenceNew()
  const began = performance.now()
  await expect(add(db, 'frozen')).rejects.toThrow(DatabaseAway)
  const waited = add(db, 'thawed')
  await sleep(500)
  a.heal()
  await waited
  expect(performance.now() - began).toBeLessThan(14_000)
  const kept = await notes(first)
  expect(kept.filter((text) => text === 'frozen' || text === 'thawed')).toEqual(['thawed'])
}, 30_000)

test('a host that falls silent between a connection and its first use costs a moment, and ends no process', async () => {
  const { a, db } = await openBoth()
  await add(db, 'known')
  a.loseAnswerTo('pg_is_in_recovery')
  await Promise.all([add(db, 'moment 1'), add(db, 'moment 2')])
  expect((await notes(first)).filter((text) => text.startsWith('moment '))).toHaveLength(2)
}, 30_000)

const SLOW_ADD = statement('test.slowAdd', 'insert into note (text) select $1 from pg_sleep(0.4)')

test('what a host that is told to stop says it has not done is asked once more, and done once', async () => {
  const { db } = await openBoth()
  const asked = [db.rows(SLOW_ADD, ['alone']), db.transaction((tx) => tx.rows(SLOW_ADD, ['together']))]
  await sleep(200)
  await asOwner(first, `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'kvitt_app'`)
  await Promise.all(asked)
  const kept = await notes(first)
  expect(kept.filter((text) => text === 'alone' || text === 'together')).toEqual(['alone', 'together'])
}, 30_000)

test('a write whose answer was lost is not asked again, nor is a commit: it may have been done', async () => {
  const { a, db } = await openBoth()
  await add(db, 'ready')
  a.loseAnswerTo(ADD.name)
  await expect(db.rows(ADD, ['answer lost'])).rejects.toThrow(DatabaseAway)
  a.loseAnswerTo('commit')
  await expect(add(db, 'end lost')).rejects.toThrow(DatabaseAway)
  const kept = await notes(first)
  expect(kept.filter((text) => text.endsWith(' lost'))).toEqual(['answer lost', 'end lost'])
}, 30_000)

test('T-FAILOVER: when the replica takes the place of a host that stands still, the call that hung is made there; one that only reads by now is left, and the call is made again', async () => {
  const { a, db } = await openBoth()
  await add(db, 'before')
  a.silence()
  a.silenceNew()
  // Many more than there are connections: nobody is told no because others wait as well.
  const crowd = Promise.all(Array.from({ length: 16 }, (_, n) => add(db, `crowd ${n}`)))
  await sleep(2_000)
  await asOwner(second, 'select pg_promote()')
  await crowd
  await add(db, 'after')
  expect((await notes(second)).filter((text) => text.startsWith('crowd '))).toHaveLength(16)
  expect(await notes(first)).not.toContain('after')
  expect(await db.rows(COUNT)).toEqual([{ n: (await notes(second)).length }])
  expect(await whoWrites(db)).toBe('second')
  expect(await notes(second)).toContain('after')
  // The one that was left comes back, and the other is told to read only while its connections stand.
  a.heal()
  await asOwner(second, `alter system set default_transaction_read_only = on`)
  await asOwner(second, 'select pg_reload_conf()')
  await sleep(300)
  await add(db, 'moved')
  expect(await whoWrites(db)).toBe('first')
  expect((await notes(first)).filter((text) => text === 'moved')).toHaveLength(1)
  expect(await notes(second)).not.toContain('moved')
}, 30_000)
