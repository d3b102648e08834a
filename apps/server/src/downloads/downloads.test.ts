import { inflateRawSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import { buildInvoice, TODAY, type BuiltInvoice } from '../testing/build.ts'
import { buildClaim, buildInstanceAccount, type BuiltClaim } from '../testing/build-claim.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { writeCsv } from './csv.ts'
import type { Table } from './table.ts'
import { writeXlsx } from './xlsx.ts'
import { writeTablePdf } from './table-pdf.ts'

let server: TestServer
let mine: BuiltInvoice
let claim: BuiltClaim

const build = (wishes: Parameters<typeof buildInvoice>[3] = {}) =>
  buildInvoice(server.test, server.instanceId, server.clock, wishes)

beforeAll(async () => {
  server = await startTestServer()
  mine = await build({ number: '=1+1', totalMinor: 123_450 })
  for (let n = 2; n <= 12; n++) {
    await build({ beside: mine, number: `A-${n}`, totalMinor: n * 10_000, dueDate: addDays(TODAY, n) })
  }
  await build({ beside: mine, number: 'A-draft', status: 'CREATED' })
  await buildInstanceAccount(server.test, server.instanceId)
  claim = await buildClaim(server.test, server.instanceId, server.clock, {
    invoices: [{ totalMinor: 100_000 }],
  })
})

type Options = { method?: string; body?: unknown; language?: string }

const download = (path: string, options?: Options) =>
  fetchFile(`public/invoices/${mine.reference}/${mine.zip}${path}`, options)

async function fetchFile(path: string, options: Options = {}) {
  const answer = await fetch(`${server.origin}/api/${path}`, {
    method: options.method ?? 'POST',
    headers: { 'content-type': 'application/json', 'accept-language': options.language ?? 'sv' },
    ...(options.method === 'GET' ? {} : { body: JSON.stringify(options.body ?? {}) }),
  })
  return {
    status: answer.status,
    type: answer.headers.get('content-type'),
    name: decodeURIComponent(
      /filename\*=UTF-8''(.+)$/.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? '',
    ),
    cache: answer.headers.get('cache-control'),
    bytes: Buffer.from(await answer.arrayBuffer()),
  }
}

/** The text of a file inside a zip archive. */
function unzip(archive: Buffer, name: string): string {
  const at = archive.indexOf(Buffer.from(name))
  const header = at - 30
  const start = at + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28)
  const isStored = archive.readUInt16LE(header + 8) === 0
  const size = archive.readUInt32LE(header + 18)
  const body = archive.subarray(start, size > 0 ? start + size : undefined)
  return (isStored ? body : inflateRawSync(body)).toString('utf8')
}

describe('the invoices as a file', () => {
  test('CSV: marked UTF-8, semicolons, decimal commas, no formulas, a name with the time', async () => {
    const file = await download('/ledger/download?format=csv&orderBy=totals.totalToPay&order=desc')
    expect([file.status, file.type, file.cache]).toEqual([
      200,
      'text/csv; charset=utf-8',
      'private, no-store',
    ])
    expect(file.name).toMatch(/^Fakturor 2026-11-20 \d{6}\.csv$/)
    const text = file.bytes.toString('utf8')
    expect(text.startsWith('\ufeffFakturanummer;Avsändare;Status;')).toBe(true)
    const lines = text.trimEnd().split('\r\n')
    expect(lines).toHaveLength(13)
    expect(lines[1]).toBe(`'=1+1;Fjällström Demo Energi AB;Öppen;2026-11-20;2026-12-04;SEK;1234,50;1234,50`)
  })

  test('in the reader’s language, and filtered as the list is', async () => {
    const body = { statuses: { main: 'CLOSED[OR]STOPPED' } }
    const file = await download('/ledger/download?format=csv', { body, language: 'fi' })
    expect(file.name).toMatch(/^Laskut /)
    expect(file.bytes.toString('utf8').trimEnd().split('\r\n')).toHaveLength(1)
  })

  test('XLSX: amounts are numbers, everything else is text', async () => {
    const file = await download('/ledger/download?format=xlsx')
    expect(file.type).toContain('spreadsheetml')
    const sheet = unzip(file.bytes, 'xl/worksheets/sheet1.xml')
    expect(sheet).toMatch(/<v>1234\.5<\/v>/)
    expect(sheet).not.toContain('<f>')
    const texts = sheet + unzip(file.bytes, 'xl/sharedStrings.xml')
    expect(texts).toContain('=1+1')
  })

  test('PDF: tagged, with a title and a language', async () => {
    const file = await download('/ledger/download?format=pdf', { language: 'en' })
    const raw = file.bytes.toString('latin1')
    expect([file.type, raw.slice(0, 5)]).toEqual(['application/pdf', '%PDF-'])
    expect(raw).toMatch(/\/Lang \(en\)/)
    expect(raw).toContain('/S /TH')
  })

  test.each(['', '?format=doc', '?format=csv&format=pdf'])('"%s" is no format', async (query) => {
    expect((await download(`/ledger/download${query}`)).status).toBe(400)
  })
})

