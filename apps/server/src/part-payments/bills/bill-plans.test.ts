import { beforeAll, expect, test } from 'vitest'
import { addDays, addMonths } from '@kvitt/domain/calendar.ts'
import type { PlanAnswer } from '@kvitt/domain/part-payments/part-payment.contract.ts'
import { performDailyRun } from '../../collection/collection.ts'
import { openLog } from '../../platform/log.ts'
import { buildInvoice, buildPlanSettings, TODAY } from '../../testing/build.ts'
import { startTestServer, type TestServer } from '../../testing/start-test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  await buildPlanSettings(server.test, server.instanceId)
})

/** When the first instalments are billed: due in a month, and their invoices are out fourteen days before. */
const BILLED = addDays(addMonths(TODAY, 1), -14)

async function startPlan(type: string): Promise<string> {
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock, { totalMinor: 600_000 })
  const path = `/api/public/invoices/${invoice.reference}/${invoice.zip}/part-payment/start`
  const answer = await server.call('PUT', path, { body: { type, agreementAccepted: true } })
  expect(answer.status).toBe(200)
  return (answer.json as PlanAnswer).id
}

const night = () =>
  performDailyRun(
    { db: server.test.db, clock: server.clock, log: openLog('silent') },
    { id: server.instanceId, timeZone: 'Europe/Stockholm' },
    BILLED,
  )

const sql = async (text: string, values: unknown[] = []) => (await server.test.owner.query(text, values)).rows

/** Invoices of each plan's instalments: how many, and for how much together. */
async function billed(plans: readonly string[]): Promise<number[]> {
  const rows = await sql(
    `select n.part_payment_id as plan, sum(i.total_minor)::int as total
     from part_payment_instalment n join invoice i on i.id = n.invoice_id group by 1`,
  )
  const totals = new Map(rows.map((row: { plan: string; total: number }) => [row.plan, row.total]))
  return plans.map((plan) => totals.get(plan) ?? 0)
}

test('one that cannot be billed holds up no other; however often, each is billed once', async () => {
  const plans: string[] = []
  for (const type of ['PLAN_6', 'PLAN_12', 'ONGOING_6', 'PLAN_3']) plans.push(await startPlan(type))
  const broken = plans[1] ?? ''
  await sql(`create function refuse_broken() returns trigger language plpgsql as $$
    begin
      if new.part_payment_id = '${broken}' then raise exception 'broken on purpose'; end if;
      return new;
    end $$`)
  await sql(`create trigger refuse_broken before update on part_payment_instalment
    for each row execute function refuse_broken()`)
  server.clock.moveTo(BILLED)
  await Promise.all(Array.from({ length: 8 }, night))
  // 95.00 to start and 29.00 for each month; a sixth or a third of 6 000.00.
  expect(await billed(plans)).toEqual([112_400, 0, 112_400, 202_900])
  expect(await sql(`select about from task where kind = 'work_stuck' and done_at is null`)).toEqual([
    { about: `bill plan ${broken}` },
  ])
  await sql('drop trigger refuse_broken on part_payment_instalment')
  await night()
  await night()
  const [, second] = await billed(plans)
  expect(await billed(plans)).toEqual([112_400, second, 112_400, 202_900])
  expect(second).toBeGreaterThan(60_000)
})
