/** A database that says nothing: nobody waits for it without end, and what it has done is found out, not guessed. */
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { buildInvoice, type BuiltInvoice } from '../../testing/build.ts'
import { openDatabaseLine, type DatabaseLine } from '../../testing/database-line.ts'
import { batchReads } from './batched-reads.ts'
import { DatabaseAway } from './database-away.ts'
import { openDatabase, statement } from './database.ts'
import { startTestServer, type Answer, type TestServer } from '../../testing/start-test-server.ts'

let server: TestServer
let line: DatabaseLine
const invoices: BuiltInvoice[] = []

beforeAll(async () => {
  server = await startTestServer({
    through: async (address) => {
      line = await openDatabaseLine(address)
      return line.address
    },
  })
  for (let n = 0; n < 10; n++) invoices.push(await buildInvoice(server.test, server.instanceId, server.clock))
})

type Timed = { readonly answer: Answer; readonly ms: number }

async function timed(ask: () => Promise<Answer>): Promise<Timed> {
  const began = performance.now()
  const answer = await ask()
  return { answer, ms: performance.now() - began }
}

const path = (invoice: BuiltInvoice | undefined, rest = ''): string =>
  `/api/public/invoices/${invoice?.reference}/${invoice?.zip}${rest}`
const readAll = (): Promise<Timed[]> =>
  Promise.all(invoices.map((invoice) => timed(() => server.call('GET', path(invoice)))))
const statusesOf = (all: readonly Timed[]): number[] => all.map(({ answer }) => answer.status)
const slowest = (all: readonly Timed[]): number => Math.max(...all.map(({ ms }) => ms))
const TEN = (status: number): number[] => Array.from({ length: 10 }, () => status)

test('T-NET-DB: reads on connections that have gone silent are answered within ten seconds', async () => {
  expect(statusesOf(await readAll())).toEqual(TEN(200))
  expect(line.count()).toBeGreaterThan(1)
  line.silence()
  const all = await readAll()
  // Reading an invoice by its pair also takes a guess, and a write is not repeated unasked.
  expect(statusesOf(all).filter((status) => status !== 200 && status !== 503)).toEqual([])
  expect(slowest(all)).toBeLessThan(10_000)
  // None of the silent ones is used again.
  const again = await readAll()
  expect(statusesOf(again)).toEqual(TEN(200))
  expect(slowest(again)).toBeLessThan(2_000)
}, 40_000)

const ONE = statement('test.one', 'select 1 as one')
const ADD = statement('test.addSecret', `insert into secret (name, value) values ($1, 'x') returning name`)
const HIDDEN_ADD = statement(
  'test.hiddenAdd',
  `with made as (insert into secret (name, value) values ($1, 'x') returning name) select name from made`,
)

test('a read is asked once more, and what writes is not', async () => {
  const own = await openDatabaseLine(server.test.address)
  const db = openDatabase(own.address, 4, {
    statementMs: 500,
    answerMs: 800,
    connectMs: 800,
    writableMs: 800,
  })
  try {
    await db.rows(ONE)
    own.silence()
    expect(await db.rows(ONE)).toEqual([{ one: 1 }])
    for (const [name, sql] of [
      ['plain', ADD],
      ['hidden', HIDDEN_ADD],
    ] as const) {
      own.loseAnswerTo(sql.name)
      await expect(db.rows(sql, [name])).rejects.toThrow(DatabaseAway)
      const { rows } = await server.test.owner.query(
        'select count(*)::int as n from secret where name = $1',
        [name],
      )
      expect(rows).toEqual([{ n: 1 }])
    }
    own.loseAnswerTo('commit')
    const unknown = db.transaction((tx) => tx.rows(ADD, ['kept']))
    await expect(unknown).rejects.toThrow(DatabaseAway)
    const { rows } = await server.test.owner.query(`select name from secret where name = 'kept'`)
    expect(rows).toHaveLength(1)
  } finally {
    await db.close()
  }
}, 60_000)

test('T-NET-DB: of 150 who ask for the same read while nothing gets through, the last hears it as soon as the first', async () => {
  const own = await openDatabaseLine(server.test.address)
  const db = openDatabase(own.address, 4, {
    statementMs: 500,
    answerMs: 800,
    connectMs: 800,
    writableMs: 800,
  })
  try {
    const ask = batchReads<number, number>(async (asked) => {
      await db.rows(ONE)
      return asked
    })
    own.silenceNew()
    const began = performance.now()
    const told = await Promise.allSettled(Array.from({ length: 150 }, (_, n) => ask(n)))
    const ms = performance.now() - began
    expect(told.filter((one) => one.status === 'fulfilled')).toEqual([])
    // One try and one more, at most 800 ms each; six sets one after the other took three times that.
    expect(ms).toBeLessThan(3_000)
    own.heal()
    expect(await ask(7)).toBe(7)
  } finally {
    await db.close()
  }
}, 60_000)

test('T-NET-DB: while nothing gets through everybody hears so in time, and ten seconds later all is well', async () => {
  line.silence()
  line.silenceNew()
  const all = await readAll()
  expect(statusesOf(all)).toEqual(TEN(503))
  expect(slowest(all)).toBeLessThan(30_000)
  expect(all.map(({ answer }) => answer.headers.get('retry-after'))).toEqual(
    Array.from({ length: 10 }, () => '5'),
  )
  line.heal()
  const healed = await readAll()
  expect(statusesOf(healed)).toEqual(TEN(200))
  expect(slowest(healed)).toBeLessThan(10_000)
}, 60_000)

const start = (invoice: BuiltInvoice | undefined, key: string) =>
  server.call('POST', path(invoice, '/payment-requests'), {
    body: {
      paymentDate: '2026-11-20',
      amount: '842.00',
      serviceProviderCode: 'DIRECT_BANK',
      redirectUri: `${server.origin}/`,
    },
    headers: { 'idempotency-key': key },
  })
const paymentsOf = async (invoice: BuiltInvoice | undefined): Promise<string[]> =>
  (
    await server.test.owner.query<{ status: string }>(
      'select status from payment where invoice_id = $1 order by created_at',
      [invoice?.id],
    )
  ).rows.map(({ status }) => status)

test.each([
  ['payments.insertFirst', ['FAILED', 'IN_PROGRESS']],
  ['payments.begin', ['IN_PROGRESS']],
])(
  'T-NET-DB: a payment whose answer was lost at %s is one payment, which its key finds',
  async (moment, kept) => {
    const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
    const key = randomUUID()
    line.loseAnswerTo(moment)
    const lost = await timed(() => start(invoice, key))
    expect(lost.answer.status).toBe(503)
    expect(lost.answer.headers.get('retry-after')).toBe('5')
    expect(lost.ms).toBeLessThan(30_000)
    const found = await timed(() => start(invoice, key))
    expect(found.ms).toBeLessThan(30_000)
    const payments = await paymentsOf(invoice)
    // What nobody was told of is given up, and the key starts anew.
    expect([found.answer.status, payments]).toEqual([201, kept])
  },
  60_000,
)
