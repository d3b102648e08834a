import { beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import { buildInvoice, TODAY, type BuiltInvoice } from '../testing/build.ts'
import { signIn } from '../testing/sign-in.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
let mine: BuiltInvoice
const OPEN = 'ACTIVATED[OR]PAUSED[OR]DISPUTED'

const build = (wishes: Parameters<typeof buildInvoice>[3] = {}) =>
  buildInvoice(server.test, server.instanceId, server.clock, wishes)

const list = (invoice: BuiltInvoice, query = '', body: unknown = {}) =>
  server.call('POST', `/api/public/invoices/${invoice.reference}/${invoice.zip}/ledger${query}`, { body })

const numbers = (answer: { json: never }): string[] =>
  (answer.json as { invoiceNumber: string }[]).map((i) => i.invoiceNumber)

/** Every choice of at least one. */
function subsetsOf<Item>(items: readonly Item[]): Item[][] {
  const all = Array.from({ length: 2 ** items.length }, (_, bits) =>
    items.filter((_item, n) => bits & (1 << n)),
  )
  return all.filter((chosen) => chosen.length > 0)
}

beforeAll(async () => {
  server = await startTestServer()
  mine = await build({ number: 'A-1', totalMinor: 10_000 })
  for (let n = 2; n <= 12; n++) {
    await build({ beside: mine, number: `A-${n}`, totalMinor: n * 10_000, dueDate: addDays(TODAY, n) })
  }
  await build({ beside: mine, number: 'A-credit', type: 'CREDIT_INVOICE', totalMinor: -5_000 })
  await build({ beside: mine, number: 'A-draft', status: 'CREATED' })
  await build({ number: 'B-1' })
})

describe('the list', () => {
  test('is the debtor’s own, without drafts and credit invoices, ten at a time', async () => {
    const answer = await list(mine, '', { statuses: { main: OPEN } })
    expect(answer.headers.get('x-total-count')).toBe('12')
    expect(numbers(answer)).toHaveLength(10)
    expect(numbers(answer)).not.toContain('B-1')
    expect(answer.headers.get('link')).toMatch(/page=2>; rel="next".*page=2>; rel="last"/)
    expect(numbers(await list(mine, '?page=2', { 'statuses.main': OPEN }))).toHaveLength(2)
    expect(numbers(await list(mine, '?page=9'))).toEqual([])
  })

  test('in the order that was asked for', async () => {
    const soonest = await list(mine, '?orderBy=dates.expireDate&limit=3', { statuses: { main: OPEN } })
    expect(numbers(soonest)).toEqual(['A-2', 'A-3', 'A-4'])
    const largest = await list(mine, '?orderBy=balances.total&order=desc&limit=2')
    expect(numbers(largest)).toEqual(['A-12', 'A-11'])
  })

  test('is as long as it says, whatever is asked for', async () => {
    const other = await build({ number: 'C-1' })
    await build({ beside: other, number: 'C-2' })
    await build({ beside: other, number: 'C-3' })
    const stop = `update invoice set status = 'DISPUTED' where invoice_number = 'C-2'`
    await server.test.owner.query(stop)
    const listed = ['ACTIVATED', 'PAUSED', 'DISPUTED', 'PENDING_AUTHORIZATION', 'CLOSED', 'STOPPED']
    for (const chosen of subsetsOf(listed)) {
      const answer = await list(other, '?limit=50', { statuses: { main: chosen.join('[OR]') } })
      const wanted = ['ACTIVATED', 'DISPUTED', 'ACTIVATED'].filter((status) => chosen.includes(status)).length
      expect([chosen, numbers(answer).length]).toEqual([chosen, wanted])
      expect(answer.headers.get('x-total-count')).toBe(String(wanted))
    }
    await server.test.owner.query(`update invoice set status = 'ACTIVATED' where invoice_number = 'C-2'`)
  })

  test('who asks at the same moment gets their own', async () => {
    const others = await Promise.all([1, 2, 3].map((n) => build({ number: `D-${n}`, totalMinor: n * 100 })))
    const asked = Array.from({ length: 40 }, (_, n) => others[n % 3] ?? mine)
    const answers = await Promise.all(asked.map((invoice) => list(invoice)))
    const told = await Promise.all(
      asked.map(({ reference, zip }) =>
        server.call('GET', `/api/public/invoices/${reference}/${zip}/events?limit=-1`),
      ),
    )
    for (const [n, { number }] of asked.entries()) {
      expect(answers[n]?.json).toEqual([expect.objectContaining({ invoiceNumber: number })])
      expect(answers[n]?.headers.get('x-total-count')).toBe('1')
      const amount = Number(number.slice(-1))
      expect(told[n]?.json).toEqual([expect.objectContaining({ type: 'INVOICE', amount, balance: amount })])
    }
  })

  test('a filter that says nothing, or the same twice', async () => {
    const same = { 'statuses.main': 'CLOSED', statuses: { main: 'CLOSED' } }
    expect((await list(mine, '', same)).json).toEqual([])
    expect(numbers(await list(mine, '', { statuses: { main: null }, 'statuses.main': null }))).toHaveLength(
      10,
    )
  })

  test('of somebody who is kept as two debtors is one', async () => {
    const [one, other] = [await build({ number: 'E-1' }), await build({ number: 'E-2' })]
    const debtorIds = [one.debtorId, other.debtorId]
    const headers = await signIn(server.product.context, server.instanceId, debtorIds)
    for (const body of [{}, { statuses: { main: 'ACTIVATED[OR]PAUSED' } }]) {
      const call = { body, headers }
      const answer = await server.call(
        'POST',
        '/api/debtor/invoices/ledger?orderBy=invoiceNumber&order=asc',
        call,
      )
      expect(numbers(answer)).toEqual(['E-1', 'E-2'])
      expect(answer.headers.get('x-total-count')).toBe('2')
    }
  })

  test.each([
    ['the list', 'POST', '/ledger'],
    ['the sums', 'GET', '/stats'],
    ['a search', 'POST', '/search'],
  ])(
    '%s of a signed-in debtor: a number alone has to be that of an invoice of theirs',
    async (_name, method, path) => {
      const headers = await signIn(server.product.context, server.instanceId, [mine.debtorId])
      const ask = (number: string) =>
        server.call(method, `/api/debtor/invoices${path}?invoiceNumber=${number}`, {
          headers,
          ...(method === 'POST' ? { body: {} } : {}),
        })
      expect((await ask('A-1')).status).toBe(200)
      for (const number of ['B-1', 'A-draft', 'A-credit', 'nobody']) {
        const answer = await ask(number)
        expect([number, answer.status, (answer.json as { code: string }).code]).toEqual([
          number,
          404,
          'not_found',
        ])
      }
    },
  )

  test('closed ones apart', async () => {
    expect((await list(mine, '', { statuses: { main: 'CLOSED[OR]STOPPED' } })).json).toEqual([])
  })

  test.each([
    ['', { statuses: { main: 'OPEN' } }, 'invalid_filter'],
    ['', { statuses: { main: 'CREATED' } }, 'invalid_filter'],
    ['', { statuses: { main: `ACTIVATED[OR]` } }, 'invalid_filter'],
    ['', { statuses: { main: "ACTIVATED' or '1'='1" } }, 'invalid_filter'],
    ['?orderBy=id;drop table invoice', {}, 'invalid_filter'],
    ['?orderBy=toString', {}, 'invalid_filter'],
    ['?orderBy=id&order=sideways', {}, 'invalid_filter'],
    ['?limit=-1', {}, 'invalid_paging'],
    ['?limit=0', {}, 'invalid_paging'],
    ['?limit=1001', {}, 'invalid_paging'],
    ['?page=0', {}, 'invalid_paging'],
    ['?page=1.5', {}, 'invalid_paging'],
    ['', { statuses: 'x' }, 'invalid_filter'],
    ['', { statuses: { main: ['CLOSED'] } }, 'invalid_filter'],
    ['', { 'statuses.main': 5 }, 'invalid_filter'],
    ['', { 'statuses.main': 'CLOSED', statuses: { main: 'STOPPED' } }, 'invalid_filter'],
  ])('sqli.filters: %s %j: %s', async (query, body, code) => {
    const answer = await list(mine, query, body)
    expect([answer.status, answer.json]).toEqual([400, expect.objectContaining({ code })])
  })
})

test('what it all comes to, once for each currency', async () => {
  const answer = await server.call('GET', `/api/public/invoices/${mine.reference}/${mine.zip}/stats`)
  expect(answer.text).toBe('[{"currency":"SEK","balance":7800.00,"count":12}]')
})
