/** Files that are not what they seem: refused with a code and a sentence, and nothing is changed. Workbooks and archives. */
import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import writeXlsxFile from 'write-excel-file/node'
import { addDays } from '@kvitt/domain/calendar.ts'
import { creditorIdentity } from '@kvitt/domain/people/party-identity.ts'
import type { OfficeImportDetail, OfficeImportRow } from '@kvitt/domain/imports/office-import.contract.ts'
import { buildInvoice, TODAY, type BuiltInvoice } from '../../testing/build.ts'
import { buildZip } from '../../testing/files/build-zip.ts'
import { signInStaff, type SignedIn } from '../../testing/staff.ts'
import { startTestServer, type Answer, type TestServer } from '../../testing/start-test-server.ts'

let server: TestServer
let known: BuiltInvoice
let clerk: SignedIn

beforeAll(async () => {
  server = await startTestServer()
  known = await buildInvoice(server.test, server.instanceId, server.clock)
  const { creditorId } = known
  clerk = await signInStaff(server.product.context, {
    instanceId: server.instanceId,
    creditorId,
    role: 'clerk',
  })
  const identity = creditorIdentity({ name: 'x', country: 'SE', identificationNumber: '5599990024' })
  await server.test.owner.query('update creditor set identity = $2 where id = $1', [creditorId, identity])
})

function send(content: string | Uint8Array, name: string): Promise<Answer> {
  const form = new FormData()
  form.set('file', new File([content], name))
  return server.call('PUT', '/api/client/imports', { body: form, headers: clerk })
}

const count = async (): Promise<string> => {
  const { rows } = await server.test.owner.query(
    `select (select count(*) from import) || ' ' || (select count(*) from import_row) || ' ' ||
       (select count(*) from import_part) || ' ' || (select count(*) from invoice) as all`,
  )
  return rows[0].all
}

const DOCUMENT = readFileSync(new URL('../fixtures/se-invoice.xml', import.meta.url))
const document = (number: string) =>
  Buffer.from(DOCUMENT.toString().replace(/<cbc:ID>[^<]*</, `<cbc:ID>${number}<`))
const HEAD =
  'invoice_number,invoice_date,due_date,currency,debtor_name,address,zip,city,description,quantity,unit_price,vat_percent'
const ROW = `X-1,${TODAY},${addDays(TODAY, 30)},SEK,Alva Provlund,Provgatan 1,11122,Stockholm,El,1,10,25`
const zeros = Buffer.alloc(64 * 1024 * 1024)

