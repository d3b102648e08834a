/**
 * Open debts at a past day. What has to come of each day is what the debts themselves said at its end, written down while it was lived:
 * nothing of it is counted from the postings.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { addDays, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { performDailyRun } from '../collection/collection.ts'
import { buildClaim, type BuiltClaim } from '../testing/build-claim.ts'
import { buildInstance, buildInvoice, TODAY, type BuiltInvoice } from '../testing/build.ts'
import { signAndSettle } from '../testing/debts/settle.ts'
import { transfer } from '../testing/debts/transfer.ts'
import { wordsOf } from '../testing/files/pdf-words.ts'
import { openOffice, signInStaff, told, type AskOffice, type SignedIn } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { brokenInvariants } from '../testing/test-database.ts'

let server: TestServer
let ask: AskOffice
let claim: BuiltClaim
let beside: BuiltInvoice
let foreign: BuiltInvoice
let clerk: SignedIn
/** By day, what each debt of the provider said at its end, in minor units. */
const lived = new Map<CalendarDate, Map<string, Owed>>()
type Owed = { readonly creditorId: string; readonly parts: readonly number[] }

const sql = async (text: string, ...values: unknown[]) => (await server.test.owner.query(text, values)).rows
const day = (n: number): CalendarDate => addDays(TODAY, n)

/** The day is over: its night is run and what is open is written down, as the debts themselves say it. */
async function endDay(on: CalendarDate): Promise<void> {
  await performDailyRun(server.product.context, { id: server.instanceId, timeZone: 'Europe/Stockholm' }, on)
  const rows = await sql(
    `select id, creditor_id, principal_minor::int as p, costs_minor::int as c, interest_minor::int as i
     from invoice where instance_id = $1 and claim_id is null
     union all
     select id, creditor_id, principal_minor::int, costs_minor::int, interest_minor::int from claim where instance_id = $1`,
    server.instanceId,
  )
  lived.set(
    on,
    new Map(
      rows
        .filter(({ p, c, i }) => p !== 0 || c !== 0 || i !== 0)
        .map(({ id, creditor_id: creditorId, p, c, i }) => [id, { creditorId, parts: [p, c, i] }]),
    ),
  )
  server.clock.moveTo(addDays(on, 1))
}

beforeAll(async () => {
  server = await startTestServer()
  ask = await openOffice(server, ['finance', 'manager', 'handler', 'support', 'auditor', 'approver'])
  const { test: db, instanceId, clock } = server
  server.clock.moveTo(day(0))
  claim = await buildClaim(db, instanceId, clock, { daysAgo: 40, invoices: [{ totalMinor: 100_000 }] })
  const [first] = claim.invoices
  if (!first) throw new Error('the claim has no invoice')
  beside = first
  const make = (totalMinor: number) => buildInvoice(db, instanceId, clock, { beside, totalMinor })
  // Those beside one another have one reference: what is transferred settles the oldest of them.
  const [paid, off, late, credited] = [
    await make(50_000), await make(70_000), await make(80_000), await make(90_000),
  ] // biome-ignore format: four of them
  const twice = await buildInvoice(db, instanceId, clock, { totalMinor: 60_000 })
  foreign = await buildInvoice(db, instanceId, clock, { totalMinor: 33_300 })
  clerk = await signInStaff(server.product.context, {
    instanceId,
    creditorId: beside.creditorId,
    role: 'clerk',
  })
  const manager = await signInStaff(server.product.context, {
    instanceId,
    creditorId: beside.creditorId,
    role: 'manager',
  })
  const act = async (invoice: { id: string }, name: string, body: object) => {
    const done = await server.call('POST', `/api/client/invoices/${invoice.id}/${name}`, {
      body,
      headers: { ...manager },
    })
    expect(done.status, done.text).toBe(200)
  }
  await endDay(day(0))
  await transfer(server, paid, 20_000)
  const started = await server.call(
    'POST',
    `/api/public/invoices/${twice.reference}/${twice.zip}/payment-requests`,
    {
      body: {
        amount: '600.00',
        redirectUri: `${server.origin}/`,
        serviceProviderCode: 'DIRECT_BANK',
        paymentDate: day(1),
      },
    },
  )
  expect(started.status, started.text).toBe(201)
  await signAndSettle(server, twice.reference)
  await endDay(day(1))
  await act(off, 'write-off', { amount: '100.00', reason: 'Uppgörelse' })
  const found = await ask('finance', 'POST /payments/search', { query: twice.reference })
  const [{ id: payment }] = found.json as [{ id: string }]
  const back = await ask('finance', `POST /payments/${payment}/reverse`, { reason: 'Fel faktura' })
  expect([200, 202], back.text).toContain(back.status)
  if (back.status === 202)
    expect(
      (await ask('manager', `POST /proposals/${(back.json as { id: string }).id}/approve`, {})).status,
    ).toBe(200)
  await endDay(day(2))
  // It was on the account two days before the bank told of it: it is booked today.
  await transfer(server, late, 8_000, day(1))
  await act(credited, 'credit', { amount: '150.00', reason: 'Fel pris' })
  await transfer(server, paid, 30_000)
  await endDay(day(3))
  await act(off, 'stop', { reason: 'WITHDRAWN' })
  await act(credited, 'direct-payment', { amount: '50.00', date: day(2) })
  await endDay(day(4))
  for (let n = 5; n <= 36; n += 1) await endDay(day(n))
}, 120_000)

