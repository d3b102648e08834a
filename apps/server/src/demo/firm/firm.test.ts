import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import { openInstances } from '../../instances/instances.ts'
import { clockOnDay } from '../../platform/clock.ts'
import { startTestServer, type TestServer } from '../../testing/start-test-server.ts'
import { readCast } from '../cast.ts'
import { loadCast } from '../load-cast.ts'
import { liveFirmDay } from './firm-day.ts'
import { firmInvoices } from './recipe.ts'
import { TODAY } from '../../testing/build.ts'
import { brokenInvariants } from '../../testing/test-database.ts'

const DEMO = fileURLToPath(new URL('../../../demo', import.meta.url))
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ isDemo: true, fill: ({ context }) => loadCast(context, DEMO) })
})

test('measure', async () => {
  const { context } = server.product
  const instance = await openInstances(context.db, context.clock).ofHost('localhost')
  if (!instance) throw new Error('no')
  const cast = readCast(DEMO)
  const energy = cast.creditors.find((c) => c.key === 'energy')!
  const gym = cast.creditors.find((c) => c.key === 'gym')!
  const invoices = firmInvoices(TODAY, Number(process.env.SCALE ?? 1))
  const started = performance.now()
  const times: [string, number][] = []
  await server.test.owner.query(`insert into demo_firm (today, next_day) values ('${TODAY}','${TODAY}')`)
  for (let day = addDays(TODAY, -119); day <= TODAY; day = addDays(day, 1)) {
    const s = performance.now()
    await liveFirmDay({ context: { ...context, clock: clockOnDay(context.clock, day) }, instance, creditors: { energy, gym }, bankgiro: '9990-0110', invoices }, day)
    times.push([day, performance.now() - s])
  }
  console.log(invoices.length, 'all', performance.now() - started, times.sort((a, b) => b[1] - a[1]).slice(0, 8), 'median', times[60])
  const show = async (sql: string) => console.log(sql, (await server.test.owner.query(sql)).rows)
  await show(`select status, count(*)::int from invoice where invoice_number ~ '^[EG]-' group by 1`)
  await show(`select status, count(*)::int from claim group by 1`)
  await show(`select kind, count(*)::int from task where done_at is null group by 1`)
  await show(`select status, count(*)::int from bank_line group by 1`)
  await show(`select type, count(*)::int from invoice group by 1`)
  await show(`select status, count(*)::int from mail_outbox group by 1`)
  expect(await brokenInvariants(server.test.owner)).toEqual({})
}, 120_000)
