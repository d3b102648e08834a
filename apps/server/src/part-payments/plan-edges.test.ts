import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { addDays, addMonths, type CalendarDate } from '@kvitt/domain/calendar.ts'
import type { OptionsAnswer, PlanAnswer } from '@kvitt/domain/part-payments/part-payment.contract.ts'
import { reversePayment, performDailyRun, stopInvoice } from '../collection/collection.ts'
import { importInvoices } from '../imports/imports.ts'
import { newId } from '../platform/identity.ts'
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
import { insertSettingRow, type NewSetting } from './offers/settings.queries.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  await buildPlanSettings(server.test, server.instanceId)
})

type Door = Pick<BuiltInvoice, 'reference' | 'zip'>
const call = (method: string, { reference, zip }: Door, path: string, body?: unknown) =>
  server.call(method, `/api/public/invoices/${reference}/${zip}${path}`, { body })

async function build(wishes: InvoiceWishes = {}): Promise<BuiltInvoice> {
  server.clock.moveTo(TODAY)
  return buildInvoice(server.test, server.instanceId, server.clock, { totalMinor: 600_000, ...wishes })
}

async function start(invoice: BuiltInvoice, type: string): Promise<PlanAnswer> {
  const answer = await call('PUT', invoice, '/part-payment/start', { type, agreementAccepted: true })
  expect([answer.status, answer.text]).toEqual([200, answer.text])
  return answer.json
}

const context = () => ({ db: server.test.db, clock: server.clock, log: openLog('silent') })

async function night(day: CalendarDate): Promise<void> {
  server.clock.moveTo(day)
  await performDailyRun(context(), { id: server.instanceId, timeZone: 'Europe/Stockholm' }, day)
}

type Row = Record<string, string | number | boolean | null>
const sql = async (text: string, values: unknown[] = []): Promise<Row[]> =>
  (await server.test.owner.query<Row>(text, values)).rows

type Billed = { id: string; reference: string; zip: string; balance: number; status: string }
const billedOf = async (plan: PlanAnswer): Promise<Billed[]> =>
  (await sql(
    `select i.id, i.payment_reference as reference, i.zip, i.balance_minor::int as balance, i.status
     from part_payment_instalment n join invoice i on i.id = n.invoice_id
     where n.part_payment_id = $1 order by n.number`,
    [plan.id],
  )) as Billed[]

async function pay(invoice: Billed | undefined): Promise<string> {
  if (!invoice) throw new Error('nothing was billed')
  const today = server.clock.today('Europe/Stockholm')
  const body = { paymentDate: today, amount: invoice.balance / 100, redirectUri: `${server.origin}/` }
  const payment: { id: string } = (await call('POST', invoice, '/payment-requests', body)).json
  await signAndSettle(server, invoice.reference)
  return payment.id
}

const DUE = addMonths(TODAY, 1)

// First: it writes and sends every letter of its nights, and those after it leave many.
test('the debtor is told of the start, of each instalment, of a missed one, and of the end', async () => {
  const invoice = await build()
  const plan = await start(invoice, 'PLAN_3')
  const { context: whole } = server.product
  const instance = { id: server.instanceId, timeZone: 'Europe/Stockholm' }
  for (const day of [addDays(DUE, -14), addDays(DUE, 2), addDays(DUE, 2), addDays(DUE, 31)]) {
    server.clock.moveTo(day)
    await performDailyRun(whole, instance, day)
    await server.product.sendMail()
  }
  const told = await sql(
    `select id, kind from mail_outbox m
     where invoice_id = $1 or invoice_id in (select invoice_id from part_payment_instalment where part_payment_id = $2)
     order by created_at, kind`,
    [invoice.id, plan.id],
  )
  expect(told.map(({ kind }) => kind)).toEqual([
    'plan_started',
    'plan_instalment',
    'plan_missed',
    'plan_instalment',
    'plan_ended',
  ])
  const mails: { messageId: string; text: string; attachments: object[] }[] = await server.control(
    'GET',
    '/control/mail',
  )
  const texts = told.map(({ id }) => {
    const mail = mails.find(({ messageId }) => messageId.includes(String(id)))
    return `${mail?.text.replaceAll('\u00a0', ' ')} ${mail?.attachments.length}`
  })
  expect(texts[0]).toContain(addDays(TODAY, 14))
  expect(texts[1]).toContain('2 029,00 SEK')
  expect(texts[1]).toMatch(/1$/)
  expect(texts[2]).toContain(addDays(DUE, 31))
  expect(texts[4]).toContain(addDays(DUE, 41))
})

