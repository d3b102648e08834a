/** What a plan shows is what it will bill, and a start that comes again means what was agreed. */
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { addDays, addMonths, type CalendarDate } from '@kvitt/domain/calendar.ts'
import type { OptionsAnswer, PlanAnswer } from '@kvitt/domain/part-payments/part-payment.contract.ts'
import { performDailyRun } from '../collection/collection.ts'
import { importInvoices } from '../imports/imports.ts'
import { openLog } from '../platform/log.ts'
import { buildInvoice, buildPlanSettings, TODAY, type BuiltInvoice } from '../testing/build.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { transfer } from '../testing/debts/transfer.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  await buildPlanSettings(server.test, server.instanceId)
})

type Door = Pick<BuiltInvoice, 'reference' | 'zip'>
const call = (method: string, { reference, zip }: Door, path = '', body?: unknown) =>
  server.call(method, `/api/public/invoices/${reference}/${zip}${path}`, { body })
const sql = async (text: string, values: unknown[] = []) => (await server.test.owner.query(text, values)).rows

async function night(day: CalendarDate): Promise<void> {
  server.clock.moveTo(day)
  const context = { db: server.test.db, clock: server.clock, log: openLog('silent') }
  await performDailyRun(context, { id: server.instanceId, timeZone: 'Europe/Stockholm' }, day)
}

const fixture = (name: string): string =>
  readFileSync(new URL(`../imports/fixtures/${name}`, import.meta.url), 'utf8')

async function importOne(text: string): Promise<void> {
  const file = {
    name: 'file.xml',
    async *open() {
      yield Buffer.from(text)
    },
  }
  const instance = { id: server.instanceId, timeZone: 'Europe/Stockholm' }
  for await (const { outcome } of importInvoices(server.product.context, instance, [file], {
    as: 'distributed',
  })) {
    expect(outcome).toBe('created')
  }
}

const credit = (amount: string, note: string): Promise<void> =>
  importOne(fixture('se-credit-note.xml').replaceAll('142.00', amount).replace('K-2026-0031', note))

const startWith = (invoice: Door, body: object) => call('PUT', invoice, '/part-payment/start', body)

test('after a credit the view is what is billed from then on, and the mother owes what is not billed', async () => {
  server.clock.moveTo(TODAY)
  await importOne(fixture('se-invoice.xml').replaceAll('842.00', '6000.00'))
  const [invoice] = (await sql(
    `select id, payment_reference as reference, zip from invoice where invoice_number = '2026-70012'`,
  )) as [Door & { id: string }]
  const view = async (): Promise<PlanAnswer> => (await call('GET', invoice, '/part-payment')).json
  const mother = async () =>
    (await sql('select balance_minor::int as balance from invoice where id = $1', [invoice.id]))[0].balance
  const started = (await startWith(invoice, { type: 'PLAN_12', agreementAccepted: true })).json as PlanAnswer
  expect(started).toMatchObject({ notInvoiced: 6000, creditAmount: 6000 })
  expect(started.instalments).toHaveLength(12)
  await credit('3000.00', 'K-1')
  const promised = await view()
  expect(promised.notInvoiced).toBe(3000)
  expect(promised.totalToPay).toBeLessThan(started.totalToPay)
  expect(promised.instalments.length).toBeLessThan(12)
  const principal = promised.instalments.reduce((all, one) => all + Math.round(one.principal * 100), 0)
  expect(principal).toBe(300_000)
  const billed: number[] = []
  for (let month = 1; month <= 13; month++) {
    await night(addDays(addMonths(TODAY, month), -14))
    const bills = await sql(
      `select i.payment_reference as reference, i.balance_minor::int as balance from part_payment_instalment n
       join invoice i on i.id = n.invoice_id where n.part_payment_id = $1 and i.balance_minor > 0`,
      [started.id],
    )
    for (const { reference, balance } of bills) {
      billed.push(balance / 100)
      await transfer(server, { reference }, balance)
    }
    const now = await view()
    expect(Math.round(now.notInvoiced * 100)).toBe(await mother())
    expect(now.totalToPay).toBe(promised.totalToPay)
    expect(now.instalments.map(({ amount }) => amount)).toEqual(
      promised.instalments.map(({ amount }) => amount),
    )
  }
  expect(billed).toEqual(promised.instalments.map(({ amount }) => amount))
  // Each bill is one step in the story, and none of them stands there a second time.
  const steps = await sql(
    `select number, status from collection_step where debt_id = $1 and type = 'PART_INVOICE' order by number`,
    [invoice.id],
  )
  const performed = billed.map((_, index) => ({ number: index + 1, status: 'PERFORMED' }))
  expect(steps.slice(0, billed.length)).toEqual(performed)
  expect(steps.slice(billed.length).filter(({ status }) => status !== 'CANCELLED')).toEqual([])
  const ledger = (await call('GET', invoice, '/events/ledger')).json as { type: string; status: string }[]
  expect(ledger.filter(({ type }) => type === 'PART_INVOICE').length).toBeLessThanOrEqual(billed.length + 1)
})

describe('a start that comes again', () => {
  const build = () => {
    server.clock.moveTo(TODAY)
    return buildInvoice(server.test, server.instanceId, server.clock, { totalMinor: 600_000 })
  }

  test('answers the same, unless it says that nothing was agreed, or means other figures', async () => {
    const invoice = await build()
    const { offerVersion }: OptionsAnswer = (await call('GET', invoice, '/part-payment/options')).json
    const body = { type: 'PLAN_6', agreementAccepted: true, offerVersion }
    const first = await startWith(invoice, body)
    // The names of files carry the time until which they open.
    const agreed = ({ documents, ...rest }: PlanAnswer) => ({ ...rest, files: Object.keys(documents) })
    expect(agreed((await startWith(invoice, body)).json)).toEqual(agreed(first.json))
    expect(agreed((await startWith(invoice, { type: 'PLAN_6' })).json)).toEqual(agreed(first.json))
    expect((await startWith(invoice, { ...body, agreementAccepted: false })).json).toMatchObject({
      code: 'agreement_required',
    })
    expect((await startWith(invoice, { ...body, offerVersion: 'old' })).json).toMatchObject({
      code: 'plan_changed',
    })
  })

  test('needs no tick where the terms need none', async () => {
    const invoice = await build()
    expect((await startWith(invoice, { type: 'PLAN_3' })).status).toBe(200)
    expect((await startWith(invoice, { type: 'PLAN_3' })).status).toBe(200)
  })

  test('is no account where a plan takes nothing up', async () => {
    const invoice = await build()
    const refused = await startWith(invoice, { type: 'PLAN_3', addToExisting: true })
    expect([refused.status, refused.json]).toMatchObject([400, { code: 'plan_not_available' }])
    expect((await startWith(invoice, { type: 'PLAN_3', addToExisting: false })).status).toBe(200)
  })
})
