import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { beforeAll, expect, test, vi } from 'vitest'
import { systemClock } from '../src/platform/clock.ts'
import { openTask } from '../src/tasks/tasks.ts'
import { runHere, urlOf, type Ended } from '../src/testing/run-program.ts'
import { buildInstance } from '../src/testing/build.ts'
import { testDatabase, type TestDatabase } from '../src/testing/test-database.ts'
import { atNoon } from '../src/testing/commands/at-noon.ts'

vi.setConfig({ testTimeout: 120_000 })
let built: TestDatabase
let instanceId = ''
let serial = 0
let today: CalendarDate

atNoon()
beforeAll(async () => {
  today = systemClock(() => 0).today('Europe/Stockholm')
  built = await testDatabase()
  instanceId = (await buildInstance(built)).id
})

const sql = async (text: string, ...values: unknown[]) => (await built.owner.query(text, values)).rows
const run = (...args: string[]): Promise<Ended> => runHere('task-cli', args, { DATABASE_URL: urlOf(built) })

/** A payment's task has a day or some, an application's five. */
async function open(
  kind: 'payment_contradiction' | 'court_to_file' = 'payment_contradiction',
): Promise<string> {
  serial += 1
  const about = `payment:${serial}`
  await openTask(built.db, { instanceId, kind, about, details: {} })
  return (await sql('select id from task where about = $1', about))[0].id as string
}
const shortOf = (id: string): string => `task ${id.slice(-8)}`
const deedsOf = (id: string) =>
  sql(`select kind, actor, before, after from audit_event where about = $1 order by seq`, `task:${id}`)

test('is given to somebody, once, and to nobody again; who did it is kept', async () => {
  const id = await open()
  const given = ['--task', id, '--assign', '  Anna  Berg ', '--by', 'kim']
  const both = await Promise.all([run(...given), run(...given)])
  expect(both.map(({ status }) => status)).toEqual([0, 0])
  expect(both[0]?.stdout).toContain('for Anna Berg')
  await run('--task', id, '--assign', 'nobody', '--by', 'kim')
  const [none, hers] = [null, 'Anna Berg'].map((assignee) => ({ assignee, snoozed_until: null }))
  expect(await deedsOf(id)).toEqual([
    { kind: 'task_kept', actor: 'person:kim', before: none, after: hers },
    { kind: 'task_kept', actor: 'person:kim', before: hers, after: none },
  ])
})

test('put aside it is out of the list until its day, and stays open', async () => {
  const id = await open()
  const until = addDays(today, 1)
  const put = await run('--task', id, '--snooze', until)
  expect([put.status, put.stdout]).toEqual([0, expect.stringContaining(`aside until ${until}`)])
  const listed = await run()
  expect(listed.stdout).not.toContain(shortOf(id))
  expect(listed.stdout).toMatch(/ open, 1 put aside\n$/)
  expect((await run('--all')).stdout).toContain(shortOf(id))
  expect(await sql('select done_at from task where id = $1', id)).toEqual([{ done_at: null }])
  // Its day has come.
  await sql('update task set snoozed_until = $2 where id = $1', id, today)
  expect((await run()).stdout).toContain(shortOf(id))
  await run('--task', id, '--snooze', until)
  await run('--task', id, '--snooze', 'no')
  expect((await run()).stdout).toContain(shortOf(id))
})

test('a cause that is back after its task had ended is not aside any more', async () => {
  const id = await open('court_to_file')
  expect(await run('--task', id, '--snooze', addDays(today, 3))).toMatchObject({ status: 0 })
  const [{ about }] = await sql('update task set done_at = now() where id = $1 returning about', id)
  await openTask(built.db, { instanceId, kind: 'court_to_file', about, details: {} })
  expect(await sql('select snoozed_until, done_at from task where id = $1', id)).toEqual([
    { snoozed_until: null, done_at: null },
  ])
})

test('notes are there once each, in their order, and nobody can change them', async () => {
  const id = await open()
  for (const text of ['Ringde banken.', 'Ringde banken.', 'De svarar i morgon.'])
    await run('--task', id, '--note', text, '--by', 'kim')
  const { stdout } = await run('--task', id)
  expect(stdout.match(/person:kim {2}.*$/gm)).toEqual([
    'person:kim  Ringde banken.',
    'person:kim  De svarar i morgon.',
  ])
  const clear = { name: 'x', text: 'delete from task_note' }
  await expect(built.db.rows(clear)).rejects.toThrow('permission denied')
  await expect(sql(clear.text)).rejects.toThrow(/task_note/)
})

const ID = ['--task', '01a200be-104f-7f5e-be14-31a3329deb27']
test.each([
  ['no task', ['--assign', 'Anna'], /^--assign, --snooze and --note need --task/],
  ['two at once', [...ID, '--assign', 'Anna', '--note', 'x'], /^Give --do, --assign, --snooze or --note/],
  ['a task that is not there', [...ID, '--assign', 'Anna'], /^The provider has no task 01a200be-/],
])('%s is answered with one sentence and status 2', async (_, args, sentence) => {
  const { status, stdout, stderr } = await run(...args)
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toMatch(sentence)
})

test('the list names it by the end of its id, and it is asked for by that', async () => {
  const id = await open()
  const [, ending] = new RegExp(`task ([0-9a-f]{8})  .*payment:${serial}`).exec((await run()).stdout) ?? []
  expect(id.endsWith(String(ending))).toBe(true)
  expect((await run('--task', String(ending))).stdout).toContain(`payment:${serial}`)
  const told = await run('--task', String(ending), '--json')
  expect(JSON.parse(told.stdout)).toMatchObject({ id })
  const decided = await run('--task', String(ending), '--do', 'settled', '--reason', 'Banken sade det.')
  expect([
    decided.status,
    await sql('select done_at is not null as done from task where id = $1', id),
  ]).toEqual([0, [{ done: true }]])
  expect((await run('--task', '00000000')).stderr).toMatch(/^The provider has no task 00000000/)
  const twin = `${id.slice(0, 7)}${id[7] === '0' ? '1' : '0'}${id.slice(8)}`
  await sql(
    `insert into task (instance_id, id, kind, about, details, made_on) select instance_id, $2, kind, about || '-2', details, made_on
     from task where id = $1`,
    id,
    twin,
  )
  expect(await run('--task', String(ending))).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/^More than one task ends in /),
  })
})

test('neither a day that is past, nor one after its last day, nor a task that is done', async () => {
  const id = await open()
  const { deadline } = JSON.parse((await run('--task', id, '--json')).stdout) as { deadline: string }
  for (const day of [today, addDays(date(deadline), 1), addDays(today, 91), 'tomorrow'])
    expect(await run('--task', id, '--snooze', day)).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(
        `^A task is put aside until a day after ${today} and up to ${deadline}, `,
      ),
    })
  expect(await run('--task', id, '--snooze', deadline)).toMatchObject({ status: 0 })
  await sql('update task set made_on = made_on - 30 where id = $1', id)
  expect(await run('--task', id, '--snooze', addDays(today, 1))).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/^The task was to be done by .*: it is not put aside any more/),
  })
  await sql('update task set done_at = now() where id = $1', id)
  expect((await run('--task', id, '--note', 'Klart.')).stderr).toBe(`The task ${id} is done.\n`)
})
