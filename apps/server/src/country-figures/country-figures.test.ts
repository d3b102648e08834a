/**
 * A figure of the law that two people enter: from then on it is charged by, what waited goes on the next night, and nobody is asked for
 * it any more. Expectations are räntelagen 6 §: what the Riksbank publishes and eight points, days over 365.
 */
import { beforeEach, describe, expect, test } from 'vitest'
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { performDailyRun } from '../collection/collection.ts'
import { openLog } from '../platform/log.ts'
import { recordApplication } from '../court/court.ts'
import {
  buildInstance,
  buildInvoice,
  TODAY,
  type BuiltInvoice,
  type InvoiceWishes,
} from '../testing/build.ts'
import { buildClaim, type BuiltClaim } from '../testing/build-claim.ts'
import { signInStaff, told, type SignedIn } from '../testing/staff.ts'
import { startTestServer, type Answer, type TestServer } from '../testing/start-test-server.ts'
import { brokenInvariants } from '../testing/test-database.ts'

let server: TestServer
let other: string
const people = new Map<string, SignedIn>()
const ROLES = {
  manager: 'manager',
  second: 'manager',
  approver: 'approver',
  finance: 'finance',
  auditor: 'auditor',
} as const

// Each test has a provider of its own law: what is entered is never taken away.
beforeEach(async () => {
  server = await startTestServer()
  const { context } = server.product
  const { instanceId } = server
  other = (await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })).id
  await sql(`update instance set mode = 'live'`)
  for (const [name, role] of Object.entries(ROLES))
    people.set(name, await signInStaff(context, { instanceId, creditorId: null, role }))
  people.set('stranger', await signInStaff(context, { instanceId: other, creditorId: null, role: 'manager' }))
})

const sql = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await server.test.owner.query(text, values)).rows as Row[]

const ask = (name: string, call: string, body?: object): Promise<Answer> => {
  const [method = '', path = ''] = call.split(' ')
  return server.call(method, `/api/admin${path}`, {
    ...(body === undefined ? {} : { body }),
    headers: { ...(people.get(name) as SignedIn) },
  })
}

const RATE = {
  country: 'SE',
  figure: 'reference_rate',
  from: '2026-07-01',
  percent: '2.00',
  source: 'Riksbanken 2026-07-01, https://www.riksbank.se/referensrantan',
}
const propose = (wish: object = {}, name = 'manager') =>
  ask(name, 'POST /country-parameters', { ...RATE, ...wish })
const idOf = (answer: Answer): string => {
  expect(answer.status, answer.text).toBe(202)
  return (answer.json as { id: string }).id
}
const approve = (id: string, name = 'approver') => ask(name, `POST /proposals/${id}/approve`)
async function agree(wish: object = {}): Promise<void> {
  const answer = await approve(idOf(await propose(wish)))
  expect(answer.status, answer.text).toBe(200)
}

type Shown = {
  figure: string
  state: string
  now: { percent: string | null; state: string; enteredBy: string | null } | null
  rows: {
    from: string | null
    percent: string | null
    state: string
    source: string
    agreedBy: string | null
  }[]
  proposed: { id: string; percent: string | null }[]
  asked: { from: string | null; debt: string | null; neededOn: string | null }[]
  openDebts: number
  withoutCost: number
}
async function shown(country = 'SE', figure = 'reference_rate'): Promise<Shown> {
  const { json } = await ask('auditor', 'GET /country-parameters')
  const { countries } = json as { countries: { country: string; figures: Shown[] }[] }
  const found = countries.find((one) => one.country === country)?.figures.find((one) => one.figure === figure)
  if (!found) throw new Error(`${country} has no ${figure}`)
  return found
}

const DUE = date('2026-07-01')
async function build(wishes: InvoiceWishes = {}, instanceId = server.instanceId): Promise<BuiltInvoice> {
  const { dueDate = DUE } = wishes
  server.clock.moveTo(addDays(dueDate, -30))
  return buildInvoice(server.test, instanceId, server.clock, { totalMinor: 500_000, dueDate, ...wishes })
}
async function nights(
  from: CalendarDate,
  to: CalendarDate = from,
  instanceId = server.instanceId,
): Promise<void> {
  const context = { db: server.test.db, clock: server.clock, log: openLog('silent') }
  for (let day = from; day <= to; day = addDays(day, 1)) {
    server.clock.moveTo(day)
    await performDailyRun(context, { id: instanceId, timeZone: 'Europe/Stockholm' }, day)
  }
}
const charged = async ({ id }: BuiltInvoice): Promise<string[]> =>
  (
    await sql<{ charge: string }>(
      `select t.kind || ' ' || t.booked_on || ' ' || sum(p.amount_minor) as charge
       from ledger_transaction t join posting p on p.transaction_id = t.id and p.amount_minor > 0
       where t.invoice_id = $1 and t.kind in ('INTEREST', 'REMINDER') group by t.id, t.kind, t.booked_on order by 1`,
      [id],
    )
  ).map(({ charge }) => charge)
