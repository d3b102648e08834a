/** Pages of due steps go past those that wait, however many there are in a row. */
import { expect, test } from 'vitest'
import type { Awaited } from '../creditors/creditors.ts'
import { addDays } from '@kvitt/domain/calendar.ts'
import { buildInstance, buildInvoice, testClock, TODAY } from '../testing/build.ts'
import { testDatabase } from '../testing/test-database.ts'
import { planFirstSteps } from './collection.queries.ts'
import { FIRST_PLACE, lockDueSteps, readPage, type DuePage, type Place } from './due-steps.queries.ts'

const base = await testDatabase()
const clock = testClock()
const { id: instanceId } = await buildInstance(base)

test('a page that finds none but waiting steps ends with the last that it looked at', async () => {
  const dueDate = addDays(TODAY, 1)
  const waiting: string[] = []
  for (let n = 0; n < 45; n++) waiting.push((await buildInvoice(base, instanceId, clock, { dueDate })).id)
  const other = await buildInvoice(base, instanceId, clock, { dueDate })
  const { rows } = await base.owner.query<{ id: string }>(
    'select payment_account_id as id from invoice where id = any($1)',
    [waiting],
  )
  const awaited: Awaited = { isNobody: false, accountIds: rows.map(({ id }) => id), currencies: [] }
  const day = addDays(dueDate, 1)
  await planFirstSteps(base.db, { instanceId, day, id: other.id })
  // All on one day: they come in the order of their debts, which is that in which they were made.
  const found: string[] = []
  let pages = 0
  await base.db.transaction(async (tx) => {
    for (let after: Place | undefined = FIRST_PLACE; after; pages++) {
      const page: DuePage = { instanceId, day, after, limit: 1, types: ['EXPIRED'], awaited }
      for (const row of await lockDueSteps(tx, page)) found.push(row.invoice_id)
      after = (await readPage(tx, 'invoice', page))?.last
    }
  })
  // Twenty, twenty, and five with the other; then one that is empty.
  expect([found, pages]).toEqual([[other.id], 4])
})