describe('the claims as a file', () => {
  const downloadClaims = (query: string, body: unknown = {}) =>
    fetchFile(`public/collection-batches/${claim.reference}/${claim.zip}/ledger/download?${query}`, { body })

  test('CSV, with what is owed and how it stands, in the words for a claim', async () => {
    const file = await downloadClaims('format=csv')
    expect([file.status, file.name]).toEqual([
      200,
      expect.stringMatching(/^Inkassoärenden 2026-11-20 \d{6}\.csv$/),
    ])
    const [, line = ''] = file.bytes.toString('utf8').split('\r\n')
    expect(line).toMatch(
      new RegExp(`^${claim.number};Fjällström Demo Energi AB;Öppet;2026-11-\\d\\d;SEK;1\\d{3},\\d\\d$`),
    )
  })

  test.each(['pdf', 'xlsx'])('%s', async (format) => {
    const file = await downloadClaims(`format=${format}`)
    expect([file.status, file.bytes.length > 500]).toEqual([200, true])
  })

  test('filtered as the list is', async () => {
    const file = await downloadClaims('format=csv', { status: 'CLOSED[OR]STOPPED' })
    expect(file.bytes.toString('utf8').trimEnd().split('\r\n')).toHaveLength(1)
    expect((await downloadClaims('format=csv', { status: 'GONE' })).status).toBe(400)
  })
})

describe('the events as a file', () => {
  test.each(['csv', 'pdf', 'xlsx'])('%s', async (format) => {
    const file = await download(`/events/download?format=${format}&invoiceNumber=A-2`, { method: 'GET' })
    expect([file.status, file.name]).toEqual([200, expect.stringMatching(/^Händelser A-2 .*\.\w+$/)])
    if (format === 'csv')
      expect(file.bytes.toString('utf8')).toContain('2026-11-20;Skickad;SEK;200,00;200,00')
  })
})

const tableOf = (texts: readonly string[]): Table => ({
  title: 'T',
  language: 'sv',
  instance: { name: 'Nordklar' },
  columns: [{ label: 'A', isAmount: false, share: 100 }],
  rows: texts.map((text) => [text]),
})

test.each([
  ['=SUM(A1)', `'=SUM(A1)`],
  ['+46 70', `'+46 70`],
  ['-1', `'-1`],
  ['@x', `'@x`],
  ['\t=1', `'\t=1`],
  [' =1', `' =1`],
  ['＝1', `'＝1`],
  ['a;b', '"a;b"'],
  ['a"b', '"a""b"'],
  ['a\nb', '"a\nb"'],
  ['-1;"x"', `"'-1;""x"""`],
  ['Åsa', 'Åsa'],
])('%j in a cell of CSV is %j', (text, written) => {
  expect(writeCsv(tableOf([text])).toString('utf8')).toBe(`\ufeffA\r\n${written}\r\n`)
})

test('ten thousand rows become a file of each kind', async () => {
  const table = tableOf(Array.from({ length: 10_000 }, (_, n) => `Rad ${n}`))
  expect(writeCsv(table).length).toBeGreaterThan(80_000)
  expect((await writeXlsx(table)).length).toBeGreaterThan(10_000)
  const pdf = await writeTablePdf(tableOf(Array.from({ length: 500 }, (_, n) => `Rad ${n}`)))
  expect(
    Buffer.from(pdf)
      .toString('latin1')
      .match(/\/Type \/Page\b/g)?.length,
  ).toBeGreaterThan(10)
})
