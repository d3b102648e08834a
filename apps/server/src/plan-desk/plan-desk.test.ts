/**
 * What plans and accounts are offered on is changed from a day on, by two people; what was agreed with a debtor keeps its terms. The
 * monthly sums of 5,000.00 over twelve months are those of the design's picture 11 (12.00 % and 14.50 %, 195.00 to begin, 29.00 a month); the
 * totals add what rounding leaves to the last one.
 */
import { beforeEach, describe, expect, test } from 'vitest'
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import type { OptionsAnswer, PlanAnswer } from '@kvitt/domain/part-payments/part-payment.contract.ts'
import { performDailyRun } from '../collection/collection.ts'
import { openLog } from '../platform/log.ts'
import {
  buildInstance,
  buildInvoice,
  buildPlanSettings,
  TODAY,
  type BuiltInvoice,
  type InvoiceWishes,
} from '../testing/build.ts'
import { signInStaff, told, type SignedIn } from '../testing/staff.ts'
import { startTestServer, type Answer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
const people = new Map<string, SignedIn>()
let stranger: SignedIn & { readonly host: string }
const ROLES = {
  manager: 'manager',
  second: 'manager',
  approver: 'approver',
  finance: 'finance',
  auditor: 'auditor',
} as const

// Each test has a provider of its own: a version is never taken away.
beforeEach(async () => {
  server = await startTestServer()
  const { context } = server.product
  const { instanceId } = server
  const { id: other, host } = await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })
  for (const [name, role] of Object.entries(ROLES))
    people.set(name, await signInStaff(context, { instanceId, creditorId: null, role }))
  const member = { instanceId: other, creditorId: null, role: 'manager' } as const
  stranger = { ...(await signInStaff(context, member)), host }
  await buildPlanSettings(server.test, instanceId)
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

const TOMORROW = addDays(TODAY, 1)
const TWELVE = {
  creditorId: null,
  code: 'PLAN_12',
  variant: 'PART_PAYMENT',
  currency: 'SEK',
  months: 12,
  startFee: '195.00',
  monthlyFee: '29.00',
  percent: '12.00',
  interestFreeDays: 0,
  termsDays: 14,
  thresholdPercent: null,
  addToExisting: false,
  legalVisible: true,
  termsVisible: true,
  smallestBalance: '300.00',
  isOffered: true,
  from: TOMORROW as string,
}
const ACCOUNT = {
  ...TWELVE,
  code: 'ACCOUNT',
  variant: 'PART_PAYMENT_ACCOUNT',
  months: null,
  startFee: '0.00',
  thresholdPercent: '20.00',
  addToExisting: true,
}
const propose = (wish: object = {}, name = 'manager') =>
  ask(name, 'POST /part-payment-plans', { ...TWELVE, ...wish })
const idOf = (answer: Answer): string => {
  expect(answer.status, answer.text).toBe(202)
  return (answer.json as { id: string }).id
}
const approve = (id: string, name = 'approver') => ask(name, `POST /proposals/${id}/approve`)
async function agree(wish: object = {}, path = 'POST /part-payment-plans'): Promise<void> {
  const answer = await approve(idOf(await ask('manager', path, { ...TWELVE, ...wish })))
  expect(answer.status, answer.text).toBe(200)
}

type Version = { from: string; state: string; percent: string; agreedBy: string | null; running: number }
type Setting = {
  code: string
  creditor: { id: string } | null
  versions: Version[]
  proposed: { from: string }[]
}
async function shown(code: string, creditorId: string | null = null, path = 'plans'): Promise<Setting> {
  const { json } = await ask('auditor', `GET /part-payment-${path}`)
  const found = (json as { settings: Setting[] }).settings.find(
    (one) => one.code === code && (one.creditor?.id ?? null) === creditorId,
  )
  if (!found) throw new Error(`nothing is set for ${code}`)
  return found
}
const states = async (...at: Parameters<typeof shown>): Promise<string[]> =>
  (await shown(...at)).versions.map(({ from, state }) => `${from} ${state}`)

const build = (wishes: InvoiceWishes = {}): Promise<BuiltInvoice> =>
  buildInvoice(server.test, server.instanceId, server.clock, {
    totalMinor: 500_000,
    dueDate: addDays(TODAY, 60),
    ...wishes,
  })
const pathOf = ({ reference, zip }: BuiltInvoice, rest: string) =>
  `/api/public/invoices/${reference}/${zip}/part-payment${rest}`
const options = async (invoice: BuiltInvoice): Promise<OptionsAnswer> =>
  (await server.call('GET', pathOf(invoice, '/options'))).json
const start = (invoice: BuiltInvoice, type: string, offerVersion?: string) =>
  server.call('PUT', pathOf(invoice, '/start'), {
    body: { type, agreementAccepted: true, ...(offerVersion === undefined ? {} : { offerVersion }) },
  })
const offered = async (invoice: BuiltInvoice): Promise<Record<string, number>> =>
  Object.fromEntries((await options(invoice)).plans.map(({ code, totalToPay }) => [code, totalToPay]))
async function nights(from: CalendarDate, to: CalendarDate): Promise<void> {
  const context = { db: server.test.db, clock: server.clock, log: openLog('silent') }
  for (let day = from; day <= to; day = addDays(day, 1)) {
    server.clock.moveTo(day)
    await performDailyRun(context, { id: server.instanceId, timeZone: 'Europe/Stockholm' }, day)
  }
}

describe('a version', () => {
  test('is offered from its first day on, by two people, and the list says who and when', async () => {
    const invoice = await build()
    await agree()
    // Still as before: 19.90 % is 6,098.21.
    expect((await offered(invoice))['PLAN_12']).not.toBe(5873.93)
    expect(await states('PLAN_12')).toEqual([`${TOMORROW} COMING`, '2020-01-01 IN_FORCE'])
    server.clock.moveTo(TOMORROW)
    expect((await offered(invoice))['PLAN_12']).toBe(5873.93)
    expect(await states('PLAN_12')).toEqual([`${TOMORROW} IN_FORCE`, '2020-01-01 PAST'])
    const { versions } = await shown('PLAN_12')
    expect(versions.map(({ percent, agreedBy }) => [percent, agreedBy])).toEqual([
      ['12.00', 'Prov approver'],
      ['19.90', null],
    ])
  })

  test('does not change what was agreed: instalments are billed as they were promised', async () => {
    const invoice = await build()
    const before = (await start(invoice, 'PLAN_12')).json as PlanAnswer
    const planned = () =>
      sql(`select number, due_date, principal_minor, interest_minor, fee_minor, start_fee_minor
           from part_payment_instalment order by number`)
    const promised = await planned()
    await agree({ percent: '0.00', startFee: '0.00', monthlyFee: '0.00', months: 3 })
    const due = date(
      (await sql<{ due: string }>('select min(due_date)::text as due from part_payment_instalment'))[0]!.due,
    )
    await nights(TOMORROW, addDays(due, -13))
    expect(await planned()).toEqual(promised)
    // The first bill has the start fee and the old interest.
    const bills = await sql<{ total: string }>(
      `select i.total_minor::text as total from part_payment_instalment n join invoice i on i.id = n.invoice_id`,
    )
    const first = promised[0] as Record<string, string>
    const sum = ['principal_minor', 'interest_minor', 'fee_minor', 'start_fee_minor'].reduce(
      (all, name) => all + Number(first[name]),
      0,
    )
    expect(bills).toEqual([{ total: String(sum) }])
    const after = (await server.call('GET', pathOf(invoice, ''))).json as PlanAnswer
    expect(after).toMatchObject({ totalToPay: before.totalToPay })
    expect((await shown('PLAN_12')).versions.map(({ running }) => running)).toEqual([0, 1])
    // The next debtor has the new terms.
    expect((await offered(await build()))['PLAN_12']).toBe(5000)
  })

  test('from today on: what a debtor has read by then is not agreed on other terms', async () => {
    const invoice = await build()
    const { offerVersion } = await options(invoice)
    await agree({ from: TODAY })
    expect(told(await start(invoice, 'PLAN_12', offerVersion))).toEqual([400, 'plan_changed', 'offerVersion'])
    const { offerVersion: next } = await options(invoice)
    expect((await start(invoice, 'PLAN_12', next)).status).toBe(200)
  })

  test('that has not begun is mended by another one for the same day; one that takes the code away does', async () => {
    const invoice = await build()
    await agree({ percent: '15.00' })
    await agree({ percent: '14.50' })
    expect(await states('PLAN_12')).toEqual([
      `${TOMORROW} COMING`,
      `${TOMORROW} REPLACED`,
      '2020-01-01 IN_FORCE',
    ])
    await agree({ from: addDays(TODAY, 5), isOffered: false })
    server.clock.moveTo(TOMORROW)
    expect((await offered(invoice))['PLAN_12']).toBe(5944.36)
    server.clock.moveTo(addDays(TODAY, 5))
    expect(await offered(invoice)).not.toHaveProperty('PLAN_12')
    expect((await states('PLAN_12'))[0]).toBe(`${addDays(TODAY, 5)} ENDED`)
  })

  test('of one creditor takes the place of the one for all, for its debtors alone', async () => {
    const [own, others] = [await build(), await build()]
    await agree({ creditorId: own.creditorId, from: TODAY })
    expect([(await offered(own))['PLAN_12'], (await offered(others))['PLAN_12'] === 5873.93]).toEqual([
      5873.93,
      false,
    ])
    expect(await states('PLAN_12', own.creditorId)).toEqual([`${TODAY} IN_FORCE`])
    expect(await states('PLAN_12')).toEqual(['2020-01-01 IN_FORCE'])
  })

  test('of an account, and of a code that nobody has had', async () => {
    const invoice = await build()
    await agree({ ...ACCOUNT, from: TODAY }, 'POST /part-payment-accounts')
    await agree({ code: 'PLAN_24', months: 24, from: TODAY })
    const { plans, account } = await options(invoice)
    // A fifth of 5,000.00, a month's interest of 12 % and the fee: 1,000 + 50 + 29.
    expect(account).toMatchObject({ monthlyAmount: 1079 })
    expect(plans.map(({ code }) => code)).toContain('PLAN_24')
    expect(await states('ACCOUNT', null, 'accounts')).toEqual([`${TODAY} IN_FORCE`, '2020-01-01 PAST'])
    await expect(shown('ACCOUNT')).rejects.toThrow(/nothing is set/)
  })
})

describe('four eyes', () => {
  test('admin.terms: nobody agrees to their own; others may not propose, and an approver reads the preview only', async () => {
    const id = idOf(await propose())
    expect(told(await approve(id, 'manager'))).toEqual([400, 'another_person_needed'])
    expect(told(await approve(id, 'finance'))).toEqual([403, 'not_allowed'])
    for (const name of ['finance', 'auditor', 'approver'])
      expect((await propose({ from: addDays(TODAY, 9) }, name)).status, name).toBe(403)
    expect((await ask('approver', 'GET /part-payment-plans')).status).toBe(403)
    expect((await ask('approver', 'POST /part-payment-offers/preview', SAMPLE)).status).toBe(200)
    expect(await states('PLAN_12')).toEqual(['2020-01-01 IN_FORCE'])
    expect((await shown('PLAN_12')).proposed.map(({ from }) => from)).toEqual([TOMORROW])
  })

  test('refused or taken back it is nothing', async () => {
    const refused = idOf(await propose())
    expect((await ask('approver', `POST /proposals/${refused}/refuse`, { reason: 'Too much' })).status).toBe(
      200,
    )
    const withdrawn = idOf(await propose())
    expect((await ask('manager', `POST /proposals/${withdrawn}/refuse`, { reason: 'A slip' })).status).toBe(
      200,
    )
    expect(await sql('select status from proposal order by id')).toEqual([
      { status: 'REFUSED' },
      { status: 'WITHDRAWN' },
    ])
    expect(await states('PLAN_12')).toEqual(['2020-01-01 IN_FORCE'])
  })

  test('two at once: one for the day waits, one agreement counts, and the other for a later day is looked at again', async () => {
    const both = await Promise.all([propose(), propose({ percent: '13.00' }, 'second')])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 400])
    const id = idOf(both.find(({ status }) => status === 202) as Answer)
    const later = idOf(await propose({ from: addDays(TODAY, 9), percent: '9.00' }))
    const decided = await Promise.all([approve(id), approve(id, 'auditor'), approve(id)])
    expect(decided.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 403])
    // What it was to take the place of is another by now.
    expect(told(await approve(later))).toEqual([409, 'changed_meanwhile'])
    expect((await states('PLAN_12')).length).toBe(2)
  })

  test('agreed to after its first day it is refused', async () => {
    const id = idOf(await propose())
    server.clock.moveTo(addDays(TODAY, 2))
    expect(told(await approve(id))).toEqual([400, 'setting_day_wrong', 'from'])
    expect(await states('PLAN_12')).toEqual(['2020-01-01 IN_FORCE'])
  })

  test('another provider sees nothing of it and names no creditor of it', async () => {
    const { creditorId } = await build()
    const id = idOf(await propose())
    // Another host than the tests' own is only reached inside.
    const elsewhere = async (call: string, body?: object) => {
      const [method, path = ''] = call.split(' ')
      const { authorization, host } = stranger
      const answer = await server.product.app.inject({
        method: method as 'GET' | 'POST',
        url: `/api/admin${path}`,
        headers: { authorization, host },
        ...(body === undefined ? {} : { payload: body }),
      })
      return { status: answer.statusCode, json: answer.json<unknown>() }
    }
    expect((await elsewhere(`POST /proposals/${id}/approve`)).status).toBe(404)
    expect((await elsewhere('POST /part-payment-plans', { ...TWELVE, creditorId })).status).toBe(404)
    const asked = { ...SAMPLE, creditorId }
    expect((await elsewhere('POST /part-payment-offers/preview', asked)).status).toBe(404)
    const { json } = await elsewhere('GET /part-payment-plans')
    expect(json).toMatchObject({ settings: [], creditors: [] })
  })
})

