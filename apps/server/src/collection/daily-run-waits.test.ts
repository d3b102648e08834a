import { expect, test } from 'vitest'
import { addDays, type CalendarDate } from '@kvitt/domain/calendar.ts'
import type { Database } from '../platform/database/database.ts'
import { openLog } from '../platform/log.ts'
import { NIGHTS_TO_CLAIM } from '../testing/build-claim.ts'
import { buildInstance, buildInvoice, testClock, TODAY, type BuiltInvoice } from '../testing/build.ts'
import { testDatabase } from '../testing/test-database.ts'
import { performDailyRun } from './collection.ts'

const base = await testDatabase()
const clock = testClock()
const { id: instanceId } = await buildInstance(base)

const IMPATIENT = { name: 'test.impatient', text: `set local statement_timeout = '400ms'` }

/** The database as a night sees it, where no statement may take long. `cancelled` is told of each that did. */
function impatient(cancelled: () => Promise<void> = async () => {}): Database {
  const transaction: Database['transaction'] = async (work) => {
    try {
      return await base.db.transaction(async (tx) => {
        await tx.rows(IMPATIENT)
        return work(tx)
      })
    } catch (error) {
      if ((error as { code?: unknown }).code === '57014') await cancelled()
      throw error
    }
  }
  return { ...base.db, transaction, rows: (sql, values) => transaction((tx) => tx.rows(sql, values)) }
}

async function night(day: CalendarDate, db: Database = base.db): Promise<void> {
  clock.moveTo(day)
  await performDailyRun(
    { db, clock, log: openLog('silent') },
    { id: instanceId, timeZone: 'Europe/Stockholm' },
    day,
  )
}

/** Holds what `sql` locks until it is let go. */
async function hold(sql: string, values: unknown[] = []): Promise<{ letGo: () => Promise<void> }> {
  const client = await base.owner.connect()
  await client.query('begin')
  await client.query(sql, values)
  let isHeld = true
  const letGo = async (): Promise<void> => {
    if (!isHeld) return
    isHeld = false
    await client.query('commit')
    client.release()
  }
  return { letGo }
}

const tasks = async (): Promise<{ about: string; error: string }[]> =>
  (
    await base.owner.query(
      `select about, details ->> 'error' as error from task where kind = 'work_stuck' order by about`,
    )
  ).rows
const forget = () => base.owner.query(`delete from task where kind = 'work_stuck'`)
const inClaims = async (invoices: readonly BuiltInvoice[]): Promise<boolean[]> => {
  const { rows } = await base.owner.query<{ id: string; joined: boolean }>(
    'select id, claim_id is not null as joined from invoice where id = any($1)',
    [invoices.map(({ id }) => id)],
  )
  return invoices.map(({ id }) => rows.find((row) => row.id === id)?.joined ?? false)
}

/** Three debtors' invoices on the eve of their hand-over, and the day of it. */
async function aboutToJoin(): Promise<{ invoices: BuiltInvoice[]; day: CalendarDate }> {
  const dueDate = addDays(TODAY, 5)
  clock.moveTo(TODAY)
  const invoices: BuiltInvoice[] = []
  for (let n = 0; n < 3; n++) invoices.push(await buildInvoice(base, instanceId, clock, { dueDate }))
  for (const after of NIGHTS_TO_CLAIM.slice(0, -1)) await night(addDays(dueDate, after))
  return { invoices, day: addDays(dueDate, NIGHTS_TO_CLAIM.at(-1) ?? 0) }
}

const LOCK = 'select from invoice where id = $1 for update'

test('who waits too long for one invoice leaves it to another night, and goes on', async () => {
  const { invoices, day } = await aboutToJoin()
  const { letGo } = await hold(LOCK, [invoices[1]?.id])
  await night(day, impatient())
  await letGo()
  expect(await inClaims(invoices)).toEqual([true, false, true])
  expect(await tasks()).toEqual([{ about: expect.stringMatching(/^hand over step /), error: '57014' }])
  await night(addDays(day, 1), impatient())
  expect(await inClaims(invoices)).toEqual([true, true, true])
  await forget()
})

test('what stood in the way for a moment is nobody’s matter: the batch is tried once more', async () => {
  const { invoices, day } = await aboutToJoin()
  const { letGo } = await hold(LOCK, [invoices[1]?.id])
  let cancelled = 0
  const db = impatient(async () => {
    cancelled += 1
    await letGo()
  })
  await night(day, db)
  expect(cancelled).toBe(1)
  expect(await inClaims(invoices)).toEqual([true, true, true])
  expect(await tasks()).toEqual([])
})

test('a night in which no step can be written comes to its end, and the next one makes up for it', async () => {
  const { invoices, day } = await aboutToJoin()
  const { letGo } = await hold('lock table collection_step in share row exclusive mode')
  await night(day, impatient())
  await letGo()
  expect(await inClaims(invoices)).toEqual([false, false, false])
  expect(new Set((await tasks()).map(({ error }) => error))).toEqual(new Set(['57014']))
  await night(addDays(day, 1), impatient())
  expect(await inClaims(invoices)).toEqual([true, true, true])
})
