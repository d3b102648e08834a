/** A file of invoices, from its upload by a clerk to drafts, sent invoices and back. */
import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import { creditorIdentity } from '@kvitt/domain/people/party-identity.ts'
import type { OfficeImportDetail, OfficeImportRow } from '@kvitt/domain/imports/office-import.contract.ts'
import { buildInvoice, TODAY, type BuiltInvoice } from '../../testing/build.ts'
import { holdKey, signInStaff, type SignedIn } from '../../testing/staff.ts'
import { startTestServer, type Answer, type TestServer } from '../../testing/start-test-server.ts'

let server: TestServer
let known: BuiltInvoice
let clerk: SignedIn

beforeAll(async () => {
  server = await startTestServer()
  known = await buildInvoice(server.test, server.instanceId, server.clock)
  const at = { instanceId: server.instanceId, creditorId: known.creditorId }
  clerk = await signInStaff(server.product.context, { ...at, role: 'clerk' })
  const identity = creditorIdentity({ name: 'x', country: 'SE', identificationNumber: '5599990024' })
  await sql('update creditor set identity = $2 where id = $1', [known.creditorId, identity])
})

const sql = async (text: string, values: unknown[] = []) => (await server.test.owner.query(text, values)).rows
const DUE = addDays(TODAY, 30)
const HEAD =
  'invoice_number,invoice_date,due_date,currency,reference,debtor_type,debtor_name,debtor_id,email,phone,address,zip,city,country,description,quantity,unit_price,vat_percent'

let numbers = 0
/** A row of a table; a number of an invoice of its own unless one is given. */
function line(wishes: Readonly<Record<string, string>> = {}): string {
  const values: Record<string, string> = {
    invoice_number: `T-${++numbers}`,
    invoice_date: TODAY,
    due_date: DUE,
    currency: 'SEK',
    debtor_type: 'PERSON',
    debtor_name: 'Alva Provlund',
    email: 'alva@example.com',
    address: 'Provgatan 1',
    zip: '111 22',
    city: 'Stockholm',
    country: 'SE',
    description: 'El',
    quantity: '2',
    unit_price: '100.50',
    vat_percent: '25',
    ...wishes,
  }
  return HEAD.split(',')
    .map((name) => values[name] ?? '')
    .map((value) => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value))
    .join(',')
}
const csv = (...lines: string[]): string => [HEAD, ...lines].join('\r\n')

const as = (by: SignedIn, language?: string) => ({
  authorization: by.authorization,
  ...(language ? { 'accept-language': language } : {}),
})
type Content = string | Uint8Array

function send(content: Content, name = 'fakturor.csv', by = clerk): Promise<Answer> {
  const form = new FormData()
  form.set('file', new File([content], name))
  return server.call('PUT', '/api/client/imports', { body: form, headers: as(by) })
}

async function upload(content: Content, name?: string): Promise<OfficeImportDetail> {
  const answer = await send(content, name)
  expect(answer.status, answer.text).toBe(200)
  return answer.json
}

async function act(
  id: string,
  path: string,
  body: object | undefined,
  method = 'POST',
  by = clerk,
): Promise<Answer> {
  return server.call(method, `/api/client/imports/${id}${path}`, {
    ...(body ? { body } : {}),
    headers: as(by),
  })
}

async function done(answer: Promise<Answer>): Promise<OfficeImportDetail> {
  const { status, text, json } = await answer
  expect(status, text).toBe(200)
  return json
}

async function rowsOf(id: string, state = ''): Promise<OfficeImportRow[]> {
  const query = state ? `?state=${state}` : ''
  const answer = await server.call('GET', `/api/client/imports/${id}/rows${query}`, { headers: as(clerk) })
  expect(answer.status, answer.text).toBe(200)
  return answer.json
}

const fixture = (name: string) => readFileSync(new URL(`../fixtures/${name}.xml`, import.meta.url), 'utf8')
const codes = (row: OfficeImportRow | undefined) =>
  row?.problems.map(({ field, code }) => `${field}: ${code}`)