const SAMPLE = { creditorId: null, debtorKind: 'consumer', currency: 'SEK', balances: ['5000.00'] }

const WRONG = [
  [{ code: 'Plan 12' }, 'setting_code_wrong', 'code'],
  [{ code: '' }, 'setting_code_wrong', 'code'],
  [{ months: 0 }, 'setting_value_wrong', 'months'],
  [{ months: 121 }, 'setting_value_wrong', 'months'],
  [{ months: null }, 'setting_value_wrong', 'months'],
  [{ months: 2.5 }, 'invalid_request', 'months'],
  [{ startFee: '-1.00' }, 'setting_value_wrong', 'startFee'],
  [{ startFee: '1.005' }, 'setting_value_wrong', 'startFee'],
  [{ monthlyFee: '100000.00' }, 'setting_value_wrong', 'monthlyFee'],
  [{ percent: '100.01' }, 'setting_value_wrong', 'percent'],
  [{ percent: '1e1' }, 'setting_value_wrong', 'percent'],
  [{ percent: '12,00' }, 'setting_value_wrong', 'percent'],
  [{ interestFreeDays: -1 }, 'setting_value_wrong', 'interestFreeDays'],
  [{ termsDays: 29 }, 'setting_value_wrong', 'termsDays'],
  [{ smallestBalance: '0.00' }, 'setting_value_wrong', 'smallestBalance'],
  [{ thresholdPercent: '10.00' }, 'setting_value_wrong', 'thresholdPercent'],
  [{ addToExisting: true }, 'invalid_request', 'addToExisting'],
  [{ currency: 'XXX' }, 'invalid_request', 'currency'],
  [{ currency: 'NOK' }, 'setting_kind_fixed', 'currency'],
  [{ variant: 'PART_PAYMENT_ACCOUNT' }, 'invalid_request', 'variant'],
  [{ variant: 'ONGOING_PAYMENT', percent: '0.00' }, 'setting_kind_fixed', 'variant'],
  [{ code: 'ONGOING_6', variant: 'ONGOING_PAYMENT' }, 'setting_value_wrong', 'percent'],
  [{ from: '2026-02-30' }, 'setting_day_wrong', 'from'],
  [{ from: addDays(TODAY, -1) }, 'setting_day_wrong', 'from'],
  [{ from: addDays(TODAY, 367) }, 'setting_day_wrong', 'from'],
  [{ percent: '19.90' }, 'setting_same', 'from'],
  [{ surprise: 1 }, 'unknown_field', 'surprise'],
] as const

