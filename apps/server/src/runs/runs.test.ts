/** What ran is kept: how often it was begun, what it did and what it left; and a person has it done once more, once. */
import { beforeAll, expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { getRun } from '@kvitt/domain/runs/run.contract.ts'
import { openTask } from '../tasks/tasks.ts'
import { buildInstance, buildInvoice, TODAY } from '../testing/build.ts'
import { signInStaff, type SignedIn } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { performDailyRun, performRunAgain } from '../collection/collection.ts'
import { makeSettlementsOf } from '../settlements/settlements.ts'
import { doAskedRuns, recordRun } from './runs.ts'

type Run = AnswerOf<typeof getRun>

let server: TestServer
let manager: SignedIn
let instance: { id: string; timeZone: string }
beforeAll(async () => {
  server = await startTestServer()
  instance = { id: server.instanceId, timeZone: 'Europe/Stockholm' }
  const at = { instanceId: server.instanceId, creditorId: null }
  manager = await signInStaff(server.product.context, { ...at, role: 'manager' })
})

const ask = (method: string, path: string, body?: object, headers = manager) =>
  server.call(method, `/api/admin/jobs${path}`, { ...(body ? { body } : {}), headers: { ...headers } })
const search = async (body: object = {}): Promise<Run[]> => (await ask('POST', '/search', body)).json
const works = {
  DAILY_RUN: (of: typeof instance) => performRunAgain(server.product.context, of),
  SETTLEMENTS: (of: typeof instance) => makeSettlementsOf(server.product.context, of),
}
const doAsked = () => doAskedRuns(server.product.context, [instance], works)

test('a daily run says what it did and what it left, and a start again adds to it', async () => {
  await buildInvoice(server.test, server.instanceId, server.clock, { dueDate: addDays(TODAY, -10) })
  // The first step is performed on a day after the one that plans it.
  for (let after = 0; after < 3; after++)
    await performDailyRun(server.product.context, instance, addDays(TODAY, after))
  const runs = await search({ work: 'DAILY_RUN' })
  expect(runs.map(({ day }) => day)).toEqual([2, 1, 0].map((after) => addDays(TODAY, after)))
  const first = runs.find(({ done }) => Object.keys(done).length > 0)
  expect(first).toMatchObject({ status: 'DONE', tries: 1, quarantined: [], error: null, askedBy: null })
  expect(Object.values(first?.done ?? {}).reduce((all, n) => all + n, 0)).toBeGreaterThan(0)
  expect(first?.tookMs).toBeGreaterThanOrEqual(0)
  expect((await ask('GET', `/${first?.id}`)).json).toEqual(first)
  await performDailyRun(server.product.context, instance, TODAY)
  expect(await search({ work: 'DAILY_RUN' }), 'one row for each time').toHaveLength(4)
})

const work = (day: string) => ({ instanceId: server.instanceId, work: 'SETTLEMENTS', day }) as const
const ended = (done: Record<string, number>, isEnded = true) =>
  [async () => 'x', () => ({ done, isEnded })] as const

test('what failed, waited or was cut off is gone on with in its row', async () => {
  const { context } = server.product
  const broken = recordRun(
    context,
    work('2026-01-01'),
    async () => {
      await openTask(context.db, {
        instanceId: server.instanceId,
        kind: 'work_stuck',
        about: 'step x',
        details: { error: '57014' },
      })
      throw Object.assign(new Error('Alva Provlund'), { code: 'KV005' })
    },
    () => ({ done: {}, isEnded: true }),
  )
  await expect(broken).rejects.toThrow('Alva Provlund')
  const of = { day: { from: '2026-01-01', to: '2026-01-01' } }
  expect(await search(of)).toMatchObject([
    { status: 'FAILED', error: 'KV005', tries: 1, quarantined: [{ about: 'step x', error: '57014' }] },
  ])
  await recordRun(context, work('2026-01-01'), ...ended({ SETTLEMENTS: 1 }, false))
  expect(await search(of)).toMatchObject([{ status: 'WAITS', error: null, tries: 2, quarantined: [] }])
  // A process that has died says nothing.
  void recordRun(
    context,
    work('2026-01-01'),
    () => new Promise(() => {}),
    () => ({ done: {}, isEnded: true }),
  )
  await expect.poll(() => search(of)).toMatchObject([{ status: 'RUNNING', endedAt: null, tries: 3 }])
  await recordRun(context, work('2026-01-01'), ...ended({ SETTLEMENTS: 2, NONE: 0 }))
  expect(await search(of)).toMatchObject([{ status: 'DONE', tries: 4, done: { SETTLEMENTS: 3 } }])
  const [one] = await search(of)
  expect(Object.keys(one?.done ?? {})).toEqual(['SETTLEMENTS'])
  // What has come to its end is not gone on with.
  await recordRun(context, work('2026-01-01'), ...ended({}))
  expect(await search(of)).toHaveLength(2)
})

test('what was cut off on an earlier day is told of by the next run', async () => {
  const { context } = server.product
  const dead = recordRun(
    context,
    work('2026-01-02'),
    () => new Promise(() => {}),
    () => ({ done: {}, isEnded: true }),
  )
  void dead
  const of = { day: { from: '2026-01-02', to: '2026-01-02' } }
  await expect.poll(() => search(of)).toMatchObject([{ status: 'RUNNING' }])
  await recordRun(context, work('2026-01-03'), ...ended({}))
  expect(await search(of)).toMatchObject([{ status: 'CUT_OFF' }])
})

test('a person has it done once more: asked for twice it is done once, and written down', async () => {
  const both = await Promise.all([
    ask('POST', '/run', { work: 'DAILY_RUN' }),
    ask('POST', '/run', { work: 'DAILY_RUN' }),
  ])
  expect(both.map(({ status }) => status)).toEqual([202, 202])
  const [asked, same] = both.map(({ json }) => json as Run)
  expect(asked).toMatchObject({ status: 'ASKED', askedBy: 'Prov manager', startedAt: null, tries: 0 })
  expect(same?.id).toBe(asked?.id)
  await Promise.all([doAsked(), doAsked()])
  expect((await ask('GET', `/${asked?.id}`)).json).toMatchObject({ status: 'DONE', tries: 1, day: TODAY })
  const { rows } = await server.test.owner.query(
    `select kind, after from audit_event where about = $1 order by seq`,
    [`job:${asked?.id}`],
  )
  expect(rows).toEqual([{ kind: 'run_asked_for', after: { work: 'DAILY_RUN' } }])
  const settled = (await ask('POST', '/run', { work: 'SETTLEMENTS' })).json as Run
  await doAsked()
  expect((await ask('GET', `/${settled.id}`)).json).toMatchObject({ status: 'DONE' })
  const wrong = await ask('POST', '/run', { work: 'COFFEE' })
  expect([wrong.status, (wrong.json as { code: string }).code]).toEqual([400, 'invalid_request'])
})

test('another provider sees none of it, and whoever only looks has nothing run', async () => {
  const other = await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })
  const [one] = await search()
  const { rows } = await server.test.owner.query(
    `insert into job_run (instance_id, id, work, day, status, started_at, ended_at, tries, listed_at)
     values ($1, gen_random_uuid(), 'SETTLEMENTS', '2026-01-01', 'DONE', now(), now(), 1, now()) returning id`,
    [other.id],
  )
  expect((await ask('GET', `/${rows[0].id}`)).status).toBe(404)
  expect((await search()).map(({ id }) => id)).not.toContain(rows[0].id)
  const at = { instanceId: server.instanceId, creditorId: null }
  const auditor = await signInStaff(server.product.context, { ...at, role: 'auditor' })
  expect((await ask('GET', `/${one?.id}`, undefined, auditor)).status).toBe(200)
  expect((await ask('POST', '/run', { work: 'DAILY_RUN' }, auditor)).status).toBe(403)
})
