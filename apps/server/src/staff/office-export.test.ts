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

test('T-POOL: sixteen who want lists that the database is slow to read leave payers their connections', async () => {
  const asked: Promise<number>[] = []
  const gone = new AbortController()
  const staff: SignedIn[] = []
  for (let n = 0; n < 8; n++) {
    const { creditorId } = await buildInvoice(server.test, server.instanceId, server.clock)
    const member = { instanceId: server.instanceId, creditorId, role: 'viewer' as const }
    staff.push(await signInStaff(server.product.context, member))
  }
  const owner = await server.test.owner.connect()
  const readers = async (): Promise<number> => {
    // Not in the transaction that holds the table: there it stays what it was at first.
    const { rows } = await server.test.owner.query(`select count(*)::int as n from pg_stat_activity
      where datname = current_database() and usename = 'kvitt_app' and wait_event_type = 'Lock'`)
    return rows[0].n
  }
  try {
    await owner.query('begin; lock table settlement in access exclusive mode')
    const formats = ['text/csv', 'text/csv', 'text/csv', XLSX]
    for (let n = 0; n < 16; n++) {
      asked.push(
        fetch(`${server.origin}/api/client/settlements/search`, {
          method: 'POST',
          headers: {
            ...staff[n >> 1],
            accept: formats[n % 4] ?? '',
            'content-type': 'application/json',
          },
          body: '{}',
          // Two of them go away while they are read, or wait.
          ...(n < 2 ? { signal: gone.signal } : {}),
        }).then(
          async (answer) => (await answer.arrayBuffer(), answer.status),
          () => 0,
        ),
      )
    }
    await expect.poll(readers, { timeout: 5_000 }).toBe(3)
    const began = performance.now()
    const started = await server.call(
      'POST',
      `/api/public/invoices/${invoice.reference}/${invoice.zip}/payment-requests`,
      {
        body: {
          paymentDate: '2026-11-20',
          amount: '842.00',
          serviceProviderCode: 'DIRECT_BANK',
          redirectUri: `${server.origin}/`,
        },
        headers: { 'idempotency-key': 'beside-the-lists' },
      },
    )
    expect(started.status, started.text).toBe(201)
    expect(performance.now() - began).toBeLessThan(3_000)
    expect(await readers()).toBe(3)
    gone.abort()
  } finally {
    await owner.query('rollback')
    owner.release()
  }
  // What had waited for its turn is made.
  expect(await Promise.all(asked)).toEqual([0, 0, ...Array.from({ length: 14 }, () => 200)])
}, 30_000)
