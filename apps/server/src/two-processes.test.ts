/** Two programs over one database, in the one process of the test: a visit that wanders between them, clocks that differ, and one that has lost its database. */
import type { CollectAnswer, StartAnswer } from '@kvitt/domain/electronic-id/electronic-id.contract.ts'
import type { InjectOptions } from 'fastify'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import type { Product } from './start.ts'
import { buildInvoice, TODAY, type BuiltInvoice } from './testing/build.ts'
import { openDatabaseLine, type DatabaseLine } from './testing/database-line.ts'
import { signIn } from './testing/sign-in.ts'
import { startTestServer, startTwin, type TestServer } from './testing/start-test-server.ts'

const ALVA = '199007292387'
const MINUTE_MS = 60_000

let server: TestServer
let twin: Product
beforeAll(async () => {
  server = await startTestServer()
  twin = await startTwin(server)
})

const build = (): Promise<BuiltInvoice> => buildInvoice(server.test, server.instanceId, server.clock)

type Method = NonNullable<InjectOptions['method']>

/** A browser that reaches another process with each request: it keeps its cookies, and counts who was asked. */
function openWanderer() {
  const jar = new Map<string, string>()
  const asked = [0, 0]
  let token: string | undefined
  return {
    asked,
    signedIn: (given: string): void => void (token = given),
    async ask(method: Method, path: string, payload?: object) {
      const turn = (asked[0] ?? 0) <= (asked[1] ?? 0) ? 0 : 1
      asked[turn] = (asked[turn] ?? 0) + 1
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
      const headers = { host: 'localhost', cookie, ...(token ? { authorization: `Bearer ${token}` } : {}) }
      const { app } = turn === 0 ? server.product : twin
      const answer = await app.inject({
        method,
        url: `/api${path}`,
        headers,
        ...(payload ? { payload } : {}),
      })
      for (const { name, value } of answer.cookies) jar.set(name, value)
      return answer
    },
  }
}
type Wanderer = ReturnType<typeof openWanderer>

async function allowed(browser: Wanderer, method: Method, path: string, payload?: object) {
  const answer = await browser.ask(method, path, payload)
  expect([method, path, answer.statusCode < 300 ? 'ok' : answer.body]).toEqual([method, path, 'ok'])
  return answer
}

async function logIn(browser: Wanderer): Promise<void> {
  const { orderRef } = (await allowed(browser, 'POST', '/external/bankid/auth')).json<StartAnswer>()
  await server.control('POST', `/control/orders/${orderRef}/approve`, { personalNumber: ALVA })
  for (let n = 0; n < 40; n++) {
    const body = { orderRef, type: 'QR_CODE' }
    const told = (await allowed(browser, 'POST', '/external/bankid/collect', body)).json<CollectAnswer>()
    if (told.idToken !== null) return browser.signedIn(told.idToken)
    await sleep(150)
  }
  throw new Error('the login never ended')
}

test('H1: a whole visit, every request of it at another process: read, log in, pay, see that it is paid, log out', async () => {
  const invoice = await build()
  await server.test.owner.query(
    `update debtor set identification_number = '19900729-2387', identity = $2 where id = $1`,
    [invoice.debtorId, `SE:${ALVA}`],
  )
  const browser = openWanderer()
  const path = `/public/invoices/${invoice.reference}/${invoice.zip}`
  for (const rest of ['', '/payment-methods', '/documents', '/events/ledger'])
    await allowed(browser, 'GET', path + rest)
  await logIn(browser)
  await allowed(browser, 'GET', '/debtor/session')
  const filters = { 'statuses.main': 'ACTIVATED[OR]PAUSED[OR]DISPUTED' }
  const listed = await allowed(browser, 'POST', '/debtor/invoices/ledger', filters)
  expect(listed.body).toContain(invoice.reference)
  // A press whose answer is lost goes to the other process.
  const start = { paymentDate: TODAY, amount: '842.00', serviceProviderCode: 'DIRECT_BANK' }
  const body = { ...start, redirectUri: 'http://localhost/' }
  const starts = await Promise.all(
    [0, 1].map(() => allowed(browser, 'POST', `${path}/payment-requests`, body)),
  )
  expect(new Set(starts.map((answer) => answer.json<{ id: string }>().id)).size).toBe(1)
  const orders: { id: string; reference: string }[] = await server.control('GET', '/control/orders?all=true')
  const mine = orders.filter(({ reference }) => reference === invoice.reference)
  expect(mine).toHaveLength(1)
  await server.control('POST', `/control/orders/${mine[0]?.id}/approve`)
  await server.control('POST', '/control/settle', {})
  await expect
    .poll(async () => (await allowed(browser, 'PUT', `${path}/payment-requests/status`)).body, {
      timeout: 10_000,
    })
    .toContain('COMPLETED')
  expect((await allowed(browser, 'GET', path)).json()).toMatchObject({ statuses: { main: 'CLOSED' } })
  await allowed(browser, 'POST', '/debtor/logout')
  expect((await browser.ask('GET', '/debtor/session')).statusCode).toBe(401)
  expect((await browser.ask('GET', '/debtor/session')).statusCode).toBe(401)
  expect(Math.min(...browser.asked)).toBeGreaterThanOrEqual(6)
})

