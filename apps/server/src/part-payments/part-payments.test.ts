import { beforeAll, describe, expect, test } from 'vitest'
import { addDays, addMonths, date } from '@kvitt/domain/calendar.ts'
import type { OptionsAnswer, PlanAnswer } from '@kvitt/domain/part-payments/part-payment.contract.ts'
import { choosePaymentMethods } from '../creditors/creditors.ts'
import { performDailyRun } from '../collection/collection.ts'
import { openLog } from '../platform/log.ts'
import {
  buildInvoice,
  buildPlanSettings,
  TODAY,
  type BuiltInvoice,
  type InvoiceWishes,
} from '../testing/build.ts'
import { signAndSettle } from '../testing/debts/settle.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  await buildPlanSettings(server.test, server.instanceId)
})

const build = (wishes: InvoiceWishes = {}): Promise<BuiltInvoice> =>
  buildInvoice(server.test, server.instanceId, server.clock, { totalMinor: 499_900, ...wishes })

const pathOf = ({ reference, zip }: Pick<BuiltInvoice, 'reference' | 'zip'>, rest: string): string =>
  `/api/public/invoices/${reference}/${zip}${rest}`

async function options(invoice: BuiltInvoice): Promise<OptionsAnswer> {
  const answer = await server.call('GET', pathOf(invoice, '/part-payment/options'))
  expect(answer.status).toBe(200)
  return answer.json
}

const start = (invoice: BuiltInvoice, body: unknown, headers: Record<string, string> = {}) =>
  server.call('PUT', pathOf(invoice, '/part-payment/start'), { body, headers })

async function started(invoice: BuiltInvoice, type: string): Promise<PlanAnswer> {
  const answer = await start(invoice, { type, agreementAccepted: true })
  expect([answer.status, answer.text]).toEqual([200, answer.text])
  return answer.json
}

describe('options', () => {
  test('give every figure of each plan, shortest first, and of the account', async () => {
    const { plans, account, offerVersion } = await options(await build())
    expect(plans.map((plan) => plan.code)).toEqual(['PLAN_3', 'ONGOING_6', 'PLAN_6', 'PLAN_12'])
    expect(plans[2]).toMatchObject({
      annuity: 6,
      annuityData: { annuityTotalAmount: 862.17, annuityRetainerFeeAmount: 29, totalToPay: 5268 },
      partPaymentPlanSetting: { priceStartFee: 95, priceInterest: 0, debtorPortalLegalVisible: true },
      firstAmount: 957.17,
      lastAmount: 862.15,
      totalCost: 269,
      effectiveRate: 20.11,
      firstDueDate: addMonths(TODAY, 1),
      lastDueDate: addMonths(TODAY, 6),
    })
    expect(plans[3]).toMatchObject({ monthlyAmount: 491.84, totalToPay: 6097.07, effectiveRate: 47.58 })
    expect(account).toMatchObject({ code: 'ACCOUNT', monthlyAmount: 612, hasExisting: false })
    expect(offerVersion).toMatch(/^[\w-]{22}$/)
  })

  test('are the payment methods too', async () => {
    const answer = await server.call('GET', pathOf(await build(), '/payment-methods'))
    expect((answer.json as { code: string }[]).map(({ code }) => code)).toEqual([
      'DIRECT_PAYMENT_BANK',
      'DIRECT_PAYMENT_MOBILE',
      'PART_PAYMENT_PLAN',
      'PART_PAYMENT_ACCOUNT',
      'BANK_TRANSFER',
    ])
  })

  test('are not what the creditor does not take, nor can they be started then', async () => {
    const invoice = await build()
    const key = { instanceId: server.instanceId, invoiceId: invoice.id }
    await choosePaymentMethods(server.test.db, key, ['DIRECT_PAYMENT_BANK', 'PART_PAYMENT_ACCOUNT'])
    expect(await options(invoice)).toMatchObject({ plans: [], account: { code: 'ACCOUNT' } })
    const refused = await start(invoice, { type: 'PLAN_6', agreementAccepted: true })
    expect([refused.status, refused.json]).toMatchObject([400, { code: 'plan_not_available' }])
    expect((await started(invoice, 'ACCOUNT')).status).toBe('ACTIVE')
  })

  test.each<[string, InvoiceWishes]>([
    ['an instalment', { type: 'PART_INVOICE' }],
    ['an invoice for interest', { type: 'INTEREST_INVOICE' }],
    ['less than the smallest balance', { totalMinor: 29_999 }],
    ['another currency', { currency: 'NOK' }],
  ])('are empty for %s', async (_name, wishes) => {
    expect(await options(await build(wishes))).toMatchObject({ plans: [], account: null })
  })

  test('leave out what costs a person more than the credit, but not a company', async () => {
    // 300.00: 95.00 + 6 x 29.00 is less, 195.00 + 12 x 29.00 and interest is more.
    const codes = async (wishes: InvoiceWishes) =>
      (await options(await build({ totalMinor: 30_000, ...wishes }))).plans.map(({ code }) => code)
    expect(await codes({})).toEqual(['PLAN_3', 'ONGOING_6', 'PLAN_6'])
    expect(await codes({ debtorKind: 'COMPANY' })).toContain('PLAN_12')
  })
})

