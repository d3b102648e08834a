/** Two processes and one night: one of them does it, and a process that was stopped in it writes nothing when it goes on. */
import { expect, test } from 'vitest'
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import type { Database } from '../platform/database/database.ts'
import { openLog } from '../platform/log.ts'
import { buildInstance, buildInvoice, testClock } from '../testing/build.ts'
import { testDatabase } from '../testing/test-database.ts'
import { performDueRuns } from './daily-run.ts'

const base = await testDatabase()

/** An instance with two invoices that fell due yesterday, and its night of that day behind it. */
async function eve() {
  const clock = testClock()
  const alias = `a${Math.random().toString(36).slice(2, 10)}`
  const { id: instanceId } = await buildInstance(base, { alias, isDefault: false })
  const invoices = [await buildInvoice(base, instanceId, clock), await buildInvoice(base, instanceId, clock)]
  const { rows } = await base.owner.query<{ due: string }>(
    'select expire_date::text as due from invoice where id = $1',
    [invoices[0]?.id],
  )
  const due = date(rows[0]?.due ?? '')
  await base.owner.query('insert into collection_night (instance_id, day, performed) values ($1, $2, 0)', [
    instanceId,
    due,
  ])
  clock.moveTo(addDays(due, 1))
  const instance = { id: instanceId, timeZone: 'Europe/Stockholm' }
  const run = (processName: string, db: Database = base.db): Promise<number> =>
    performDueRuns({ db, clock, log: openLog('silent'), processName }, instance)
  return { instanceId, invoices, day: addDays(due, 1), run }
}

async function nightsOf(instanceId: string, day: CalendarDate): Promise<number> {
  const text = 'select 1 from collection_night where instance_id = $1 and day = $2'
  return (await base.owner.query(text, [instanceId, day])).rows.length
}

async function performedOf(instanceId: string): Promise<string[]> {
  const { rows } = await base.owner.query<{ type: string }>(
    `select type from collection_step where instance_id = $1 and status = 'PERFORMED' and type <> 'INVOICE'`,
    [instanceId],
  )
  return rows.map(({ type }) => type)
}

const tasksOf = async (instanceId: string): Promise<unknown[]> =>
  (
    await base.owner.query(`select kind, about from task where instance_id = $1 and kind = 'work_stuck'`, [
      instanceId,
    ])
  ).rows

const expire = (instanceId: string) =>
  base.owner.query(`update work_lease set until = now() - interval '1 second' where instance_id = $1`, [
    instanceId,
  ])

/** The database of a process that stops before the transaction or write that `isThere` knows, until it is let go. */
function stopping(isThere: (text: string) => boolean) {
  let letGo = (): void => {}
  let reached = (): void => {}
  const isReached = new Promise<void>((settle) => (reached = settle))
  const thaw = new Promise<void>((settle) => (letGo = settle))
  const db: Database = {
    ...base.db,
    transaction: (work) =>
      base.db.transaction((tx) =>
        work({
          ...tx,
          rows: async (sql, values) => {
            if (isThere(sql.text)) {
              reached()
              // The process stands still; its connection does not outlive that.
              await thaw
            }
            return tx.rows(sql, values)
          },
        }),
      ),
  }
  return { db, isReached, letGo: () => letGo() }
}

test('T-CRON: while one process is in a night another one leaves it alone, and does not end it', async () => {
  const { instanceId, day, run } = await eve()
  const first = stopping((text) => /insert into collection_night/.test(text))
  const running = run('first', first.db)
  await first.isReached
  expect(await run('second')).toBe(0)
  expect(await nightsOf(instanceId, day)).toBe(0)
  first.letGo()
  expect(await running).toBe(2)
  expect(await nightsOf(instanceId, day)).toBe(1)
})

test('T-CRON: a process that goes on after another has taken over writes nothing more', async () => {
  const { instanceId, day, run } = await eve()
  // It stands still between two transactions, before its first write.
  let letGo = (): void => {}
  const thaw = new Promise<void>((settle) => (letGo = settle))
  let isStopped = (): void => {}
  const stopped = new Promise<void>((settle) => (isStopped = settle))
  const db: Database = {
    ...base.db,
    async transaction(work) {
      isStopped()
      await thaw
      return base.db.transaction(work)
    },
  }
  const frozen = run('frozen', db)
  await stopped
  await expire(instanceId)
  expect(await run('second')).toBe(2)
  expect(await nightsOf(instanceId, day)).toBe(1)
  const before = await base.owner.query('select * from collection_step where instance_id = $1 order by id', [
    instanceId,
  ])
  letGo()
  await expect(frozen).rejects.toMatchObject({ code: 'KV005' })
  const after = await base.owner.query('select * from collection_step where instance_id = $1 order by id', [
    instanceId,
  ])
  expect(after.rows).toEqual(before.rows)
  expect(await performedOf(instanceId)).toEqual(['EXPIRED', 'EXPIRED'])
  expect(await tasksOf(instanceId)).toEqual([])
})

test('nobody takes over in the middle of a transaction, so that each step is performed once', async () => {
  const { instanceId, day, run } = await eve()
  const first = stopping((text) => /update collection_step s set status/.test(text))
  const running = run('first', first.db)
  await first.isReached
  await expire(instanceId)
  const taking = run('second')
  first.letGo()
  const counts = await Promise.allSettled([running, taking])
  expect(await performedOf(instanceId)).toEqual(['EXPIRED', 'EXPIRED'])
  expect(await nightsOf(instanceId, day)).toBe(1)
  const performed = counts.map((one) => (one.status === 'fulfilled' ? one.value : 0))
  expect(performed[1]).toBeLessThanOrEqual(2)
  expect(await tasksOf(instanceId)).toEqual([])
})

test('a night does not end while somebody holds an invoice that is due', async () => {
  const { instanceId, invoices, day, run } = await eve()
  const holder = await base.owner.connect()
  await holder.query('begin')
  await holder.query('select from invoice where id = $1 for no key update', [invoices[0]?.id])
  expect(await run('only')).toBe(1)
  expect(await nightsOf(instanceId, day)).toBe(0)
  await holder.query('commit')
  holder.release()
  expect(await run('only')).toBe(1)
  expect(await nightsOf(instanceId, day)).toBe(1)
  expect(await performedOf(instanceId)).toEqual(['EXPIRED', 'EXPIRED'])
})
