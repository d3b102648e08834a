import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../testing/start-test-server.ts'
import { loadCast } from '../load-cast.ts'
import { growOneStep } from './grow-firm.ts'
import { brokenInvariants } from '../../testing/test-database.ts'

const DEMO = fileURLToPath(new URL('../../../demo', import.meta.url))
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ isDemo: true, settings: { WEBHOOK_INWARD_ORIGINS: 'http://localhost:1' }, fill: ({ context }) => loadCast(context, DEMO, { withFirm: true }) })
})

test('measure', async () => {
  const { context, app } = server.product
  const options = {
    folder: DEMO,
    scale: Number(process.env.SCALE ?? 1),
    ask: async (method: string, url: string, sent: object) => {
      const { statusCode, body } = await app.inject({ method, url, ...sent } as never) as unknown as { statusCode: number; body: string }
      return { status: statusCode, text: body }
    },
  }
  const started = performance.now()
  const { rows: [{ d }] } = await server.test.owner.query(`select (today - 12)::text as d from demo_firm`)
  if (process.env.SHORT) await server.test.owner.query(`update demo_firm set next_day = '${"$"}{d}'`)
  while (await growOneStep(context, options)) {}
  console.log('all', performance.now() - started)
  const show = async (sql: string) => console.log(sql, (await server.test.owner.query(sql)).rows)
  await show(`select status, count(*)::int from invoice where invoice_number ~ '^[EG]-' group by 1`)
  await show(`select status, count(*)::int from claim group by 1`)
  await show(`select kind, count(*)::int from task where done_at is null group by 1`)
  await show(`select status, count(*)::int from bank_line group by 1`)
  await show(`select status, count(*)::int from mail_outbox group by 1`)
  await show(`select c.name, s.period_from, s.status, s.paid_out_minor from settlement s join creditor c on c.id = s.creditor_id order by 1, 2`)
  expect(await brokenInvariants(server.test.owner)).toEqual({})
}, 120_000)