const counts = ({ status, rows, ready, wrong, unchanged, invoices }: OfficeImportDetail) => ({
  status, rows, ready, wrong, unchanged, invoices,
}) // biome-ignore format: one line
const counted = (...[status, rows, ready, wrong, invoices]: [string, number, number, number, number]) => ({
  status, rows, ready, wrong, unchanged: 0, invoices,
}) // biome-ignore format: one line
const invoicesOf = (id: string) =>
  sql(
    `select distinct i.invoice_number as number, i.status, i.total_minor::int as total from import_row r
     join invoice i on i.id = r.invoice_id where r.import_id = $1 order by 1`,
    [id],
  )
const isTaskOpen = async (id: string) =>
  (await sql(`select 1 from task where about = $1 and done_at is null`, [`import:${id}`])).length === 1

test('rows of one number are one invoice: as drafts, with what the form would have made of them', async () => {
  const file = csv(
    line({ invoice_number: 'A-1' }),
    line({ invoice_number: 'A-1', description: 'Nät', quantity: '1', unit_price: '10', vat_percent: '12' }),
    line({
      invoice_number: 'A-2',
      debtor_type: 'COMPANY',
      debtor_name: 'Prov AB',
      debtor_id: '559999-0040',
      email: '',
    }),
  )
  const one = await upload(file)
  expect(counts(one)).toEqual({ status: 'READY', rows: 3, ready: 3, wrong: 0, unchanged: 0, invoices: 2 })
  expect(one.sums).toEqual([
    { currency: 'SEK', ready: 513.7, toMake: 513.7, invoices: 2, creditNotes: 0, toCredit: 0 },
  ])
  expect(one).toMatchObject({ fileName: 'fakturor.csv', format: 'CSV', missing: [], progress: null })
  expect(await isTaskOpen(one.id)).toBe(false)
  const made = await done(act(one.id, '/confirm', { approve: false }))
  expect(counts(made)).toEqual(counted('CONFIRMED', 3, 3, 0, 2))
  expect(made.made).toBe(2)
  expect(await invoicesOf(one.id)).toEqual([
    { number: 'A-1', status: 'CREATED', total: 26245 },
    { number: 'A-2', status: 'CREATED', total: 25125 },
  ])
  const [draft] = await sql(`select rows, taxes from invoice where invoice_number = 'A-1'`)
  const body = {
    invoiceNumber: 'A-1-form', invoiceDate: TODAY, expireDate: DUE, currency: 'SEK',
    debtor: { type: 'PERSON', name: 'Alva Provlund', email: 'alva@example.com', address: 'Provgatan 1', zip: '111 22', city: 'Stockholm', countryCode: 'SE' },
    rows: [
      { description: 'El', quantity: 2, unitPrice: '100.50', vatPercent: 25 },
      { description: 'Nät', quantity: 1, unitPrice: 10, vatPercent: 12 },
    ],
  } // biome-ignore format: a draft
  const written = await server.call('POST', '/api/client/invoices', { body, headers: as(clerk) })
  expect(written.status, written.text).toBe(201)
  const [form] = await sql(`select rows, taxes from invoice where invoice_number = 'A-1-form'`)
  expect(draft).toEqual(form)
  // Asked again, nothing is made again.
  expect((await done(act(one.id, '/confirm', { approve: false }))).made).toBe(2)
  const again = await upload(file)
  expect(again.id).not.toBe(one.id)
  expect(counts(again)).toEqual({ status: 'READY', rows: 3, ready: 0, wrong: 0, unchanged: 3, invoices: 0 })
  expect((await done(act(again.id, '/confirm', { approve: true }))).made).toBe(0)
  expect(await sql(`select 1 from invoice where invoice_number in ('A-1', 'A-2')`)).toHaveLength(2)
})