const asked = async (instanceId = server.instanceId): Promise<string[]> =>
  (
    await sql<{ about: string }>(
      `select about from task where instance_id = $1 and kind in ('rate_unknown', 'ceiling_unknown') and done_at is null order by 1`,
      [instanceId],
    )
  ).map(({ about }) => about)
/** Of a Danish creditor, old enough for an application. */
async function claim(): Promise<BuiltClaim> {
  server.clock.moveTo(TODAY)
  const invoices = [{ totalMinor: 100_000, currency: 'DKK' }] as const
  const built = await buildClaim(server.test, server.instanceId, server.clock, { daysAgo: 40, invoices })
  await sql(`update creditor set country = 'DK' where id = (select creditor_id from claim where id = $1)`, [
    built.id,
  ])
  await sql(
    `update mail_outbox set status = 'SENT', sent_at = now(), recipient = 'x' where status = 'WAITING'`,
  )
  return built
}
const sound = async () => {
  for (const id of [server.instanceId, other])
    expect(await brokenInvariants(server.test.owner, id)).toEqual({})
}

describe('the Swedish rate of 2026 H2', () => {
  test('is asked for, proposed, agreed by another; the letters that waited go the next night', async () => {
    const invoice = await build()
    await nights(addDays(DUE, -3), addDays(DUE, 9))
    expect(await charged(invoice)).toEqual([])
    expect(await asked()).toContain('SE consumer late interest 2026 H2')
    expect(await shown()).toMatchObject({
      state: 'ASSUMED',
      now: { percent: '2.00', state: 'ASSUMED' },
      openDebts: 1,
    })
    expect((await shown()).asked).toContainEqual({
      taskId: expect.any(String) as string,
      from: '2026-07-01',
      debt: invoice.number,
      neededOn: '2026-07-08',
    })

    const id = idOf(await propose())
    expect((await shown()).proposed).toMatchObject([{ id, percent: '2.00' }])
    // Nothing is charged by what is only proposed.
    await nights(addDays(DUE, 10))
    expect(await charged(invoice)).toEqual([])
    expect(told(await approve(id, 'manager'))).toEqual([400, 'another_person_needed'])
    expect(told(await approve(id, 'finance'))).toEqual([403, 'not_allowed'])
    expect((await approve(id, 'second')).status).toBe(200)

    // At once, not with the next night.
    expect(await asked()).toEqual([])
    expect(await shown()).toMatchObject({
      state: 'ENTERED',
      now: { percent: '2.00', state: 'ENTERED', enteredBy: 'Prov manager' },
      proposed: [],
      asked: [],
    })
    await nights(addDays(DUE, 11))
    // 5 000.00 at 10 % for the eleven days from 2 July to 12 July.
    expect(await charged(invoice)).toEqual(['INTEREST 2026-07-12 1507', 'REMINDER 2026-07-12 6000'])
    await sound()
  })

  test('entered late: interest of all days comes out as the facts give it, each half-year by its rate', async () => {
    const invoice = await build({ dueDate: date('2026-06-15') })
    // The reminder goes on 22 June, by the rate of the first half-year: 7 days at 10 %.
    await nights(date('2026-06-12'), date('2026-07-20'))
    expect(await charged(invoice)).toEqual(['INTEREST 2026-06-22 959', 'REMINDER 2026-06-22 6000'])
    server.clock.moveTo(date('2026-10-05'))
    await agree({ percent: '2.25' })
    await nights(date('2026-10-06'))
    const [{ minor } = { minor: 0 }] = await sql<{ minor: number }>(
      `select sum(p.amount_minor)::int as minor from ledger_transaction t
       join posting p on p.transaction_id = t.id and p.amount_minor > 0
       where t.instance_id = $1 and t.kind = 'INTEREST'`,
      [server.instanceId],
    )
    // 15 days to 30 June at 10.00 % and 98 from 1 July to 6 October at 10.25 %: 2054.79 + 13760.27 öre, rounded once.
    expect(minor).toBe(15_815)
    await sound()
  })

  test('of another provider nothing is known by it', async () => {
    const theirs = await build({}, other)
    await nights(addDays(DUE, -3), addDays(DUE, 9), other)
    await agree()
    await nights(addDays(DUE, 10), addDays(DUE, 12), other)
    expect(await charged(theirs)).toEqual([])
    expect(await asked(other)).toContain('SE consumer late interest 2026 H2')
    const { json } = await ask('stranger', 'GET /country-parameters')
    expect(JSON.stringify(json)).not.toContain('Riksbanken 2026-07-01')
    await sound()
  })

  test('is corrected before debts were charged by it, and after that only as a correction', async () => {
    await agree({ percent: '22.00', confirmed: true })
    await agree({ percent: '2.25' })
    expect((await shown()).rows.slice(0, 2)).toMatchObject([
      { percent: '2.25', state: 'ENTERED', agreedBy: 'Prov approver' },
      { percent: '22.00', state: 'REPLACED' },
    ])
    const invoice = await build()
    await nights(addDays(DUE, -3), addDays(DUE, 9))
    // 7 days from 2 to 8 July at 10.25 %.
    expect(await charged(invoice)).toContain('INTEREST 2026-07-08 983')
    expect(told(await propose({ percent: '2.50' }))).toEqual([400, 'figure_charged', 'corrects'])
    expect(told(await propose({ percent: '2.25' }))).toEqual([400, 'figure_same', 'value'])
    await sound()
  })

  test('what was charged between the proposal and the agreement is seen', async () => {
    await agree({ percent: '2.25' })
    const id = idOf(await propose({ percent: '2.50' }))
    await build()
    await nights(addDays(DUE, -3), addDays(DUE, 9))
    expect(told(await approve(id))).toEqual([400, 'figure_charged', 'corrects'])
    expect(await sql('select status from proposal where id = $1', [id])).toEqual([{ status: 'OPEN' }])
  })

  test('in a demo another value than the assumed one corrects what was charged by that', async () => {
    await sql(`update instance set mode = 'test'`)
    const invoice = await build()
    await nights(addDays(DUE, -3), addDays(DUE, 9))
    expect(await charged(invoice)).toHaveLength(2)
    expect(told(await propose({ percent: '2.25' }))).toEqual([400, 'figure_charged', 'corrects'])
    await agree({ percent: '2.00' })
    await agree({ percent: '2.25', from: '2027-01-01' })
    expect((await shown()).state).toBe('ENTERED')
  })
})

