/** A list of staff as a file: what was found, whole, in the reader's language, and never as a formula. */
import { beforeAll, expect, test } from 'vitest'
import { buildInvoice, type BuiltInvoice } from '../testing/build.ts'
import { signInStaff, type SignedIn } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
let server: TestServer
let invoice: BuiltInvoice
let viewer: SignedIn

beforeAll(async () => {
  server = await startTestServer()
  invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  viewer = await signInStaff(server.product.context, { ...invoice, role: 'viewer' })
  await buildInvoice(server.test, server.instanceId, server.clock, { zip: '41105' })
  await server.test.owner.query('update debtor set name = $2 where id = $1', [
    invoice.debtorId,
    '=cmd|"/c calc"!A1; Alva',
  ])
})

async function fetchFile(list: string, accept: string, body: object = {}) {
  const answer = await fetch(`${server.origin}/api/client/${list}/search?limit=1`, {
    method: 'POST',
    headers: { ...viewer, accept, 'accept-language': 'en', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const bytes = Buffer.from(await answer.arrayBuffer())
  return { status: answer.status, headers: answer.headers, bytes, text: bytes.toString('utf8') }
}

test('as CSV it has every row that is the creditor’s, amounts as a spreadsheet reads them, and runs nothing', async () => {
  const { status, headers, text } = await fetchFile('invoices', 'text/csv')
  expect([status, headers.get('content-type')], text).toEqual([200, 'text/csv; charset=utf-8'])
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename="Invoices .*\.csv"/)
  const [head = '', row = '', ...rest] = text.trimEnd().split('\r\n')
  expect(rest).toEqual([])
  expect(head).toMatch(/^\ufeffInvoice number;Payment reference;Debtor;/)
  expect(row).toBe(
    [
      invoice.number,
      invoice.reference,
      `"'=cmd|""/c calc""!A1; Alva"`,
      '',
      'Open',
      '2026-11-20',
      '2026-12-04',
      'SEK',
      '842,00',
      '842,00',
      '0,00',
      '0,00',
      '842,00',
    ].join(';'),
  )
})

test('as a spreadsheet and as PDF', async () => {
  const sheet = await fetchFile('invoices', XLSX)
  expect([sheet.status, sheet.headers.get('content-type'), sheet.bytes.subarray(0, 2).toString()]).toEqual([
    200,
    XLSX,
    'PK',
  ])
  const pdf = await fetchFile('invoices', 'application/pdf')
  expect([pdf.status, pdf.bytes.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
})

test.each(['invoices', 'collection-batches', 'payments', 'disputes'])(
  '%s: with nothing found it is a file with its head; a wrong filter is refused',
  async (list) => {
    const none = await fetchFile(list, 'text/csv', { query: 'nothing has this' })
    expect([none.status, none.text.trimEnd().split('\r\n').length], none.text).toEqual([200, 1])
    const wrong = await fetchFile(list, 'text/csv', { unknown: 'x' })
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('invalid_filter')])
  },
)

test('what would not be whole is refused; each file is written down with who took it', async () => {
  await server.test.owner.query(
    `insert into payment (instance_id, id, invoice_id, gateway, option, amount_minor, currency, execution_date, payee_name,
       payee_account, payee_scheme, payment_reference, status, redirect_uri, callback_secret, idempotency_key, request_hash)
     select $1, gen_random_uuid(), $2, 'DIRECT_BANK', 'pay-now', 100, 'SEK', '2026-11-20', 'x', 'x', 'BANKGIRO', $3, 'FAILED',
       'http://localhost/', gen_random_uuid(), 'x' || n, 'x' from generate_series(1, 10001) n`,
    [server.instanceId, invoice.id, invoice.reference],
  )
  const many = await fetchFile('payments', 'text/csv')
  expect([many.status, many.text]).toEqual([400, expect.stringContaining('list_too_long')])
  const { rows } = await server.test.owner.query(
    `select about, count(*)::int from audit_event where kind = 'staff_exported' group by 1 order by 1`,
  )
  expect(rows.find(({ about }) => about === 'invoices')).toEqual({ about: 'invoices', count: 4 })
})
