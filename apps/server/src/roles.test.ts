/** Two processes that share the work out: one answers, one does the jobs. */
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import { buildInvoice } from './testing/build.ts'
import { startTestServer, startTwin, type TestServer } from './testing/start-test-server.ts'

const SWEEP_MS = 50
let api: TestServer
beforeAll(async () => {
  api = await startTestServer({
    sweepMs: SWEEP_MS,
    settings: { ROLE: 'api', DATABASE_URL: 'postgres://kvitt_app@localhost/kvitt' },
  })
})

const askProcess = (product: { app: TestServer['product']['app'] }, url: string) =>
  product.app.inject({ method: 'GET', url, headers: { host: 'localhost' } })

test('ROLE=api leaves a payment that nobody told of to the process with ROLE=jobs, which finds it', async () => {
  const invoice = await buildInvoice(api.test, api.instanceId, api.clock)
  const path = `/api/public/invoices/${invoice.reference}/${invoice.zip}`
  await api.control('POST', '/control/faults', { target: 'bank', fault: 'drop-callback', times: 9 })
  const body = {
    paymentDate: api.clock.today('Europe/Stockholm'),
    amount: '842.00',
    redirectUri: `${api.origin}/`,
  }
  expect((await api.call('POST', `${path}/payment-requests`, { body })).status).toBe(201)
  const [order]: { id: string }[] = await api.control('GET', '/control/orders')
  await api.control('POST', `/control/orders/${order?.id}/approve`, {})
  await api.control('POST', '/control/settle', {})
  // Old enough to be asked about.
  await api.test.owner.query(`update payment set created_at = now() - interval '1 minute', checked_at = null`)
  const statuses = async () =>
    (await api.test.owner.query<{ status: string }>('select status from payment')).rows.map(
      (row) => row.status,
    )

  await sleep(20 * SWEEP_MS)
  expect(await statuses(), 'nobody asked').toEqual(['IN_PROGRESS'])

  await startTwin(api, { role: 'jobs', sweepMs: SWEEP_MS })
  await expect.poll(statuses, { timeout: 10_000 }).toEqual(['COMPLETED'])
  expect((await api.call('GET', path)).json).toMatchObject({ statuses: { main: 'CLOSED' } })
})

test('ROLE=jobs answers whoever watches over it, and nobody else', async () => {
  const jobs = await startTwin(api, { role: 'jobs' })
  const invoice = await buildInvoice(api.test, api.instanceId, api.clock)
  const path = `/api/public/invoices/${invoice.reference}/${invoice.zip}`
  expect((await askProcess(api.product, path)).statusCode).toBe(200)
  for (const url of [path, '/', '/home/', '/admin/', '/api/admin/me', '/api/client/me', '/api/nothing'])
    expect([url, (await askProcess(jobs, url)).statusCode]).toEqual([url, 404])
  expect((await jobs.app.inject({ method: 'POST', url: '/api/callbacks/swish/anything' })).statusCode).toBe(
    404,
  )
  for (const url of ['/livez', '/readyz'])
    expect([url, (await askProcess(jobs, url)).statusCode]).toEqual([url, 200])
  const { body } = await askProcess(jobs, '/metrics')
  expect(body).toMatch(/^kvitt_operator_tasks_open \d+$/m)
  jobs.drain()
  expect((await askProcess(jobs, '/readyz')).statusCode).toBe(503)
})

test('a provider whose day nobody runs is counted, by whichever process is asked', async () => {
  const due = async () =>
    Number(/^kvitt_daily_runs_due (\d+)$/m.exec((await askProcess(api.product, '/metrics')).body)?.[1])
  expect(await due(), 'no day was run yet').toBe(1)
  const today = api.clock.today('Europe/Stockholm')
  await api.test.owner.query(
    'insert into collection_night (instance_id, day, performed) values ($1, $2, 0)',
    [api.instanceId, today],
  )
  expect(await due()).toBe(0)
  api.clock.moveTo(addDays(today, 1))
  expect(await due(), 'the day is over').toBe(1)
})