type Row = Record<string, string | number | boolean | null>
async function sql(text: string, values: unknown[] = []): Promise<Row[]> {
  return (await server.test.owner.query<Row>(text, values)).rows
}

const stateOf = async (id: string): Promise<Row> =>
  (
    await sql(
      `select status, balance_minor::int as balance, is_part_payment as plan, part_payment_variant as variant,
         costs_minor::int as costs, interest_minor::int as interest, expire_date::text as due
       from invoice where id = $1`,
      [id],
    )
  )[0] ?? {}

/** The night of `day`, as the server runs it. */
async function night(day: string): Promise<void> {
  server.clock.moveTo(date(day))
  const { db } = server.test
  const instance = { id: server.instanceId, timeZone: 'Europe/Stockholm' }
  await performDailyRun({ db, clock: server.clock, log: openLog('silent') }, instance, date(day))
}

async function nights(from: string, days: number): Promise<void> {
  for (let n = 0; n < days; n++) await night(addDays(date(from), n))
}

type Instalment = { id: string; reference: string; zip: string; number: string; balance: number; due: string }
const instalmentsOf = async (plan: PlanAnswer): Promise<Instalment[]> =>
  (await sql(
    `select i.id, i.payment_reference as reference, i.zip, i.invoice_number as number,
       i.balance_minor::int as balance, i.expire_date::text as due
     from part_payment_instalment n join invoice i on i.id = n.invoice_id
     where n.part_payment_id = $1 order by n.number`,
    [plan.id],
  )) as Instalment[]

/** Pays an invoice through the sandbox bank, signed and settled. */
async function pay(invoice: Pick<Instalment, 'reference' | 'zip' | 'balance'>): Promise<void> {
  const body = {
    paymentDate: server.clock.today('Europe/Stockholm'),
    amount: invoice.balance / 100,
    redirectUri: `${server.origin}/`,
  }
  const answer = await server.call('POST', pathOf(invoice, '/payment-requests'), { body })
  expect([answer.status, answer.text]).toEqual([201, answer.text])
  await signAndSettle(server, invoice.reference)
}

