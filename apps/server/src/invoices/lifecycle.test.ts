import { beforeAll, expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import { buildInstance, buildInvoice, testClock, TODAY, type BuiltInvoice } from '../testing/build.ts'
import { testDatabase, type TestDatabase } from '../testing/test-database.ts'
import { approveInvoice, archiveInvoice, cancelInvoice, distributeInvoice } from './invoices.ts'

let db: TestDatabase
let instanceId: string
const clock = testClock()
const dates = { sendDate: TODAY, termDays: 10 }

beforeAll(async () => {
  db = await testDatabase()
  instanceId = (await buildInstance(db)).id
})

const context = () => ({ db: db.db, clock })
const keyOf = (invoice: BuiltInvoice) => ({ instanceId, invoiceId: invoice.id })
const draft = (wishes = {}) => buildInvoice(db, instanceId, clock, { status: 'CREATED', ...wishes })

async function stateOf(invoice: BuiltInvoice) {
  const { rows } = await db.owner.query(
    'select status, balance_minor::int, sent_date::text from invoice where id = $1',
    [invoice.id],
  )
  const steps = await db.owner.query('select type, status from collection_step where invoice_id = $1', [
    invoice.id,
  ])
  return { ...rows[0], steps: steps.rows }
}

test('a draft is approved, sent and owed; nothing is posted before it is sent', async () => {
  const invoice = await draft()
  await approveInvoice(context(), keyOf(invoice), dates)
  expect(await stateOf(invoice)).toMatchObject({
    status: 'PENDING',
    balance_minor: 0,
    steps: [{ type: 'INVOICE', status: 'PLANNED' }],
  })
  await distributeInvoice(context(), keyOf(invoice), TODAY)
  expect(await stateOf(invoice)).toMatchObject({
    status: 'ACTIVATED',
    balance_minor: 84_200,
    sent_date: TODAY,
    steps: [{ type: 'INVOICE', status: 'PERFORMED' }],
  })
})

test('a due date that is too soon, or a reference that is wrong, cannot be approved', async () => {
  const soon = await draft({ dueDate: addDays(TODAY, 9) })
  await expect(approveInvoice(context(), keyOf(soon), dates)).rejects.toThrow(
    /less than 10 days after the send date/,
  )
  const wrong = await draft({ reference: '123456' })
  await expect(approveInvoice(context(), keyOf(wrong), dates)).rejects.toThrow(/fails its check digits/)
  expect(await stateOf(soon)).toMatchObject({ status: 'CREATED', steps: [] })
})

test('sent twice at once, it is owed once', async () => {
  const invoice = await draft()
  await approveInvoice(context(), keyOf(invoice), dates)
  const both = await Promise.allSettled([1, 2].map(() => distributeInvoice(context(), keyOf(invoice), TODAY)))
  expect(both.map((r) => r.status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await stateOf(invoice)).toMatchObject({ balance_minor: 84_200 })
})

test('what was never sent can be withdrawn, what was sent cannot', async () => {
  const invoice = await draft()
  await cancelInvoice(context(), keyOf(invoice))
  expect(await stateOf(invoice)).toMatchObject({ status: 'ARCHIVED', balance_minor: 0 })
  const sent = await buildInvoice(db, instanceId, clock)
  await expect(cancelInvoice(context(), keyOf(sent))).rejects.toThrow(/cannot go from ACTIVATED to ARCHIVED/)
  await expect(archiveInvoice(context(), keyOf(sent))).rejects.toThrow(/cannot go from ACTIVATED to ARCHIVED/)
})
