/** What a debtor was shown is what starts, and a new version takes nothing from whoever runs on an old one. */
import { beforeEach, describe, expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import type { OptionsAnswer, PlanAnswer } from '@kvitt/domain/part-payments/part-payment.contract.ts'
import { statement } from '../platform/database/database.ts'
import {
  buildInvoice,
  buildPlanSettings,
  TODAY,
  type BuiltInvoice,
  type InvoiceWishes,
} from '../testing/build.ts'
import { closeAll } from '../testing/close-afterwards.ts'
import { openOffice, told, type AskOffice } from '../testing/staff.ts'
import { startTestServer, type Answer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
let ask: AskOffice

// Each test has a provider of its own: a version is never taken away.
beforeEach(async () => {
  // One at a time: each has its connections to the database.
  await closeAll()
  server = await startTestServer()
  ask = await openOffice(server, ['manager', 'approver'])
  await buildPlanSettings(server.test, server.instanceId)
})

const TOMORROW = addDays(TODAY, 1)
const PLAN = {
  creditorId: null, code: 'PLAN_12', variant: 'PART_PAYMENT', currency: 'SEK', months: 12, startFee: '195.00', monthlyFee: '29.00',
  percent: '12.00', interestFreeDays: 0, termsDays: 14, thresholdPercent: null, addToExisting: false, legalVisible: true,
  termsVisible: true, smallestBalance: '300.00', isOffered: true, from: TOMORROW as string,
} as const // biome-ignore format: as the form has it
const ACCOUNT = {
  ...PLAN, code: 'ACCOUNT', variant: 'PART_PAYMENT_ACCOUNT', months: null, startFee: '0.00', thresholdPercent: '20.00', addToExisting: true,
} as const // biome-ignore format: as the form has it

const sql = async <Row>(text: string, values?: unknown[]): Promise<Row[]> =>
  (await server.test.owner.query(text, values)).rows as Row[]
const pathOf = ({ variant }: { variant: string }) =>
  variant === 'PART_PAYMENT_ACCOUNT' ? 'POST /part-payment-accounts' : 'POST /part-payment-plans'
const propose = (wish: object, key?: string) => {
  const whole = { ...PLAN, ...wish }
  return ask('manager', pathOf(whole), whole, key)
}
async function agree(wish: object): Promise<void> {
  const proposed = await propose(wish)
  expect(proposed.status, proposed.text).toBe(202)
  const { id } = proposed.json as { id: string }
  const answer = await ask('approver', `POST /proposals/${id}/approve`)
  expect(answer.status, answer.text).toBe(200)
}
const build = (wishes: InvoiceWishes = {}): Promise<BuiltInvoice> =>
  buildInvoice(server.test, server.instanceId, server.clock, {
    totalMinor: 500_000,
    dueDate: addDays(TODAY, 60),
    ...wishes,
  })
const call = (method: string, { reference, zip, number }: BuiltInvoice, rest: string, body?: object) =>
  server.call(
    method,
    `/api/public/invoices/${reference}/${zip}/part-payment${rest}?invoiceNumber=${number}`,
    body === undefined ? {} : { body },
  )
const options = async (invoice: BuiltInvoice): Promise<OptionsAnswer> =>
  (await call('GET', invoice, '/options')).json
const start = (invoice: BuiltInvoice, body: object): Promise<Answer> => call('PUT', invoice, '/start', body)
const oldRow = (wish: string): string =>
  `insert into part_payment_setting (instance_id, id, code, variant, currency, months, start_fee_minor, monthly_fee_minor, percent,
     terms_days, threshold_percent, add_to_existing, legal_visible, terms_visible, smallest_balance_minor, valid_from) ${wish}`

describe('what was shown', () => {
  test('of two accounts the one that is shown can be started, and the preview says why not the other', async () => {
    await agree({ ...ACCOUNT, code: 'ACCOUNT_CHEAP', percent: '5.00', from: TODAY })
    const invoice = await build()
    expect((await options(invoice)).account?.code).toBe('ACCOUNT_CHEAP')
    const body = { type: 'ACCOUNT', agreementAccepted: true }
    expect(told(await start(invoice, body))).toEqual([400, 'plan_not_available', 'type'])
    const { json } = await ask('manager', 'POST /part-payment-offers/preview', {
      creditorId: null, debtorKind: 'consumer', currency: 'SEK', balances: ['5000.00'],
    }) // biome-ignore format: one question
    const { samples } = json as { samples: { rows: { code: string; before: object }[] }[] }
    const outcomes = new Map(samples[0]?.rows.map(({ code, before }) => [code, before]))
    expect(outcomes.get('ACCOUNT')).toEqual({ figures: null, why: 'other_account' })
    expect(outcomes.get('ACCOUNT_CHEAP')).toMatchObject({ why: null })
  })

  test('a tick is kept only where a box was shown (D-31)', async () => {
    const [boxed, unboxed, silent] = [await build(), await build(), await build()]
    await start(boxed, { type: 'PLAN_6', agreementAccepted: true })
    await start(unboxed, { type: 'PLAN_3', agreementAccepted: true })
    await start(silent, { type: 'PLAN_6' })
    const kept = await sql(
      `select m.invoice_id as id, p.agreement -> 'accepted' as accepted, p.agreement -> 'setting' ->> 'legalVisible' as "isShown"
       from part_payment p join part_payment_member m on m.part_payment_id = p.id`,
    )
    expect(kept).toHaveLength(3)
    expect(kept).toEqual(
      expect.arrayContaining([
        { id: boxed.id, accepted: true, isShown: 'true' },
        { id: unboxed.id, accepted: null, isShown: 'false' },
        { id: silent.id, accepted: null, isShown: 'true' },
      ]),
    )
  })

  test('a start that names no version is accepted as specified, also on the day on which terms change (D-31)', async () => {
    const [unnamed, named, stale, own] = [await build(), await build(), await build(), await build()]
    const { offerVersion } = await options(stale)
    await agree({ from: TODAY })
    await agree({ creditorId: own.creditorId, code: 'PLAN_6', months: 6 })
    const body = { type: 'PLAN_12', agreementAccepted: true }
    expect(told(await start(stale, { ...body, offerVersion }))).toEqual([400, 'plan_changed', 'offerVersion'])
    expect((await start(unnamed, { ...body, id: unnamed.id })).status).toBe(200)
    const { plans } = await options(named)
    const id = plans.find(({ code }) => code === 'PLAN_12')?.id
    expect((await start(named, { type: 'PLAN_12', id })).status).toBe(200)
    server.clock.moveTo(TOMORROW)
    expect((await start(own, { type: 'PLAN_6' })).status).toBe(200)
    // The terms are those of the day, whatever was not said.
    expect(
      await sql(
        `select m.invoice_id as id, p.agreement -> 'setting' ->> 'percent' as percent, p.agreement -> 'accepted' as accepted
         from part_payment p join part_payment_member m on m.part_payment_id = p.id order by p.id`,
      ),
    ).toEqual([
      { id: unnamed.id, percent: '12.00', accepted: true },
      { id: named.id, percent: '12.00', accepted: null },
      { id: own.id, percent: '12.00', accepted: null },
    ])
  })

  test('who says that nothing was accepted is refused, also where no box was shown, and again by the same call (D-31)', async () => {
    const [boxed, unboxed] = [await build(), await build()]
    const refused = [400, 'agreement_required', 'agreementAccepted']
    for (const [invoice, type] of [
      [boxed, 'PLAN_6'],
      [unboxed, 'PLAN_3'],
    ] as const) {
      expect(told(await start(invoice, { type, agreementAccepted: false })), type).toEqual(refused)
      expect((await start(invoice, { type })).status).toBe(200)
      expect(told(await start(invoice, { type, agreementAccepted: false })), `${type} again`).toEqual(refused)
    }
  })
})

describe('an account that runs', () => {
  const run = async () => {
    const first = await build()
    const started = await start(first, { type: 'ACCOUNT', agreementAccepted: true })
    expect(started.status, started.text).toBe(200)
    return { first, account: started.json as PlanAnswer }
  }
  const beside = (first: BuiltInvoice): Promise<BuiltInvoice> =>
    build({ beside: first, totalMinor: 100_000, number: `${first.number}9` })

  test('takes more up on its own terms after new ones have begun, and a new debtor has the new ones', async () => {
    const { first, account } = await run()
    await agree({ ...ACCOUNT, from: TODAY, addToExisting: false, percent: '21.00' })
    const second = await beside(first)
    const shown = (await options(second)).account
    expect(shown).toMatchObject({ hasExisting: true, partPaymentAccountSetting: { priceInterest: 19.9 } })
    const body = { type: 'ACCOUNT', addToExisting: true, agreementAccepted: true }
    const added = await start(second, body)
    expect(added.status, added.text).toBe(200)
    expect(added.json).toMatchObject({ id: account.id, creditAmount: 6000 })
    const [kept] = await sql<{ percent: string }>(
      `select agreement -> 'setting' ->> 'percent' as percent from part_payment_member where invoice_id = $1`,
      [second.id],
    )
    expect(kept).toEqual({ percent: '19.90' })
    expect((await options(await build())).account).toMatchObject({
      hasExisting: false,
      partPaymentAccountSetting: { priceInterest: 21 },
    })
    const { settings } = (await ask('manager', 'GET /part-payment-accounts')).json as {
      settings: { versions: { state: string; running: number }[] }[]
    }
    expect(settings[0]?.versions.map(({ state, running }) => [state, running])).toEqual([
      ['IN_FORCE', 0],
      ['PAST', 1],
    ])
  })

  test('is shown before a cheaper one; one beside it is not started on terms that were not shown', async () => {
    const { first } = await run()
    await agree({ ...ACCOUNT, code: 'ACCOUNT_CHEAP', percent: '5.00', from: TODAY })
    await agree({ ...ACCOUNT, percent: '21.00', from: TODAY })
    const second = await beside(first)
    const { account, offerVersion } = await options(second)
    expect(account).toMatchObject({ code: 'ACCOUNT', hasExisting: true })
    const body = { type: 'ACCOUNT', addToExisting: false, agreementAccepted: true, offerVersion }
    expect(told(await start(second, body))).toEqual([400, 'plan_not_available', 'addToExisting'])
    expect((await start(second, { ...body, addToExisting: true })).status).toBe(200)
  })

  test('takes nothing up once the account is offered no more', async () => {
    const { first } = await run()
    const second = await beside(first)
    await agree({ ...ACCOUNT, isOffered: false, from: TODAY })
    expect((await options(second)).account).toBeNull()
  })
})

describe('a code', () => {
  test('that was a plan and an account before can be changed as what it is now', async () => {
    await sql(
      oldRow(`values ($1, gen_random_uuid(), 'FLEX', 'PART_PAYMENT', 'SEK', 6, 0, 2900, 0, 14, null, false, true, true, 30000, '2020-01-01'),
        ($1, gen_random_uuid(), 'FLEX', 'PART_PAYMENT_ACCOUNT', 'SEK', null, 0, 2900, 0, 14, 10, true, true, true, 30000, '2021-01-01')`),
      [server.instanceId],
    )
    expect(told(await propose({ code: 'FLEX' })).slice(0, 2)).toEqual([400, 'setting_kind_fixed'])
    await agree({ ...ACCOUNT, code: 'FLEX' })
    // What it was as a plan is past.
    const { settings } = (await ask('manager', 'GET /part-payment-plans')).json as {
      settings: { code: string; versions: { state: string }[] }[]
    }
    expect(settings.find(({ code }) => code === 'FLEX')?.versions.map(({ state }) => state)).toEqual(['PAST'])
  })

  test('with old terms that nobody could propose today can be taken off the list', async () => {
    await sql(
      oldRow(`values ($1, gen_random_uuid(), 'ODD', 'PART_PAYMENT_ACCOUNT', 'SEK', null, 99999999, 2900, 999, 14, 0.5, true, true, true,
        9999999999, '2020-01-01')`),
      [server.instanceId],
    )
    const odd = { ...ACCOUNT, code: 'ODD', isOffered: false, from: TODAY }
    await agree({ ...odd, startFee: '999999.99', percent: '999.00', thresholdPercent: '0.50', months: -1 })
    const [row] = await sql(
      `select is_offered, percent::text, threshold_percent::text, smallest_balance_minor::text as least from part_payment_setting
       where code = 'ODD' order by position desc limit 1`,
    )
    expect(row).toEqual({
      is_offered: false,
      percent: '999.00',
      threshold_percent: '0.50',
      least: '9999999999',
    })
    expect(await sql('select * from inv_i61_settings_were_agreed')).toEqual([])
    expect(told(await propose(odd)).slice(0, 2)).toEqual([400, 'setting_same'])
    const preview = { creditorId: null, debtorKind: 'consumer', currency: 'SEK', balances: ['5000.00'] }
    const { creditorId: _, ...version } = { ...odd, startFee: 'x' }
    expect((await ask('manager', 'POST /part-payment-offers/preview', { ...preview, version })).status).toBe(
      200,
    )
  })

  test('has one currency: a creditor cannot take it from its debts with another one', async () => {
    const { creditorId } = await build()
    const krone = { creditorId, currency: 'NOK' }
    expect(told(await propose(krone))).toEqual([400, 'setting_kind_fixed', 'currency'])
    expect(told(await propose({ ...krone, code: 'NOK_12' }))[0]).toBe(202)
  })

  test('of plans that debtors choose themselves is not given to one of the provider', async () => {
    expect(told(await propose({ code: 'OWN_PLAN' }))).toEqual([400, 'setting_code_wrong', 'code'])
  })

  test('is proposed once under a key', async () => {
    const [first, again] = [await propose({}, 'k-1'), await propose({}, 'k-1')]
    expect([first.status, again.status]).toEqual([202, 202])
    expect((again.json as { id: string }).id).toBe((first.json as { id: string }).id)
    expect(again.headers.get('idempotency-hit')).toBe('true')
    expect(told(await propose({ percent: '13.00' }, 'k-1'))[1]).toBe('idempotency_key_reused')
    expect(await sql('select 1 from proposal')).toHaveLength(1)
  })
})

describe('the rows', () => {
  test('are never changed or taken away, and the program cannot say that one was here before', async () => {
    await expect(sql('update part_payment_setting set percent = 1')).rejects.toThrow(/append-only/)
    await expect(sql('delete from part_payment_setting')).rejects.toThrow(/append-only/)
    await expect(
      server.test.db.rows(
        statement(
          'test.fromBefore',
          `insert into part_payment_setting (instance_id, id, code, variant, currency, months, start_fee_minor, monthly_fee_minor,
             percent, terms_days, legal_visible, terms_visible, smallest_balance_minor, valid_from, is_from_before)
           values ($1, gen_random_uuid(), 'X', 'PART_PAYMENT', 'SEK', 3, 0, 0, 0, 14, true, true, 100, $2, true)`,
        ),
        [server.instanceId, TODAY],
      ),
    ).rejects.toMatchObject({ code: '42501' })
  })

  test('terms of nobody are seen until what two people agreed to has taken their place', async () => {
    const seen = () => sql('select 1 from inv_i61_settings_were_agreed')
    const rewrite = (text: string) =>
      sql(`begin; set local session_replication_role = 'replica'; ${text}; commit`)
    await rewrite(
      `update part_payment_setting set is_from_before = true where code <> 'PLAN_12'; update instance set mode = 'live'`,
    )
    expect(await seen()).toHaveLength(1)
    await agree({ isOffered: false })
    // The view goes by the day of the database, as where debts are real: there is no other.
    const begins = (day: string) =>
      rewrite(`update part_payment_setting set valid_from = ${day} where proposal_id is not null;
        update proposal set after = after || jsonb_build_object('from', (${day})::text) where kind = 'plan_setting'`)
    await begins(`(now() at time zone 'Europe/Stockholm')::date + 1`)
    expect(await seen()).toHaveLength(1)
    await begins(`(now() at time zone 'Europe/Stockholm')::date`)
    expect(await seen()).toHaveLength(0)
  })
})
