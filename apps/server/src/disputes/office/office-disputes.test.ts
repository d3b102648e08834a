/** A creditor's disputes: found, read with what came along, and answered once. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import type { OfficeDisputeDetail } from '@kvitt/domain/disputes/office-dispute.contract.ts'
import { stopInvoice } from '../../collection/collection.ts'
import { buildDispute, type BuiltDispute } from '../../testing/build-dispute.ts'
import { buildInvoice, TODAY, type BuiltInvoice } from '../../testing/build.ts'
import { formWith, makePng } from '../../testing/files/sample-files.ts'
import { holdKey, signInStaff, type SignedIn } from '../../testing/staff.ts'
import { startTestServer, type TestServer } from '../../testing/start-test-server.ts'

let server: TestServer
let invoice: BuiltInvoice
let dispute: BuiltDispute
let clerk: SignedIn

beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  dispute = await buildDispute(server.test, server.clock, invoice)
  const at = { instanceId: server.instanceId, creditorId: invoice.creditorId }
  clerk = await signInStaff(server.product.context, { ...at, role: 'clerk' })
})

const search = async (body: unknown) =>
  (await server.call('POST', '/api/client/disputes/search', { body, headers: clerk }))
    .json as OfficeDisputeDetail[]
const read = async () =>
  (await server.call('GET', `/api/client/disputes/${dispute.id}`, { headers: clerk }))
    .json as OfficeDisputeDetail
const decide = (body: object, key?: string) =>
  server.call('POST', `/api/client/disputes/${dispute.id}/decide`, {
    body,
    headers: { ...clerk, ...(key === undefined ? {} : { 'idempotency-key': key }) },
  })
const owed = async () =>
  (
    await server.test.owner.query('select status, balance_minor::int as minor from invoice where id = $1', [
      invoice.id,
    ])
  ).rows[0]

test('it is found with its words, its debt, and the last day to answer', async () => {
  const [found, ...others] = await search({ status: 'OPEN' })
  expect(others).toEqual([])
  expect(found).toMatchObject({
    id: dispute.id,
    status: 'OPEN',
    reason: 'Trasig vid leverans.',
    openedOn: TODAY,
    deadline: addDays(TODAY, 14),
    decidedOn: null,
    subject: { type: 'invoices', id: invoice.id, number: invoice.number },
    balances: { total: 842, principal: 842, costs: 0, interest: 0 },
    currency: 'SEK',
    debtor: { id: invoice.debtorId, name: 'Alva Provlund' },
  })
  expect(await read()).toEqual({
    ...found,
    email: 'alva@example.com',
    totalToPay: 842,
    paymentReference: invoice.reference,
    expireDate: addDays(TODAY, 14),
    taskId: dispute.taskId,
    files: [],
    thread: [{ from: 'DEBTOR', text: 'Trasig vid leverans.', at: expect.any(String), date: TODAY, by: null }],
  })
})

test('what the debtor has sent along opens by its name, for as long as the session stands', async () => {
  const picture = makePng({ weight: 300_000 })
  const path = `/api/public/invoices/${invoice.reference}/${invoice.zip}/dispute/files`
  expect((await server.call('PUT', path, { body: formWith(picture, 'hörn.png') })).status).toBe(201)
  const [file] = (await read()).files
  expect(file).toMatchObject({ fileNameRaw: 'hörn.png', size: picture.length })
  const open = () => fetch(`${server.origin}/api/storage/${file?.fileName}`)
  const opened = await open()
  expect(opened.headers.get('content-disposition')).toMatch(/^attachment;/)
  expect(Buffer.from(await opened.arrayBuffer()).equals(picture)).toBe(true)
  // Whether pairs may see files of disputes is nothing to the staff.
  const { owner } = server.test
  await owner.query(`update instance set public_session_policy = '{disputes}' where id = $1`, [
    server.instanceId,
  ])
  expect((await open()).status).toBe(200)
  await owner.query(`update instance set public_session_policy = '{}' where id = $1`, [server.instanceId])
  await owner.query('update staff_session set logged_out_at = now()')
  expect((await open()).status).toBe(404)
})

describe('the answer', () => {
  test('rejected: the invoice stands, the debtor is told, the task is done', async () => {
    const answer = await decide({ decision: 'REJECT', answer: ' Varan var hel enligt leveranskvittot. ' })
    expect(answer.json, answer.text).toMatchObject({
      status: 'REJECTED',
      deadline: null,
      decidedOn: TODAY,
      thread: [
        {},
        {
          from: 'CREDITOR',
          text: 'Varan var hel enligt leveranskvittot.',
          date: TODAY,
          by: 'Prov clerk',
        },
      ],
    })
    expect(await owed()).toEqual({ status: 'ACTIVATED', minor: 84_200 })
    const { rows } = await server.test.owner.query(
      `select kind, recipient, (select done_at is not null from task where id = $2) as is_done
       from mail_outbox where invoice_id = $1 and kind like 'dispute_%' order by id`,
      [invoice.id, dispute.taskId],
    )
    expect(rows.at(-1)).toMatchObject({ kind: 'dispute_rejected', is_done: true })
  })

  test('upheld in part: that much is credited, and the rest is due in fourteen days', async () => {
    const answer = await decide({ decision: 'UPHOLD_PART', amount: '100.50', answer: 'Vi drar av frakten.' })
    expect(answer.json, answer.text).toMatchObject({ status: 'UPHELD_PART', balances: { total: 741.5 } })
    expect(await owed()).toEqual({ status: 'ACTIVATED', minor: 74_150 })
  })

  test('upheld: nothing is owed', async () => {
    expect((await decide({ decision: 'UPHOLD', answer: 'Du har rätt.' })).json).toMatchObject({
      status: 'UPHELD',
    })
    expect(await owed()).toEqual({ status: 'CLOSED', minor: 0 })
  })

  test('once: the same key is answered again, all else is refused', async () => {
    const body = { decision: 'REJECT', answer: 'Fakturan gäller.' }
    const answers = await Promise.all(Array.from({ length: 4 }, () => decide(body, 'same')))
    expect(answers.map(({ status }) => status).filter((status) => status === 200).length).toBeGreaterThan(0)
    const again = await decide(body, 'same')
    expect([again.status, again.headers.get('idempotency-hit')]).toEqual([200, 'true'])
    for (const other of [body, { ...body, decision: 'UPHOLD' }]) {
      const refused = await decide(other)
      expect([refused.status, refused.json]).toEqual([
        400,
        expect.objectContaining({ code: 'dispute_answered' }),
      ])
    }
    const { rows } = await server.test.owner.query(
      `select count(*)::int as n from audit_event where kind = 'dispute_decided' and about = $1`,
      [`dispute:${dispute.id}`],
    )
    expect(rows[0].n).toBe(1)
  })

  test.each([
    ['without words', { decision: 'REJECT', answer: ' \n' }, 'answer_required'],
    ['in part of nothing', { decision: 'UPHOLD_PART', answer: 'Ja.' }, 'amount_invalid'],
    ['in part of all', { decision: 'UPHOLD_PART', amount: 842, answer: 'Ja.' }, 'amount_invalid'],
    ['in part of 0', { decision: 'UPHOLD_PART', amount: 0, answer: 'Ja.' }, 'amount_invalid'],
    ['in part of half an öre', { decision: 'UPHOLD_PART', amount: '1.005', answer: 'Ja.' }, 'amount_invalid'],
    ['wholly, with an amount', { decision: 'UPHOLD', amount: 1, answer: 'Ja.' }, 'invalid_request'],
    ['with too many words', { decision: 'REJECT', answer: 'x'.repeat(4001) }, 'reason_too_long'],
    ['as something else', { decision: 'IGNORE', answer: 'x' }, 'invalid_request'],
  ])('%s is refused, and nothing has changed', async (_, body, code) => {
    const refused = await decide(body)
    expect([refused.status, refused.json]).toEqual([400, expect.objectContaining({ code })])
    expect(await owed()).toEqual({ status: 'DISPUTED', minor: 84_200 })
  })
})

test('what ended without payment before anybody answered is stopped, not upheld', async () => {
  const key = { instanceId: server.instanceId, invoiceId: invoice.id }
  await stopInvoice(server.product.context, key, { on: TODAY, reason: 'withdrawn' })
  expect(await read()).toMatchObject({ status: 'STOPPED', thread: [{ from: 'DEBTOR' }] })
  expect(await search({ status: 'STOPPED' })).toHaveLength(1)
  expect((await decide({ decision: 'REJECT', answer: 'Nej.' })).json).toMatchObject({
    code: 'dispute_answered',
  })
})

test('its task has the same last day, also when both are written down on another day', async () => {
  // The test's business day is not the day on which it runs.
  const { taskId } = dispute
  const task = await server.call('GET', `/api/client/tasks/${taskId}`, { headers: clerk })
  expect(task.json).toMatchObject({ deadline: (await read()).deadline })
})

test('a program that may not read learns nobody’s words by answering', async () => {
  const at = { instanceId: server.instanceId, creditorId: invoice.creditorId }
  const { authorization } = await holdKey(server.product.context, { ...at, scopes: ['invoices'] })
  const { status, text, json } = await server.call('POST', `/api/client/disputes/${dispute.id}/decide`, {
    body: { decision: 'REJECT', answer: 'Mätaren lästes av den 3 november.' },
    headers: { authorization },
  })
  expect([status, json], text).toEqual([200, expect.objectContaining({ id: dispute.id, status: 'REJECTED' })])
  expect(text).not.toContain('Alva Provlund')
  expect(text).not.toContain('Trasig vid leverans')
})
