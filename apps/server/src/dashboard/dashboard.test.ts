/**
 * The dashboard's figures against a list of what the test itself did: in two currencies, of two creditors, with a late correction, a
 * reversal and a refund, on both sides of midnight in Stockholm, and beside another instance.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { date, dayOf, daysBetween, type CalendarDate } from '@kvitt/domain/calendar.ts'
import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { getDashboard, getWorkNow } from '@kvitt/domain/dashboard/dashboard.contract.ts'
import { bookPayment } from '@kvitt/domain/ledger/booking.ts'
import { postBookings } from '../ledger/ledger.ts'
import { newId } from '../platform/identity.ts'
import { recordRefund } from '../refunds/refunds.ts'
import { buildClaim, buildInstanceAccount, type BuiltClaim } from '../testing/build-claim.ts'
import { buildDispute } from '../testing/build-dispute.ts'
import { buildInstance, buildInvoice, buildPlanSettings, type BuiltInvoice } from '../testing/build.ts'
import { recordApplied } from '../testing/debts/applied.ts'
import { signAndSettle } from '../testing/debts/settle.ts'
import { transfer } from '../testing/debts/transfer.ts'
import { openOffice, signInStaff, told, type AskOffice } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { brokenInvariants } from '../testing/test-database.ts'

type Dashboard = AnswerOf<typeof getDashboard>
type WorkNow = AnswerOf<typeof getWorkNow>

/** What was done, as the test did it: the figures are summed up from this list and from nothing else. */
type Done = {
  readonly what: 'received' | 'takenBack' | 'refunded'
  readonly on: string
  readonly creditor: string
  readonly currency: string
  readonly method: string
  readonly minor: number
}
const done: Done[] = []
/** Open invoices by themselves at the end, and each invoice that was sent. */
type Open = {
  readonly creditor: string
  readonly due: CalendarDate
  readonly currency: string
  minor: number
}
const open = new Map<string, Open>()
const sent: { readonly creditor: string; readonly on: string }[] = []

let server: TestServer
let ask: AskOffice
let claim: BuiltClaim
let a1: BuiltInvoice
let b1: BuiltInvoice
let b2: BuiltInvoice
let foreign: BuiltInvoice
/** One creditor each. */
let [a, b] = ['', '']
const END = date('2026-11-20')

const onDay = (day: string) => server.clock.moveTo(date(day))
const today = () => server.clock.today('Europe/Stockholm')
const sql = async (text: string, ...values: unknown[]) => (await server.test.owner.query(text, values)).rows

async function bill(due: string, totalMinor: number, wishes: object = {}): Promise<BuiltInvoice> {
  const made = await buildInvoice(server.test, server.instanceId, server.clock, {
    dueDate: date(due),
    totalMinor,
    ...wishes,
  })
  const currency = (wishes as { currency?: string }).currency ?? 'SEK'
  open.set(made.id, { creditor: made.creditorId, due: date(due), currency, minor: totalMinor })
  sent.push({ creditor: made.creditorId, on: today() })
  return made
}
const lower = (id: string, minor: number): void => {
  const one = open.get(id)
  if (one) one.minor -= minor
}
const note = (what: Done['what'], of: BuiltInvoice, minor: number, more: Partial<Done> = {}): void =>
  void done.push({
    what,
    on: today(),
    creditor: of.creditorId,
    currency: 'SEK',
    method: 'BANK_FILE',
    minor,
    ...more,
  })