describe('a payment of an instalment that is taken back', () => {
  test('leaves the plan running, and the instalment is owed again', async () => {
    const plan = await start(await build(), 'PLAN_3')
    await night(addDays(DUE, -14))
    const [first] = await billedOf(plan)
    const paymentId = await pay(first)
    await reversePayment(context(), { instanceId: server.instanceId, paymentId }, DUE)
    expect(await billedOf(plan)).toMatchObject([{ status: 'ACTIVATED', balance: first?.balance }])
    await night(addMonths(DUE, 1))
    expect(await billedOf(plan)).toHaveLength(2)
  })

  test('after the plan is completed: the instalment is owed by itself', async () => {
    const invoice = await build()
    const plan = await start(invoice, 'PLAN_3')
    expect((await call('POST', invoice, '/part-payment/repay')).status).toBe(200)
    const [only] = await billedOf(plan)
    const paymentId = await pay(only)
    const [mother] = await sql('select status, is_part_payment as plan from invoice where id = $1', [
      invoice.id,
    ])
    expect(mother).toEqual({ status: 'CLOSED', plan: false })
    await reversePayment(context(), { instanceId: server.instanceId, paymentId }, TODAY)
    expect(await billedOf(plan)).toMatchObject([{ status: 'ACTIVATED', balance: only?.balance }])
    expect((await call('GET', invoice, '/part-payment')).json).toMatchObject({ status: 'COMPLETED' })
  })
})

test('an instalment whose case was stopped is owed by itself when it is missed', async () => {
  const invoice = await build()
  const plan = await start(invoice, 'PLAN_3')
  await night(addDays(DUE, -14))
  const key = { instanceId: server.instanceId, invoiceId: invoice.id }
  await stopInvoice(context(), key, { on: DUE, reason: 'withdrawn' })
  await night(addDays(DUE, 2))
  await night(addDays(DUE, 40))
  expect(await billedOf(plan)).toMatchObject([{ status: 'ACTIVATED' }])
  const [first] = await billedOf(plan)
  const steps = await sql(`select type from collection_step where invoice_id = $1 and status = 'PLANNED'`, [
    first?.id,
  ])
  expect(steps).toHaveLength(1)
})

describe('a credit note about an invoice in a plan', () => {
  const fixture = (name: string): string =>
    readFileSync(new URL(`../imports/fixtures/${name}`, import.meta.url), 'utf8')
  const credit = (amount: string, number: string): string =>
    fixture('se-credit-note.xml').replaceAll('142.00', amount).replace('K-2026-0031', number)

  async function importOne(name: string, xml: string): Promise<void> {
    async function* inputs() {
      yield {
        name,
        async *open() {
          yield Buffer.from(xml)
        },
      }
    }
    const instance = { id: server.instanceId, timeZone: 'Europe/Stockholm' }
    for await (const result of importInvoices(server.product.context, instance, inputs(), {
      as: 'distributed',
    })) {
      expect(result).toMatchObject({ outcome: 'created', warnings: [] })
    }
  }

  test('leaves less to bill; one over what is billed as well ends the plan, and its fees go back', async () => {
    server.clock.moveTo(TODAY)
    await importOne('invoice.xml', fixture('se-invoice.xml'))
    const [invoice] = (await sql(
      `select id, payment_reference as reference, zip from invoice where invoice_number = '2026-70012'`,
    )) as unknown as BuiltInvoice[]
    if (!invoice) throw new Error('the invoice was not kept')
    const plan = await start(invoice, 'PLAN_3')
    // 842.00: 280.67 a month, and the rest last.
    await importOne('part.xml', credit('142.00', 'K-1'))
    await night(addDays(DUE, -14))
    expect(await billedOf(plan)).toMatchObject([{ balance: 28_067 + 2_900 }])
    expect(await sql('select balance_minor::int as left from invoice where id = $1', [invoice.id])).toEqual([
      { left: 70_000 - 28_067 },
    ])
    await importOne('rest.xml', credit('700.00', 'K-2'))
    expect(await billedOf(plan)).toMatchObject([{ balance: 0, status: 'STOPPED' }])
    const [after] = await sql(
      `select status, balance_minor::int as balance, is_part_payment as plan,
         (select coalesce(sum(a.balance_minor), 0)::int from ledger_account a
           where a.debtor_id = i.debtor_id and a.kind = 'credit') as credit
       from invoice i where id = $1`,
      [invoice.id],
    )
    expect(after).toEqual({ status: 'CLOSED', balance: 0, plan: false, credit: 0 })
    expect((await call('GET', invoice, '/part-payment')).json).toMatchObject({ status: 'STOPPED' })
  })
})

