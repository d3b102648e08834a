/** Whoever works on a claim, or on one of its invoices, locks in one order: nobody stands against anybody. */
import { expect, test } from 'vitest'
import { buildInstance, testClock } from '../testing/build.ts'
import { buildClaim } from '../testing/build-claim.ts'
import { testDatabase } from '../testing/test-database.ts'
import type { Transaction } from '../platform/database/database.ts'
import { lockClaim, lockInvoiceAndClaim } from './claims.ts'

test('an invoice of a claim and the claim itself, at the same moment', async () => {
  const world = await testDatabase()
  const { db, owner } = world
  const { id: instanceId } = await buildInstance(world)
  const claim = await buildClaim(world, instanceId, testClock(), { invoices: [{}, {}, {}] })
  const ids = claim.invoices.map(({ id }) => id).sort()
  const [first = '', , last = ''] = ids
  const tries: string[] = []
  const once = (name: string, lock: (tx: Transaction) => Promise<unknown>) =>
    db.transaction(async (tx) => {
      tries.push(name)
      await lock(tx)
    })
  // Somebody holds the first invoice, so that both wait, each with what it has locked before.
  const holder = await owner.connect()
  await holder.query('begin')
  await holder.query('select from invoice where id = $1 for update', [first])
  const waits = async (count: number) =>
    expect
      .poll(
        async () =>
          (
            await owner.query(
              `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
            )
          ).rowCount,
      )
      .toBe(count)
  const work = [once('claim', (tx) => lockClaim(tx, { instanceId, claimId: claim.id }))]
  await waits(1)
  work.push(once('invoice', (tx) => lockInvoiceAndClaim(tx, { instanceId, invoiceId: last })))
  await waits(2)
  await holder.query('commit')
  holder.release()
  await Promise.all(work)
  // A deadlock would have been answered by another try.
  expect(tries).toEqual(['claim', 'invoice'])
})
