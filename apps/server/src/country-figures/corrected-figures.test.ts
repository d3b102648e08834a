/**
 * A figure that was entered wrongly: a slip is asked about before it is proposed, and what was charged by it does not keep it in force.
 * Expectations are räntelagen 6 §: what the Riksbank publishes and eight points, days over 365.
 */
import { beforeEach, describe, expect, test } from 'vitest'
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { creditInvoice, lockInvoiceAndClaim } from '../claims/claims.ts'
import { performDailyRun } from '../collection/collection.ts'
import { openLog } from '../platform/log.ts'
import { buildInvoice, type BuiltInvoice } from '../testing/build.ts'
import { signInStaff, told, type SignedIn } from '../testing/staff.ts'
import { startTestServer, type Answer, type TestServer } from '../testing/start-test-server.ts'
import { brokenInvariants } from '../testing/test-database.ts'

let server: TestServer
const people = new Map<string, SignedIn>()
const DUE = date('2026-07-01')

beforeEach(async () => {
  server = await startTestServer()
  const { context } = server.product
  const { instanceId } = server
  await sql(`update instance set mode = 'live'`)
  for (const role of ['manager', 'approver'] as const)
    people.set(role, await signInStaff(context, { instanceId, creditorId: null, role }))
})

const sql = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await server.test.owner.query(text, values)).rows as Row[]

/** What no program does: past the triggers. */
async function force(text: string, values: unknown[] = []): Promise<void> {
  const client = await server.test.owner.connect()
  try {
    await client.query(`set session_replication_role = 'replica'`)
    await client.query(text, values)
    await client.query(`set session_replication_role = 'origin'`)
  } finally {
    client.release()
  }
}

const post = (name: string, path: string, body?: object): Promise<Answer> =>
  server.call('POST', `/api/admin${path}`, {
    ...(body === undefined ? {} : { body }),
    headers: { ...(people.get(name) as SignedIn) },
  })
const RATE = {
  country: 'SE',
  figure: 'reference_rate',
  from: '2026-07-01',
  percent: '2.00',
  source: 'Riksbanken 2026-07-01',
}
const propose = (wish: object = {}) => post('manager', '/country-parameters', { ...RATE, ...wish })
async function agree(wish: object = {}): Promise<void> {
  const proposed = await propose(wish)
  expect(proposed.status, proposed.text).toBe(202)
  const { id } = proposed.json as { id: string }
  const answer = await post('approver', `/proposals/${id}/approve`)
  expect(answer.status, answer.text).toBe(200)
}

async function nights(from: CalendarDate, to: CalendarDate = from): Promise<void> {
  const context = { db: server.test.db, clock: server.clock, log: openLog('silent') }
  for (let day = from; day <= to; day = addDays(day, 1)) {
    server.clock.moveTo(day)
    await performDailyRun(context, { id: server.instanceId, timeZone: 'Europe/Stockholm' }, day)
  }
}
function build(dueDate = DUE): Promise<BuiltInvoice> {
  server.clock.moveTo(addDays(dueDate, -30))
  return buildInvoice(server.test, server.instanceId, server.clock, { totalMinor: 500_000, dueDate })
}
const interestOf = async ({ id }: BuiltInvoice): Promise<string[]> =>
  (
    await sql<{ charge: string }>(
      `select t.booked_on || ' ' || sum(p.amount_minor) as charge
       from ledger_transaction t join posting p on p.transaction_id = t.id and p.amount_minor > 0
       where t.invoice_id = $1 and t.kind = 'INTEREST' group by t.id, t.booked_on order by 1`,
      [id],
    )
  ).map(({ charge }) => charge)
const byHand = () =>
  sql<{ details: Record<string, unknown> }>(
    `select details from task where kind = 'restate_by_hand' and done_at is null order by created_at`,
  )

describe('admin.figures: a value far from the one before', () => {
  test.each([
    // The late rate in the place of the published one.
    ['10.00', true],
    ['5.01', true],
    ['-1.01', true],
    ['5.00', false],
    ['-1.00', false],
  ])('%s after 2.00: asked a second time: %s', async (percent, isAsked) => {
    const first = await propose({ percent })
    if (!isAsked) return expect(first.status).toBe(202)
    expect(told(first)).toEqual([400, 'figure_unusual', 'confirmed'])
    expect(told(await propose({ percent, confirmed: false }))).toEqual([400, 'figure_unusual', 'confirmed'])
    expect(await sql('select 1 from proposal')).toEqual([])
    expect((await propose({ percent, confirmed: true })).status).toBe(202)
  })

  test('a fee of more than double, or less than half', async () => {
    const fee = (amount: string) => ({
      country: 'NO',
      figure: 'fee.consumer.REMINDER',
      from: '2026-01-01',
      percent: undefined,
      bands: [{ upTo: null, amount }],
    })
    expect(told(await propose(fee('375.00')))).toEqual([400, 'figure_unusual', 'confirmed'])
    expect(told(await propose(fee('3.75')))).toEqual([400, 'figure_unusual', 'confirmed'])
    expect((await propose(fee('37.50'))).status).toBe(202)
  })
})