async function pay(of: BuiltInvoice, minor: number, bankDay?: string): Promise<void> {
  await transfer(server, of, minor, bankDay === undefined ? undefined : date(bankDay))
  note('received', of, minor)
  lower(of.id, minor)
}
async function payInPortal(of: BuiltInvoice, minor: number): Promise<void> {
  const started = await server.call(
    'POST',
    `/api/public/invoices/${of.reference}/${of.zip}/payment-requests`,
    {
      body: {
        amount: (minor / 100).toFixed(2),
        redirectUri: `${server.origin}/`,
        serviceProviderCode: 'DIRECT_BANK',
        paymentDate: today(),
      },
    },
  )
  expect(started.status, started.text).toBe(201)
  await signAndSettle(server, of.reference)
  note('received', of, minor, { method: 'DIRECT_BANK' })
  lower(of.id, minor)
}
async function payInEuro(of: BuiltInvoice, minor: number): Promise<void> {
  const sum = { minor, currency: 'EUR' as const }
  const none = { minor: 0, currency: 'EUR' as const }
  const lines = bookPayment(
    { invoiceId: of.id, creditorId: of.creditorId, debtorId: of.debtorId },
    { gateway: 'DIRECT_BANK', amount: sum, owed: { principal: sum, costs: none, interest: none } },
  )
  const cause = `payment:${newId(Date.now())}`
  await server.test.db.transaction((tx) =>
    postBookings(
      tx,
      server.instanceId,
      [
        {
          id: newId(Date.now()),
          kind: 'PAYMENT',
          bookedOn: today(),
          cause,
          invoiceId: of.id,
          paymentId: null,
          lines,
        },
      ],
      server.clock,
    ),
  )
  note('received', of, minor, { currency: 'EUR', method: 'DIRECT_BANK' })
  lower(of.id, minor)
}

beforeAll(async () => {
  server = await startTestServer()
  ask = await openOffice(server, ['finance', 'manager', 'handler', 'support', 'auditor', 'approver'])
  await buildInstanceAccount(server.test, server.instanceId)
  await buildPlanSettings(server.test, server.instanceId)
  onDay('2026-10-20')
  claim = await buildClaim(server.test, server.instanceId, server.clock)
  const [member] = claim.invoices
  if (!member) throw new Error('the claim has no invoice')
  const [{ sent_on: sentOn }] = await sql(
    'select sent_date::text as sent_on from invoice where id = $1',
    member.id,
  )
  sent.push({ creditor: member.creditorId, on: sentOn })
  a = member.creditorId
  const early = await bill('2026-11-19', 25_000, { ofCreditorOf: member })
  onDay('2026-10-25')
  await pay(early, 25_000)
  onDay('2026-11-02')
  a1 = await bill('2026-11-19', 100_000, { ofCreditorOf: member })
  const a3 = await bill('2026-11-30', 30_000, { ofCreditorOf: member })
  b1 = await bill('2026-10-10', 50_000)
  b = b1.creditorId
  b2 = await bill('2026-09-01', 70_000, { ofCreditorOf: b1, currency: 'EUR' })
  onDay('2026-11-05')
  await payInPortal(a3, 30_000)
  onDay('2026-11-06')
  await buildDispute(server.test, server.clock, await bill('2026-08-10', 12_000, { ofCreditorOf: member }))
  onDay('2026-11-10')
  await pay(b1, 55_000)
  lower(b1.id, -5_000)
  await payInEuro(b2, 20_000)
  await beginPlan(await bill('2026-09-20', 60_000, { ofCreditorOf: b1 }))
  onDay('2026-11-12')
  await takeBack(a3)
  await refund(b1, 5_000)
  onDay('2026-11-13')
  // It was on the account four days before the bank told of it: it is booked, and counts here, today.
  await pay(a1, 10_000, '2026-11-09')
  // The demand has left; what waits for a letter is not filed.
  await sql(
    `update mail_outbox set status = 'SENT', sent_at = now(), recipient = 'x' where status = 'WAITING'`,
  )
  await recordApplied(server.product.context, {
    instanceId: server.instanceId,
    claimId: claim.id,
    on: today(),
  })
  const other = await buildInstance(server.test, { alias: 'annan', isDefault: false })
  foreign = await buildInvoice(server.test, other.id, server.clock, { totalMinor: 999_900 })
  onDay('2026-11-20')
}, 120_000)

/** What a plan has not billed is not late, whatever day stands on the invoice. */
async function beginPlan({ id, reference, zip }: BuiltInvoice): Promise<void> {
  const path = `/api/public/invoices/${reference}/${zip}/part-payment/start`
  const answer = await server.call('PUT', path, { body: { type: 'PLAN_3', agreementAccepted: true } })
  expect(answer.status, answer.text).toBeLessThan(300)
  const one = open.get(id)
  if (one) open.set(id, { ...one, due: END })
}