describe('settings are dated, and a creditor has its own', () => {
  const setting = (some: Partial<NewSetting>): NewSetting => ({
    id: newId(Date.now()),
    creditorId: null,
    code: 'PLAN_3',
    variant: 'PART_PAYMENT',
    currency: 'SEK',
    months: 3,
    startFeeMinor: 0,
    monthlyFeeMinor: 2900,
    percent: '0',
    interestFreeDays: 0,
    termsDays: 14,
    thresholdPercent: null,
    addToExisting: false,
    legalVisible: false,
    termsVisible: true,
    smallestBalanceMinor: 30_000,
    validFrom: TODAY,
    isOffered: true,
    ...some,
  })
  const feeOf = async (invoice: BuiltInvoice): Promise<number | undefined> => {
    const { plans }: OptionsAnswer = (await call('GET', invoice, '/part-payment/options')).json
    return plans.find(({ code }) => code === 'PLAN_3')?.partPaymentPlanSetting.priceAdministrationFee
  }
  const insert = (some: Partial<NewSetting>): Promise<void> =>
    insertSettingRow(server.test.db, server.instanceId, setting(some))

  test('the creditor’s row wins, from its day on, and can take a plan away', async () => {
    const [mine, other] = [await build(), await build()]
    const { creditorId } = mine
    await insert({ creditorId, monthlyFeeMinor: 1000, validFrom: addDays(TODAY, 5) })
    await insert({ creditorId, isOffered: false, validFrom: addDays(TODAY, 10) })
    expect([await feeOf(mine), await feeOf(other)]).toEqual([29, 29])
    server.clock.moveTo(addDays(TODAY, 5))
    expect([await feeOf(mine), await feeOf(other)]).toEqual([10, 29])
    server.clock.moveTo(addDays(TODAY, 10))
    expect([await feeOf(mine), await feeOf(other)]).toEqual([undefined, 29])
  })

  test('a plan keeps the terms with which it began', async () => {
    const invoice = await build()
    const plan = await start(invoice, 'PLAN_3')
    await insert({ creditorId: invoice.creditorId, monthlyFeeMinor: 5900, validFrom: addDays(TODAY, 1) })
    await night(addDays(DUE, -14))
    expect(await billedOf(plan)).toMatchObject([{ balance: 202_900 }])
  })

  test('an offer that was shown under other terms cannot be started', async () => {
    const invoice = await build()
    const { offerVersion }: OptionsAnswer = (await call('GET', invoice, '/part-payment/options')).json
    await insert({ creditorId: invoice.creditorId, monthlyFeeMinor: 5900, validFrom: addDays(TODAY, -1) })
    const answer = await call('PUT', invoice, '/part-payment/start', { type: 'PLAN_3', offerVersion })
    expect(answer.json).toMatchObject({ code: 'plan_changed' })
  })
})