describe('a rate that has been charged by', () => {
  test('is corrected: no further night charges by it, and a task names whom it was charged', async () => {
    await agree({ percent: '10.00', confirmed: true })
    const [early, late] = [await build(), await build(addDays(DUE, 10))]
    await nights(addDays(DUE, -3), addDays(DUE, 9))
    // 7 days from 2 to 8 July at 18 %: the fault.
    expect(await interestOf(early)).toEqual(['2026-07-08 1726'])
    expect(told(await propose())).toEqual([400, 'figure_charged', 'corrects'])
    // That it is far from the one before says nothing of the books.
    expect(told(await propose({ confirmed: true }))).toEqual([400, 'figure_charged', 'corrects'])

    await agree({ corrects: true })
    await nights(addDays(DUE, 10), addDays(DUE, 20))
    // 7 days from 12 to 18 July at 10 %.
    expect(await interestOf(late)).toEqual(['2026-07-18 959'])
    // What is in the books stays there until a person has decided.
    expect(await interestOf(early)).toEqual(['2026-07-08 1726'])
    expect(await byHand()).toEqual([
      {
        details: {
          reason: 'figure',
          country: 'SE',
          figure: 'reference_rate',
          from: '2026-07-01',
          chargedOtherwise: 1,
          references: [early.number],
        },
      },
    ])
    expect(await brokenInvariants(server.test.owner, server.instanceId)).toEqual({})
  })

  test('what is charged only after the proposal is not corrected unseen', async () => {
    await agree({ percent: '2.25' })
    const proposed = await propose({ corrects: true })
    // Nothing is charged otherwise so far: it corrects nothing.
    expect(proposed.status).toBe(202)
    await build()
    await nights(addDays(DUE, -3), addDays(DUE, 9))
    const { id } = proposed.json as { id: string }
    expect(told(await post('approver', `/proposals/${id}/approve`))).toEqual([
      400,
      'figure_charged',
      'corrects',
    ])
  })

  test('what has been taken back does not count', async () => {
    await agree({ percent: '2.25' })
    const invoice = await build()
    await nights(addDays(DUE, -3), addDays(DUE, 9))
    expect(told(await propose())).toEqual([400, 'figure_charged', 'corrects'])
    const { db, clock } = server.product.context
    const on = addDays(DUE, 9)
    await db.transaction(async (tx) => {
      const held = await lockInvoiceAndClaim(tx, { instanceId: server.instanceId, invoiceId: invoice.id })
      const credit = { number: 'K-1', creditMinor: 500_000, issuedOn: on, on }
      return creditInvoice({ clock }, tx, held, { ...credit, endPlan: (seen) => Promise.resolve(seen) })
    })
    expect((await propose()).status).toBe(202)
  })
})

test('a program that confirms another value than was entered and charged: a person is told once', async () => {
  await agree({ percent: '2.25' })
  const invoice = await build()
  await nights(addDays(DUE, -3), addDays(DUE, 9))
  expect(await byHand()).toEqual([])
  // As if it had been entered for the half-year that this program knows, with 2.00.
  await force(`update country_figure set from_day = '2026-01-01'`)
  await force(
    `update ledger_transaction set periods = jsonb_build_array(periods -> 0 || '{"from": "2026-06-20", "to": "2026-06-26"}')
     where invoice_id = $1 and periods is not null`,
    [invoice.id],
  )
  await nights(addDays(DUE, 10), addDays(DUE, 11))
  const tasks = await byHand()
  expect(tasks).toMatchObject([
    { details: { from: '2026-01-01', chargedOtherwise: 1, references: [invoice.number] } },
  ])
  await sql(`update task set done_at = now(), done_by = 'person:anna' where kind = 'restate_by_hand'`)
  await nights(addDays(DUE, 12))
  expect(await byHand()).toEqual([])
  await force(`update country_figure set from_day = '2026-07-01'`)
})

test('a plan that was agreed above a ceiling that is lower now is named as well', async () => {
  await agree()
  const invoice = await build(addDays(DUE, 30))
  await sql(
    `insert into part_payment_setting (instance_id, id, code, variant, currency, months, start_fee_minor, monthly_fee_minor, percent,
       interest_free_days, terms_days, add_to_existing, legal_visible, terms_visible, smallest_balance_minor, valid_from, is_offered,
       is_from_before)
     values ($1, gen_random_uuid(), 'DEAR', 'PART_PAYMENT', 'SEK', 6, 0, 0, 21.5, 0, 14, false, false, true, 1, '2020-01-01', false, true)`,
    [server.instanceId],
  )
  await force(
    `insert into part_payment (instance_id, id, setting_id, creditor_id, debtor_id, currency, status, number, amount_minor, started_on,
       withdraw_until, agreement, idempotency_key, request_hash)
     select i.instance_id, gen_random_uuid(), s.id, i.creditor_id, i.debtor_id, 'SEK', 'ACTIVE', '7001', 500000, '2026-07-20',
       '2026-08-03', '{}', 'x', ''
     from invoice i join part_payment_setting s on s.code = 'DEAR' where i.id = $1`,
    [invoice.id],
  )
  // At 1.50 the ceiling of prop. 2024/25:17 is 21.50 %, and at 1.00 it is 21.00 %.
  expect((await propose({ percent: '1.50' })).status).toBe(202)
  await sql(
    `update proposal set status = 'WITHDRAWN', decided_at = now(), decided_by = proposed_by where status = 'OPEN'`,
  )
  expect(told(await propose({ percent: '1.00' }))).toEqual([400, 'figure_charged', 'corrects'])
  await agree({ percent: '1.00', corrects: true })
  expect(await byHand()).toMatchObject([{ details: { chargedOtherwise: 1, references: ['7001'] } }])
  await force('delete from part_payment')
})
