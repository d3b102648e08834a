/** What charges by a figure waits while one is being entered, and goes on with what holds then: nothing is charged by two. */
import { expect, test } from 'vitest'
import { addDays, date } from '@kvitt/domain/calendar.ts'
import { performDailyRun } from '../collection/collection.ts'
import { readReminderTerms } from '../imports/imports.ts'
import { buildInvoice, type BuiltInvoice, type InvoiceWishes } from '../testing/build.ts'
import { fileOf, outcomesOf, server, takeFiles, useBankFiles } from '../testing/files/bank-files.ts'
import { holdFigures, lockFigures } from './country-figures.ts'

useBankFiles()

const DUE = date('2026-03-10')
const build = (wishes: InvoiceWishes = {}): Promise<BuiltInvoice> => {
  server.clock.moveTo(addDays(DUE, -28))
  return buildInvoice(server.test, server.instanceId, server.clock, {
    dueDate: DUE,
    totalMinor: 600_000,
    ...wishes,
  })
}

/** Whether an act has to wait while a figure is entered; it is done in the end. */
async function waits(act: () => Promise<unknown>): Promise<boolean> {
  let done: Promise<unknown> = Promise.resolve()
  const first = await server.test.db.transaction(async (tx) => {
    await lockFigures(tx, server.instanceId)
    done = act()
    const soon = new Promise((resolve) => setTimeout(() => resolve('waits'), 1500))
    return Promise.race([done.then(() => 'done'), soon])
  })
  await done
  return first === 'waits'
}

test('a plan whose ceiling is read', async () => {
  const { reference, zip } = await build()
  const path = `/api/public/invoices/${reference}/${zip}/part-payment`
  const { json } = await server.call('GET', `${path}/options`)
  const { offerVersion } = json as { offerVersion: string }
  const body = { type: 'PLAN_6', agreementAccepted: true, offerVersion }
  const start = async () => expect((await server.call('PUT', `${path}/start`, { body })).status).toBe(200)
  expect(await waits(start)).toBe(true)
})

test('money that takes the ground from what was charged', async () => {
  const { reference } = await build()
  const day = addDays(DUE, 12)
  for (const on of [7, 8, 12]) {
    server.clock.moveTo(addDays(DUE, on))
    await performDailyRun(
      server.product.context,
      { id: server.instanceId, timeZone: 'Europe/Stockholm' },
      addDays(DUE, on),
    )
  }
  server.clock.moveTo(day)
  const file = fileOf([{ reference, amountMinor: 600_000 }], { day: addDays(DUE, 3) })
  const take = async () => expect(outcomesOf(await takeFiles(file))).toEqual(['booked'])
  expect(await waits(take)).toBe(true)
})

test('a reminder of the creditor itself, whose cost is limited', async () => {
  const { creditorId } = await build()
  const { db } = server.test
  const terms = () =>
    db.transaction((tx) => readReminderTerms(tx, { instanceId: server.instanceId, creditorId }))
  expect(await waits(terms)).toBe(true)
})

test('whoever enters waits for those who charge, and nobody waits behind it: two who need one debt end without a deadlock', async () => {
  const { id } = await build()
  const { db, owner } = server.test
  const tries = { holder: 0, other: 0, enters: 0 }
  const debt = { name: `test.lockDebt${id}`, text: `select id from invoice where id = '${id}' for update` }
  const gate = () => {
    let open: () => void = () => undefined
    const passed = new Promise<void>((resolve) => {
      open = resolve
    })
    return { open, passed }
  }
  const [hasDebt, hasFigures, isWaiting] = [gate(), gate(), gate()]
  // As a plan: its debt, then the figures. In the queue behind whoever enters it would wait for the other, who waits for its debt.
  const holder = db.transaction(async (tx) => {
    tries.holder += 1
    await tx.rows(debt)
    hasDebt.open()
    await isWaiting.passed
    await holdFigures(tx, server.instanceId)
  })
  // Whatever has the figures already and comes to need that debt.
  const other = db.transaction(async (tx) => {
    tries.other += 1
    await hasDebt.passed
    await holdFigures(tx, server.instanceId)
    hasFigures.open()
    await tx.rows(debt)
  })
  await hasFigures.passed
  const enters = db.transaction(async (tx) => {
    tries.enters += 1
    await lockFigures(tx, server.instanceId)
  })
  const waiting = async () =>
    Number(
      (
        await owner.query(
          `select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and query like '%${id}%'`,
        )
      ).rows[0]?.n,
    )
  await expect.poll(waiting).toBe(1)
  await new Promise((resolve) => setTimeout(resolve, 200))
  // Nobody stands in the queue for the figures: behind that the plan would wait until the database finds the circle.
  const queue = await owner.query(`select from pg_locks where locktype = 'advisory' and not granted`)
  expect([tries.enters, queue.rowCount]).toEqual([1, 0])
  isWaiting.open()
  await Promise.all([holder, other, enters])
  expect(tries).toEqual({ holder: 1, other: 1, enters: 1 })
})

test('where somebody charges all the time, whoever enters is told so, and nothing has changed', async () => {
  const { db } = server.test
  await db.transaction(async (tx) => {
    await holdFigures(tx, server.instanceId)
    await expect(db.transaction((other) => lockFigures(other, server.instanceId))).rejects.toMatchObject({
      code: 'figures_busy',
    })
  })
})
