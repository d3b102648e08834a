import { beforeAll, expect, test } from 'vitest'
import { buildInvoice, type BuiltInvoice } from '../testing/build.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const build = (wishes = {}) => buildInvoice(server.test, server.instanceId, server.clock, wishes)
const path = (invoice: BuiltInvoice, rest = '') =>
  `/api/public/invoices/${invoice.reference}/${invoice.zip}${rest}`
const objection = { debtorEmail: 'alva.provlund@example.com', reason: 'Jag har aldrig beställt detta.' }
const dispute = (invoice: BuiltInvoice, body: unknown = objection) =>
  server.call('POST', path(invoice, '/dispute'), { body })
const statusOf = async (invoice: BuiltInvoice) =>
  ((await server.call('GET', path(invoice))).json as { statuses: { main: string } }).statuses.main

test('an objection stops the case, and the invoice can still be paid', async () => {
  const invoice = await build()
  const answer = await dispute(invoice)
  expect([answer.status, answer.json]).toEqual([201, expect.objectContaining({ status: 'OPEN' })])
  expect(await statusOf(invoice)).toBe('DISPUTED')
  expect((await server.call('GET', path(invoice, '/payment-methods'))).json).not.toEqual([])
})

test('the creditor is sent the reason, marked as the debtor’s; the confirmation repeats none of it', async () => {
  const { owner } = server.test
  const invoice = await build()
  const reason = 'Jag har aldrig beställt detta.\n\n  <a href="https://evil.test">Svara här</a>'
  expect((await dispute(invoice, { ...objection, reason })).status).toBe(201)
  const { rows } = await owner.query(
    `select kind, recipient, text_body as text, html_body as html from mail_outbox where invoice_id = $1 order by kind`,
    [invoice.id],
  )
  const [opened, received] = rows
  expect([opened.kind, opened.recipient]).toEqual(['dispute_opened', 'faktura@fjallstrom.example'])
  expect(opened.text).toContain(
    'skriver:\n\n> Jag har aldrig beställt detta.\n\n> <a href="https://evil.test">Svara här</a>\n\n',
  )
  expect(opened.html).not.toContain('<a href="https://evil.test"')
  expect(received.kind).toBe('dispute_received')
  expect(received.text).not.toContain('aldrig beställt')
})

test('dispute.spam: twenty at once make one', async () => {
  const invoice = await build()
  const answers = await Promise.all(Array.from({ length: 20 }, () => dispute(invoice)))
  expect(answers.filter((a) => a.status === 201)).toHaveLength(1)
  expect(
    new Set(answers.filter((a) => a.status !== 201).map((a) => (a.json as { code: string }).code)),
  ).toEqual(new Set(['dispute_not_allowed']))
  const { rows } = await server.test.owner.query(
    'select count(*)::int as n from dispute where invoice_id = $1',
    [invoice.id],
  )
  expect(rows[0]).toEqual({ n: 1 })
})

test.each([
  [{ ...objection, debtorEmail: 'a@b' }, 'invalid_email'],
  [{ ...objection, debtorEmail: 'a@b.se\r\nBcc: x@y.se' }, 'invalid_email'],
  [{ ...objection, reason: '   ' }, 'reason_required'],
  [{ ...objection, reason: '😀😀' }, 'reason_required'],
  [{ ...objection, reason: '\u3164' }, 'reason_required'],
  [{ ...objection, reason: 'x'.repeat(4001) }, 'reason_too_long'],
  [{ debtorEmail: 'a@b.se' }, 'reason_required'],
  [{ ...objection, reason: null }, 'reason_required'],
  [{}, 'invalid_email'],
  [{ ...objection, debtorEmail: null }, 'invalid_email'],
  [{ ...objection, debtorEmail: '' }, 'invalid_email'],
  [{ ...objection, reason: ['x'] }, 'invalid_request'],
])('dispute.crlf: %j is refused with %s, and nothing changes', async (body, code) => {
  const invoice = await build()
  const answer = await dispute(invoice, body)
  expect([answer.status, answer.json]).toEqual([400, expect.objectContaining({ code })])
  expect(await statusOf(invoice)).toBe('ACTIVATED')
})

test('a reason is kept without what nobody can read', async () => {
  const invoice = await build()
  expect((await dispute(invoice, { ...objection, reason: 'Fel\u0000 vara\ud800.\nJa' })).status).toBe(201)
  const { rows } = await server.test.owner.query('select reason from dispute where invoice_id = $1', [
    invoice.id,
  ])
  expect(rows).toEqual([{ reason: 'Fel  vara.\nJa' }])
})

test('paid in full, the dispute ends as paid', async () => {
  const invoice = await build()
  await dispute(invoice)
  await server.call('POST', path(invoice, '/payment-requests'), {
    body: { paymentDate: '2026-11-20', amount: '842.00', redirectUri: `${server.origin}/` },
  })
  const orders: { id: string; reference: string }[] = await server.control('GET', '/control/orders')
  const order = orders.find((o) => o.reference === invoice.reference)
  // Held, so that it is the settling that executes it, however long the steps between take.
  await server.control('POST', `/control/orders/${order?.id}/approve`, { hold: true })
  await server.product.sweepAll()
  expect(await statusOf(invoice)).toBe('DISPUTED')
  await server.control('POST', '/control/settle', { includeHeld: true })
  await server.product.sweepAll()
  expect(await statusOf(invoice)).toBe('CLOSED')
  const { rows } = await server.test.owner.query('select status from dispute where invoice_id = $1', [
    invoice.id,
  ])
  expect(rows).toEqual([{ status: 'PAID' }])
})
