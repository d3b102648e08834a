import { beforeAll, describe, expect, test, vi } from 'vitest'
import { buildInvoice, type BuiltInvoice, type InvoiceWishes } from '../testing/build.ts'
import { wordsOf } from '../testing/pdf-words.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { transfer } from '../testing/transfer.ts'
import { drawOnce } from './drawings.ts'
import { Page } from './page.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})

async function buildPaid(wishes: InvoiceWishes = {}): Promise<BuiltInvoice> {
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock, wishes)
  await transfer(server, invoice, 84_200)
  return invoice
}

async function receiptOf({ reference, zip }: BuiltInvoice): Promise<Buffer> {
  const path = `/api/public/invoices/${reference}/${zip}/payment-receipt`
  const answer = await fetch(`${server.origin}${path}`, { method: 'PUT' })
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
  return Buffer.from(await answer.arrayBuffer())
}

async function drawnWhile<T>(act: () => Promise<T>): Promise<{ drawn: number; value: T }> {
  const opened = vi.spyOn(Page, 'open')
  const value = await act()
  const drawn = opened.mock.calls.length
  opened.mockRestore()
  return { drawn, value }
}

describe('a receipt', () => {
  test('is drawn once for twenty who ask at the same time, and not again for who asks next', async () => {
    const invoice = await buildPaid()
    const twenty = await drawnWhile(() => Promise.all(Array.from({ length: 20 }, () => receiptOf(invoice))))
    expect(twenty.drawn).toBe(1)
    const [first, ...others] = twenty.value
    expect(others.every((bytes) => first?.equals(bytes))).toBe(true)
    const next = await drawnWhile(() => receiptOf(invoice))
    expect(next.drawn).toBe(0)
    expect(first?.equals(next.value)).toBe(true)
  })

  test('is each debtor’s own, also when all else is the same', async () => {
    const number = 'A-own'
    const people = ['Alva Provlund', 'Birger Testgren', 'Cilla Exempelsson']
    const invoices: BuiltInvoice[] = []
    for (const debtorName of people) invoices.push(await buildPaid({ debtorName, number }))
    const receipts = await Promise.all([...invoices, ...invoices].map((invoice) => receiptOf(invoice)))
    for (const [index, bytes] of receipts.entries()) {
      const words = wordsOf(bytes)
      expect(people.filter((name) => words.includes(name))).toEqual([people[index % people.length]])
    }
  })

  test('is another one when what it tells has changed', async () => {
    const invoice = await buildPaid()
    const before = await receiptOf(invoice)
    await transfer(server, invoice, 700)
    const after = await receiptOf(invoice)
    expect(wordsOf(before)).not.toContain('7,00 SEK')
    expect(wordsOf(after)).toContain('7,00 SEK')
    await server.test.owner.query(`update creditor set name = 'Nya Namnet AB' where id = $1`, [
      invoice.creditorId,
    ])
    expect(wordsOf(await receiptOf(invoice))).toContain('Nya Namnet AB')
  })
})

test('the copy of an invoice is drawn once as well', async () => {
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  const path = `/api/public/invoices/${invoice.reference}/${invoice.zip}/documents`
  const [copy] = (await server.call('GET', path)).json as { fileName: string }[]
  const { drawn, value } = await drawnWhile(() =>
    Promise.all(Array.from({ length: 20 }, () => server.call('GET', `/api/storage/${copy?.fileName}`))),
  )
  expect([drawn, new Set(value.map(({ status, text }) => `${status}${text}`)).size]).toEqual([1, 1])
})

test('what has been paid so far is a document until there is a receipt', async () => {
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  const path = `/api/public/invoices/${invoice.reference}/${invoice.zip}/documents`
  const list = async () =>
    (
      (await server.call('GET', path)).json as { topic: string; fileName: string; fileNameRaw: string }[]
    ).filter(({ topic }) => topic === 'PAYMENT')
  expect(await list()).toEqual([])
  await transfer(server, invoice, 24_200)
  const [told] = await list()
  expect(told?.fileNameRaw).toBe(`Betalningar ${invoice.number}.pdf`)
  const open = () => fetch(`${server.origin}/api/storage/${told?.fileName}`)
  const words = wordsOf(Buffer.from(await (await open()).arrayBuffer()))
  expect(words).toMatch(/Betald \d{4}-\d\d-\d\d\n-242,00 SEK/)
  expect(words).toContain('600,00 SEK')
  await transfer(server, invoice, 60_000)
  expect([await list(), (await open()).status]).toEqual([[], 404])
})

describe('drawings', () => {
  test('one that fails is not kept', async () => {
    let tries = 0
    const draw = (text: string): Promise<Uint8Array> => {
      tries += 1
      return tries === 1 ? Promise.reject(new Error('no ink')) : Promise.resolve(Buffer.from(text))
    }
    await expect(drawOnce('failing', draw, 'words')).rejects.toThrow('no ink')
    expect(Buffer.from(await drawOnce('failing', draw, 'words')).toString()).toBe('words')
  })

  test('take no more room than they may: the one that nobody asked for longest goes first', async () => {
    const drawn: number[] = []
    const draw = (page: number): Promise<Uint8Array> => {
      drawn.push(page)
      return Promise.resolve(Buffer.alloc(1024 * 1024, page))
    }
    for (const page of [1, 2, 3, 4, 5, 6, 7, 8]) await drawOnce('large', draw, page)
    await drawOnce('large', draw, 1)
    await drawOnce('large', draw, 9)
    drawn.length = 0
    await drawOnce('large', draw, 1)
    expect(drawn).toEqual([])
    await drawOnce('large', draw, 2)
    expect(drawn).toEqual([2])
  })
})