describe('a plan from beginning to end', () => {
  test('bills, is paid month by month, and closes its invoice', async () => {
    server.clock.moveTo(TODAY)
    const invoice = await build()
    const plan = await started(invoice, 'PLAN_3')
    expect(plan).toMatchObject({ status: 'ACTIVE', totalToPay: 5086, notInvoiced: 4999, canWithdraw: true })
    expect(plan.instalments.map(({ amount }) => amount)).toEqual([1695.33, 1695.33, 1695.34])
    expect(await stateOf(invoice.id)).toMatchObject({ plan: true, variant: 'PART_PAYMENT', balance: 499_900 })

    const sendDay = addDays(addMonths(TODAY, 1), -14)
    await nights(addDays(sendDay, -1), 2)
    const [first] = await instalmentsOf(plan)
    expect(first).toMatchObject({ number: `${invoice.number}-1`, balance: 169_533, due: addMonths(TODAY, 1) })
    expect(await stateOf(invoice.id)).toMatchObject({ balance: 499_900 - 166_633 })

    for (let month = 1; month <= 3; month++) {
      await night(addDays(addMonths(TODAY, month), -14))
      const instalment = (await instalmentsOf(plan))[month - 1]
      if (!instalment) throw new Error(`month ${month} was not billed`)
      expect(await stateOf(instalment.id)).toMatchObject({ status: 'ACTIVATED', plan: false })
      await pay(instalment)
      expect(await stateOf(instalment.id)).toMatchObject({ status: 'CLOSED', balance: 0 })
      expect(await stateOf(invoice.id)).toMatchObject({ status: month === 3 ? 'CLOSED' : 'ACTIVATED' })
    }
    const after = await server.call('GET', pathOf(invoice, '/part-payment'))
    expect(after.json).toMatchObject({ status: 'COMPLETED', notInvoiced: 0 })
  })

  test('twenty-four nights in a day make one invoice', async () => {
    server.clock.moveTo(TODAY)
    const plan = await started(await build(), 'PLAN_6')
    const day = addDays(addMonths(TODAY, 1), -14)
    await Promise.all(Array.from({ length: 24 }, () => night(day)))
    await night(day)
    const made = await instalmentsOf(plan)
    expect(made.map(({ balance }) => balance)).toEqual([95_717])
    const steps = await sql(`select type, status from collection_step where invoice_id = $1`, [made[0]?.id])
    expect(steps).toEqual([{ type: 'INVOICE', status: 'PERFORMED' }])
  })

  test('shows its invoice as paid only when it is: all billed is not all paid', async () => {
    server.clock.moveTo(TODAY)
    const invoice = await build()
    const plan = await started(invoice, 'PLAN_3')
    for (const month of [1, 2, 3]) {
      await night(addDays(addMonths(TODAY, month), -14))
      const made = await instalmentsOf(plan)
      expect(made).toHaveLength(month)
      if (month < 3 && made[month - 1]) await pay(made[month - 1] as Instalment)
    }
    expect(await stateOf(invoice.id)).toMatchObject({ status: 'ACTIVATED', balance: 0 })
    const receipt = await server.call('PUT', pathOf(invoice, '/payment-receipt'), { body: {} })
    expect(receipt.json).toMatchObject({ code: 'receipt_not_available' })
    const stats = await server.call('GET', pathOf(invoice, '/stats'))
    // The last part invoice owes; the first invoice owes nothing itself and is open all the same.
    expect(stats.json).toEqual([{ currency: 'SEK', balance: 1695.34, count: 2 }])
  })
})

