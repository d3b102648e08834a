/** What a creditor's staff sees of its debtors' plans: the same figures as the debtor, of its own plans alone. */
import { beforeAll, expect, test } from 'vitest'
import { addDays, addMonths, type CalendarDate } from '@kvitt/domain/calendar.ts'
import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { getOfficePlan } from '@kvitt/domain/part-payments/office-plan.contract.ts'
import type { PlanAnswer } from '@kvitt/domain/part-payments/part-payment.contract.ts'
import { performDailyRun } from '../../collection/collection.ts'
import { openLog } from '../../platform/log.ts'
import { buildInvoice, buildPlanSettings, TODAY, type BuiltInvoice } from '../../testing/build.ts'
import { transfer } from '../../testing/debts/transfer.ts'
import { signInStaff, type SignedIn } from '../../testing/staff.ts'
import { startTestServer, type TestServer } from '../../testing/start-test-server.ts'

let server: TestServer
let invoice: BuiltInvoice
let viewer: SignedIn
let stranger: SignedIn
let planId: string

const debtor = async (method: string, path: string, body?: unknown): Promise<PlanAnswer> =>
  (await server.call(method, `/api/public/invoices/${invoice.reference}/${invoice.zip}${path}`, { body }))
    .json

const search = (body: object = {}, headers: SignedIn = viewer) =>
  server.call('POST', '/api/client/plans/search', { body, headers })
const one = (headers: SignedIn = viewer) => server.call('GET', `/api/client/plans/${planId}`, { headers })

const plan = async (): Promise<AnswerOf<typeof getOfficePlan>> => (await one()).json

async function night(day: CalendarDate): Promise<void> {
  server.clock.moveTo(day)
  const context = { db: server.test.db, clock: server.clock, log: openLog('silent') }
  await performDailyRun(context, { id: server.instanceId, timeZone: 'Europe/Stockholm' }, day)
}

const dueIn = (months: number): CalendarDate => addMonths(TODAY, months)
const bill = (months: number): Promise<void> => night(addDays(dueIn(months), -14))

beforeAll(async () => {
  server = await startTestServer()
  const { test: db, instanceId, clock } = server
  await buildPlanSettings(db, instanceId)
  clock.moveTo(TODAY)
  invoice = await buildInvoice(db, instanceId, clock, { totalMinor: 600_000 })
  const other = await buildInvoice(db, instanceId, clock, {})
  planId = (await debtor('PUT', '/part-payment/start', { type: 'PLAN_3', agreementAccepted: true })).id
  const signIn = (creditorId: string) =>
    signInStaff(server.product.context, { instanceId, creditorId, role: 'viewer' })
  viewer = await signIn(invoice.creditorId)
  stranger = await signIn(other.creditorId)
})

test('a plan that has just begun: all of it is left, and nothing was billed', async () => {
  const { json, text } = await search()
  expect(json, text).toEqual([
    {
      id: planId,
      version: expect.any(Number),
      number: expect.any(String),
      status: 'ACTIVE',
      currency: 'SEK',
      startedOn: TODAY,
      endedOn: null,
      credit: 6000,
      left: 6000,
      late: 0,
      missed: 0,
      instalments: { paid: 0, billed: 0 },
      nextDue: dueIn(1),
      debtor: { id: invoice.debtorId, name: 'Alva Provlund' },
      creditor: { id: invoice.creditorId, name: expect.any(String) },
      debts: [{ type: 'invoices', id: invoice.id, number: invoice.number }],
    },
  ])
  const detail = await plan()
  expect(detail).toMatchObject({ terms: { months: 3 }, left: 6000 })
  const seen = await debtor('GET', '/part-payment')
  expect(detail.schedule.map(({ dueDate, amount }) => [dueDate, amount])).toEqual(
    seen.instalments.map(({ dueDate, amount }) => [dueDate, amount]),
  )
})

test('one that is paid, one that is late and one to come', async () => {
  await bill(1)
  const [first] = (await plan()).schedule
  expect(first).toMatchObject({ state: 'DUE', balance: first?.amount, paidOn: null })
  const [{ reference }] = (
    await server.test.owner.query('select payment_reference as reference from invoice where id = $1', [
      first?.invoice?.id,
    ])
  ).rows
  const paidOn = addDays(dueIn(1), -2)
  server.clock.moveTo(paidOn)
  await transfer(server, { reference }, Math.round((first?.amount ?? 0) * 100))
  await bill(2)
  server.clock.moveTo(addDays(dueIn(2), 1))
  const { schedule, ...shown } = await plan()
  expect(schedule.map(({ state }) => state)).toEqual(['PAID', 'LATE', 'TO_COME'])
  expect(schedule[0]).toMatchObject({ paidOn, balance: 0 })
  const late = schedule[1]?.amount ?? 0
  expect(shown).toMatchObject({ late, missed: 1, nextDue: dueIn(3), instalments: { paid: 1, billed: 2 } })
  // What is not billed, and what is left of the bills.
  const seen = await debtor('GET', '/part-payment')
  expect(Math.round(shown.left * 100)).toBe(Math.round(seen.notInvoiced * 100) + Math.round(late * 100))
  const found = async (body: object) => ((await search(body)).json as { id: string }[]).length
  expect([await found({ isLate: 'true' }), await found({ isLate: 'false' })]).toEqual([1, 0])
})

test('it is found by name, number and what it pays, ordered and filtered; a file has it', async () => {
  for (const query of ['provlund', invoice.number])
    expect((await search({ query })).json, query).toHaveLength(1)
  expect((await search({ query: 'nobody' })).json).toEqual([])
  expect((await search({ status: 'COMPLETED' })).json).toEqual([])
  expect((await search({ nextDue: { from: dueIn(3), to: dueIn(3) } })).json).toHaveLength(1)
  expect((await search({ status: 'LOST' })).status).toBe(400)
  for (const orderBy of ['id', 'startedOn', 'nextDue', 'left', 'late', 'debtor.name']) {
    const path = `/api/client/plans/search?orderBy=${orderBy}`
    expect((await server.call('POST', path, { body: {}, headers: viewer })).status, orderBy).toBe(200)
  }
  const file = await search({}, { ...viewer, accept: 'text/csv', 'accept-language': 'sv' } as SignedIn)
  expect(file.text).toContain('Alva Provlund')
  expect(file.text).toContain('Pågår')
})

test('another creditor’s does not exist', async () => {
  expect((await search({}, stranger)).json).toEqual([])
  expect((await one(stranger)).status).toBe(404)
  expect((await one(viewer)).status).toBe(200)
})

test('a plan that has ended has nothing left', async () => {
  await server.test.owner.query(
    `update part_payment set status = 'STOPPED', ended_on = started_on where id = $1`,
    [planId],
  )
  expect(await plan()).toMatchObject({ status: 'STOPPED', left: 0, late: 0, missed: 0, nextDue: null })
  await server.test.owner.query(`update part_payment set status = 'ACTIVE', ended_on = null where id = $1`, [
    planId,
  ])
})