type Row = {
  id: string
  number: string
  bucket: string
  daysLate: number
  dueOn: string
  principal: number
  costs: number
  interest: number
  total: number
}
const minor = (amount: number): number => Math.round(amount * 100)
const list = async (on: CalendarDate, body: object = {}, query = 'limit=1000') => {
  const answer = await ask('finance', `POST /receivables/search?day=${on}&${query}`, body)
  expect(answer.status, answer.text).toBe(200)
  return answer.json as Row[]
}
const sums = async (on: CalendarDate, more = '') => {
  const answer = await ask('auditor', `GET /receivables?day=${on}${more}`)
  expect(answer.status, answer.text).toBe(200)
  return (answer.json as { sums: Record<string, unknown>[] }).sums
}
const totalOf = (of: ReadonlyMap<string, Owed> | undefined, creditorId?: string): number =>
  [...(of ?? [])]
    .filter(([, owed]) => creditorId === undefined || owed.creditorId === creditorId)
    .reduce((all, [, { parts }]) => all + parts.reduce((sum, part) => sum + part, 0), 0)

test('each past day has just the debts that it ended with, and the sum that the books kept', async () => {
  const totals = new Set<number>()
  for (const [on, owed] of lived) {
    const rows = await list(on)
    const found = new Map(
      rows.map(({ id, principal, costs, interest }) => [id, [principal, costs, interest].map(minor)]),
    )
    expect([on, found]).toEqual([on, new Map([...owed].map(([id, { parts }]) => [id, parts]))])
    const total = totalOf(owed)
    totals.add(total)
    expect(await sums(on), on).toMatchObject([
      { currency: 'SEK', count: owed.size, total: total / 100, kept: total / 100, agrees: true },
    ])
  }
  expect(totals.size, 'the days differ').toBeGreaterThan(4)
  expect(await brokenInvariants(server.test.owner, server.instanceId)).toEqual({})
})

test('a creditor has its own alone, and its sums are its own', async () => {
  const on = day(3)
  const headers = { ...clerk }
  const own = await server.call('POST', `/api/client/receivables/search?day=${on}`, { body: {}, headers })
  const ids = (own.json as Row[]).map(({ id }) => id)
  expect(ids).not.toContain(foreign.id)
  expect(ids).toContain(claim.id)
  const total = totalOf(lived.get(on), beside.creditorId) / 100
  const summed = await server.call('GET', `/api/client/receivables?day=${on}`, { headers })
  expect(summed.json, summed.text).toMatchObject({ day: on, sums: [{ total, kept: total, agrees: true }] })
  const asked = await server.call('GET', `/api/client/receivables?day=${on}&creditor=${foreign.creditorId}`, {
    headers,
  })
  expect((asked.json as { sums: unknown[] }).sums, 'another creditor has nothing here').toEqual([])
  expect(await sums(on, `&creditor=${beside.creditorId}`)).toMatchObject([{ total, kept: total }])
})