describe('the start', () => {
  test('is the same plan when it comes twice, also at the same time', async () => {
    server.clock.moveTo(TODAY)
    const invoice = await build()
    const body = { type: 'PLAN_6', annuity: 6, agreementAccepted: true }
    const answers = await Promise.all(Array.from({ length: 8 }, () => start(invoice, body)))
    const plans = answers.map((answer) => (answer.json as PlanAnswer).id)
    expect(new Set(plans).size).toBe(1)
    expect(
      await sql('select count(*)::int as plans from part_payment_member where invoice_id = $1', [invoice.id]),
    ).toEqual([{ plans: 1 }])
    const other = await start(invoice, { type: 'PLAN_3' })
    expect(other.json).toMatchObject({ code: 'already_part_payment' })
  })

  test('with a key that was used for another choice is refused', async () => {
    const invoice = await build()
    const headers = { 'idempotency-key': 'one' }
    expect((await start(invoice, { type: 'PLAN_3' }, headers)).status).toBe(200)
    expect((await start(invoice, { type: 'PLAN_3' }, headers)).status).toBe(200)
    expect((await start(invoice, { type: 'PLAN_6' }, headers)).json).toMatchObject({
      code: 'idempotency_key_reused',
    })
  })

  test.each<[string, object, string]>([
    ['an unknown plan', { type: 'PLAN_99' }, 'plan_not_available'],
    ['another number of months', { type: 'PLAN_6', annuity: 999 }, 'plan_not_available'],
    ['a box that was not ticked', { type: 'PLAN_6', agreementAccepted: false }, 'agreement_required'],
    ['figures that were shown for something else', { type: 'PLAN_6', offerVersion: 'old' }, 'plan_changed'],
    ['a price of its own', { type: 'PLAN_6', priceInterest: 0 }, 'unknown_field'],
    ['a negative number of months', { type: 'PLAN_6', annuity: -6 }, 'plan_not_available'],
    ['months in words', { type: 'PLAN_6', annuity: 'six' }, 'invalid_request'],
    ['no plan', {}, 'plan_not_available'],
    ['an empty plan', { type: '' }, 'plan_not_available'],
    ['a wrong number', { type: 'PLAN_6', invoiceNumber: '1' }, 'plan_not_available'],
    ['what is no id', { type: 'PLAN_6', id: 'x' }, 'plan_not_available'],
    [
      'somebody else’s invoice',
      { type: 'PLAN_6', id: '0197a3a0-0000-7000-8000-000000000000' },
      'plan_not_available',
    ],
  ])('plan.tamper: is refused for %s', async (_name, body, code) => {
    const invoice = await build()
    const answer = await start(invoice, body)
    expect([answer.status, answer.json]).toEqual([400, expect.objectContaining({ code })])
    expect(await stateOf(invoice.id)).toMatchObject({ plan: false, balance: 499_900 })
  })

  test('takes the exact offer that was shown, without the empty values', async () => {
    const invoice = await build()
    const { offerVersion } = await options(invoice)
    const body = {
      type: 'PLAN_12',
      annuity: '12',
      addToExisting: '',
      invoiceNumber: null,
      id: invoice.id,
      debtorLevel: 'SYSTEM_DEBTOR',
      agreementAccepted: true,
      offerVersion,
    }
    const plan: PlanAnswer = (await start(invoice, body)).json
    expect(plan).toMatchObject({ code: 'PLAN_12', totalToPay: 6097.07, withdrawUntil: addDays(TODAY, 14) })
    const [row] = await sql('select agreement from part_payment where id = $1', [plan.id])
    expect(row?.agreement).toMatchObject({
      accepted: true,
      offerVersion,
      sessionKind: 'public',
      network: '127.0.0.0/24',
    })
  })

  test('takes the id of the option that is chosen, not of another one, and any level', async () => {
    const invoice = await build()
    const { plans } = await options(invoice)
    const idOf = (code: string) => plans.find((plan) => plan.code === code)?.id
    const other = await start(invoice, { type: 'PLAN_12', id: idOf('PLAN_6') })
    expect([other.status, other.json]).toEqual([
      400,
      expect.objectContaining({
        code: 'plan_not_available',
        errors: [expect.objectContaining({ field: 'id' })],
      }),
    ])
    const body = { type: 'PLAN_12', id: idOf('PLAN_12'), debtorLevel: 'ADMIN' }
    const first: PlanAnswer = (await start(invoice, body)).json
    expect(first).toMatchObject({ code: 'PLAN_12', status: 'ACTIVE' })
    expect((await start(invoice, body)).json).toMatchObject({ id: first.id })
    expect((await start(invoice, { ...body, id: idOf('PLAN_6') })).json).toMatchObject({
      code: 'already_part_payment',
    })
  })

  test('without the agreement fields is accepted, and the record says that nothing was said', async () => {
    const plan: PlanAnswer = (await start(await build(), { type: 'PLAN_6' })).json
    const [row] = await sql(`select agreement -> 'accepted' as accepted from part_payment where id = $1`, [
      plan.id,
    ])
    expect(row).toEqual({ accepted: null })
  })
})
