import { beforeAll, expect, test } from 'vitest'
import { acceptsLogin, INVOICE_STATUSES } from '@kvitt/domain/invoices/invoice.ts'
import { testDatabase, type TestDatabase } from '../testing/test-database.ts'
import { NOT_HIDDEN, SHOWN } from './shown.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})

const ALL = INVOICE_STATUSES.flatMap((status) => [-1, 0, 1].map((total) => ({ status, total })))

async function passing(rule: string): Promise<unknown[]> {
  const { rows } = await db.owner.query(
    `select i.status, i.total_minor as total from unnest($1::text[], $2::int[]) i (status, total_minor) where ${rule}`,
    [ALL.map(({ status }) => status), ALL.map(({ total }) => total)],
  )
  return rows
}

test('the database shows what the domain lets anybody see, state by state', async () => {
  const shown = ALL.filter(({ status, total }) => acceptsLogin(status, total))
  expect(shown.length).toBeGreaterThan(0)
  expect(await passing(SHOWN)).toEqual(shown)
  expect(await passing(NOT_HIDDEN)).toEqual(ALL.filter(({ status }) => acceptsLogin(status, 0)))
})