async function takeBack(of: BuiltInvoice): Promise<void> {
  const found = await ask('finance', 'POST /payments/search', { query: of.reference })
  const [{ id }] = found.json as [{ id: string }]
  const back = await ask('finance', `POST /payments/${id}/reverse`, { reason: 'Fel faktura' })
  expect([200, 202], back.text).toContain(back.status)
  if (back.status === 202) {
    const { id: proposal } = back.json as { id: string }
    expect((await ask('manager', `POST /proposals/${proposal}/approve`, {})).status).toBe(200)
  }
  note('takenBack', of, 30_000, { method: 'DIRECT_BANK' })
  lower(of.id, -30_000)
}

async function refund(of: BuiltInvoice, minor: number): Promise<void> {
  const [{ about }] = await sql(`select about from task where kind = 'refund' and done_at is null`)
  const by = { instanceId: server.instanceId, by: 'person:anna' }
  await recordRefund(server.product.context, { ...by, about, holder: 'INSTANCE', hasLeft: false })
  note('refunded', of, minor)
}

const read = async (query = '', who: Parameters<AskOffice>[0] = 'support'): Promise<Dashboard> => {
  const answer = await ask(who, `GET /dashboard${query}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.json
}

/** The sums of the list, in main units. */
function summedUp(what: Done['what'], from: string, to: string, creditor?: string) {
  const sums = new Map<string, { count: number; minor: number }>()
  for (const one of done) {
    if (one.what !== what || one.on < from || one.on > to) continue
    if (creditor !== undefined && one.creditor !== creditor) continue
    const sum = sums.get(one.currency) ?? { count: 0, minor: 0 }
    sums.set(one.currency, { count: sum.count + 1, minor: sum.minor + one.minor })
  }
  return [...sums]
    .map(([currency, { count, minor }]) => ({ currency, count, amount: minor / 100 }))
    .toSorted((x, y) => (x.currency < y.currency ? -1 : 1))
}

function moneyByDay(from: string, to: string, creditor?: string) {
  const rows = new Map<
    string,
    { start: string; method: string; currency: string; count: number; amount: number }
  >()
  for (const { what, on, creditor: whose, currency, method, minor } of done) {
    if (what !== 'received' || on < from || on > to || (creditor !== undefined && whose !== creditor))
      continue
    const key = [on, method, currency].join(' ')
    const row = rows.get(key) ?? { start: on, method, currency, count: 0, amount: 0 }
    rows.set(key, { ...row, count: row.count + 1, amount: Math.round(row.amount * 100 + minor) / 100 })
  }
  return [...rows.keys()].toSorted().map((key) => rows.get(key))
}

function ages(creditor?: string) {
  const rows = new Map<string, { bucket: string; currency: string; count: number; balance: number }>()
  for (const { creditor: whose, due, currency, minor } of open.values()) {
    if (minor === 0 || (creditor !== undefined && whose !== creditor)) continue
    const late = daysBetween(due, END)
    const bucket =
      late <= 0
        ? 'NOT_DUE'
        : late <= 30
          ? 'DAYS_1_30'
          : late <= 60
            ? 'DAYS_31_60'
            : late <= 90
              ? 'DAYS_61_90'
              : 'OVER_90'
    const row = rows.get(`${bucket} ${currency}`) ?? { bucket, currency, count: 0, balance: 0 }
    rows.set(`${bucket} ${currency}`, { ...row, count: row.count + 1, balance: row.balance + minor / 100 })
  }
  return [...rows.values()]
}

const sentWithin = (from: string, to: string, creditor?: string): number =>
  sent.filter(({ on, creditor: whose }) => on >= from && on <= to && (creditor ?? whose) === whose).length

describe('what is kept is what was done', () => {
  test.each([
    ['this month, of all', '', '2026-11-01', '2026-11-20'],
    ['the month before', '?from=2026-10-01&to=2026-10-31', '2026-10-01', '2026-10-31'],
    ['the same by its name', '?period=last_month', '2026-10-01', '2026-10-31'],
    ['the last 30 days', '?period=last_30', '2026-10-22', '2026-11-20'],
    ['two days', '?from=2026-11-12&to=2026-11-13', '2026-11-12', '2026-11-13'],
    ['one day without anything', '?from=2026-11-11&to=2026-11-11', '2026-11-11', '2026-11-11'],
    ['all of it', '?from=2026-08-01&to=2026-11-20', '2026-08-01', '2026-11-20'],
  ])('%s', async (_, query, from, to) => {
    for (const creditor of [undefined, a, b]) {
      const asked = creditor === undefined ? query : `${query}${query === '' ? '?' : '&'}creditor=${creditor}`
      const found = await read(asked)
      expect({ from: found.from, to: found.to, today: found.today }).toEqual({ from, to, today: END })
      for (const what of ['received', 'takenBack', 'refunded'] as const)
        expect(found[what], what).toEqual(summedUp(what, from, to, creditor))
      expect(found.stages.sent).toBe(sentWithin(from, to, creditor))
      expect(found.ageing.toSorted(byBucket)).toEqual(ages(creditor).toSorted(byBucket))
      if (found.unit === 'DAY') expect(found.money).toEqual(moneyByDay(from, to, creditor))
    }
  })

  const byBucket = (
    x: { bucket: string; currency: string },
    y: { bucket: string; currency: string },
  ): number => (`${x.bucket} ${x.currency}` < `${y.bucket} ${y.currency}` ? -1 : 1)

  test('a claim’s invoice came all the way, on the day that it was sent; the others were sent alone', async () => {
    const of = await read('?from=2026-08-01&to=2026-11-20')
    expect(of.stages).toEqual({ sent: sent.length, reminded: 1, claimed: 1, filed: 1 })
    expect((await read()).stages).toEqual({ sent: 6, reminded: 0, claimed: 0, filed: 0 })
    const ofB = await read(`?creditor=${b}`)
    expect([of.disputed, (await read()).disputed, ofB.disputed]).toEqual([1, 1, 0])
    expect([of.planned, ofB.planned, (await read(`?creditor=${a}`)).planned]).toEqual([1, 1, 0])
  })

  test('it is compared with as many days right before', async () => {
    const { before } = await read('?from=2026-11-06&to=2026-11-10')
    expect([before.from, before.to]).toEqual(['2026-11-01', '2026-11-05'])
    expect(before.received).toEqual(summedUp('received', '2026-11-01', '2026-11-05'))
    expect(before.stages.sent).toBe(4)
    // Of the whole month twenty days have come.
    const { before: cut } = await read('?from=2026-11-01&to=2026-11-30')
    expect([cut.from, cut.to]).toEqual(['2026-10-12', '2026-10-31'])
    expect(cut.received).toEqual(summedUp('received', '2026-10-12', '2026-10-31'))
  })

  test('a long period is told by month, and comes to the same', async () => {
    const of = await read('?from=2026-08-01&to=2026-11-20')
    expect(of.unit).toBe('MONTH')
    const months = ['2026-10', '2026-11'].flatMap((month) =>
      moneyByDay(`${month}-01`, `${month}-31`).reduce<Dashboard['money']>((all, row) => {
        if (!row) return all
        const same = all.find(({ method, currency }) => method === row.method && currency === row.currency)
        if (!same) return [...all, { ...row, start: `${month}-01` } as Dashboard['money'][number]]
        same.count += row.count
        same.amount += row.amount
        return all
      }, []),
    )
    const inOrder = (rows: Dashboard['money']) =>
      rows.toSorted((x, y) =>
        JSON.stringify([x.start, x.method, x.currency]) < JSON.stringify([y.start, y.method, y.currency])
          ? -1
          : 1,
      )
    expect(of.money).toEqual(inOrder(months))
  })

  test('folded or not, and written anew, it is the same', async () => {
    const query = '?from=2026-08-01&to=2026-11-20'
    const before = await read(query)
    await sql('select fold_figures()')
    expect(await sql('select * from figure_move')).toEqual([])
    expect(await read(query)).toEqual(before)
    await sql('select rebuild_figures()')
    expect(await read(query)).toEqual(before)
  })

  test('one that says more than the ledger is found', async () => {
    await sql('select fold_figures()')
    const move = (minor: number) =>
      sql(
        `update figure_kept set minor = minor + $1 where figure = 'IN' and creditor_id = $2 and day = '2026-11-05'`,
        minor,
        a,
      )
    await move(1)
    expect(await brokenInvariants(server.test.owner, server.instanceId)).toEqual({
      inv_i59_figures_kept_are_counted: [
        expect.objectContaining({
          figure: 'IN',
          kept_minor: '30001',
          counted_minor: '30000',
          creditor_id: a,
        }),
      ],
    })
    await move(-1)
    expect(await brokenInvariants(server.test.owner, server.instanceId)).toEqual({})
  })
})

test('a minute on each side of midnight in Stockholm is another day', async () => {
  const { clock } = server
  const before = clock.today
  let at = '2026-11-15T22:59:30Z'
  Object.assign(clock, { today: (zone: string) => dayOf(Date.parse(at), zone) })
  await pay(a1, 1_100)
  at = '2026-11-15T23:00:30Z'
  await pay(a1, 2_200)
  Object.assign(clock, { today: before })
  expect(done.slice(-2).map(({ on }) => on)).toEqual(['2026-11-15', '2026-11-16'])
  expect((await read('?from=2026-11-15&to=2026-11-16')).money).toEqual(moneyByDay('2026-11-15', '2026-11-16'))
  expect((await read('?from=2026-11-16&to=2026-11-16')).received).toEqual([
    { currency: 'SEK', count: 1, amount: 22 },
  ])
})

test('payments of many at once: nobody waits for ever, and nothing is lost', async () => {
  const many: BuiltInvoice[] = []
  for (let n = 0; n < 8; n += 1) many.push(await bill('2026-12-10', 10_000, { ofCreditorOf: a1 }))
  const folding = Promise.all(Array.from({ length: 5 }, () => sql('select fold_figures()')))
  await Promise.all([...many.map((one) => pay(one, 10_000)), folding])
  expect((await read('?from=2026-11-20&to=2026-11-20')).received).toEqual(
    summedUp('received', '2026-11-20', '2026-11-20'),
  )
})

describe('who asks, and for what', () => {
  test('a period that is none is refused in words', async () => {
    const of = async (query: string) => told(await ask('support', `GET /dashboard?${query}`))
    expect(await of('from=2026-11-02&to=2026-11-01')).toEqual([400, 'period_reversed', 'from', 'to'])
    expect(await of('from=2023-11-20&to=2026-11-20')).toEqual([400, 'period_too_long', 'from', 'to'])
    expect((await of('from=2023-11-21&to=2026-11-20'))[0], 'three years').toBe(200)
    expect(await of('from=2026-02-30&to=2026-11-20')).toEqual([400, 'invalid_request', 'from'])
    // A slip of the hand, and what leads out of the calendar.
    expect(await of('from=0100-01-01&to=0100-02-01')).toEqual([400, 'invalid_request', 'from'])
    expect(await of('from=9999-01-01&to=9999-12-31')).toEqual([400, 'invalid_request', 'from'])
    expect(await of('to=9999-12-31')).toEqual([400, 'invalid_request', 'to'])
    expect((await of('from=2000-01-01&to=2000-01-31'))[0]).toBe(200)
    expect((await of('from=2099-12-01&to=2099-12-31'))[0]).toBe(200)
    expect((await of('from=nu'))[1]).toBe('invalid_request')
    expect((await of('creditor=alla'))[1]).toBe('invalid_request')
    expect(await of('period=last_30&from=2026-11-01')).toEqual([400, 'invalid_request', 'period'])
    expect((await of('period=always'))[1]).toBe('invalid_request')
    const swedish = await ask('support', 'GET /dashboard?from=2026-11-02&to=2026-11-01')
    expect((swedish.json as { message: string }).message).toMatch(/\p{L}{4}.*\./u)
  })

  test('another instance’s creditor is as one that there is not, and its figures are in no sum', async () => {
    const missing = newId(Date.now())
    for (const path of ['/dashboard', '/dashboard/now']) {
      const answers = [foreign.creditorId, missing].map((id) => ask('manager', `GET ${path}?creditor=${id}`))
      const [theirs, none] = await Promise.all(answers)
      expect(told(theirs as never)).toEqual([404, 'not_found'])
      expect(told(none as never)).toEqual([404, 'not_found'])
    }
    const { ageing, creditors } = await read('?from=2026-08-01&to=2026-11-20')
    expect(creditors.map(({ id }) => id).toSorted()).toEqual([a, b].toSorted())
    expect(ageing.reduce((all, { balance }) => all + balance, 0)).toBeLessThan(9_999)
  })

  test('each role that sees cases reads it; others, a creditor’s people and strangers do not', async () => {
    for (const who of ['finance', 'manager', 'handler', 'support', 'auditor'] as const)
      expect((await read('', who)).today).toBe(END)
    for (const path of ['', '/now'])
      expect(told(await ask('approver', `GET /dashboard${path}`)), 'who sees no case').toEqual([
        403,
        'not_allowed',
      ])
    expect((await server.call('GET', '/api/admin/dashboard')).status).toBe(401)
    const creditors = await signInStaff(server.product.context, {
      instanceId: server.instanceId,
      creditorId: a,
      role: 'manager',
    })
    const theirs = await server.call('GET', '/api/admin/dashboard', { headers: { ...creditors } })
    expect([401, 403, 404]).toContain(theirs.status)
  })
})

describe('what waits now', () => {
  const now = async (who: Parameters<AskOffice>[0], query = ''): Promise<WorkNow> => {
    const answer = await ask(who, `GET /dashboard/now${query}`)
    expect(answer.status, answer.text).toBe(200)
    return answer.json
  }

  test('the agreement with the bank is told to those who may read the proof', async () => {
    const { agreement } = await now('finance')
    const proof = (await ask('finance', 'GET /client-funds')).json as {
      day: string
      proofs: { currency: string; verdict: string; difference: number | null }[]
    }
    expect(agreement?.day).toBe(proof.day)
    expect(
      agreement?.currencies.map(({ currency, verdict, difference }) => ({ currency, verdict, difference })),
    ).toEqual(proof.proofs.map(({ currency, verdict, difference }) => ({ currency, verdict, difference })))
    expect((await now('support')).agreement).toBe(null)
  })

  test('a channel of few messages is heard beside one of many', async () => {
    const write = (channel: string, many: number, ago: string) =>
      sql(
        `insert into mail_outbox (instance_id, id, channel, kind, cause, invoice_id, recipient, language, subject, text_body,
           status, sent_at, created_at)
         select $1, gen_random_uuid(), $2, 'reminder', 'many:' || $2 || n, $3, 'a', 'sv', 's', 't', 'SENT', now(), now() - $5::interval
         from generate_series(1, $4::int) n`,
        server.instanceId,
        channel,
        a1.id,
        many,
        ago,
      )
    await write('SMS', 1, '1 minute')
    await write('EMAIL', 1001, '10 seconds')
    const { health } = await now('support')
    expect(health.find(({ counterparty }) => counterparty === 'SMS')?.state).toBe('OK')
  })

  test('messages that nobody took, a run that failed, and the bank’s newest file', async () => {
    expect((await now('support')).stuck).toEqual([])
    await sql(
      `insert into job_run (instance_id, id, work, day, status, started_at, ended_at, listed_at)
       values ($1, $2, 'DAILY_RUN', '2026-11-20', 'FAILED', now(), now(), now())`,
      server.instanceId,
      newId(Date.now()),
    )
    await sql(
      `update mail_outbox set status = 'DEAD', sent_at = null where id = (select id from mail_outbox
      where instance_id = $1 and channel = 'EMAIL' order by created_at desc, id desc limit 1)`,
      server.instanceId,
    )
    const { stuck, health, tasks } = await now('support', `?creditor=${a}`)
    expect(Object.fromEntries(stuck.map(({ kind, count }) => [kind, count]))).toEqual({
      MESSAGES_DEAD: 1,
      RUNS_FAILED: 1,
    })
    expect(health.find(({ counterparty }) => counterparty === 'BANK')?.state).toBe('OK')
    expect(health.find(({ counterparty }) => counterparty === 'EMAIL')).toMatchObject({ failed: 1 })
    expect(tasks.find(({ kind }) => kind === 'dispute_to_answer')?.count).toBe(1)
  })
})
