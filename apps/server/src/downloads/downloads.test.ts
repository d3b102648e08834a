import { inflateRawSync } from 'node:zlib'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import { buildInvoice, TODAY, type BuiltInvoice } from '../testing/build.ts'
import { buildClaim, buildInstanceAccount, type BuiltClaim } from '../testing/build-claim.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { writeCsv } from '../platform/tables/csv.ts'
import type { Row, TableHead } from '../platform/tables/table.ts'
import { writeXlsx } from '../platform/tables/xlsx.ts'
import { writeTablePdf } from '../platform/tables/table-pdf.ts'

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

  test('export.formula: XLSX: amounts are numbers, everything else is text', async () => {
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

const HEAD: TableHead = {
  title: 'T',
  language: 'sv',
  instance: { name: 'Nordklar' },
  columns: [{ label: 'A', isAmount: false, share: 100 }],
}
const rowsOf = (texts: readonly string[]): Row[][] => [texts.map((text) => [text])]

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
])('export.formula: %j in a cell of CSV is %j', async (text, written) => {
  expect((await writeCsv(HEAD, rowsOf([text]))).toString('utf8')).toBe(`\ufeffA\r\n${written}\r\n`)
})

test('ten thousand rows become a file of each kind', async () => {
  const rows = rowsOf(Array.from({ length: 10_000 }, (_, n) => `Rad ${n}`))
  expect((await writeCsv(HEAD, rows)).length).toBeGreaterThan(80_000)
  expect((await writeXlsx(HEAD, rows)).length).toBeGreaterThan(10_000)
  const pdf = Buffer.from(await writeTablePdf(HEAD, rows)).toString('latin1')
  // Each row is a cell that a screen reader finds, and each of their pages begins with the heading.
  expect(pdf.match(/\/S \/TD$/gm)?.length).toBe(10_000)
  expect(pdf.match(/\/S \/TH$/gm)?.length).toBe(pdf.match(/\/Type \/Page$/gm)?.length)
})

describe('who asks for many files at once', () => {
  const metric = async (pattern: RegExp): Promise<string | undefined> =>
    pattern.exec(await (await fetch(`${server.origin}/metrics`)).text())?.[1]
  const readUnderWay = () => metric(/^kvitt_files_under_way\{queue="lists"\} (\d+)$/m)
  const readLeft = async () =>
    Number((await metric(/^kvitt_files_made_total\{queue="lists",outcome="left"\} (\d+)$/m)) ?? 0)

  test('gets two, and is told for the others when to ask again; CSV has turns of its own', async () => {
    const formats = ['pdf', 'xlsx', 'pdf', 'xlsx', 'pdf', 'pdf', 'csv']
    const path = `public/invoices/${mine.reference}/${mine.zip}/ledger/download`
    const answers = await Promise.all(
      formats.map((format) =>
        fetch(`${server.origin}/api/${path}?format=${format}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'accept-language': 'en' },
          body: '{}',
        }),
      ),
    )
    const made = answers.filter(({ status }) => status === 200)
    const refused = answers.filter(({ status }) => status === 503)
    expect([made.length >= 3, refused.length >= 1, made.length + refused.length]).toEqual([true, true, 7])
    expect(answers.at(-1)?.status).toBe(200)
    const [answer] = refused
    expect(Number(answer?.headers.get('retry-after'))).toBeGreaterThanOrEqual(5)
    expect(await answer?.json()).toMatchObject({
      code: 'files_busy',
      retryable: true,
      message: expect.stringMatching(/^Many files are being made right now. Try again in \d+ seconds.$/),
    })
    await Promise.all(made.map((file) => file.arrayBuffer()))
    expect(await readUnderWay()).toBe('0')
  })

  test('and goes away leaves nothing behind', async () => {
    const gone = new AbortController()
    const before = await readLeft()
    // The list cannot be read meanwhile.
    const owner = await server.test.owner.connect()
    await owner.query('begin; lock table creditor in access exclusive mode')
    const ask = fetch(
      `${server.origin}/api/public/invoices/${mine.reference}/${mine.zip}/ledger/download?format=pdf`,
      { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}', signal: gone.signal },
    )
    await vi.waitFor(async () => expect(await readUnderWay()).toBe('1'))
    gone.abort()
    await expect(ask).rejects.toThrow('aborted')
    await owner.query('rollback')
    owner.release()
    await vi.waitFor(async () => expect(await readUnderWay()).toBe('0'))
    expect(await readLeft()).toBe(before + 1)
    expect((await download('/ledger/download?format=pdf')).status).toBe(200)
  })
})
