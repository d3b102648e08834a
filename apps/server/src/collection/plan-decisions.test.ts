/** What staff decide about the invoices of a plan. */
import { beforeAll, expect, test } from 'vitest'
import { addDays, addMonths, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { openLog } from '../platform/log.ts'
import { buildInvoice, buildPlanSettings, TODAY, type BuiltInvoice } from '../testing/build.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { rejectDispute } from './collection.ts'
import { runNight } from './night.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await buildPlanSettings(server.test, server.instanceId)
})

type Door = Pick<BuiltInvoice, 'id' | 'reference' | 'zip'>
const DUE = addMonths(TODAY, 1)
const context = () => ({ db: server.test.db, clock: server.clock, log: openLog('silent') })
const keyOf = ({ id }: Door) => ({ instanceId: server.instanceId, invoiceId: id })
const call = (method: string, { reference, zip }: Door, path = '', body?: unknown) =>
  server.call(method, `/api/public/invoices/${reference}/${zip}${path}`, { body })
const dispute = (door: Door) =>
  call('POST', door, '/dispute', { debtorEmail: 'alva@example.com', reason: 'Fel antal.' })

async function night(day: CalendarDate): Promise<void> {
  server.clock.moveTo(day)
  await runNight(context(), { id: server.instanceId, timeZone: 'Europe/Stockholm' }, day)
}

/** An invoice over 6 000.00 in a plan, and its first instalment, billed. */
async function billed(type: string): Promise<{ mother: BuiltInvoice; instalment: Door }> {
  server.clock.moveTo(TODAY)
  const mother = await buildInvoice(server.test, server.instanceId, server.clock, { totalMinor: 600_000 })
  expect((await call('PUT', mother, '/part-payment/start', { type, agreementAccepted: true })).status).toBe(
    200,
  )
  await night(addDays(DUE, -14))
  const { rows } = await server.test.owner.query<Door>(
    `select i.id, i.payment_reference as reference, i.zip from invoice i
     join part_payment_instalment n on n.invoice_id = i.id
     join part_payment_member m on m.part_payment_id = n.part_payment_id where m.invoice_id = $1`,
    [mother.id],
  )
  return { mother, instalment: rows[0] as Door }
}

const stepsOf = async ({ id }: Door): Promise<string[]> =>
  (
    await server.test.owner.query<{ step: string }>(
      `select type || ' ' || status as step from collection_step where invoice_id = $1
       order by coalesce(performed_date, planned_date), type`,
      [id],
    )
  ).rows.map(({ step }) => step)

test('a rejected dispute of an instalment starts no schedule beside that of its plan', async () => {
  const { mother, instalment } = await billed('PLAN_6')
  expect((await dispute(instalment)).status).toBe(201)
  const answer = { on: addDays(DUE, -10), answer: 'Beloppet stämmer.' }
  expect(await rejectDispute(context(), keyOf(instalment), answer)).toBe(true)
  for (const after of [1, 2, 7, 20, 22, 31]) await night(addDays(DUE, after))
  expect(await stepsOf(instalment)).toEqual([
    'INVOICE PERFORMED',
    'EXPIRED PERFORMED',
    'PART_PAYMENT_NOTIFICATION PERFORMED',
  ])
  // The plan has ended as every other: the instalment is part of the balance again, and no fee came of it.
  const { rows } = await server.test.owner.query(
    'select id, status, costs_minor::int as costs, claim_id from invoice where id = any($1) order by created_at',
    [[mother.id, instalment.id]],
  )
  expect(rows).toEqual([
    { id: mother.id, status: 'ACTIVATED', costs: 15_300, claim_id: null },
    { id: instalment.id, status: 'STOPPED', costs: 0, claim_id: null },
  ])
})
