import { beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import { rfReference } from '@kvitt/domain/references.ts'
import { buildInstance, buildInvoice, TODAY, type BuiltInvoice } from '../testing/build.ts'
import { startTestServer, type Answer, type TestServer } from '../testing/start-test-server.ts'
import { archiveInvoice } from './invoices.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const path = (reference: string, zip: string, rest = ''): string =>
  `/api/public/invoices/${reference}/${zip}${rest}`
const get = (invoice: BuiltInvoice, rest = ''): Promise<Answer> =>
  server.call('GET', path(invoice.reference, invoice.zip, rest))
const build = (wishes: Parameters<typeof buildInvoice>[3] = {}) =>
  buildInvoice(server.test, server.instanceId, server.clock, wishes)

describe('the login lookup', () => {
  test('answers with the invoice, and amounts have two decimals', async () => {
    const invoice = await build({ totalMinor: 84_200 })
    const answer = await get(invoice)
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({
      invoiceNumber: invoice.number,
      statuses: { main: 'ACTIVATED' },
      dates: { expireDate: addDays(TODAY, 14), today: TODAY },
      debtor: { name: 'Alva', email: null },
      currency: { invoiceCurrency: 'SEK' },
    })
    expect(answer.text).toMatch(/"totalToPay"\s*:\s*842\.00/)
  })

  test.each([
    [
      'spaces',
      (i: BuiltInvoice) => [
        i.reference.replace(/(\d{4})/g, '$1%20'),
        `${i.zip.slice(0, 3)}%20${i.zip.slice(3)}`,
      ],
    ],
    ['hyphens', (i: BuiltInvoice) => [i.reference.replace(/(\d{4})(?=\d)/g, '$1-'), i.zip]],
    ['the frame of an RF reference', (i: BuiltInvoice) => [rfReference(i.reference).toLowerCase(), i.zip]],
    [
      'full-width digits',
      (i: BuiltInvoice) => [
        encodeURIComponent(i.reference.replace(/\d/g, (d) => String.fromCodePoint(0xff10 + Number(d)))),
        i.zip,
      ],
    ],
  ] as const)('%s do not matter', async (_name, spell) => {
    const invoice = await build()
    const [reference = '', zip = ''] = spell(invoice)
    expect((await server.call('GET', path(reference, zip))).status).toBe(200)
  })

  test('every refusal has the same bytes but for the trace id', async () => {
    const open = await build()
    const other = await build({ zip: '41105' })
    const hidden = await Promise.all([build({ status: 'CREATED' }), build({ status: 'PENDING' })])
    const negative = await build({ type: 'CREDIT_INVOICE', totalMinor: -25_000 })
    const archived = await build()
    await server.test.owner.query(
      `update invoice set status = 'STOPPED', stop_reason = 'withdrawn' where id = $1`,
      [archived.id],
    )
    await archiveAfterWriteOff(archived)
    const tries: [string, string][] = [
      ['99999999999999', '11122'],
      [open.reference, '99999'],
      [open.reference, other.zip],
      ['abc', '11122'],
      ['%F0%9F%98%80', '11122'],
      [open.reference, '%00'],
      [`${open.reference}0`, open.zip],
      ...[...hidden, negative, archived].map((i): [string, string] => [i.reference, i.zip]),
    ]
    const answers = await Promise.all(
      tries.map(([reference, zip]) => server.call('GET', path(reference, zip))),
    )
    const faces = answers.map((a) => ({
      status: a.status,
      body: a.text.replaceAll((a.json as { traceId: string }).traceId, 'TRACE'),
      headers: [...a.headers.entries()].filter(([name]) => name !== 'date'),
    }))
    expect(faces[0]).toMatchObject({
      status: 400,
      body: expect.stringContaining('login_error::invalid_data'),
    })
    for (const face of faces) expect(face).toEqual(faces[0])
  })

  test('an invoice number of somebody else is refused as well', async () => {
    const [mine, theirs] = [await build(), await build()]
    const answer = await get(mine, `?invoiceNumber=${theirs.number}`)
    expect(answer.json).toMatchObject({ code: 'login_error::invalid_data' })
  })

  test('one reference with several invoices: the oldest payable one, or the one that is named', async () => {
    const later = await build({ dueDate: addDays(TODAY, 30) })
    const sooner = await build({ beside: later, dueDate: addDays(TODAY, 5) })
    expect((await get(later)).json).toMatchObject({ invoiceNumber: sooner.number })
    expect((await get(later, `?invoiceNumber=${later.number}`)).json).toMatchObject({
      invoiceNumber: later.number,
    })
  })
})

async function archiveAfterWriteOff(invoice: BuiltInvoice): Promise<void> {
  // The engine cannot write off yet: the owner books it away, so that the books still agree.
  await server.test.owner.query(
    `with t as (insert into ledger_transaction (instance_id, id, kind, booked_on, cause, invoice_id)
       values ($1, gen_random_uuid(), 'WRITE_OFF', current_date, 'test:' || $2, $2::uuid) returning id)
     insert into posting (instance_id, transaction_id, line, account_id, currency, amount_minor)
     select $1, t.id, row_number() over (), p.account_id, p.currency, -p.amount_minor
     from t, posting p join ledger_transaction o on o.id = p.transaction_id
     where o.invoice_id = $2::uuid and o.kind = 'INVOICE'`,
    [invoice.instanceId, invoice.id],
  )
  await archiveInvoice(
    { db: server.test.db, clock: server.clock },
    { instanceId: invoice.instanceId, invoiceId: invoice.id },
  )
}

describe('around the invoice', () => {
  test('what has happened', async () => {
    const invoice = await build()
    expect((await get(invoice, '/events')).text).toMatch(
      /"type":"INVOICE".*"amount":842\.00,"balance":842\.00/,
    )
    expect((await get(invoice, '/events/financial')).json).toEqual([
      { date: TODAY, type: 'INVOICE', amounts: { total: 842 }, balances: { total: 842 }, interest: [] },
    ])
    const all = await get(invoice, '/events?limit=-1&order=asc')
    expect(all.headers.get('x-total-count')).toBe('1')
    expect(all.headers.get('link')).toContain('rel="first"')
  })

  test.each(['limit=0', 'limit=-2', 'limit=1001', 'limit=x', 'page=0', 'page=-1', 'page=1.5'])(
    'events?%s is refused',
    async (query) => {
      const answer = await get(await build(), `/events?${query}`)
      expect(answer.json).toMatchObject({ code: 'invalid_paging' })
    },
  )

  test('a page past the end is empty', async () => {
    const answer = await get(await build(), '/events?limit=10&page=7')
    expect([answer.status, answer.json]).toEqual([200, []])
  })

  test('the copy opens under the name that the documents call gave, and only there', async () => {
    const invoice = await build()
    const [copy] = (await get(invoice, '/documents')).json as { fileName: string; topic: string }[]
    expect(copy).toMatchObject({
      topic: 'INVOICE',
      fileName: expect.stringMatching(/^[A-Za-z0-9_-]{16,64}\.pdf$/),
    })
    const file = await server.call('GET', `/api/storage/${copy?.fileName}`)
    expect([file.status, file.headers.get('content-type'), file.headers.get('cache-control')]).toEqual([
      200,
      'application/pdf',
      'private, no-store',
    ])
    const forged = `${copy?.fileName.slice(0, -6)}AA.pdf`
    expect((await server.call('GET', `/api/storage/${forged}`)).status).toBe(404)
  })

  test('no text of an invoice is taken for the place of its copy', async () => {
    const invoice = await build()
    const texts = ['@copy', '\u0001', '"\u0001"', '\\u0001']
    for (const text of texts) {
      await server.test.owner.query('update invoice set property = $2 where id = $1', [invoice.id, text])
      const { json } = await get(invoice, '')
      expect(json).toMatchObject({
        property: text,
        documents: { invoiceWithAttachments: expect.stringMatching(/\.pdf$/) },
        document: { invoiceWithAttachments: expect.stringMatching(/\.pdf$/) },
      })
    }
  })

  test.each(['..%2f..%2fetc%2fpasswd', '%252e%252e', 'c', '', 'a'.repeat(150), 'logo.svg%00.png', '.%2e%2f'])(
    'storage.traversal: storage/%s is not there',
    async (name) => {
      expect((await server.call('GET', `/api/storage/${name}`)).status).toBe(404)
    },
  )

  test('no receipt before it is paid', async () => {
    const invoice = await build()
    const answer = await server.call('PUT', path(invoice.reference, invoice.zip, '/payment-receipt'))
    expect([answer.status, answer.json]).toEqual([
      400,
      expect.objectContaining({ code: 'receipt_not_available' }),
    ])
  })

  test('sender, account and instance', async () => {
    const invoice = await build()
    expect((await get(invoice, '/client')).json).toMatchObject({ name: 'Fjällström Demo Energi AB' })
    expect((await get(invoice, '/payment-account')).json).toMatchObject({ accountNumber: '9990-0227' })
    expect((await get(invoice, '/instance-provider')).json).toMatchObject({ urlAlias: 'nordklar' })
    expect((await get(invoice, '/payment-methods')).json).toMatchObject([
      { code: 'DIRECT_PAYMENT_BANK', enabled: true },
      { code: 'DIRECT_PAYMENT_MOBILE', enabled: true },
      { code: 'BANK_TRANSFER', enabled: true },
    ])
  })
})

describe('who is asking', () => {
  test('tenant.crosshost, host.matrix: another tenant cannot see it, and an unknown host sees nothing', async () => {
    const invoice = await build()
    await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })
    const at = (host: string) =>
      server.product.app.inject({ url: path(invoice.reference, invoice.zip), headers: { host } })
    expect((await at('nordklar.portal.test')).statusCode).toBe(200)
    // Instances are cached for a few seconds; a new one is seen after that.
    await expect.poll(async () => (await at('fjellklar.portal.test')).statusCode, { timeout: 8000 }).toBe(400)
    for (const host of [
      'evil.example',
      'portal.test',
      'nordklar.portal.test.evil.example',
      'nordklar@evil',
    ]) {
      expect((await at(host)).statusCode, host).toBe(404)
    }
    for (const host of [
      'NORDKLAR.portal.test',
      'nordklar.portal.test.',
      'nordklar.portal.test:8080',
      'localhost:1',
      'x.localhost',
    ]) {
      expect((await at(host)).statusCode, host).toBe(200)
    }
  })

  test.each(['/api/debtor/invoices', '/api/debtor', '/api/debtor/nothing/here?x=1'])(
    '%s is 401 before it is routed',
    async (url) => {
      const answer = await server.call('GET', url)
      expect([answer.status, answer.json]).toEqual([401, expect.objectContaining({ code: 'not_signed_in' })])
    },
  )
})
