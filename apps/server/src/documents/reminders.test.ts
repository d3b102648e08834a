import { beforeAll, describe, expect, test } from 'vitest'
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { performDailyRun } from '../collection/collection.ts'
import { openLog } from '../platform/log.ts'
import { buildInvoice, type BuiltInvoice, type InvoiceWishes } from '../testing/build.ts'
import { wordsOf } from '../testing/files/pdf-words.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { transfer } from '../testing/debts/transfer.ts'

let server: TestServer
const START = date('2026-03-02')
const DUE = addDays(START, 30)

beforeAll(async () => {
  server = await startTestServer()
})

async function build(wishes: InvoiceWishes = {}): Promise<BuiltInvoice> {
  server.clock.moveTo(START)
  return buildInvoice(server.test, server.instanceId, server.clock, { dueDate: DUE, ...wishes })
}

async function nights(from: CalendarDate, to: CalendarDate): Promise<void> {
  const context = { db: server.test.db, clock: server.clock, log: openLog('silent') }
  for (let day = from; day <= to; day = addDays(day, 1)) {
    server.clock.moveTo(day)
    await performDailyRun(context, { id: server.instanceId, timeZone: 'Europe/Stockholm' }, day)
  }
}

type Listed = { type: string; topic: string; fileName: string; fileNameRaw: string }

async function reminders(invoice: BuiltInvoice): Promise<Listed[]> {
  const path = `/api/public/invoices/${invoice.reference}/${invoice.zip}/documents`
  return ((await server.call('GET', path)).json as Listed[]).filter((d) => d.topic === 'REMINDER')
}

async function open(document: Listed | undefined): Promise<{ type: string | null; bytes: Buffer }> {
  const answer = await fetch(`${server.origin}/api/storage/${document?.fileName}`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('cache-control')).toBe('private, no-store')
  return { type: answer.headers.get('content-type'), bytes: Buffer.from(await answer.arrayBuffer()) }
}

describe('a reminder letter', () => {
  test('states capital, interest with rate and days, and the fee apart, with the last day to pay', async () => {
    const invoice = await build({ totalMinor: 1_000_000 })
    await nights(addDays(DUE, 1), addDays(DUE, 7))
    const [letter, ...others] = await reminders(invoice)
    expect(others).toEqual([])
    expect(letter?.fileNameRaw).toBe(`Betalningspåminnelse ${invoice.number} ${addDays(DUE, 7)}.pdf`)
    const { type, bytes } = await open(letter)
    expect(type).toBe('application/pdf')
    const raw = bytes.toString('latin1')
    expect(raw).toContain('/MarkInfo')
    expect(raw).toMatch(/\/Lang \(sv\)/)
    expect(raw).toContain('/Title')
  })

  test('does not change with what happens later, whoever opens it and however many at once', async () => {
    const invoice = await build({ totalMinor: 1_000_000 })
    await nights(addDays(DUE, 1), addDays(DUE, 7))
    const [letter] = await reminders(invoice)
    const first = await Promise.all(Array.from({ length: 10 }, () => open(letter)))
    expect(new Set(first.map(({ bytes }) => bytes.toString('latin1'))).size).toBe(1)
    const { rows } = await server.test.owner.query(
      'select count(*)::int as n from document where invoice_id = $1',
      [invoice.id],
    )
    expect(rows).toEqual([{ n: 1 }])
    await nights(addDays(DUE, 8), addDays(DUE, 21))
    const [again, notice] = await reminders(invoice)
    expect((await open(again)).bytes.equals(first[0]?.bytes ?? Buffer.alloc(0))).toBe(true)
    expect(notice?.type).toBe('COLLECTION_NOTIFICATION')
    expect((await open(notice)).bytes.subarray(0, 5).toString()).toBe('%PDF-')
  })

  test('says what the books said on its day, also when it is drawn later', async () => {
    const invoice = await build({ totalMinor: 1_000_000 })
    await nights(addDays(DUE, 1), addDays(DUE, 7))
    await nights(addDays(DUE, 8), addDays(DUE, 40))
    const words = wordsOf((await open((await reminders(invoice))[0])).bytes)
    expect(words).toContain('10 000,00 SEK')
    expect(words).toContain('60,00 SEK')
    expect(words).toContain('19,18 SEK')
    expect(words).toContain('10 079,18 SEK')
    expect(words).toMatch(/Dröjsmålsränta 10,00 % från 2026-04-02 till\s2026-04-08/)
    expect(words).toContain('2026-04-18')
    expect(words).toContain('9990-0227')
    expect(words).toContain('10079 18')
  })

  test('is nobody else’s, and gone when the invoice may not be seen', async () => {
    const invoice = await build()
    await nights(addDays(DUE, 1), addDays(DUE, 7))
    const [letter] = await reminders(invoice)
    const name = letter?.fileName ?? ''
    const changed = `${name.slice(0, 10)}${name[10] === 'x' ? 'y' : 'x'}${name.slice(11)}`
    // The last character of a code stands for two bits: fifteen others would stand for the same bytes.
    const [body = ''] = name.split('.')
    const near = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
      .filter((last) => !body.endsWith(last))
      .map((last) => `${body.slice(0, -1)}${last}.pdf`)
    for (const wrong of [changed, `${body}.png`, ...near]) {
      expect((await server.call('GET', `/api/storage/${wrong}`)).status, wrong).toBe(404)
    }
    await server.test.owner.query("update invoice set status = 'STOPPED', stop_reason = 'x' where id = $1", [
      invoice.id,
    ])
    await server.test.owner.query("update invoice set status = 'ARCHIVED' where id = $1", [invoice.id])
    const gone = await server.call('GET', `/api/storage/${letter?.fileName}`)
    const unknown = await server.call('GET', '/api/storage/nobody-knows.pdf')
    const plain = ({ text, json }: typeof gone) => text.replaceAll((json as { traceId: string }).traceId, '')
    expect([gone.status, plain(gone)]).toEqual([404, plain(unknown)])
    await server.test.owner.query("update invoice set status = 'STOPPED' where id = $1", [invoice.id])
    await server.test.owner.query("update collection_step set status = 'CANCELLED' where status = 'PLANNED'")
  })

  test('prints names that the built-in fonts cannot', async () => {
    const invoice = await build({ debtorName: 'Łukasz Žižek Đorđević', number: 'Nº Ł-7' })
    await nights(addDays(DUE, 1), addDays(DUE, 7))
    const { bytes } = await open((await reminders(invoice))[0])
    expect(bytes.toString('latin1')).toMatch(/\/BaseFont \/[A-Z]{6}\+Arimo/)
    expect(bytes.length).toBeLessThan(40_000)
  })
})

test('the receipt of a reminded invoice names its fee', async () => {
  const invoice = await build({ totalMinor: 1_000_000 })
  await nights(addDays(DUE, 1), addDays(DUE, 7))
  await transfer(server, invoice, 1_007_918)
  const path = `/api/public/invoices/${invoice.reference}/${invoice.zip}/payment-receipt`
  const answer = await fetch(`${server.origin}${path}`, { method: 'PUT' })
  const words = wordsOf(Buffer.from(await answer.arrayBuffer()))
  expect(words).toMatch(/Påminnelseavgift 2026-04-08\n60,00 SEK/)
  expect(words).toMatch(/Ränta 2026-04-08\n19,18 SEK/)
})
