import pg from 'pg'
import { expect, test } from 'vitest'
import { testDatabase } from '../../testing/test-database.ts'

const { owner, address } = await testDatabase()

/** What PostgreSQL believes of the table, and the transaction that said so. */
async function measured(): Promise<{ rows: number; by: string }> {
  const { rows } = await owner.query(
    `select reltuples::int as rows, xmin::text as by from pg_class where oid = 'public.table_of_test'::regclass`,
  )
  return rows[0]
}

test('a table is measured once it has outgrown what was measured, and not again before it has doubled', async () => {
  // The rule itself, on a table of this test's own: the functions for the program name its tables.
  await owner.query('create table table_of_test (n int, padding text)')
  const { rows: tables } = await owner.query(`select tableowner from pg_tables where tablename = 'invoice'`)
  await owner.query(`alter table table_of_test owner to ${tables[0].tableowner}`)
  const fill = (rows: number): Promise<unknown> =>
    owner.query(`insert into table_of_test select n, repeat('x', 200) from generate_series(1, $1) n`, [rows])
  const ask = (): Promise<unknown> => owner.query(`select measure_grown('{table_of_test}')`)
  await fill(100)
  await ask()
  expect((await measured()).rows, 'a few pages are looked through anyhow').toBe(-1)
  await fill(900)
  await ask()
  const first = await measured()
  expect(first.rows).toBe(1_000)
  await fill(500)
  await ask()
  expect(await measured(), 'half as much again').toEqual(first)
  await fill(2_500)
  await ask()
  expect((await measured()).rows).toBe(4_000)
})

test.each(['learn_table_sizes', 'learn_claim_sizes', 'learn_plan_sizes', 'learn_payment_sizes'])(
  'the program may ask for it through %s, and for no other table',
  async (name) => {
    const app = new pg.Client(address)
    await app.connect()
    await expect(app.query(`select ${name}()`)).resolves.toBeDefined()
    await expect(app.query(`select measure_grown('{invoice}')`)).rejects.toThrow('permission denied')
    await app.end()
  },
)
