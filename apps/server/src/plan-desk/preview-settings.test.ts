/** What would be offered for sample balances. Figures: picture 11 of the design, and sums by hand. */
import { beforeEach, expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import { buildInvoice, buildPlanSettings, TODAY } from '../testing/build.ts'
import { openOffice, told, type AskOffice } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
let ask: AskOffice

beforeEach(async () => {
  server = await startTestServer()
  ask = await openOffice(server, ['manager'])
  await buildPlanSettings(server.test, server.instanceId)
  await buildInvoice(server.test, server.instanceId, server.clock)
})

const VERSION = {
  code: 'PLAN_12', variant: 'PART_PAYMENT', currency: 'SEK', months: 12, startFee: '195.00', monthlyFee: '29.00', percent: '12.00',
  interestFreeDays: 0, termsDays: 14, thresholdPercent: null, addToExisting: false, legalVisible: true, termsVisible: true,
  smallestBalance: '300.00', isOffered: true, from: addDays(TODAY, 1),
} // biome-ignore format: as the form has it
const SAMPLE = { creditorId: null, debtorKind: 'consumer', currency: 'SEK', balances: ['5000.00'] }

type Outcome = { figures: Record<string, number> | null; why: string | null } | null
type Preview = {
  country: string | null
  checks: { country: string; code: string; ceiling: string | null; below: number | null }[]
  samples: { balance: number; rows: { code: string; before: Outcome; after: Outcome }[] }[]
}
async function preview(version: object | undefined, wish: object = {}): Promise<Preview> {
  const whole = version === undefined ? {} : { version: { ...VERSION, ...version } }
  const answer = await ask('manager', 'POST /part-payment-offers/preview', { ...SAMPLE, ...wish, ...whole })
  expect(answer.status, answer.text).toBe(200)
  return answer.json
}
const codes = ({ checks }: Preview): string[] => checks.map(({ code }) => code)
const rowOf = ({ samples }: Preview, code = 'PLAN_12', at = 0) =>
  samples[at]?.rows.find((row) => row.code === code)

test('shows the old terms beside the new, with the figures that a debtor gets', async () => {
  const found = await preview({}, { balances: ['500.00', '5000.00', '50000.00'] })
  expect(found.country).toBe('SE')
  expect(found.samples.map(({ balance }) => balance)).toEqual([500, 5000, 50_000])
  const { before, after } = rowOf(found, 'PLAN_12', 1) ?? {}
  expect(after?.figures).toEqual({
    instalments: 12,
    monthly: 473.24,
    totalToPay: 5873.93,
    cost: 873.93,
    effectiveRate: 36.9,
  })
  expect(before?.figures?.['totalToPay']).toBeGreaterThan(5944.36)
  // 500.00 over twelve months would cost 195 + 348 and interest: more than itself.
  expect(rowOf(found)?.after).toEqual({ figures: null, why: 'cost_above_credit' })
  expect(await server.test.owner.query('select 1 from proposal')).toMatchObject({ rowCount: 0 })
})

test('is exactly what the debtor is offered on that day', async () => {
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock, { totalMinor: 500_000 })
  const { json } = await server.call(
    'GET',
    `/api/public/invoices/${invoice.reference}/${invoice.zip}/part-payment/options`,
  )
  const { plans, account } = json as {
    plans: { code: string; totalToPay: number }[]
    account: { code: string; totalToPay: number }
  }
  const found = await preview(undefined)
  expect(found.checks).toEqual([])
  expect(found.samples[0]?.rows.map(({ code, before }) => [code, before?.figures?.['totalToPay']])).toEqual(
    [...plans, account].map(({ code, totalToPay }) => [code, totalToPay]),
  )
})

test('admin.terms: says what the law makes of it', async () => {
  expect(codes(await preview({}))).toEqual(['rate_within', 'ceiling_assumed', 'cost_above_below'])
  // 2.00 % of reference and 20 points.
  expect((await preview({})).checks[0]).toMatchObject({ country: 'SE', ceiling: '22.00' })
  expect(codes(await preview({ percent: '22.00' }))[0]).toBe('rate_within')
  expect(codes(await preview({ percent: '22.01' }))).toEqual(['rate_above', 'ceiling_assumed'])
  expect(rowOf(await preview({ percent: '22.01' }))?.after).toEqual({ figures: null, why: 'rate_above' })
  // Without interest it costs 195 + 12 × 29 = 543 whatever the balance.
  expect((await preview({ percent: '0.00' })).checks.at(-1)).toMatchObject({
    code: 'cost_above_below',
    below: 543,
  })
  expect(codes(await preview({ percent: '0.00', smallestBalance: '543.00' }))).toContain('cost_within')
  expect(codes(await preview({ percent: '0.00', startFee: '0.00', monthlyFee: '0.00' }))).toEqual(['free'])
  expect(codes(await preview({ legalVisible: false }))).toContain('no_tick')
  // A company has no ceiling.
  expect(
    rowOf(await preview({ percent: '40.00' }, { debtorKind: 'business' }))?.after?.figures,
  ).not.toBeNull()
})

test('an unknown ceiling is said: where debts are real, and in a country that has none', async () => {
  await server.test.owner.query(`update instance set mode = 'live'`)
  await server.test.owner.query(
    `begin; set local session_replication_role = 'replica'; update part_payment_setting set is_from_before = true; commit`,
  )
  const real = await preview({})
  expect(codes(real)).toEqual(['ceiling_unknown'])
  expect(rowOf(real)?.after).toEqual({ figures: null, why: 'ceiling_unknown' })
  const { creditorId } = await buildInvoice(server.test, server.instanceId, server.clock, { currency: 'NOK' })
  await server.test.owner.query(`update creditor set country = 'NO' where id = $1`, [creditorId])
  const norwegian = await preview({ currency: 'NOK', code: 'NO_12' }, { creditorId, currency: 'NOK' })
  expect(norwegian).toMatchObject({ country: 'NO', checks: [{ country: 'NO', code: 'ceiling_unknown' }] })
})

test('a creditor that takes no plans offers none; a code taken away is said', async () => {
  const { creditorId } = await buildInvoice(server.test, server.instanceId, server.clock)
  await server.test.owner.query(
    `update creditor set payment_methods = '{PART_PAYMENT_ACCOUNT}' where id = $1`,
    [creditorId],
  )
  expect(rowOf(await preview({}, { creditorId }))?.after).toEqual({ figures: null, why: 'method_not_taken' })
  expect(rowOf(await preview({ isOffered: false }))?.after).toEqual({ figures: null, why: 'not_offered' })
})

test('a balance that is none is refused', async () => {
  for (const balance of ['0', '-5', 'much', '10000000.00'])
    expect(
      told(await ask('manager', 'POST /part-payment-offers/preview', { ...SAMPLE, balances: [balance] })),
      balance,
    ).toEqual([400, 'setting_value_wrong', 'balances'])
})