test.each([
  ['an empty file', 'a.csv', '', 'empty'],
  ['spaces', 'a.csv', ' \r\n \r\n', 'empty'],
  ['a web page', 'a.csv', '<!DOCTYPE html><html><body>invoice_number,due_date</body></html>', 'markup'],
  [
    'a picture with a script',
    'a.csv',
    '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    'markup',
  ],
  [
    'the same with its declaration',
    'a.xml',
    '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>',
    'markup',
  ],
  ['UTF-7', 'a.csv', '+/v8-invoice_number,due_date', 'encoding'],
  ['a PDF', 'a.csv', '%PDF-1.7\n1 0 obj', 'binary'],
  ['an old workbook', 'a.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'old_excel'],
  ['a program', 'a.csv', Buffer.from('7f454c46020101', 'hex'), 'binary'],
  ['one column', 'a.csv', 'invoice_number\nX-1\n', 'table'],
  ['a million columns', 'a.csv', `${'a,'.repeat(1_000_000)}\n1`, 'long'],
  ['three hundred columns', 'a.csv', `${'a,'.repeat(300)}\n1`, 'columns'],
  ['a row without an end', 'a.csv', `${HEAD}\n${'x'.repeat(300_000)}`, 'long'],
  ['half a file, in a quoted text', 'a.csv', `${HEAD}\nX-1,"${TODAY},`, 'cut'],
  ['a table with zeros in it', 'a.csv', `${HEAD}\n${' '.repeat(5000)}a\0b,1`, 'binary'],
  ['another document', 'a.xml', '<?xml version="1.0"?><Order xmlns="urn:x"/>', 'document'],
  ['half a document', 'a.xml', DOCUMENT.subarray(0, 2000), 'document'],
  ['a document with entities', 'a.xml', '<!DOCTYPE x [<!ENTITY a "b">]><Invoice/>', 'document'],
  ['a bomb', 'a.zip', buildZip([{ name: 'a.xml', bytes: zeros }]), 'zip_bomb'],
  [
    'a bomb that says that it is small',
    'a.zip',
    buildZip([{ name: 'a.xml', bytes: zeros, claims: 100 }]),
    'zip_broken',
  ],
  ['a workbook that is a bomb', 'a.xlsx', buildZip([{ name: 'xl/workbook.xml', bytes: zeros }]), 'zip_bomb'],
  ['a name that leads out', 'a.zip', buildZip([{ name: '../../etc/passwd', bytes: DOCUMENT }]), 'zip_names'],
  ['an absolute name', 'a.zip', buildZip([{ name: '/etc/passwd', bytes: DOCUMENT }]), 'zip_names'],
  ['a locked archive', 'a.zip', buildZip([{ name: 'a.xml', bytes: DOCUMENT, isLocked: true }]), 'zip_locked'],
  ['half an archive', 'a.zip', buildZip([{ name: 'a.xml', bytes: DOCUMENT }]).subarray(0, 900), 'zip_broken'],
  ['an archive of nothing', 'a.zip', buildZip([]), 'zip_empty'],
  [
    'a workbook of nothing',
    'a.xlsx',
    buildZip([{ name: 'xl/workbook.xml', bytes: Buffer.from('<x/>') }]),
    'sheet',
  ],
] as const)('hostile import: %s is refused, and nothing is left of it', async (_name, name, content, why) => {
  const before = await count()
  const answer = await send(content, name)
  const { code, message, errors } = answer.json as {
    code: string
    message: string
    errors: { field: string }[]
  }
  expect([answer.status, code, errors], answer.text).toMatchObject([
    400,
    'import_unreadable',
    [{ field: 'file' }],
  ])
  const { textOf } = await import('../../platform/texts.ts')
  const expected = textOf('sv', 'error.import_unreadable', { why, detail: '', most: '250000' })
  expect(message.slice(0, 40)).toBe(expected.slice(0, 40))
  expect(await count()).toBe(before)
})

test('a file that is too large is refused before it has come', async () => {
  const before = await count()
  const answer = await send(Buffer.alloc(51 * 1024 * 1024, 'a,b\n'), 'a.csv')
  expect([answer.status, (answer.json as { code: string }).code]).toEqual([400, 'file_too_large'])
  expect(await count()).toBe(before)
})

test('a path in the name of a file is no part of it', async () => {
  const answer = await send(`${HEAD}\n${ROW}`, '..\\..\\windows/<b>x</b>\u202evsc.csv')
  expect(answer.json).toMatchObject({ status: 'READY', ready: 1, fileName: 'b>vsc.csv' })
})

test('what is cut off in the middle of a row is wrong there, and the rows before it are not', async () => {
  const answer = await send(`${HEAD}\n${ROW}\nX-2,${TODAY},2026-1`, 'half.csv')
  const one: OfficeImportDetail = answer.json
  expect(one).toMatchObject({ rows: 2, wrong: 1 })
  const rows = await server.call('GET', `/api/client/imports/${one.id}/rows?state=WRONG`, { headers: clerk })
  const [row] = rows.json as OfficeImportRow[]
  expect(row?.problems[0]).toMatchObject({ field: null, code: 'row_cut' })
})

test('an archive of documents is a row for each, whatever else is in it', async () => {
  const zip = buildZip([
    { name: 'november/', bytes: Buffer.alloc(0) },
    { name: 'november/a.xml', bytes: document('ZIP-1') },
    { name: 'november/b.xml', bytes: document('ZIP-2') },
    { name: 'november/again.xml', bytes: document('ZIP-2') },
    { name: 'november/letter.pdf', bytes: Buffer.from('%PDF-1.7') },
    { name: '__MACOSX/._a.xml', bytes: Buffer.from('x') },
  ])
  const answer = await send(zip, 'november.zip')
  const one: OfficeImportDetail = answer.json
  expect(one, answer.text).toMatchObject({
    format: 'ZIP',
    rows: 4,
    ready: 2,
    wrong: 1,
    unchanged: 1,
    invoices: 2,
  })
  const confirmed = await server.call('POST', `/api/client/imports/${one.id}/confirm`, {
    body: { approve: false },
    headers: clerk,
  })
  expect(confirmed.json, confirmed.text).toMatchObject({ status: 'CONFIRMED', made: 2 })
  expect((await send(zip, 'november.zip')).json).toMatchObject({ rows: 4, ready: 0, wrong: 1, unchanged: 3 })
})

/** A workbook as the standard has it, around the rows of its one sheet. */
function bookOf(rows: string): Uint8Array {
  const office = 'http://schemas.openxmlformats.org'
  const part = (name: string, xml: string) => ({ name, bytes: Buffer.from(`<?xml version="1.0"?>${xml}`) })
  const main = `xmlns="${office}/spreadsheetml/2006/main"`
  const related = (id: string, kind: string, to: string) =>
    `<Relationship Id="${id}" Type="${office}/officeDocument/2006/relationships/${kind}" Target="${to}"/>`
  const relations = (...all: string[]) =>
    `<Relationships xmlns="${office}/package/2006/relationships">${all.join('')}</Relationships>`
  return buildZip([
    part('_rels/.rels', relations(related('r1', 'officeDocument', 'xl/workbook.xml'))),
    part(
      'xl/workbook.xml',
      `<workbook ${main} xmlns:r="${office}/officeDocument/2006/relationships"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`,
    ),
    part(
      'xl/_rels/workbook.xml.rels',
      relations(
        related('r1', 'worksheet', 'worksheets/sheet1.xml'),
        related('r2', 'sharedStrings', 'sharedStrings.xml'),
        related('r3', 'styles', 'styles.xml'),
      ),
    ),
    part('xl/styles.xml', `<styleSheet ${main}><cellXfs count="1"><xf numFmtId="0"/></cellXfs></styleSheet>`),
    part('xl/sharedStrings.xml', `<sst ${main}/>`),
    part('xl/worksheets/sheet1.xml', `<worksheet ${main}><sheetData>${rows}</sheetData></worksheet>`),
  ])
}
const sheetRow = (number: number, values: readonly string[]) =>
  `<row r="${number}">${values
    .map(
      (value, at) =>
        `<c r="${String.fromCharCode(65 + at)}${number}" t="inlineStr"><is><t>${value}</t></is></c>`,
    )
    .join('')}</row>`
const plain = sheetRow(1, HEAD.split(',')) + sheetRow(2, ROW.split(','))

test('a workbook whose last cell lies beyond every memory ends its own program, and nothing else', async () => {
  expect((await send(bookOf(plain), 'a.xlsx')).json).toMatchObject({ status: 'READY', rows: 1 })
  const far = '<row r="999999999"><c r="ZZZZZZ999999999"><v>1</v></c></row>'
  const answer = await send(bookOf(plain + far), 'far.xlsx')
  expect([answer.status, (answer.json as { code: string }).code]).toEqual([400, 'import_unreadable'])
})

test.each([
  ['a day at the end of the calendar', `${HEAD}\n${ROW.replace(addDays(TODAY, 30), '9999-12-31')}`, 'a.csv'],
  ['a day long gone', `${HEAD}\n${ROW.replace(TODAY, '0001-01-01')}`, 'a.csv'],
  ['a column whose name is cut in the middle of a letter', `${'a'.repeat(199)}😀,${HEAD}\n1,${ROW}`, 'a.csv'],
  ['half a letter in a workbook', bookOf(plain.replace('Alva Provlund', 'a&#xD800;b')), 'a.xlsx'],
])('%s is looked at like everything else', async (_name, content, name) => {
  const answer = await send(content, name)
  expect(answer.json, answer.text).toMatchObject({ status: 'READY', rows: 1 })
})

test('what cannot be worked on is refused after some tries, and stands in nobody’s way', async () => {
  const one: OfficeImportDetail = (await send(`${HEAD}\n${ROW.replace('X-1', 'X-7')}`, 'b.csv')).json
  await server.test.owner.query(
    "update import set status = 'CHECKING', work = 'JUDGE', attempts = 3 where id = $1",
    [one.id],
  )
  expect((await send(`${HEAD}\n${ROW.replace('X-1', 'X-8')}`, 'c.csv')).json).toMatchObject({
    status: 'READY',
  })
  const { rows } = await server.test.owner.query('select status, refusal from import where id = $1', [one.id])
  expect(rows).toMatchObject([{ status: 'REFUSED', refusal: { why: 'broken' } }])
})

test('a workbook is a table: its numbers and days are what they are', async () => {
  const names = HEAD.split(',').map((value) => ({ value }))
  const cells = (number: string) => [
    { value: number },
    { value: new Date(`${TODAY}T00:00:00Z`), type: Date, format: 'yyyy-mm-dd' },
    { value: new Date(`${addDays(TODAY, 30)}T00:00:00Z`), type: Date, format: 'dd/mm/yyyy' },
    ...['SEK', 'Alva Provlund', 'Provgatan 1', '111 22', 'Stockholm', 'El'].map((value) => ({ value })),
    { value: 2, type: Number },
    { value: 1.234, type: Number },
    { value: 25, type: Number },
  ]
  const book = await writeXlsxFile([names, cells('W-1'), cells('W-2')] as never).toBuffer()
  const answer = await send(book, 'fakturor.xlsx')
  const one: OfficeImportDetail = answer.json
  expect(one, answer.text).toMatchObject({ format: 'XLSX', rows: 2, ready: 2, invoices: 2 })
  expect(one.sums).toMatchObject([{ ready: 6.18 }])
  const rows = await server.call('GET', `/api/client/imports/${one.id}/rows`, { headers: clerk })
  expect((rows.json as OfficeImportRow[])[0]?.values).toMatchObject({
    unit_price: '1.234',
    due_date: addDays(TODAY, 30),
  })
})

test('whom debtors pay is nothing that a file decides', async () => {
  const other = document('PAY-1').toString().replace('99900227', '5050-1055')
  const one: OfficeImportDetail = (await send(other, 'faktura.xml')).json
  expect(one).toMatchObject({ rows: 1, ready: 0, wrong: 1 })
  const rows = await server.call('GET', `/api/client/imports/${one.id}/rows`, { headers: clerk })
  expect((rows.json as OfficeImportRow[])[0]?.problems).toMatchObject([
    { field: null, code: 'account_unknown', message: expect.stringContaining('5050-1055') },
  ])
  await server.call('POST', `/api/client/imports/${one.id}/confirm`, {
    body: { approve: true },
    headers: clerk,
  })
  const made = await server.test.owner.query("select from payment_account where account_number = '5050-1055'")
  expect(made.rows).toHaveLength(0)
})