test('T-SKEW: of two processes one is two minutes ahead, and a session is one in both from its first call to its last', async () => {
  const ahead = await startTwin(server, {
    clock: { now: () => Date.now() + 2 * MINUTE_MS, today: server.clock.today },
  })
  const invoice = await build()
  const status = async (at: Product, url: string, method: Method, headers: object): Promise<number> =>
    (await at.app.inject({ method, url: `/api/debtor/${url}`, headers: { host: 'localhost', ...headers } }))
      .statusCode
  for (const [first, last] of [
    [ahead, twin],
    [twin, ahead],
  ] as const) {
    const headers = await signIn(first.context, server.instanceId, [invoice.debtorId])
    // At once: to the process behind, the session is of a time to come.
    for (const at of [last, first]) expect(await status(at, 'session', 'GET', headers)).toBe(200)
    expect(await status(last, 'logout', 'POST', headers)).toBeLessThan(300)
    for (const at of [last, first]) expect(await status(at, 'session', 'GET', headers)).toBe(401)
  }
})

test('T-PART: a process that is cut from its database says so to everybody, the other goes on, and ten seconds later both are well', async () => {
  let line: DatabaseLine | undefined
  const cut = await startTwin(server, {
    through: async (address) => (line = await openDatabaseLine(address)).address,
  })
  const invoice = await build()
  const url = `/api/public/invoices/${invoice.reference}/${invoice.zip}`
  const ask = async (at: Product, path: string) => {
    const began = performance.now()
    const { statusCode, headers } = await at.app.inject({ url: path, headers: { host: 'localhost' } })
    return { status: statusCode, retryAfter: headers['retry-after'], ms: performance.now() - began }
  }
  expect((await ask(cut, url)).status).toBe(200)
  line?.silence()
  line?.silenceNew()
  // What was asked before anybody knew: it waits for an answer that is lost, and asks once more.
  const told = Promise.all(Array.from({ length: 8 }, () => ask(cut, url)))
  const began = performance.now()
  const probes: number[] = []
  for (let n = 0; n < 3; n++) {
    probes.push((await ask(cut, '/readyz')).status)
    expect((await ask(twin, url)).status).toBe(200)
  }
  expect(probes).toEqual([200, 200, 503])
  expect(performance.now() - began).toBeLessThan(9_000)
  expect((await ask(cut, '/livez')).status).toBe(200)
  line?.heal()
  const healed = performance.now()
  for (const { status, retryAfter, ms } of await told) {
    expect([status, retryAfter]).toEqual(status === 200 ? [200, undefined] : [503, '5'])
    expect(ms).toBeLessThan(20_000)
  }
  await expect.poll(async () => (await ask(cut, '/readyz')).status, { timeout: 10_000 }).toBe(200)
  expect((await ask(cut, url)).status).toBe(200)
  expect(performance.now() - healed).toBeLessThan(10_000)
}, 60_000)

test('T-SPIKE: of two hundred payments in one moment none is lost, and who has to wait is told for how long', async () => {
  const invoices = await Promise.all(Array.from({ length: 200 }, build))
  const start = async (invoice: BuiltInvoice, n: number) => {
    const { app } = n % 2 === 0 ? server.product : twin
    const answer = await app.inject({
      method: 'POST',
      url: `/api/public/invoices/${invoice.reference}/${invoice.zip}/payment-requests`,
      headers: { host: 'localhost', 'idempotency-key': invoice.id },
      payload: {
        paymentDate: TODAY,
        amount: '842.00',
        serviceProviderCode: 'DIRECT_BANK',
        redirectUri: 'http://localhost/',
      },
    })
    const isHeld = answer.statusCode === 503 && answer.headers['retry-after'] !== undefined
    expect([201, isHeld ? 503 : 201], answer.body).toContain(answer.statusCode)
    return answer.statusCode === 201 ? answer.json<{ id: string }>().id : undefined
  }
  let waiting = invoices
  const begun = new Map<string, string>()
  for (let round = 0; round < 5 && waiting.length > 0; round++) {
    const ids = await Promise.all(waiting.map(start))
    for (const [n, invoice] of waiting.entries()) if (ids[n]) begun.set(invoice.id, ids[n])
    // The same key: whoever was told to wait presses again.
    waiting = waiting.filter(({ id }) => !begun.has(id))
  }
  expect(waiting).toEqual([])
  const { rows } = await server.test.owner.query<{ id: string; invoice_id: string }>(
    `select id, invoice_id from payment where invoice_id = any($1) and status = 'IN_PROGRESS'`,
    [invoices.map(({ id }) => id)],
  )
  expect(new Map(rows.map((row) => [row.invoice_id, row.id]))).toEqual(begun)
  expect(rows).toHaveLength(200)
}, 60_000)