describe('two at once', () => {
  test('of two who propose one is told that a proposal waits', async () => {
    const both = await Promise.all([propose(), propose({ percent: '2.25' }, 'second')])
    expect(both.map(told).toSorted((a, b) => Number(a[0]) - Number(b[0]))).toEqual([
      [202, undefined],
      [400, 'proposal_open'],
    ])
  })

  test('of two who agree one is told that it is decided; it is entered once', async () => {
    const id = idOf(await propose())
    const both = await Promise.all([approve(id), approve(id, 'second')])
    expect(both.map(told).toSorted((a, b) => Number(a[0]) - Number(b[0]))).toEqual([
      [200, undefined],
      [400, 'proposal_decided'],
    ])
    expect(
      await sql("select percent from (select value ->> 'percent' as percent from country_figure) x"),
    ).toEqual([{ percent: '2.00' }])
  })

  test('a night beside the agreement charges by the figure or waits for it, and the next one does the rest', async () => {
    const invoice = await build()
    await nights(addDays(DUE, -3), addDays(DUE, 9))
    const id = idOf(await propose())
    const [answer] = await Promise.all([approve(id), nights(addDays(DUE, 10))])
    expect(answer.status).toBe(200)
    await nights(addDays(DUE, 11))
    const done = await charged(invoice)
    expect([
      ['INTEREST 2026-07-11 1370', 'REMINDER 2026-07-11 6000'],
      ['INTEREST 2026-07-12 1507', 'REMINDER 2026-07-12 6000'],
    ]).toContainEqual(done)
    expect(await asked()).toEqual([])
    await sound()
  })
})

test('what is taken back or refused is not entered', async () => {
  const first = idOf(await propose())
  expect((await ask('manager', `POST /proposals/${first}/refuse`, { reason: 'Fel siffra' })).status).toBe(200)
  const second = idOf(await propose())
  expect((await ask('approver', `POST /proposals/${second}/refuse`, { reason: 'Ingen källa' })).status).toBe(
    200,
  )
  expect(await sql('select 1 from country_figure')).toEqual([])
  expect(await shown()).toMatchObject({ state: 'ASSUMED', proposed: [] })
})