test('good rows go while bad ones wait, and the task ends when nothing is wrong any more', async () => {
  const one = await upload(
    csv(
      line({ invoice_number: 'B-1' }),
      line({ invoice_number: 'B-2', zip: '1112', due_date: '' }),
      line({ invoice_number: 'B-3' }),
      line({ invoice_number: 'B-3', unit_price: '12,5O' }),
    ),
  )
  expect(counts(one)).toEqual({ status: 'READY', rows: 4, ready: 1, wrong: 3, unchanged: 0, invoices: 1 })
  expect(await isTaskOpen(one.id)).toBe(true)
  const task = await server.call('POST', '/api/client/tasks/search', {
    body: { filters: { kind: 'import_with_errors' } },
    headers: as(clerk),
  })
  expect(task.json).toEqual([
    expect.objectContaining({
      subject: { type: 'imports', id: one.id, number: 'fakturor.csv' },
      deadline: null,
    }),
  ])
  const wrong = await rowsOf(one.id, 'WRONG')
  expect(wrong.map((row) => [row.number, codes(row)])).toEqual([
    [3, ['due_date: missing', 'zip: zip_wrong']],
    [4, ['null: other_row']],
    [5, ['unit_price: number_unreadable']],
  ])
  expect(wrong[2]?.problems[0]?.mends).toEqual(['12.50'])
  const first = await done(act(one.id, '/confirm', { approve: false }))
  expect(counts(first)).toEqual(counted('CONFIRMED', 4, 1, 3, 1))
  expect(await isTaskOpen(one.id)).toBe(true)
  const mended = await act(one.id, '/rows/5', { unit_price: '12.50' }, 'PUT')
  expect(mended.json).toMatchObject({
    number: 5,
    state: 'READY',
    values: { unit_price: '12.50' },
    problems: [],
  })
  expect((await rowsOf(one.id, 'READY')).map(({ number }) => number)).toEqual([2, 4, 5])
  // As a program would: the row that it has read, changed.
  const [row] = wrong
  const values = { ...row?.values, zip: '111 22', due_date: DUE }
  const stale = await act(one.id, '/rows/3', { ...row, values, version: 7 }, 'PUT')
  expect([stale.status, (stale.json as { code: string }).code]).toEqual([409, 'changed_meanwhile'])
  expect((await act(one.id, '/rows/3', { ...row, values }, 'PUT')).json).toMatchObject({
    state: 'READY',
    version: 2,
  })
  expect(await isTaskOpen(one.id)).toBe(false)
  const last = await done(act(one.id, '/confirm', { approve: false }))
  expect(counts(last)).toEqual(counted('CONFIRMED', 4, 4, 0, 3))
  expect((await invoicesOf(one.id)).map(({ number }) => number)).toEqual(['B-1', 'B-2', 'B-3'])
  const late = await act(one.id, '/rows/3', { zip: '111 23' }, 'PUT')
  expect((late.json as { code: string }).code).toBe('import_not_open')
})

test('a row that is left out is gone, and the task of the last wrong one with it', async () => {
  const one = await upload(csv(line({ invoice_number: 'L-1' }), line({ invoice_number: 'L-2', city: '' })))
  expect(await isTaskOpen(one.id)).toBe(true)
  expect((await act(one.id, '/rows/3', { leaveOut: true }, 'PUT')).status).toBe(200)
  expect((await act(one.id, '/rows/3', { city: 'x' }, 'PUT')).status).toBe(404)
  expect(counts(await done(act(one.id, '', undefined, 'GET')))).toMatchObject({ rows: 1, ready: 1, wrong: 0 })
  expect(await isTaskOpen(one.id)).toBe(false)
})

test('approved, they wait for their day and are sent; then nothing is undone any more', async () => {
  const later = addDays(TODAY, 5)
  const one = await upload(
    csv(
      line({ invoice_number: 'C-1' }),
      line({ invoice_number: 'C-2', invoice_date: later, due_date: addDays(TODAY, 40) }),
      line({ invoice_number: 'C-3', due_date: addDays(TODAY, 3) }),
    ),
  )
  const made = await done(act(one.id, '/confirm', { approve: true }))
  expect(made).toMatchObject({ made: 3, notApproved: 1 })
  expect((await invoicesOf(one.id)).map(({ status }) => status)).toEqual(['PENDING', 'PENDING', 'CREATED'])
  await server.product.sendApproved()
  expect((await invoicesOf(one.id)).map(({ status }) => status)).toEqual(['ACTIVATED', 'PENDING', 'CREATED'])
  const undone = await act(one.id, '/undo', {})
  expect([undone.status, (undone.json as { code: string }).code]).toEqual([400, 'import_sent'])
  expect((await invoicesOf(one.id)).map(({ status }) => status)).toEqual(['ACTIVATED', 'PENDING', 'CREATED'])
})

