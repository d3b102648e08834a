/** What a creditor's staff sees of its settlements: all of its own, to the öre, and nothing of another's. */
import { beforeAll, expect, test } from 'vitest'
import { addDays, date } from '@kvitt/domain/calendar.ts'
import { LINE_PARTS, type SettlementLineKind } from '@kvitt/domain/settlements/settlement.ts'
import { openLog } from '../platform/log.ts'
import { buildInvoice, type BuiltInvoice } from '../testing/build.ts'
import { transfer } from '../testing/debts/transfer.ts'
import { signInStaff, type SignedIn } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { enterAgreement, makeSettlements } from './settlements.ts'

const MONDAY = date('2026-11-02')
let server: TestServer
let viewer: SignedIn
let stranger: SignedIn
let one: BuiltInvoice

const signIn = (creditorId: string) =>
  signInStaff(server.product.context, { instanceId: server.instanceId, creditorId, role: 'viewer' })

beforeAll(async () => {
  server = await startTestServer()
  const { test: db, instanceId, clock } = server
  const instance = { id: instanceId, timeZone: 'Europe/Stockholm' }
  clock.moveTo(MONDAY)
  one = await buildInvoice(db, instanceId, clock, { totalMinor: 40_000 })
  const other = await buildInvoice(db, instanceId, clock, {})
  await enterAgreement({ db: db.db, clock }, instance, {
    creditor: one.creditorId,
    from: MONDAY,
    invoiceCommissionBp: 1_250,
    claimCommissionBp: 0,
    currency: 'SEK',
    paymentPriceMinor: 200,
    casePriceMinor: 0,
    vatBp: 2_500,
    period: 'WEEK',
    smallestPayoutMinor: 0,
    source: 'Agreement, section 6',
    by: 'person:Eva Berg',
  })
  await transfer(server, one, 55_000, addDays(MONDAY, -1))
  clock.moveTo(addDays(MONDAY, 7))
  await makeSettlements({ db: db.db, clock, log: openLog('silent') }, instance, addDays(MONDAY, 7))
  viewer = await signIn(one.creditorId)
  stranger = await signIn(other.creditorId)
})

const search = (body: object, headers: Record<string, string> = viewer) =>
  server.call('POST', '/api/client/settlements/search', { body, headers })

const ownId = async () => ((await search({})).json as { id: string }[])[0]?.id ?? ''

// 400.00 of 550.00 was owed: 12.5 % is 50.00, with 2.00 it is 52.00, and 13.00 VAT.
const SUMS = {
  number: 1,
  period: { from: '2026-11-02', to: '2026-11-08' },
  currency: 'SEK',
  collected: 400,
  fees: 52,
  vat: 13,
  corrections: 0,
  paidOut: 335,
  status: 'TO_APPROVE',
}

test('the list has it, found by its filters', async () => {
  const { json, text } = await search({ status: 'TO_APPROVE', paidOut: { from: 335, to: 335 } })
  expect(json, text).toEqual([
    {
      id: expect.any(String),
      version: expect.any(Number),
      countedAt: expect.any(String),
      creditor: { id: one.creditorId, name: expect.any(String) },
      ...SUMS,
    },
  ])
  expect((await search({ status: 'CARRIED' })).json).toEqual([])
  expect((await search({ status: 'LOST' })).status).toBe(400)
})

test('one of them with its lines, which come to its sums', async () => {
  const id = await ownId()
  const { json, text } = await server.call('GET', `/api/client/settlements/${id}`, { headers: viewer })
  const subject = { type: 'invoices', id: one.id, number: one.number }
  const line = { currency: 'SEK', isLate: false, base: null, percent: null, subject: null }
  const late = { ...line, date: MONDAY, subject }
  const last = { ...line, date: '2026-11-08' }
  expect(json, text).toMatchObject({
    ...SUMS,
    lines: [
      { ...late, kind: 'COLLECTED', amount: 550, isLate: true },
      { ...late, kind: 'COLLECTED', amount: -150 },
      { ...last, kind: 'COMMISSION', amount: 50, base: 400, percent: 12.5 },
      { ...last, kind: 'PAYMENT_PRICE', amount: 2 },
      { ...last, kind: 'VAT', amount: 13, base: 52, percent: 25 },
    ],
  })
  const { lines } = json as { lines: { kind: SettlementLineKind; amount: number }[] }
  const sums = { collected: 0, fees: 0, vat: 0, corrections: 0 }
  for (const { kind, amount } of lines) sums[LINE_PARTS[kind]] += amount
  expect(sums).toEqual({ collected: 400, fees: 52, vat: 13, corrections: 0 })
})

test('as a file for a spreadsheet', async () => {
  const { text, headers } = await search({}, { ...viewer, accept: 'text/csv', 'accept-language': 'sv' })
  expect(headers.get('content-type')).toContain('text/csv')
  expect(text).toContain('Ska godkännas')
})

test('another creditor’s does not exist', async () => {
  const id = await ownId()
  expect((await search({}, stranger)).json).toEqual([])
  const asked = await server.call('GET', `/api/client/settlements/${id}`, { headers: stranger })
  expect(asked.status).toBe(404)
})