test('days late and their group go by the day on which it first fell due', async () => {
  const on = day(36)
  for (const { daysLate, dueOn, bucket, id } of await list(on)) {
    const late = Math.max(0, (Date.parse(on) - Date.parse(dueOn)) / 86_400_000)
    const group =
      late === 0
        ? 'NOT_DUE'
        : late <= 30
          ? 'DAYS_1_30'
          : late <= 60
            ? 'DAYS_31_60'
            : late <= 90
              ? 'DAYS_61_90'
              : 'OVER_90'
    expect([id, daysLate, bucket]).toEqual([id, late, group])
  }
  expect(
    (await list(on, { filters: { bucket: 'OVER_90' } })).every(({ bucket }) => bucket === 'OVER_90'),
  ).toBe(true)
  const [{ ages, total }] = (await sums(on)) as [{ ages: { total: number }[]; total: number }]
  expect(minor(ages.reduce((all, one) => all + one.total, 0))).toBe(minor(total))
})

test('pages that follow one another have each debt once', async () => {
  const all = (await list(day(1))).map(({ id }) => id)
  const pages = []
  for (let page = 1; page <= Math.ceil(all.length / 3); page += 1)
    pages.push(...(await list(day(1), {}, `limit=3&page=${page}`)).map(({ id }) => id))
  expect(pages).toEqual(all)
})

describe('refused:', () => {
  test('a day to come, one before the books, and what is none', async () => {
    const search = (on: string) => ask('finance', `POST /receivables/search?day=${on}`, {})
    expect(told(await search(addDays(TODAY, 400)))).toEqual([400, 'day_out_of_reach', 'day'])
    expect(told(await search('2001-01-01'))).toEqual([400, 'day_out_of_reach', 'day'])
    expect(told(await search('2026-02-30'))).toEqual([400, 'invalid_request', 'day'])
    expect(told(await ask('finance', 'GET /receivables?day=2001-01-01'))).toEqual([
      400,
      'day_out_of_reach',
      'day',
    ])
  })

  test('whoever may not see', async () => {
    expect(told(await ask('approver', 'POST /receivables/search', {}))).toEqual([403, 'not_allowed'])
    const other = await buildInstance(server.test, { alias: 'annat', isDefault: false })
    const theirs = await buildInvoice(server.test, other.id, server.clock)
    expect((await list(day(36))).map(({ id }) => id)).not.toContain(theirs.id)
  })
})

describe('as a file', () => {
  const file = (accept: string, body: object = {}) =>
    server.call('POST', `/api/client/receivables/search?day=${day(3)}`, {
      body,
      headers: { ...clerk, accept, 'accept-language': 'en' },
    })

  test('CSV has every debt, and the sum beside that of the books', async () => {
    const answer = await file('text/csv')
    const lines = answer.text.trim().split('\r\n')
    const total = (totalOf(lived.get(day(3)), beside.creditorId) / 100).toFixed(2).replace('.', ',')
    const count = [...(lived.get(day(3)) ?? [])].filter(
      ([, { creditorId }]) => creditorId === beside.creditorId,
    ).length
    expect(lines.length).toBe(1 + count + 2)
    expect(lines.at(-2)).toMatch(new RegExp(`^Total SEK;.*;${total}$`))
    expect(lines.at(-1)).toMatch(new RegExp(`^By the books SEK;.*;${total}$`))
    expect(told(await file('text/csv', { filters: { bucket: 'OVER_90' } }))).toEqual([
      400,
      'invalid_filter',
      'bucket',
    ])
  })

  test('it is of one creditor or of all, as the list reads it, and never of more than was asked for', async () => {
    const { creditorId } = beside
    const rowsOf = async (body: object) => (await file('text/csv', body)).text
    const one = await rowsOf({ filters: { 'creditor.id': creditorId } })
    expect(await rowsOf({ filters: { creditor: { id: creditorId } } }), 'nested').toBe(one)
    expect(await rowsOf({ filters: { 'creditor.id': [creditorId] } }), 'in a list').toBe(one)
    const other = creditorId.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))
    for (const wrong of [[creditorId, other], `${creditorId}[OR]${other}`, [], 'a', 7, { id: creditorId }])
      expect(
        told(await file('text/csv', { filters: { 'creditor.id': wrong } })),
        JSON.stringify(wrong),
      ).toEqual([400, 'invalid_filter', 'creditor.id'])
  })

  test('PDF says the day', async () => {
    const answer = await server.product.app.inject({
      method: 'POST',
      url: `/api/client/receivables/search?day=${day(3)}`,
      payload: {},
      headers: { ...clerk, host: 'localhost', accept: 'application/pdf', 'accept-language': 'en' },
    })
    expect(answer.statusCode).toBe(200)
    expect(wordsOf(answer.rawPayload)).toContain(day(3))
  })
})
