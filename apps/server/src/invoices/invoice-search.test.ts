import { beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import { buildInvoice, TODAY, type BuiltInvoice } from '../testing/build.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
let mine: BuiltInvoice

const build = (wishes: Parameters<typeof buildInvoice>[3] = {}) =>
  buildInvoice(server.test, server.instanceId, server.clock, wishes)
const search = (what: string, body: unknown = {}, query = '') =>
  server.call('POST', `/api/public/${what}/${mine.reference}/${mine.zip}/search${query}`, { body })
const numbers = (answer: { json: never }): string[] =>
  (answer.json as { invoiceNumber: string }[]).map((i) => i.invoiceNumber)

beforeAll(async () => {
  server = await startTestServer()
  mine = await build({ number: 'A-1', totalMinor: 10_000 })
  for (let n = 2; n <= 12; n++) {
    await build({ beside: mine, number: `A-${n}`, totalMinor: n * 10_000, dueDate: addDays(TODAY, n) })
  }
  await build({ beside: mine, number: 'A-part', type: 'PART_INVOICE' })
  await build({ beside: mine, number: 'A-credit', type: 'CREDIT_INVOICE', totalMinor: -5_000 })
  await build({ beside: mine, number: 'A-draft', status: 'CREATED' })
  await build({ number: 'A-strange' })
})

describe('searching invoices', () => {
  test('finds the debtor’s own, all at once, the newest first', async () => {
    const answer = await search('invoices')
    expect(numbers(answer)).toHaveLength(13)
    expect(numbers(answer)[0]).toBe('A-part')
    expect([answer.headers.get('x-total-count'), answer.headers.get('link')]).toEqual([
      '13',
      expect.stringContaining('limit=1000&page=1>; rel="first"'),
    ])
  })

  test.each([
    [{ query: 'a-1' }, ['A-12', 'A-11', 'A-10', 'A-1']],
    [{ query: 'part' }, ['A-part']],
    [{ query: '%' }, []],
    [{ query: 'energi', queryTarget: 'clientName', filters: { type: 'PART_INVOICE' } }, ['A-part']],
    [{ query: 'nobody', queryTarget: 'clientName' }, []],
    [{ filters: { 'statuses.main': 'CLOSED[OR]STOPPED' } }, []],
    [{ filters: { type: ['PART_INVOICE'], currency: { invoiceCurrency: 'EUR' } } }, []],
    [{ type: 'PART_INVOICE', statuses: { main: 'ACTIVATED' } }, ['A-part']],
  ])('%j', async (body, found) => {
    expect(numbers(await search('invoices', body))).toEqual(found)
  })

  test('page by page, in the order asked for', async () => {
    const answer = await search('invoices', { query: 'A-' }, '?limit=2&page=2&orderBy=balances.total')
    expect(numbers(answer)).toEqual(['A-10', 'A-9'])
    expect(numbers(await search('invoices', {}, '?limit=1&order=asc&orderBy=balances.total'))).toEqual([
      'A-1',
    ])
  })

  test.each([
    [{ queryTarget: 'debtor_id' }, '', 'invalid_filter'],
    [{ filters: { debtorId: 'x' } }, '', 'invalid_filter'],
    [{ filters: { 'statuses.main': 'CREATED' } }, '', 'invalid_filter'],
    [{ filters: { type: 'SECRET' } }, '', 'invalid_filter'],
    [{ query: 'x'.repeat(201) }, '', 'invalid_filter'],
    [{}, '?orderBy=toString', 'invalid_filter'],
    [{}, '?order=up', 'invalid_filter'],
    [{}, '?limit=1001', 'invalid_paging'],
    [{}, '?limit=-1', 'invalid_paging'],
    ['[1]', '', 'invalid_request'],
  ])('sqli.filters: %j %s is %s', async (body, query, code) => {
    const answer = await search('invoices', body, query)
    expect([answer.status, answer.json]).toEqual([400, expect.objectContaining({ code })])
  })
})

describe('searching clients', () => {
  test('finds the senders of the debtor’s invoices, each once', async () => {
    const answer = await search('clients', { query: 'FJÄLL' })
    expect(answer.json).toMatchObject([
      { name: 'Fjällström Demo Energi AB', paymentAccounts: [{ accountNumber: '9990-0227' }] },
    ])
    expect(answer.headers.get('x-total-count')).toBe('1')
    expect((await search('clients', { query: 'nobody' })).json).toEqual([])
    expect((await search('clients', { queryTarget: 'identity' })).json).toMatchObject({
      code: 'invalid_filter',
    })
  })
})

describe('searching locales', () => {
  test.each(['/api/locales/search', '/api/public/locales/search'])('%s', async (path) => {
    const find = async (body: unknown) =>
      ((await server.call('POST', path, { body })).json as { id: string }[]).map((l) => l.id)
    expect(await find({})).toEqual(['sv-SE', 'nb-NO', 'en-EU', 'da-DK', 'fi-FI'])
    expect(await find({ query: 'F', queryTarget: 'countryCode' })).toEqual(['fi-FI'])
    expect(await find({ filters: { currency: { code: 'EUR' } } })).toEqual(['en-EU', 'fi-FI'])
  })
})
