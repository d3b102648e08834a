import { beforeAll, describe, expect, test } from 'vitest'
import { buildInvoice, type BuiltInvoice, type InvoiceWishes } from '../testing/build.ts'
import { wordsOf } from '../testing/files/pdf-words.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { transfer } from '../testing/debts/transfer.ts'
import { keepOnce } from './drawings.ts'

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

/** How many letters were drawn meanwhile, as the product measures it. */
async function drawnWhile<T>(act: () => Promise<T>): Promise<{ drawn: number; value: T }> {
  const readDrawn = async (): Promise<number> => {
    const metrics = await (await fetch(`${server.origin}/metrics`)).text()
    const line = /^kvitt_files_made_total\{queue="letters",outcome="made"\} (\d+)$/m.exec(metrics)
    return Number(line?.[1] ?? 0)
  }
  const before = await readDrawn()
  const value = await act()
  return { drawn: (await readDrawn()) - before, value }
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
  const MEGABYTE = 1024 * 1024
  const drawn: number[] = []
  const keep = (page: number, size = MEGABYTE) =>
    keepOnce(['large', page], async () => {
      drawn.push(page)
      return Buffer.alloc(size, page)
    })
  const drawnNow = (): number[] => drawn.splice(0)

  test('one that fails is not kept', async () => {
    const failing = () => keepOnce(['failing'], () => Promise.reject(new Error('no ink')))
    await expect(failing()).rejects.toThrow('no ink')
    const words = await keepOnce(['failing'], async () => Buffer.from('words'))
    expect(Buffer.from(words).toString()).toBe('words')
  })

  test('take no more room than they may: the one that nobody asked for longest goes first', async () => {
    for (const page of [1, 2, 3, 4, 5, 6, 7, 8]) await keep(page)
    await keep(1)
    await keep(9)
    drawnNow()
    await keep(1)
    expect(drawnNow()).toEqual([])
    await keep(2)
    expect(drawnNow()).toEqual([2])
  })

  test('one that would take the place of many is not kept, and they stay', async () => {
    for (const page of [1, 2, 3, 4, 5, 6, 7, 8]) await keep(page)
    drawnNow()
    expect((await keep(20, MEGABYTE + 1)).length).toBe(MEGABYTE + 1)
    for (const page of [1, 2, 3, 4, 5, 6, 7, 8]) await keep(page)
    expect(drawnNow()).toEqual([20])
    await keep(20, MEGABYTE + 1)
    expect(drawnNow()).toEqual([20])
  })

  test('one that is being drawn while others come and go is drawn once', async () => {
    let finish: (bytes: Uint8Array) => void = () => {}
    let begun = 0
    const slow = () =>
      keepOnce(['slow'], () => {
        begun += 1
        return new Promise<Uint8Array>((resolve) => (finish = resolve))
      })
    const first = slow()
    for (const page of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) await keep(page + 30)
    const second = slow()
    finish(Buffer.from('slow'))
    expect([begun, (await first).length, await second]).toEqual([1, 4, await first])
  })
})
