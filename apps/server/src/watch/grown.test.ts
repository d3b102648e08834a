/** What is read for whoever watches stays little, however much waits or was counted. */
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ALL_TASKS } from '@kvitt/domain/tasks/task-kind.ts'
import type { Connection, Statement } from '../platform/database/database.ts'
import { buildInstance, testClock } from '../testing/build.ts'
import { testDatabase } from '../testing/test-database.ts'
import { openTasksOf, readMoney, readQueues, readSuspense } from './watch.queries.ts'

/** What is read of each at most, as is said at /metrics. */
const MOST = 10_000
const MANY = 15_000

let owner: pg.PoolClient
/** Beside the books: taken back at the end, so that nothing has to be booked for it. */
beforeAll(async () => {
  const database = await testDatabase()
  const { id } = await buildInstance(database)
  owner = await database.owner.connect()
  await owner.query('begin')
  // Without the checks of what they belong to, which is not there.
  await owner.query(`set local session_replication_role = 'replica'`)
  const fill = (sql: string): Promise<unknown> => owner.query(sql.replaceAll(':i', `'${id}'::uuid`))
  const to = `generate_series(1, ${MANY}) n`
  await fill(`insert into webhook_delivery (instance_id, id, webhook_id, event_id, next_try_at)
    select :i, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), now() + interval '1 day' from ${to}`)
  await fill(`insert into figure_move (instance_id, creditor_id, figure, day, n)
    select :i, gen_random_uuid(), case n % 2 when 0 then 'IN' else 'OPEN' end, date '2020-01-01' + n % 900, 1 from ${to}`)
  await fill(`insert into bank_line (instance_id, id, file_id, number, account_key, account_id, deposit_key, deposit_line, kind,
      amount_minor, currency, bank_date, payment_references, status)
    select :i, gen_random_uuid(), gen_random_uuid(), n, '1', gen_random_uuid(), 'd', n, 'PAYMENT', 100, 'SEK',
      date '2026-01-01' + n / 100, '{}', 'SUSPENSE' from ${to}`)
  await fill(`insert into task (instance_id, id, kind, about, details, made_on, created_at)
    select :i, gen_random_uuid(), 'refund', 'test:' || n, '{}'::jsonb, date '2026-01-01' + n / 1000, now() - interval '1 day' from ${to}
    union all select :i, gen_random_uuid(), 'audit_cut', 'test:cut', '{}', date '2026-02-01', now()`)
  await owner.query('analyze webhook_delivery, figure_move, bank_line, task')
}, 120_000)
afterAll(async () => {
  await owner.query('rollback')
  owner.release()
})

type Plan = { readonly 'Shared Hit Blocks': number; readonly 'Shared Read Blocks': number }
let pages = 0
/** Counts the pages of 8 kB that its statements read. */
const db: Connection = {
  async rows<Row>(sql: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    const explained = `explain (analyze, buffers, format json) ${sql.text}`
    const { rows } = await owner.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(explained, [...values])
    const plan = rows[0]?.['QUERY PLAN'][0].Plan
    pages += (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0)
    return (await owner.query(sql.text, [...values])).rows as Row[]
  },
}
async function pagesOf(act: () => Promise<unknown>): Promise<number> {
  pages = 0
  await act()
  return pages
}

test('webhooks that are tried later are not read', async () => {
  expect(await pagesOf(async () => expect(await readQueues(db)).toEqual([]))).toBeLessThan(60)
})

test('nor is what was counted on other days', async () => {
  expect(await pagesOf(async () => expect(await readMoney(db, testClock())).toEqual([]))).toBeLessThan(40)
})

test('of money without a place the oldest lines are read', async () => {
  expect(await readSuspense(db)).toMatchObject([
    { currency: 'SEK', lines: MOST, minor: MOST * 100, day: '2026-01-01' },
  ])
})

test('of each kind of task the oldest are read, and no kind stands in the way of another', async () => {
  const tasks = await openTasksOf(ALL_TASKS)(db)
  const refunds = tasks.filter(({ kind }) => kind === 'refund')
  expect(refunds.reduce((sum, one) => sum + one.tasks, 0)).toBe(MOST)
  expect(tasks.filter(({ kind }) => kind === 'audit_cut')).toMatchObject([{ tasks: 1, madeOn: '2026-02-01' }])
})
