/** A month is closed with what it came to; from then on nothing is booked into it, also by somebody who was booking just then. */
import { beforeAll, describe, expect, test } from 'vitest'
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { performDailyRun } from '../collection/collection.ts'
import { postBookings } from '../ledger/ledger.ts'
import { newId } from '../platform/identity.ts'
import { makeSettlementsOf } from '../settlements/settlements.ts'
import { buildInvoice, testClock, type BuiltInvoice } from '../testing/build.ts'
import { transfer } from '../testing/debts/transfer.ts'
import { wordsOf } from '../testing/files/pdf-words.ts'
import { openOffice, signInStaff, told, type AskOffice } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { brokenInvariants } from '../testing/test-database.ts'

const LAST = date('2026-10-31')
let server: TestServer
let ask: AskOffice
let invoices: BuiltInvoice[]
const zone = () => ({ id: server.instanceId, timeZone: 'Europe/Stockholm' })

const sql = async (text: string, ...values: unknown[]) => (await server.test.owner.query(text, values)).rows
const night = async (day: CalendarDate): Promise<void> => {
  server.clock.moveTo(day)
  await performDailyRun(server.product.context, zone(), day)
}
const settle = () => makeSettlementsOf(server.product.context, zone())
type Report = {
  month: string
  version: string
  closed: { closedBy: string; note: string } | null
  checks: { check: string; state: string; count: number }[]
  currencies: { currency: string; receivables: { total: number }; held: number }[]
}
const reportOf = async (month = '2026-10') => {
  const answer = await ask('auditor', `GET /month-closings/report?month=${month}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.json as Report
}
/** Of what is shown now, unless another version is said. */
const close = async (body: object = {}, who: Parameters<AskOffice>[0] = 'finance') => {
  const { json } = await ask('auditor', 'GET /month-closings/report?month=2026-10')
  const { version = '' } = json as { version?: string }
  return ask(who, 'POST /month-closings', { month: '2026-10', version, ...body })
}
/** As a person does it who is told that it is busy, or has changed. */
const closeAtLast = async (body: object) => {
  let answer = await close(body)
  for (
    let tries = 1;
    tries < 40 && ['books_busy', 'changed_meanwhile'].includes(String(told(answer)[1]));
    tries += 1
  ) {
    refused.push(String(told(answer)[1]))
    answer = await close(body)
  }
  return answer
}
const refused: string[] = []
const against = ({ checks }: Report) =>
  Object.fromEntries(checks.flatMap(({ check, state }) => (state === 'OK' ? [] : [[check, state]])))
/** Somebody who began before midnight of the month's last day, and is not done. */
const late = (): TestServer => ({ ...server, clock: testClock(LAST) })

beforeAll(async () => {
  server = await startTestServer()
  ask = await openOffice(server, ['finance', 'manager', 'handler', 'support', 'auditor', 'approver'])
  server.clock.moveTo(date('2026-10-28'))
  invoices = []
  for (let n = 0; n < 12; n += 1)
    invoices.push(await buildInvoice(server.test, server.instanceId, server.clock, { totalMinor: 100_000 }))
  for (let day = date('2026-10-28'); day <= date('2026-10-30'); day = addDays(day, 1)) await night(day)
  await transfer(server, invoices[0] as BuiltInvoice, 40_000)
})

describe('before it is closed:', () => {
  test('a month that is not over cannot be', async () => {
    server.clock.moveTo(LAST)
    expect(told(await close())).toEqual([400, 'month_not_closable', 'month'])
    expect((await ask('finance', 'GET /month-closings')).json).toEqual({ open: [], closed: [] })
    expect(told(await ask('finance', 'GET /month-closings/report?month=2026-10'))[1]).toBe('not_found')
  })

  test('its nights and settlements are in the way; then what is not proved is to be named', async () => {
    server.clock.moveTo(date('2026-11-02'))
    expect(against(await reportOf())).toMatchObject({ nights: 'BLOCKS', settlements: 'BLOCKS' })
    expect(told(await close({ note: 'Alltid' }))).toEqual([400, 'month_not_closable', 'month'])
    for (const day of [LAST, addDays(LAST, 1), addDays(LAST, 2)]) await night(day)
    await settle()
    expect(against(await reportOf())).toEqual({ funds_unproved: 'NAME', not_approved: 'NAME' })
    expect(told(await close())).toEqual([400, 'why_required', 'note'])
    expect(told(await close({ note: '  ' }))).toEqual([400, 'why_required', 'note'])
  })

  test('what was not shown is not closed', async () => {
    const { version } = await reportOf()
    await transfer(late(), invoices[0] as BuiltInvoice, 1_000)
    expect(told(await close({ version, note: 'Kontoutdrag kommer i morgon' }))).toEqual([
      409,
      'changed_meanwhile',
    ])
    expect((await reportOf()).closed).toBe(null)
    expect((await reportOf()).version).not.toBe(version)
  })

  test('a settlement of an earlier month that is not approved is named, too', async () => {
    const { currencies, checks } = await reportOf()
    const [left] = await sql(
      `select count(*)::int as n from settlement where status = 'TO_APPROVE' and period_to <= '2026-10-31'`,
    )
    expect(left.n).toBeGreaterThan(0)
    expect(checks.find(({ check }) => check === 'not_approved')?.count).toBe(left.n)
    expect(currencies[0]).toBeDefined()
    const { readSettled } = await import('./month-close.queries.ts')
    const [later] = await readSettled(server.test.db, server.instanceId, {
      from: '2026-12-01',
      to: '2026-12-31',
    })
    expect(later, 'seen from December').toMatchObject({ count: 0, toApprove: left.n, paidOutMinor: 0 })
  })

  test('only finance and managers close it; the auditor and they look', async () => {
    for (const who of ['handler', 'support', 'auditor', 'approver'] as const)
      expect(told(await close({ note: 'x' }, who)), who).toEqual([403, 'not_allowed'])
    for (const who of ['handler', 'support', 'approver'] as const)
      expect(told(await ask(who, 'GET /month-closings')), who).toEqual([403, 'not_allowed'])
    for (const month of ['2026-13', 'nu']) expect(told(await close({ month }))[1]).toMatch(/invalid_request/)
  })
})

test('closed while others book: each payment is in the report or in the open month, and counts from its own day', async () => {
  const payers = invoices.slice(1, 9)
  const { db, clock } = server.product.context
  const credited = invoices[11] as BuiltInvoice
  let release = (): void => {}
  const gate = new Promise<void>((resolve) => (release = resolve))
  let begun = (): void => {}
  const hasBegun = new Promise<void>((resolve) => (begun = resolve))
  // One who has booked on the last day and is not done: whoever closes waits for it, and has it in the report.
  const slow = db.transaction(async (tx) => {
    const sek = (minor: number) => ({ minor, currency: 'SEK' as const })
    await postBookings(
      tx,
      server.instanceId,
      [
        {
          id: newId(clock.now()),
          kind: 'WRITE_OFF',
          bookedOn: LAST,
          cause: 'write-off:slow',
          invoiceId: credited.id,
          paymentId: null,
          lines: [
            { account: { kind: 'principal', invoiceId: credited.id }, amount: sek(-2_500) },
            { account: { kind: 'claims_on_debtors', creditorId: credited.creditorId }, amount: sek(2_500) },
          ],
        },
      ],
      clock,
    )
    begun()
    await gate
  })
  await hasBegun
  let isClosed = false
  const closing = closeAtLast({ note: 'Kontoutdrag kommer i morgon' }).then((answer) => {
    isClosed = true
    return answer
  })
  const paying = payers.map((invoice, at) => transfer(late(), invoice, 10_000 + at))
  await expect.poll(() => refused, { timeout: 15_000 }).toContain('books_busy')
  expect(isClosed, 'not while somebody books').toBe(false)
  release()
  const [closed, ...paid] = await Promise.all([closing, ...paying, slow])
  expect(closed.status, closed.text).toBe(200)
  expect(paid.length).toBe(payers.length + 1)
  const report = closed.json as Report
  expect(report).toMatchObject({ month: '2026-10', closed: { note: 'Kontoutdrag kommer i morgon' } })
  const booked = await sql(
    `select t.booked_on::text as on, coalesce(t.value_on, t.booked_on)::text as counts, count(*)::int as n
     from ledger_transaction t where t.kind = 'PAYMENT' and t.invoice_id = any($1) group by 1, 2 order by 1`,
    payers.map(({ id }) => id),
  )
  expect(booked.reduce((all, { n }) => all + n, 0)).toBe(payers.length)
  for (const { on, counts } of booked) {
    expect(['2026-10-31', '2026-11-01']).toContain(on)
    expect(counts, 'the day from which it counts').toBe('2026-10-31')
  }
  expect(
    await sql(`select booked_on::text as on from ledger_transaction where cause = 'write-off:slow'`),
    'booked before it was closed',
  ).toEqual([{ on: '2026-10-31' }])
  // What the books come to on the last day is what it was closed with, whoever was first.
  const [{ owed }] = await sql(
    `select -sum(p.amount_minor)::int as owed from ledger_transaction t
     join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
     join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id and a.kind = 'claims_on_debtors'
     where t.booked_on <= '2026-10-31'`,
  )
  expect(report.currencies[0]?.receivables.total).toBe(owed / 100)
  expect(await brokenInvariants(server.test.owner, server.instanceId)).toEqual({})
})

test('who books while it is being closed waits, and finds it closed', async () => {
  // The one who closes has the books and is not done.
  const client = await server.test.owner.connect()
  const [invoice] = invoices.slice(9) as [BuiltInvoice]
  try {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock(books_key($1))', [server.instanceId])
    let isDone = false
    const waiting = transfer(late(), invoice, 5_000).then(() => (isDone = true))
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(isDone, 'nobody books meanwhile').toBe(false)
    await client.query('commit')
    await waiting
  } finally {
    client.release()
  }
  expect(
    await sql(
      `select booked_on::text as on, value_on::text as counts from ledger_transaction where invoice_id = $1 and kind = 'PAYMENT'`,
      invoice.id,
    ),
  ).toEqual([{ on: '2026-11-01', counts: '2026-10-31' }])
})

test('the same again answers the same; what comes later changes nothing of it', async () => {
  const before = await reportOf()
  await transfer(server, invoices[10] as BuiltInvoice, 20_000, date('2026-10-30'))
  expect(
    await sql(
      `select booked_on::text as on, value_on::text as counts from ledger_transaction where invoice_id = $1 and kind = 'PAYMENT'`,
      invoices[10]?.id,
    ),
    'money of the closed month is booked in the open one',
  ).toEqual([{ on: '2026-11-02', counts: '2026-10-30' }])
  expect(await reportOf()).toEqual(before)
  expect((await close()).json, 'without a note, too').toEqual(before)
  const day = (await ask('auditor', 'GET /receivables?day=2026-10-31')).json as { sums: { total: number }[] }
  expect(day.sums[0]?.total).toBe(before.currencies[0]?.receivables.total)
  expect((await ask('finance', 'GET /month-closings')).json).toMatchObject({
    open: [],
    closed: [{ month: '2026-10', closedBy: 'Prov finance' }],
  })
  expect(
    await sql(
      `select count(*)::int as n from audit_event where kind = 'month_closed' and about = 'month:2026-10'`,
    ),
  ).toEqual([{ n: 1 }])
  expect(await brokenInvariants(server.test.owner, server.instanceId)).toEqual({})
})

test('the database keeps it: no month out of order, none changed, none opened again', async () => {
  const insert = (month: string) =>
    server.test.owner.query(
      `insert into month_close (instance_id, month, closed_to, closed_by, note, report)
       values ($1, $2, ($2::date + interval '1 month')::date - 1, 'person:x', '', '{}')`,
      [server.instanceId, month],
    )
  await expect(insert('2026-12-01')).rejects.toThrow(/is closed next/)
  await expect(insert('2026-09-01')).rejects.toThrow(/is closed next/)
  await expect(server.test.owner.query('delete from month_close')).rejects.toThrow(/append-only/)
  await expect(server.test.owner.query(`update month_close set note = 'x'`)).rejects.toThrow(/append-only/)
})

describe('as a file', () => {
  const file = (accept: string, month = '2026-10') =>
    server.product.app.inject({
      method: 'GET',
      url: `/api/admin/month-closings/report?month=${month}`,
      headers: { host: 'localhost', accept, 'accept-language': 'en', ...signedIn },
    })
  let signedIn: Record<string, string>
  beforeAll(async () => {
    signedIn = {
      ...(await signInStaff(server.product.context, {
        instanceId: server.instanceId,
        creditorId: null,
        role: 'finance',
      })),
    }
  })

  test('PDF has the total and what was said', async () => {
    const pdf = await file('application/pdf')
    expect(pdf.statusCode).toBe(200)
    const words = wordsOf(pdf.rawPayload).replace(/\s+/g, ' ')
    expect(words).toContain('Kontoutdrag kommer i morgon')
    expect(words).toContain('Month 2026-10')
  })

  test('SIE is one voucher that comes to zero', async () => {
    const sie = await file('application/x-sie')
    expect(sie.statusCode, sie.body).toBe(200)
    const lines = sie.rawPayload.toString('latin1').split('\r\n')
    expect(lines).toContain('#SIETYP 4')
    const sums = lines.flatMap((line) => /^#TRANS \d+ \{\} (-?\d+\.\d\d)/.exec(line)?.[1] ?? [])
    expect(sums.length).toBeGreaterThan(1)
    expect(Math.round(sums.reduce((all, sum) => all + Number(sum) * 100, 0))).toBe(0)
  })
})