test('a reminder fee of Norway that is only assumed: entered, it is charged', async () => {
  const due = date('2026-03-02')
  server.clock.moveTo(addDays(due, -30))
  const wishes = { currency: 'NOK', totalMinor: 300_000, dueDate: due } as const
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock, wishes)
  await sql(`update creditor set country = 'NO' where id = $1`, [invoice.creditorId])
  await nights(addDays(due, -3), addDays(due, 16))
  expect(await charged(invoice)).toEqual([])
  expect(await asked()).toContain('NO consumer REMINDER 2026 H1')
  await agree({
    country: 'NO',
    figure: 'fee.consumer.REMINDER',
    from: '2026-01-01',
    percent: undefined,
    bands: [{ upTo: null, amount: '37.50' }],
  })
  expect(await asked()).not.toContain('NO consumer REMINDER 2026 H1')
  await nights(addDays(due, 17))
  expect(await charged(invoice)).toContain('REMINDER 2026-03-19 3750')
  await sound()
})

test('a fee that begins in the middle of a half-year is asked for until what waits has it', async () => {
  const due = date('2026-03-02')
  server.clock.moveTo(addDays(due, -30))
  const wishes = { currency: 'NOK', totalMinor: 300_000, dueDate: due } as const
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock, wishes)
  await sql(`update creditor set country = 'NO' where id = $1`, [invoice.creditorId])
  await nights(addDays(due, -3), addDays(due, 16))
  const about = 'NO consumer REMINDER 2026 H1'
  await agree({
    country: 'NO',
    figure: 'fee.consumer.REMINDER',
    from: addDays(due, 20),
    percent: undefined,
    bands: [{ upTo: null, amount: '37.50' }],
  })
  // The letter still waits: nobody knows what it costs until then.
  expect(await asked()).toContain(about)
  await nights(addDays(due, 17), addDays(due, 19))
  expect([await charged(invoice), await asked()]).toEqual([[], expect.arrayContaining([about])])
  await nights(addDays(due, 20))
  expect(await charged(invoice)).toContain('REMINDER 2026-03-22 3750')
  expect(await asked()).not.toContain(about)
  await sound()
})

test('what a Danish application costs is charged once it has been entered, and not of one from before', async () => {
  await sql(`update instance set mode = 'test'`)
  const { context } = server.product
  const [before, after] = [await claim(), await claim()]
  const record = (of: BuiltClaim, caseNumber: string) =>
    recordApplication(
      context,
      { instanceId: server.instanceId, claimId: of.id },
      {
        application: { on: TODAY, authority: 'Fogedretten', caseNumber },
        today: TODAY,
        by: { actor: 'person:berit', reason: 'Aftalt' },
      },
    )
  const costOf = async ({ id }: BuiltClaim) =>
    (
      await sql<{ minor: number }>(
        `select coalesce(sum(p.amount_minor), 0)::int as minor from ledger_transaction t
         join posting p on p.transaction_id = t.id and p.amount_minor > 0 where t.claim_id = $1 and t.kind = 'COURT_FEE'`,
        [id],
      )
    )[0]?.minor
  await record(before, 'BS-1')
  expect(await asked()).toEqual(['DK consumer BAILIFF_PAYMENT_INJUCTION 2026 H2'])
  const court = 'fee.consumer.BAILIFF_PAYMENT_INJUCTION'
  const withoutCost = async () => (await shown('DK', court)).withoutCost
  expect([await withoutCost(), (await shown('DK')).withoutCost]).toEqual([1, 0])
  await agree({
    country: 'DK',
    figure: 'fee.consumer.BAILIFF_PAYMENT_INJUCTION',
    from: '2026-11-01',
    percent: undefined,
    bands: [{ upTo: null, amount: '750.00' }],
  })
  expect(await asked()).toEqual([])
  await record(after, 'BS-2')
  expect([await costOf(before), await costOf(after)]).toEqual([0, 75_000])
  // It stays without: nobody is charged afterwards.
  expect(await withoutCost()).toBe(1)
  await sound()
})

