/** The firm of a demo that stands without it: somebody asks for it after the clock was moved, and its months are settled already. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import { TODAY } from '../../testing/build.ts'
import { startTestServer, type TestServer } from '../../testing/start-test-server.ts'
import { brokenInvariants } from '../../testing/test-database.ts'
import { loadCast } from '../load-cast.ts'
import { openJobs } from '../../platform/jobs.ts'
import { openFirmJob } from './firm-job.ts'

const DEMO = fileURLToPath(new URL('../../../demo', import.meta.url))
const MOVED_TO = addDays(TODAY, 3)
const HERE = { host: 'localhost' }

let server: TestServer
let settledBefore: unknown[]

const rows = async <Row = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await server.test.owner.query(text, values)).rows as Row[]
const call = async (method: 'GET' | 'POST', path: string, headers: Record<string, string> = HERE) => {
  const answer = await server.product.app.inject({ method, url: path, headers })
  return { status: answer.statusCode, body: answer.json() }
}
const settlementsUntil = (day: string) =>
  rows(
    `select c.name, s.number, s.period_from::text, s.period_to::text as until, s.collected_minor::text, s.paid_out_minor::text as paid
     from settlement s join creditor c on c.id = s.creditor_id where s.period_to < $1 order by c.name, s.currency, s.number`,
    [day],
  )

/** The creditors' programs: nobody is at the address that one has moved from. */
const programs = createServer((request, response) => {
  response.writeHead(request.url === '/receiver/gone' ? 410 : 204).end()
})
afterAll(() => void programs.close())

beforeAll(async () => {
  await once(programs.listen(0, '127.0.0.1'), 'listening')
  const { port } = programs.address() as AddressInfo
  server = await startTestServer({
    isDemo: true,
    settings: { WEBHOOK_INWARD_ORIGINS: `http://127.0.0.1:${port}` },
    fill: ({ context }) => loadCast(context, DEMO),
  })
  settledBefore = await settlementsUntil(TODAY)
  server.clock.moveTo(MOVED_TO)
})

test('a demo that is not asked for its firm has none, and nothing in it waits', async () => {
  expect((await call('GET', '/api/demo/clock')).body).not.toHaveProperty('firm')
  expect(await rows('select * from demo_firm')).toEqual([])
  const job = openFirmJob(server.product.context, { isDemo: true })
  let sent = 0
  await job.inTurn(async () => void (sent += 1))
  expect([await job.isUnderWay(), sent]).toEqual([false, 1])
})

test('nobody from elsewhere asks for it', async () => {
  for (const headers of [
    { host: 'kvitt.example' },
    { ...HERE, 'x-forwarded-for': '192.0.2.7' },
    { ...HERE, 'sec-fetch-site': 'cross-site' },
  ])
    expect((await call('POST', '/api/demo/firm', headers)).status).toBeGreaterThanOrEqual(400)
  expect(await rows('select * from demo_firm')).toEqual([])
})

test('asked for twice it is begun once, on the day on which the demo’s clock stands', async () => {
  const first = await call('POST', '/api/demo/firm')
  server.clock.moveTo(addDays(MOVED_TO, 1))
  const second = await call('POST', '/api/demo/firm')
  server.clock.moveTo(MOVED_TO)
  const none = { days: 0, of: 120, isMade: false }
  expect([first, second]).toEqual([
    { status: 200, body: none },
    { status: 200, body: none },
  ])
  expect(await rows('select today::text, next_day::text from demo_firm')).toEqual([
    { today: MOVED_TO, next_day: addDays(MOVED_TO, -119) },
  ])
  expect((await call('GET', '/api/demo/clock')).body).toMatchObject({ today: MOVED_TO, firm: none })
})

test('a process that does not make it leaves messages alone meanwhile', async () => {
  const job = openFirmJob(server.product.context, { isDemo: true })
  let sent = 0
  await job.inTurn(async () => void (sent += 1))
  expect([await job.isUnderWay(), sent]).toEqual([true, 0])
})

test('in the process that makes it messages go out between its days, and none of its past waits then', async () => {
  const { context, app } = server.product
  const jobs = openJobs(context.log)
  const job = openFirmJob(context, { isDemo: true })
  job.begin({ app, jobs, folder: DEMO, scale: 0.1 })
  const seen = new Map<string, number>()
  while (await job.isUnderWay())
    await job.inTurn(async () => {
      const [now] = await rows<{ day: string; waiting: number }>(
        `select next_day::text as day, (select count(*)::int from mail_outbox m
           left join invoice i on i.id = m.invoice_id left join claim c on c.id = m.claim_id
           join debtor d on d.id = coalesce(i.debtor_id, c.debtor_id)
           where m.status = 'WAITING' and d.email ~ '^(energy|gym)-') as waiting
         from demo_firm where made_at is null`,
      )
      if (now) seen.set(now.day, now.waiting)
      // Two months say enough here: firm.test.ts lives through all of them.
      await rows(`update demo_firm set next_day = today where next_day = '2026-10-01'`)
    })
  job.stop()
  await jobs.stop()
  expect(seen.size).toBeGreaterThan(40)
  expect([...seen].filter(([, waiting]) => waiting > 0)).toEqual([])
}, 120_000)

test('the months that are settled stay as they are, and all that came in stands in the next settlement', async () => {
  expect(await settlementsUntil(TODAY)).toEqual(settledBefore)
  const ours = `select c.name, s.period_from::text as from, s.period_to::text as until, s.status, s.collected_minor > 0 as "isMoney"
    from settlement s join creditor c on c.id = s.creditor_id where s.period_to >= $1 order by 1`
  const soFar = { from: '2026-11-01', until: MOVED_TO, status: 'TO_APPROVE', isMoney: true }
  expect(await rows(ours, [TODAY])).toEqual([
    { name: 'Fjällström Demo Energi AB', ...soFar },
    { name: 'Pulsverket Demo Gym AB', ...soFar },
  ])
  // By hand: money of the firm that is held for its creditors, and in no settlement.
  expect(
    await rows(
      `select t.id from ledger_transaction t join invoice i on i.id = t.invoice_id
       where i.invoice_number ~ '^[EG]-[0-9]{5}$' and t.kind = 'PAYMENT'
         and not exists (select from settlement_entry e where e.transaction_id = t.id)`,
    ),
  ).toEqual([])
  expect(await brokenInvariants(server.test.owner)).toEqual({})
  expect((await call('POST', '/api/demo/firm')).body).toEqual({ days: 120, of: 120, isMade: true })
})

test('what is sent to a program that has moved fails, and its manager is asked to mend it', async () => {
  await server.product.sendEvents()
  const sent = `select w.address, w.off_since is not null as "isOff", d.status from webhook w join webhook_delivery d on d.webhook_id = w.id`
  expect(await rows(`${sent} where w.address like '%/gone'`)).toMatchObject([
    { isOff: true, status: 'FAILED' },
  ])
  expect(await rows(`${sent} where w.address like '%/receiver'`)).toMatchObject([
    { isOff: false, status: 'DELIVERED' },
  ])
  expect(await rows(`select from task where kind = 'webhook_off' and done_at is null`)).toHaveLength(1)
})

test('a product without the demo offers no firm', async () => {
  const plain = await startTestServer()
  const answer = await plain.product.app.inject({ method: 'POST', url: '/api/demo/firm', headers: HERE })
  expect(answer.statusCode).toBe(404)
})
