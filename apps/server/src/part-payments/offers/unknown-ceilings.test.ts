import { beforeAll, expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import type { OptionsAnswer } from '@kvitt/domain/part-payments/part-payment.contract.ts'
import { performDailyRun } from '../../collection/collection.ts'
import { newId } from '../../platform/identity.ts'
import { openLog } from '../../platform/log.ts'
import { buildInvoice, TODAY } from '../../testing/build.ts'
import { startTestServer, type TestServer } from '../../testing/start-test-server.ts'
import { insertSettingRow } from './settings.queries.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  for (const [code, monthlyFeeMinor] of [
    ['FREE', 0],
    ['COSTLY', 2900],
  ] as const) {
    await insertSettingRow(server.test.db, server.instanceId, {
      id: newId(Date.now()),
      code,
      variant: 'PART_PAYMENT',
      currency: 'NOK',
      months: 6,
      startFeeMinor: 0,
      monthlyFeeMinor,
      percent: '0',
      interestFreeDays: 0,
      termsDays: 14,
      thresholdPercent: null,
      addToExisting: false,
      legalVisible: false,
      termsVisible: true,
      smallestBalanceMinor: 1,
      creditorId: null,
      validFrom: '2020-01-01',
      isOffered: true,
    })
  }
})

/** As a row never is changed: the test stands for rows that were made otherwise. */
const rewrite = (what: string) =>
  server.test.owner.query(
    `begin; set local session_replication_role = 'replica'; update part_payment_setting set ${what}; commit`,
  )

async function night(days: number): Promise<void> {
  const day = addDays(TODAY, days)
  server.clock.moveTo(day)
  const context = { db: server.test.db, clock: server.clock, log: openLog('silent') }
  await performDailyRun(context, { id: server.instanceId, timeZone: 'Europe/Stockholm' }, day)
}

async function offered(debtorKind: 'PERSON' | 'COMPANY'): Promise<string[]> {
  server.clock.moveTo(TODAY)
  const wishes = { currency: 'NOK', totalMinor: 600_000, debtorKind }
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock, wishes)
  await server.test.owner.query(`update creditor set country = 'NO' where id = $1`, [invoice.creditorId])
  const path = `/api/public/invoices/${invoice.reference}/${invoice.zip}/part-payment/options`
  return ((await server.call('GET', path)).json as OptionsAnswer).plans.map(({ code }) => code)
}

const tasks = async (): Promise<unknown[]> =>
  (await server.test.owner.query(`select about, details from task where kind = 'ceiling_unknown'`)).rows

test('where no ceiling is known a consumer is offered what costs nothing, and an operator is told once', async () => {
  expect(await offered('PERSON')).toEqual(['FREE'])
  expect(await offered('COMPANY')).toEqual(['FREE', 'COSTLY'])
  await night(0)
  await night(1)
  expect(await tasks()).toEqual([
    { about: 'ceiling of a consumer credit in NO', details: { country: 'NO', currency: 'NOK' } },
  ])
})

test('nobody is asked any more once nothing is set there, and again when it is', async () => {
  const isOpen = async () =>
    (await server.test.owner.query(`select done_at is null as open from task where kind = 'ceiling_unknown'`))
      .rows
  await rewrite('is_offered = false')
  await night(2)
  expect(await isOpen()).toEqual([{ open: false }])
  await rewrite('is_offered = true')
  await night(3)
  expect(await isOpen()).toEqual([{ open: true }])
})

test('a country whose ceiling is known, or that nothing is set for, asks nobody', async () => {
  await buildInvoice(server.test, server.instanceId, server.clock)
  await rewrite(`currency = 'SEK'`)
  await server.test.owner.query('delete from task')
  await night(4)
  expect(await tasks()).toEqual([])
})