test('undone, nothing is left to send, and the same file makes the same invoices anew', async () => {
  const file = csv(line({ invoice_number: 'D-1' }), line({ invoice_number: 'D-2' }))
  const one = await upload(file)
  await done(act(one.id, '/confirm', { approve: true }))
  expect((await done(act(one.id, '/undo', {}))).status).toBe('UNDONE')
  expect((await done(act(one.id, '/undo', {}))).status).toBe('UNDONE')
  expect((await invoicesOf(one.id)).map(({ status }) => status)).toEqual(['ARCHIVED', 'ARCHIVED'])
  expect(
    await sql(
      `select distinct s.status from collection_step s join invoice i on i.id = s.invoice_id where i.invoice_number like 'D-%'`,
    ),
  ).toEqual([{ status: 'CANCELLED' }])
  await server.product.sendApproved()
  const again = await act(one.id, '/confirm', { approve: true })
  expect((again.json as { code: string }).code).toBe('import_not_open')
  const anew = await upload(file)
  expect(counts(anew)).toMatchObject({ ready: 2, unchanged: 0, invoices: 2 })
  await done(act(anew.id, '/confirm', { approve: false }))
  expect((await invoicesOf(anew.id)).map(({ status }) => status)).toEqual(['CREATED', 'CREATED'])
  const deeds = await sql(`select kind from audit_event where about in ($1, $2) order by at, kind`, [
    `import:${one.id}`,
    `import:${anew.id}`,
  ])
  expect(deeds.map(({ kind }) => kind)).toEqual([
    'import_read', 'import_confirmed', 'import_undone', 'import_read', 'import_confirmed',
  ]) // biome-ignore format: one line
})

test('what was only looked at is let go of, and the same file while it waits is the same import', async () => {
  const file = csv(line({ invoice_number: 'E-1', zip: '' }))
  const [one, twin] = await Promise.all([upload(file), upload(file)])
  expect(twin.id).toBe(one.id)
  expect((await act(one.id, '/confirm', { approve: false })).json).toMatchObject({
    code: 'import_nothing_ready',
  })
  expect((await done(act(one.id, '/undo', {}))).status).toBe('UNDONE')
  expect(await rowsOf(one.id)).toEqual([])
  expect(await isTaskOpen(one.id)).toBe(false)
  expect((await upload(file)).id).not.toBe(one.id)
})

test('what the creditor has sent is owed from then on, though its due date has passed', async () => {
  const sent = addDays(TODAY, -40)
  const due = addDays(TODAY, -10)
  const past = { invoice_date: sent, due_date: due }
  const one = await upload(
    csv(
      line({ invoice_number: 'F-1', ...past }),
      line({ invoice_number: 'F-2', invoice_date: sent }),
      line({ invoice_number: 'F-3' }),
    ),
  )
  const [row] = await rowsOf(one.id, 'WRONG')
  expect(codes(row)).toEqual(['due_date: due_passed'])
  const future = { approve: true, alreadySent: { sentDate: addDays(TODAY, 1) } }
  expect((await act(one.id, '/confirm', future)).json).toMatchObject({ code: 'invalid_request' })
  const alreadySent = { sentDate: sent, remindedOn: TODAY, reminderFee: 60 }
  const made = await done(act(one.id, '/confirm', { approve: true, alreadySent }))
  expect(counts(made)).toEqual(counted('CONFIRMED', 3, 2, 1, 2))
  // Nobody has sent what was written later.
  expect((await rowsOf(one.id, 'WRONG')).map(codes)).toEqual([['sent_date: sent_date_wrong']])
  await server.product.sendApproved()
  expect(await invoicesOf(one.id)).toMatchObject([{ status: 'ACTIVATED' }, { status: 'ACTIVATED' }])
  const owed = await sql(
    `select balance_minor::int as owed, sent_date::text as sent,
       (select count(*)::int from collection_step s where s.invoice_id = i.id and s.type = 'REMINDER' and s.status = 'PERFORMED')
         as reminders
     from invoice i where invoice_number in ('F-1', 'F-2') order by invoice_number`,
  )
  // Nobody reminds of what is not late yet.
  expect(owed).toEqual([
    { owed: 25125 + 6000, sent, reminders: 1 },
    { owed: 25125, sent, reminders: 0 },
  ])
})

