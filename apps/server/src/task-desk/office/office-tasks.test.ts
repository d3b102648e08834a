/** A creditor's tasks: found, given to somebody, put aside, written on. */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import type { OfficeTaskDetail } from '@kvitt/domain/tasks/office-task.contract.ts'
import { buildDispute, type BuiltDispute } from '../../testing/build-dispute.ts'
import { buildInvoice, TODAY, type BuiltInvoice } from '../../testing/build.ts'
import { holdKey, signInStaff, type SignedIn } from '../../testing/staff.ts'
import { startTestServer, type TestServer } from '../../testing/start-test-server.ts'

let server: TestServer
let invoice: BuiltInvoice
let dispute: BuiltDispute
let clerk: SignedIn
let clerkId: string

beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  dispute = await buildDispute(server.test, server.clock, invoice)
  await server.test.owner.query('update task set made_on = $1 where id = $2', [TODAY, dispute.taskId])
  const at = { instanceId: server.instanceId, creditorId: invoice.creditorId }
  clerk = await signInStaff(server.product.context, { ...at, role: 'clerk' })
  const { rows } = await server.test.owner.query('select id from membership where creditor_id = $1', [
    invoice.creditorId,
  ])
  clerkId = rows[0].id
})

const post = (path: string, body: unknown, headers: SignedIn = clerk) =>
  server.call('POST', `/api/client/tasks/${path}`, { body, headers })
const search = async (body: unknown) => (await post('search', body)).json as OfficeTaskDetail[]

test('a dispute is a task with its subject, debtor, amount and last day', async () => {
  expect(await search({ kind: 'dispute_to_answer', state: 'OPEN' })).toEqual([
    {
      id: dispute.taskId,
      version: expect.any(Number),
      kind: 'dispute_to_answer',
      subject: { type: 'disputes', id: dispute.id, number: invoice.number },
      debtor: { id: invoice.debtorId, name: 'Alva Provlund' },
      creditor: { id: invoice.creditorId, name: expect.any(String) },
      amount: 842,
      currency: 'SEK',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      // Fourteen calendar days.
      deadline: addDays(TODAY, 14),
      assignee: null,
      assigneeName: null,
      state: 'OPEN',
      snoozedUntil: null,
    },
  ])
  expect(await search({ state: 'DONE' })).toEqual([])
  expect((await search({ query: invoice.number })).length).toBe(1)
  expect((await post('search', { kind: 'wash_up' })).json).toMatchObject({ code: 'invalid_filter' })
  expect((await post('search', { kind: 'bank_line' })).json, 'an operator’s').toEqual([])
})

test('it is given to somebody of the same creditor, and to nobody again', async () => {
  const given = await post(`${dispute.taskId}/assign`, { assignee: clerkId })
  expect(given.json, given.text).toMatchObject({ assignee: clerkId, assigneeName: 'Prov clerk', notes: [] })
  expect(await search({ assignee: clerkId })).toHaveLength(1)
  await signInStaff(server.product.context, {
    instanceId: server.instanceId,
    creditorId: (await buildInvoice(server.test, server.instanceId, server.clock)).creditorId,
    role: 'clerk',
  })
  const { rows } = await server.test.owner.query('select id from membership where creditor_id <> $1', [
    invoice.creditorId,
  ])
  for (const { id } of rows) {
    const refused = await post(`${dispute.taskId}/assign`, { assignee: id })
    expect([refused.status, refused.json]).toEqual([
      400,
      expect.objectContaining({ code: 'assignee_unknown' }),
    ])
  }
  // Whoever has left looks after nothing.
  await server.test.owner.query('update membership set ended_at = now() where id = $1', [clerkId])
  const key = await holdKey(server.product.context, {
    instanceId: server.instanceId,
    creditorId: invoice.creditorId,
    scopes: ['read', 'invoices'],
  })
  const left = await server.call('GET', `/api/client/tasks/${dispute.taskId}`, { headers: key })
  expect(left.json).toMatchObject({ assignee: null, assigneeName: null })
  expect((await post(`${dispute.taskId}/assign`, { assignee: null }, key)).status).toBe(200)
  const deeds = await server.test.owner.query(
    `select actor, after from audit_event where kind = 'task_kept' and about = $1 order by seq`,
    [`task:${dispute.taskId}`],
  )
  expect(deeds.rows.map(({ after }) => after)).toEqual([
    { assignee: `membership:${clerkId}`, snoozed_until: null },
    { assignee: null, snoozed_until: null },
  ])
  expect(deeds.rows[0].actor).toMatch(new RegExp(`^person:.*:${clerkId}$`))
  expect(deeds.rows[1].actor).toMatch(/^key:/)
})

test('it is put aside up to its last day, and is back before', async () => {
  const until = addDays(TODAY, 3)
  const aside = await post(`${dispute.taskId}/snooze`, { until })
  expect(aside.json, aside.text).toMatchObject({ state: 'SNOOZED', snoozedUntil: until })
  expect(await search({ state: 'OPEN' })).toEqual([])
  for (const wrong of [TODAY, addDays(TODAY, 15), '2026-13-01', 'soon']) {
    const refused = await post(`${dispute.taskId}/snooze`, { until: wrong })
    expect([refused.status, refused.json], wrong).toEqual([
      400,
      expect.objectContaining({ code: 'snooze_day_invalid' }),
    ])
  }
  server.clock.moveTo(until)
  expect((await search({ state: 'OPEN' })).map(({ id }) => id)).toEqual([dispute.taskId])
  server.clock.moveTo(TODAY)
  expect((await post(`${dispute.taskId}/snooze`, { until: null })).json).toMatchObject({ state: 'OPEN' })
})

test('what is written beside it stands there once, with a name; an operator’s notes are theirs', async () => {
  await server.test.owner.query(
    `insert into task_note (instance_id, id, task_id, text, noted_by)
     select $1, gen_random_uuid(), $2, 'Internt', by from unnest(array['anna', 'command:anna',
       'person:' || gen_random_uuid() || ':' || gen_random_uuid()]) as by`,
    [server.instanceId, dispute.taskId],
  )
  for (let time = 0; time < 2; time++) await post(`${dispute.taskId}/note`, { text: 'Ringt, ingen svarar.' })
  const { json } = await server.call('GET', `/api/client/tasks/${dispute.taskId}`, { headers: clerk })
  expect((json as OfficeTaskDetail).notes).toEqual([
    { text: 'Ringt, ingen svarar.', by: 'Prov clerk', at: expect.any(String) },
  ])
})

test('a task that is done is told of as such', async () => {
  await server.test.owner.query('update task set done_at = now() where id = $1', [dispute.taskId])
  const refused = await post(`${dispute.taskId}/assign`, { assignee: clerkId })
  expect(refused.json).toMatchObject({ code: 'task_done' })
  expect(await search({ state: 'DONE' })).toHaveLength(1)
})
