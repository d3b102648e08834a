/** How long a debtor's lists are: kept by the database, true for everybody, and never waited for. */
import type pg from 'pg'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { buildInstance, buildInvoice, testClock, type BuiltInvoice } from '../testing/build.ts'
import { brokenInvariants, testDatabase, type TestDatabase } from '../testing/test-database.ts'

let db: TestDatabase
let instanceId: string
let invoices: BuiltInvoice[]

beforeAll(async () => {
  db = await testDatabase()
  instanceId = (await buildInstance(db)).id
})

/** Each test has a debtor of its own, with four open invoices. */
beforeEach(async () => {
  const build = (wishes = {}) => buildInvoice(db, instanceId, testClock(), wishes)
  const first = await build()
  invoices = [first, ...(await Promise.all([1, 2, 3].map(() => build({ beside: first }))))]
})

const move = (by: pg.Pool | pg.PoolClient, invoice: BuiltInvoice | undefined, status: string) =>
  by.query('update invoice set status = $2 where id = $1', [invoice?.id, status])

async function lengths(by: pg.Pool | pg.PoolClient): Promise<{ activated: number; disputed: number }> {
  const { rows } = await by.query(
    `select sum(activated)::int as activated, sum(disputed)::int as disputed from list_length where debtor_id = $1`,
    [invoices[0]?.debtorId],
  )
  return rows[0] as { activated: number; disputed: number }
}

/** The balances of these invoices say nothing here: what the other invariants watch is put back at the end. */
async function restore(): Promise<void> {
  await db.owner.query(`update invoice set status = 'ACTIVATED' where debtor_id = $1`, [
    invoices[0]?.debtorId,
  ])
}

test('who changes a debtor’s lists waits for nobody else who does', async () => {
  const [one, other] = [await db.owner.connect(), await db.owner.connect()]
  try {
    await one.query('begin')
    await move(one, invoices[0], 'DISPUTED')
    await other.query(`begin; set local lock_timeout = '1s'`)
    await move(other, invoices[1], 'DISPUTED')
    await move(other, invoices[2], 'DISPUTED')
    // Each sees its own change and not the other's.
    expect(await lengths(one)).toEqual({ activated: 3, disputed: 1 })
    expect(await lengths(other)).toEqual({ activated: 2, disputed: 2 })
    await other.query('commit')
    await move(one, invoices[3], 'DISPUTED')
    expect(await lengths(one)).toEqual({ activated: 0, disputed: 4 })
    await one.query('rollback')
  } finally {
    one.release()
    other.release()
  }
  expect(await lengths(db.owner)).toEqual({ activated: 2, disputed: 2 })
  const broken = Object.keys(await brokenInvariants(db.owner))
  expect(broken).not.toContain('inv_i20_list_lengths_are_true')
  await restore()
})

test('many changes at once add up, in few rows', async () => {
  const turns = Array.from({ length: 40 }, (_, n) => n)
  const most = 4
  await Promise.all(
    Array.from({ length: most }, async (_, reader) => {
      for (const turn of turns)
        await move(db.owner, invoices[reader], turn % 2 === 0 ? 'DISPUTED' : 'ACTIVATED')
    }),
  )
  expect(await lengths(db.owner)).toEqual({ activated: 4, disputed: 0 })
  const { rows } = await db.owner.query('select from list_length where debtor_id = $1', [
    invoices[0]?.debtorId,
  ])
  expect(rows.length).toBeLessThanOrEqual(most)
})

test('the program may read them and not write them', async () => {
  const write = { name: 'write', text: 'update list_length set activated = 0' }
  await expect(db.db.rows(write)).rejects.toThrow(/permission denied/)
  const call = { name: 'call', text: 'select change_list_lengths(null)' }
  await expect(db.db.rows(call)).rejects.toThrow(/permission denied/)
})