test('what is wrong is refused by its field, in words, and changes nothing', async () => {
  for (const [wish, code, field] of WRONG) {
    const answer = await propose(wish)
    const said = told(answer)
    expect(said.slice(0, 2), JSON.stringify(wish)).toEqual([400, code])
    if (field !== 'surprise') expect(said[2], JSON.stringify(wish)).toBe(field)
    expect((answer.json as { message: string }).message).toMatch(/\w+ \w+/)
  }
  expect(await sql('select 1 from proposal')).toEqual([])
})

test('inv_i61_settings_were_agreed: terms that nobody agreed to are seen', async () => {
  await agree()
  const seen = async (harm: string) => {
    const client = await server.test.owner.connect()
    try {
      await client.query(`begin; set local session_replication_role = 'replica'`)
      await client.query(harm)
      return (await client.query('select 1 from inv_i61_settings_were_agreed')).rows.length
    } finally {
      await client.query('rollback')
      client.release()
    }
  }
  const ours = 'update part_payment_setting set'
  expect(await seen('select 1')).toBe(0)
  expect(await seen(`${ours} percent = 22 where proposal_id is not null`)).toBe(1)
  expect(await seen(`${ours} monthly_fee_minor = 2901 where proposal_id is not null`)).toBe(1)
  expect(await seen(`${ours} valid_from = valid_from - 1 where proposal_id is not null`)).toBe(1)
  expect(await seen(`update proposal set status = 'OPEN', decided_by = null, decided_at = null`)).toBe(1)
  // The row is gone, and what was agreed to is missing; where debts are real, rows of nobody are seen too.
  expect(await seen(`delete from part_payment_setting where proposal_id is not null`)).toBe(1)
  // The fifth has another in its place.
  expect(await seen(`update instance set mode = 'live'`)).toBe(4)
  expect(
    await seen(`update instance set mode = 'live'; ${ours} is_from_before = true where proposal_id is null`),
  ).toBe(0)
})