test('the ceiling of a consumer credit is known with it, and what costs something is offered', async () => {
  await sql(
    `begin; set local session_replication_role = 'replica'; update part_payment_setting set is_offered = false; commit`,
  )
  const day = date('2026-08-10')
  await sql(
    `insert into part_payment_setting (instance_id, id, code, variant, currency, months, start_fee_minor, monthly_fee_minor, percent,
       interest_free_days, terms_days, add_to_existing, legal_visible, terms_visible, smallest_balance_minor, valid_from, is_offered,
       is_from_before)
     values ($1, gen_random_uuid(), 'COSTLY', 'PART_PAYMENT', 'SEK', 6, 0, 2900, 0, 0, 14, false, false, true, 1, '2020-01-01', true, true)`,
    [server.instanceId],
  )
  const invoice = await build({ dueDate: addDays(day, 20), totalMinor: 600_000 })
  const offered = async () => {
    const path = `/api/public/invoices/${invoice.reference}/${invoice.zip}/part-payment/options`
    return ((await server.call('GET', path)).json as { plans: { code: string }[] }).plans.map(
      ({ code }) => code,
    )
  }
  await nights(day)
  expect(await asked()).toEqual(['ceiling of a consumer credit in SE'])
  // The Swedish ceiling goes by the reference rate: that is what is to be entered.
  expect((await shown()).asked).toMatchObject([{ from: '2026-07-01', debt: null }])
  expect((await shown('SE', 'credit_cap')).asked).toEqual([])
  expect(await offered()).toEqual([])
  await agree()
  expect(await asked()).toEqual([])
  expect(await offered()).toEqual(['COSTLY'])
  await nights(addDays(day, 1))
  expect(await asked()).toEqual([])
})

test('admin.figures: only managers enter, and everybody who sees the provider may look', async () => {
  for (const name of ['approver', 'finance', 'auditor'])
    expect(told(await propose({}, name)), name).toEqual([403, 'not_allowed'])
  expect((await ask('finance', 'GET /country-parameters')).status).toBe(200)
  expect(told(await ask('approver', 'GET /country-parameters'))).toEqual([403, 'not_allowed'])
})

test('whatever is wrong changes nothing and says what', async () => {
  const bands = (amount: string) => ({
    country: 'NO',
    figure: 'fee.consumer.REMINDER',
    percent: undefined,
    bands: [{ upTo: null, amount }],
  })
  for (const [wish, code, field] of [
    [{ country: 'XX' }, 'figure_unknown', 'country'],
    [{ country: '__' }, 'figure_unknown', 'country'],
    [{ figure: 'fee.consumer.NOTHING' }, 'figure_unknown', 'figure'],
    [{ figure: '__proto__' }, 'figure_unknown', 'figure'],
    [{ percent: '2,00' }, 'figure_value_wrong', 'percent'],
    [{ percent: '200' }, 'figure_value_wrong', 'percent'],
    [{ percent: '-9' }, 'figure_value_wrong', 'percent'],
    [{ percent: undefined }, 'figure_value_wrong', 'percent'],
    [{ percent: "2'; drop" }, 'figure_value_wrong', 'percent'],
    [bands('none'), 'figure_value_wrong', 'bands.0.amount'],
    [bands('-1.00'), 'figure_value_wrong', 'bands.0.amount'],
    [{ from: '2026-06-31' }, 'figure_day_wrong', 'from'],
    [{ from: '2026-08-01' }, 'figure_day_wrong', 'from'],
    [{ from: '2036-01-01' }, 'figure_day_wrong', 'from'],
    [{ from: '2026-01-01' }, 'figure_confirmed', 'from'],
    [{ from: '2019-01-01' }, 'figure_confirmed', 'from'],
    [{ source: '  ' }, 'invalid_request', 'source'],
    [{ source: undefined }, 'invalid_request', 'source'],
    [{ source: 'a\u0000b' }, 'invalid_request', 'source'],
    [{ source: 'x'.repeat(501) }, 'invalid_request', 'source'],
    [{ percent: 2 }, 'invalid_request', 'percent'],
  ] as const)
    expect(told(await propose(wish)), JSON.stringify(wish)).toEqual([400, code, field])
  expect(await sql('select 1 from proposal')).toEqual([])
})

test('inv_i46_figures_were_agreed: a figure that nobody agreed to is seen', async () => {
  await agree()
  const seen = async (harm: string) => {
    const client = await server.test.owner.connect()
    try {
      await client.query(`begin; set local session_replication_role = 'replica'`)
      await client.query(harm)
      return (await client.query('select 1 from inv_i46_figures_were_agreed')).rows.length
    } finally {
      await client.query('rollback')
      client.release()
    }
  }
  expect(await seen('select 1')).toBe(0)
  expect(await seen(`update country_figure set value = '{"percent": "3.00"}'`)).toBe(1)
  expect(await seen(`update country_figure set from_day = from_day + 1`)).toBe(1)
  expect(await seen(`delete from proposal`)).toBe(1)
  expect(await seen(`update proposal set status = 'OPEN', decided_by = null, decided_at = null`)).toBe(1)
})

test('nothing that was entered is changed or removed', async () => {
  await agree()
  for (const text of [
    'update country_figure set source = source',
    'delete from country_figure',
    'truncate country_figure',
  ])
    await expect(sql(text)).rejects.toThrow(/append-only|never changed|refused|only added/)
})