test('a document is imported as its creditor has written it, once, and another creditor’s is not', async () => {
  const xml = fixture('se-invoice')
  const one = await upload(xml, 'faktura.xml')
  expect(one).toMatchObject({
    format: 'UBL',
    columns: [],
    mapping: {},
    missing: [],
    rows: 1,
    ready: 1,
    invoices: 1,
  })
  const [row] = await rowsOf(one.id)
  expect(row?.values).toMatchObject({ due_date: '2026-12-02', debtor_name: 'Alva Provlund', zip: '11122' })
  await done(act(one.id, '/confirm', { approve: true }))
  expect(await invoicesOf(one.id)).toMatchObject([{ status: 'PENDING' }])
  expect(counts(await upload(xml, 'faktura.xml'))).toMatchObject({ rows: 1, ready: 0, unchanged: 1 })
  const others = xml.replaceAll('5599990024', '5599990016')
  const [refused] = await rowsOf((await upload(others, 'faktura.xml')).id)
  expect(codes(refused)).toEqual(['null: other_creditor'])
})

test('the columns that the creditor has named are known in its next file', async () => {
  const head = 'Faktura;Fakturadatum;Förfallodag;Valuta;Kund;Adress;Postnr;Ort;Rad;Antal;Vad;Moms'
  const file = (number: string) =>
    `${head}\n${number};${TODAY};${DUE};SEK;Alva Provlund;Provgatan 1;11122;Stockholm;El;1;1 234,50;25\n`
  const one = await upload(file('G-1'))
  expect(one.missing).toEqual(['description', 'unit_price'])
  expect(one.wrong).toBe(1)
  expect(one.mapping).toMatchObject({ invoice_number: 'Faktura', due_date: 'Förfallodag', zip: 'Postnr' })
  const none = await act(one.id, '/mapping', { description: 'Rader' }, 'PUT')
  expect([none.status, none.json]).toMatchObject([
    400,
    { code: 'invalid_request', errors: [{ field: 'description' }] },
  ])
  const mapped = await done(
    act(one.id, '/mapping', { mapping: { description: 'Rad', unit_price: 'Vad' } }, 'PUT'),
  )
  expect(mapped).toMatchObject({ status: 'READY', missing: [], ready: 1, wrong: 0 })
  expect(await isTaskOpen(one.id)).toBe(false)
  const next = await upload(file('G-2'))
  expect(next).toMatchObject({ missing: [], ready: 1 })
  await done(act(next.id, '/confirm', { approve: false }))
  expect(await invoicesOf(next.id)).toEqual([{ number: 'G-2', status: 'CREATED', total: 154313 }])
})

test('what can be read in two ways is read as its column shows, else both readings are offered', async () => {
  const clear = await upload(
    csv(
      line({ invoice_number: 'H-1', unit_price: '1.234', due_date: '01/12/2026' }),
      line({ invoice_number: 'H-2', unit_price: '12,50', due_date: '24/12/2026' }),
    ),
  )
  expect(clear.ready).toBe(2)
  expect((await rowsOf(clear.id))[0]).toMatchObject({ total: 3085 })
  const doubtful = await upload(
    csv(line({ invoice_number: 'H-3', unit_price: '1.234', due_date: '01/12/2026' })),
  )
  const [row] = await rowsOf(doubtful.id)
  expect(row?.problems).toMatchObject([
    { field: 'due_date', code: 'day_doubtful', mends: ['2026-12-01', '2026-01-12'] },
    { field: 'unit_price', code: 'number_doubtful', mends: ['1234', '1.2340'] },
  ])
  const mended = await act(doubtful.id, '/rows/2', { unit_price: '1.2340', due_date: '2026-12-01' }, 'PUT')
  expect(mended.json).toMatchObject({ state: 'READY', total: 3.09 })
})

