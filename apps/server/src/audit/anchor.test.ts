import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openLog } from '../platform/log.ts'
import { buildInstance } from '../testing/build.ts'
import { testDatabase, type TestDatabase } from '../testing/test-database.ts'
import { anchorAudit, noteEvent } from './audit.ts'

const DAY_MS = 24 * 60 * 60 * 1000
let world: TestDatabase
let instanceId: string
let folder: string
let days: number
let serial = 0

beforeEach(async () => {
  world = await testDatabase()
  ;({ id: instanceId } = await buildInstance(world))
  folder = mkdtempSync(join(tmpdir(), 'kvitt-anchors-'))
  days = 0
})
afterEach(() => rmSync(folder, { recursive: true }))

const context = () => ({
  db: world.db,
  log: openLog('silent'),
  clock: { now: () => Date.now() + days * DAY_MS, today: () => '2026-11-20' as never },
  config: { stores: { anchors: { folder } } },
})
const note = (instance: string | null = instanceId) =>
  noteEvent(context(), {
    instanceId: instance,
    kind: 'signed_out',
    actor: 'link',
    about: `x:${(serial += 1)}`,
  })
/** A night, and the day after it. */
async function passNight(): Promise<void> {
  await anchorAudit(context())
  days += 1
}
const anchorsIn = (name: string) =>
  JSON.parse(readFileSync(join(folder, name), 'utf8')) as { chain: string; seq: number }[]
const tasks = async () =>
  (await world.owner.query(`select about, done_at is null as is_open from task where kind = 'audit_cut'`))
    .rows
/** As somebody with the owner's rights does it. */
async function force(text: string): Promise<void> {
  await world.owner.query('alter table audit_event disable trigger audit_event_append_only')
  await world.owner.query(text)
  await world.owner.query('alter table audit_event enable trigger audit_event_append_only')
}

test('each day has one file with the last row of each chain, however many write it', async () => {
  for (let n = 0; n < 3; n++) await note()
  await note(null)
  await Promise.all(Array.from({ length: 8 }, () => anchorAudit(context())))
  const names = readdirSync(folder)
  expect(names).toEqual([expect.stringMatching(/^audit-\d{4}-\d\d-\d\d\.json$/)])
  expect(anchorsIn(names[0] ?? '')).toEqual([
    {
      chain: '00000000-0000-0000-0000-000000000000',
      seq: 1,
      hash: expect.any(String),
      at: expect.any(String),
    },
    { chain: instanceId, seq: 3, hash: expect.stringMatching(/^[0-9a-f]{64}$/), at: expect.any(String) },
  ])
  await note()
  await anchorAudit(context())
  expect(anchorsIn(names[0] ?? '')).toMatchObject([{ seq: 1 }, { seq: 3 }])
  days = 1
  await anchorAudit(context())
  expect(anchorsIn(readdirSync(folder).sort()[1] ?? '')).toMatchObject([{ seq: 1 }, { seq: 4 }])
  expect(await tasks()).toEqual([])
})

test.each([
  ['cut off its end', 'delete from audit_event where seq > 1', false],
  ['cut off, and grown again', 'delete from audit_event where seq > 1', true],
  ['emptied', 'delete from audit_event', false],
])(
  'a log that was %s is found in the night after, and a person is asked once',
  async (_, text, growsAgain) => {
    for (let n = 0; n < 3; n++) await note()
    await passNight()
    expect(await tasks()).toEqual([])
    await force(text)
    if (growsAgain) for (let n = 0; n < 5; n++) await note()
    const broken = await world.owner.query('select * from inv_i21_audit_events_are_chained')
    expect(broken.rows).toEqual([])
    await passNight()
    const found = [{ about: `chain:${instanceId}:3`, is_open: true }]
    expect(await tasks()).toEqual(found)
    await passNight()
    expect(await tasks()).toEqual(found)
    await world.owner.query(`update task set done_at = now(), done_by = 'person:anna'`)
    await passNight()
    expect(await tasks()).toEqual([{ ...found[0], is_open: false }])
  },
)

test('once the anchors that do not fit have been moved aside, one from before that fits ends the task', async () => {
  await note()
  await passNight()
  await note()
  await passNight()
  await force('delete from audit_event where seq = 2')
  await passNight()
  expect(await tasks()).toEqual([{ about: `chain:${instanceId}:2`, is_open: true }])
  rmSync(join(folder, readdirSync(folder).sort()[1] ?? ''))
  await passNight()
  expect(await tasks()).toMatchObject([{ is_open: false }])
})

test('neither an empty folder, nor one with files from after the cut, ends the task', async () => {
  await note()
  await passNight()
  await force('delete from audit_event')
  await passNight()
  for (const name of readdirSync(folder)) rmSync(join(folder, name))
  for (let night = 0; night < 3; night++) {
    await note()
    await passNight()
    expect(await tasks()).toMatchObject([{ is_open: true }])
  }
})

test('a file that cannot be read keeps a cut open: it may be the one that does not fit', async () => {
  await note()
  await passNight()
  await note()
  await passNight()
  await force('delete from audit_event where seq = 2')
  await passNight()
  const bad = join(folder, readdirSync(folder).sort()[1] ?? '')
  writeFileSync(bad, '{')
  await passNight()
  expect(await tasks()).toMatchObject([{ is_open: true }])
  rmSync(bad)
  await passNight()
  expect(await tasks()).toMatchObject([{ is_open: false }])
})

test('what came to no instance is a matter for the default one', async () => {
  await note(null)
  await passNight()
  await force('delete from audit_event')
  await passNight()
  expect(await tasks()).toEqual([{ about: 'chain:00000000-0000-0000-0000-000000000000:1', is_open: true }])
})

test('rows that went after twelve months are not missed', async () => {
  await world.owner.query(
    `insert into audit_event (instance_id, kind, actor, about, at) values ($1, 'signed_out', 'a', 'x', now() - interval '366 days')`,
    [instanceId],
  )
  await passNight()
  await world.owner.query('select forget_audit_events()')
  await passNight()
  expect(await tasks()).toEqual([])
})

test('a file that is no anchor keeps nobody from comparing the others', async () => {
  for (let n = 0; n < 2; n++) await note()
  await passNight()
  for (const [day, text] of [
    ['2001-01-01', '{'],
    ['2001-01-02', '[{"chain":"x"}]'],
    ['2001-01-03', 'null'],
  ])
    writeFileSync(join(folder, `audit-${day}.json`), text ?? '')
  await force('delete from audit_event where seq = 2')
  await passNight()
  expect(await tasks()).toEqual([{ about: `chain:${instanceId}:2`, is_open: true }])
})