test.each([
  ['UTF-8 with a mark', (text: string) => Buffer.from(`\ufeff${text}`)],
  ['UTF-16 with a mark', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['UTF-16 without', (text: string) => Buffer.from(text, 'utf16le')],
  ['UTF-16 the other way round', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
  ['Windows-1252', (text: string) => Buffer.from(text, 'latin1')],
  ['semicolons', (text: string) => Buffer.from(text.replaceAll(',', ';'))],
  ['tabs', (text: string) => Buffer.from(text.replaceAll(',', '\t'))],
  ['a line that names the separator', (text: string) => Buffer.from(`sep=;\r\n${text.replaceAll(',', ';')}`)],
])('a table is read in %s', async (name, write) => {
  const number = `K-${name.replace(/\W/g, '')}`
  const one = await upload(
    write(csv(line({ invoice_number: number, debtor_name: 'Åsa Öhrn', city: 'Malmö' }))),
  )
  expect(counts(one)).toMatchObject({ rows: 1, ready: 1 })
  expect((await rowsOf(one.id))[0]?.values).toMatchObject({ debtor_name: 'Åsa Öhrn', city: 'Malmö' })
})

test('what is wrong in a row is said in its field, with a text', async () => {
  const one = await upload(csv(line({ debtor_name: '<script>alert(1)</script>Alva' })))
  expect(counts(one)).toMatchObject({ rows: 1, ready: 0, wrong: 1, invoices: 0 })
  const [row] = await rowsOf(one.id)
  expect(codes(row)).toEqual(['debtor_name: markup'])
  expect(row?.problems[0]?.message).not.toMatch(/[{}]/)
})

test('a number with another content is taken, and another number makes it ready', async () => {
  const first = await upload(csv(line({ invoice_number: 'M-1' })))
  await done(act(first.id, '/confirm', { approve: false }))
  const one = await upload(csv(line({ invoice_number: 'M-1', unit_price: '7' })))
  expect(codes((await rowsOf(one.id))[0])).toEqual(['invoice_number: number_taken'])
  expect((await act(one.id, '/rows/2', { invoice_number: 'M-2' }, 'PUT')).json).toMatchObject({
    state: 'READY',
    invoiceNumber: 'M-2',
  })
})

test('rows of one invoice that contradict each other are wrong, with what the first says', async () => {
  const one = await upload(
    csv(line({ invoice_number: 'N-1' }), line({ invoice_number: 'N-1', due_date: addDays(DUE, 1) })),
  )
  const rows = await rowsOf(one.id)
  expect(rows.map(codes)).toEqual([['null: other_row'], ['due_date: differs']])
  expect(rows[1]?.problems[0]?.mends).toEqual([DUE])
})

test('more rows than an invoice may have are wrong, however many there are', async () => {
  const rows = Array.from({ length: 2_300 }, () => line({ invoice_number: 'O-1' }))
  const one = await upload(csv(...rows, line({ invoice_number: 'O-2' })))
  expect(counts(one)).toEqual(counted('READY', 2_301, 1, 2_300, 1))
})

test('a credit note takes effect on the invoice that it names, when it is approved', async () => {
  const { number } = known
  const head = `${HEAD},type,credited_invoice`
  const row = (name: string, credited: string) =>
    `${line({ invoice_number: name, quantity: '1', unit_price: '-8', vat_percent: '25' })},CREDIT_NOTE,${credited}`
  const one = await upload([head, row('KR-1', number), row('KR-2', 'unknown')].join('\n'))
  expect(counts(one)).toMatchObject({ rows: 2, ready: 1, wrong: 1, invoices: 0 })
  expect(one.sums).toEqual([
    { currency: 'SEK', ready: 0, toMake: 0, invoices: 0, creditNotes: 1, toCredit: 10 },
  ])
  const before = await sql('select balance_minor::int as owed from invoice where id = $1', [known.id])
  // No draft is made of a credit note.
  expect((await act(one.id, '/confirm', { approve: false })).json).toMatchObject({
    code: 'import_nothing_ready',
  })
  expect(await sql('select balance_minor::int as owed from invoice where id = $1', [known.id])).toEqual(
    before,
  )
  const made = await done(act(one.id, '/confirm', { approve: true }))
  expect(made).toMatchObject({ made: 0, creditNotes: 1, credited: 1 })
  expect(made.sums).toMatchObject([{ creditNotes: 1, toCredit: 0 }])
  expect((await rowsOf(one.id, 'READY'))[0]?.invoiceId).toBe(known.id)
  expect(await sql(`select kind from mail_outbox where invoice_id = $1`, [known.id])).toEqual([
    { kind: 'credited' },
  ])
  const after = await sql('select balance_minor::int as owed from invoice where id = $1', [known.id])
  expect(before[0].owed - after[0].owed).toBe(1000)
  expect((await act(one.id, '/undo', {})).json).toMatchObject({ code: 'import_sent' })
})

test('a credit note that cannot be applied is wrong, and nothing is kept of it', async () => {
  const stopped = await buildInvoice(server.test, server.instanceId, server.clock, {
    beside: known,
  })
  const manager = await signInStaff(server.product.context, {
    instanceId: server.instanceId,
    creditorId: known.creditorId,
    role: 'manager',
  })
  const stop = { body: { reason: 'OTHER' }, headers: as(manager) }
  expect((await server.call('POST', `/api/client/invoices/${stopped.id}/stop`, stop)).status).toBe(200)
  const credit = (number: string, price: string) =>
    `${line({ invoice_number: number, quantity: '1', unit_price: price })},CREDIT_NOTE,${known.number}`
  const head = `${HEAD},type,credited_invoice`
  const note = credit('KS-1', '-8').replace(known.number, stopped.number)
  const one = await upload([head, note, credit('KS-2', '-900000')].join('\n'))
  expect((await rowsOf(one.id)).map(codes)).toEqual([['credited_invoice: credit_not_applied'], []])
  const made = await done(act(one.id, '/confirm', { approve: true }))
  expect(made).toMatchObject({ made: 0, credited: 0, wrong: 2 })
  const [, row] = await rowsOf(one.id)
  expect([codes(row), row?.invoiceId]).toEqual([['credited_invoice: credit_too_large'], null])
  // Nor is an invoice below zero, though it names one.
  const [reference] = /<cac:BillingReference>.*<\/cac:BillingReference>/s.exec(fixture('se-credit-note')) ?? [
    '',
  ]
  const below = fixture('se-invoice')
    .replaceAll('>842.00<', '>-842.00<')
    .replace('<cac:AccountingSupplierParty>', `${reference}<cac:AccountingSupplierParty>`)
    .replace('2026-70012<', 'BELOW-1<')
    .replace('>2026-70012<', `>${known.number}<`)
  const [document] = await rowsOf((await upload(below, 'below.xml')).id)
  expect(codes(document)).toEqual(['credited_invoice: credit_not_applied'])
  expect(await sql(`select 1 from invoice where type = 'CREDIT_INVOICE'`)).toEqual([])
})

test('undone, also the draft that somebody had withdrawn is made anew by the same file', async () => {
  const file = csv(line({ invoice_number: 'U-1' }), line({ invoice_number: 'U-2' }))
  const one = await upload(file)
  await done(act(one.id, '/confirm', { approve: false }))
  const [draft] = await sql(`select id from invoice where invoice_number = 'U-1'`)
  await server.call('DELETE', `/api/client/invoices/${draft.id}`, { headers: as(clerk) })
  expect(counts(await upload(file))).toMatchObject({ ready: 0, unchanged: 2 })
  await done(act(one.id, '/undo', {}))
  expect(counts(await upload(`${file}\r\n`))).toMatchObject({ ready: 2, unchanged: 0 })
})

test('a confirmation that says something else is told to wait for the one under way', async () => {
  const one = await upload(csv(line({ invoice_number: 'W-1' })))
  const confirmation = JSON.stringify({ approve: false, alreadySent: null })
  await sql(`update import set status = 'CONFIRMED', work = 'CONFIRM', confirmation = $2 where id = $1`, [
    one.id,
    confirmation,
  ])
  expect((await act(one.id, '/confirm', { approve: true })).json).toMatchObject({ code: 'import_not_open' })
  expect((await done(act(one.id, '/confirm', { approve: false }))).made).toBe(1)
})

test('confirmed at once from all sides, and undone meanwhile, each invoice is made once or not at all', async () => {
  const one = await upload(csv(...Array.from({ length: 40 }, (_, at) => line({ invoice_number: `P-${at}` }))))
  const confirm = () => act(one.id, '/confirm', { approve: true })
  const answers = await Promise.all([confirm(), confirm(), act(one.id, '/undo', {}), confirm()])
  for (const { status } of answers) expect([200, 400]).toContain(status)
  const { status } = await done(act(one.id, '', undefined, 'GET'))
  expect(status).toBe('UNDONE')
  const standing = await sql(
    `select status, count(*)::int as count from invoice where invoice_number like 'P-%' group by 1`,
  )
  expect(standing.filter((row) => row.status !== 'ARCHIVED')).toEqual([])
})

test('who may not send may not approve, and who may only look may look', async () => {
  const at = { instanceId: server.instanceId, creditorId: known.creditorId }
  const viewer = await signInStaff(server.product.context, { ...at, role: 'viewer' })
  const program = await holdKey(server.product.context, { ...at, scopes: ['read', 'invoices'] })
  const one = await upload(csv(line()))
  expect((await send(csv(line()), 'x.csv', viewer)).status).toBe(403)
  expect((await act(one.id, '', undefined, 'GET', viewer)).status).toBe(200)
  expect((await act(one.id, '/confirm', { approve: true }, 'POST', viewer)).status).toBe(403)
  expect((await act(one.id, '/confirm', { approve: true }, 'POST', program)).status).toBe(200)
})

test('a list has all imports with who made them', async () => {
  const answer = await server.call('POST', '/api/client/imports/search?limit=5', {
    body: { filters: { status: 'CONFIRMED' } },
    headers: as(clerk),
  })
  expect(answer.status, answer.text).toBe(200)
  const [first] = answer.json as { status: string; createdBy: string }[]
  expect(first).toMatchObject({ status: 'CONFIRMED', createdBy: 'Prov clerk' })
})

test('a check that was cut off is done at the next start, from the beginning or from where it was', async () => {
  for (const work of ['READ', 'JUDGE']) {
    const one = await upload(csv(line(), line({ zip: '' })))
    if (work === 'READ') {
      const bytes = Buffer.from(csv(line(), line({ zip: '' })))
      await sql('insert into import_part (instance_id, import_id, number, bytes) values ($1, $2, 0, $3)', [
        server.instanceId,
        one.id,
        bytes,
      ])
    }
    await sql(`update import set status = 'CHECKING', work = $2, row_count = 0 where id = $1`, [one.id, work])
    const { workImports } = await import('../imports.ts')
    await workImports(server.product.context, [{ id: server.instanceId, timeZone: 'Europe/Stockholm' }])
    expect(counts(await done(act(one.id, '', undefined, 'GET')))).toEqual({
      status: 'READY',
      rows: 2,
      ready: 1,
      wrong: 1,
      unchanged: 0,
      invoices: 1,
    })
  }
})

test('a confirmation that was cut off is gone on with, and makes each invoice once', async () => {
  const one = await upload(csv(line({ invoice_number: 'Q-1' }), line({ invoice_number: 'Q-2' })))
  await done(act(one.id, '/confirm', { approve: false }))
  await sql(`update import set work = 'CONFIRM' where id = $1`, [one.id])
  const { workImports } = await import('../imports.ts')
  await workImports(server.product.context, [{ id: server.instanceId, timeZone: 'Europe/Stockholm' }])
  expect(await sql(`select 1 from invoice where invoice_number like 'Q-%'`)).toHaveLength(2)
})
