/** Starting payments end to end: our server, its database, and the sandbox's bank over mutual TLS. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest, type RequestOptions } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { fillInstance, fillInvoices, openBenchDatabase, type BenchDatabase } from './bench-database.ts'
import { cpuSeconds, databaseCpuSeconds } from './processes.ts'
import type { Result } from './run.ts'
import { freePort, startServer } from './server.ts'

const SECONDS = 10
const CONNECTIONS = 32
const INVOICES = 20_000
const WANTED_PER_SECOND = 300
/** How long news may wait until it is in the books. */
const MOST_AGE_MS = 1_000
const SANDBOX = fileURLToPath(new URL('../apps/sandbox/dist/main.js', import.meta.url))

type Sandbox = {
  readonly port: number
  readonly pid: number
  readonly certificates: string
  stop(): Promise<void>
}

async function startSandbox(dataDir: string, port: number, productPort: number): Promise<Sandbox> {
  const env = { ...process.env, DATA_DIR: dataDir, SANDBOX_PORT: String(port), PORT: String(productPort) }
  const child = spawn(process.execPath, [SANDBOX], { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  await new Promise<void>((resolve, reject) => {
    child.on('message', () => resolve())
    child.on('exit', (status) => reject(new Error(`the sandbox ended with status ${status}`)))
  })
  return {
    port,
    pid: child.pid ?? 0,
    certificates: join(dataDir, 'sandbox', 'certificates'),
    stop: () =>
      new Promise((resolve) => {
        child.on('exit', () => resolve())
        child.kill('SIGINT')
      }),
  }
}

type Call = {
  readonly url: string
  readonly method: string
  readonly body: object
  readonly headers?: object
}

/** The n-th call of many, about the n-th invoice. */
type NthCall = (n: number) => Promise<{ status: number; body: string }>

/** One call on a connection that is kept. Answers its status and body. */
function send(agent: HttpAgent | HttpsAgent, { url, method, body, headers }: Call) {
  const text = JSON.stringify(body)
  const options = {
    method,
    agent,
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), ...headers },
  } as RequestOptions
  const open = url.startsWith('https:') ? httpsRequest : httpRequest
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    const outgoing = open(url, options, (answer) => {
      let received = ''
      answer.setEncoding('utf8').on('data', (part: string) => (received += part))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: received }))
    })
    outgoing.on('error', reject)
    outgoing.end(text)
  })
}

/** Keeps `CONNECTIONS` calls under way for some seconds; answers how many a second got 201. */
async function measure(call: NthCall, first: number) {
  const until = performance.now() + SECONDS * 1000
  const began = performance.now()
  let next = first
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (performance.now() < until) {
        const answer = await call(next++)
        if (answer.status !== 201) throw new Error(`${answer.status}: ${answer.body}`)
      }
    }),
  )
  return { perSecond: ((next - first) * 1000) / (performance.now() - began), next }
}

function floorCall(sandbox: Sandbox): NthCall {
  const read = (name: string): Buffer => readFileSync(join(sandbox.certificates, name))
  const agent = new HttpsAgent({
    ca: read('ca.pem'),
    cert: read('client.pem'),
    key: read('client-key.pem'),
    keepAlive: true,
    maxSockets: CONNECTIONS,
  })
  const url = `https://localhost:${sandbox.port + 1}/v1/payments/domestic-credit-transfers`
  const headers = {
    'X-Request-ID': randomUUID(),
    'PSU-IP-Address': '127.0.0.1',
    'TPP-Redirect-Preferred': 'true',
    'TPP-Redirect-URI': 'http://localhost/',
    'TPP-Nok-Redirect-URI': 'http://localhost/',
  }
  return (n) =>
    send(agent, {
      url,
      method: 'POST',
      headers,
      body: {
        endToEndIdentification: randomUUID().replaceAll('-', ''),
        instructedAmount: { currency: 'SEK', amount: '100.00' },
        creditorName: 'Creditor',
        creditorAccount: { other: { identification: '9990-0227', schemeName: 'BANKGIRO' } },
        remittanceInformationStructured: { reference: String(n), referenceType: 'SCOR' },
      },
    })
}

function ourCall(port: number): NthCall {
  const agent = new HttpAgent({ keepAlive: true, maxSockets: CONNECTIONS })
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Stockholm' })
  return (n) =>
    send(agent, {
      url: `http://127.0.0.1:${port}/api/public/invoices/${100_000_000_000 + n}/${10_000 + (n % 9_000)}/payment-requests`,
      method: 'POST',
      headers: { 'idempotency-key': randomUUID() },
      body: {
        paymentDate: day.format(new Date()),
        amount: ((10_000 + (n % 90_000)) / 100).toFixed(2),
        redirectUri: `http://127.0.0.1:${port}/`,
      },
    })
}

export async function giveAccounts({ owner }: BenchDatabase): Promise<void> {
  await owner.query(`insert into payment_account (instance_id, id, creditor_id, scheme, account_number, receiver_name, bank_name,
      is_usable, number_key, holder)
    select instance_id, id, id, 'BANKGIRO', '9990-0227', name, 'Demobanken', true, 'BANKGIRO' || identity, 'INSTANCE' from creditor`)
  await owner.query('update invoice set payment_account_id = creditor_id')
  await owner.query('vacuum analyze')
}

/**
 * Every client that starts a payment signs one that was started before, as fast as all of them can: how long the
 * bank's two pieces of news about each wait in the inbox until they are in the books.
 */
async function measureAge(database: BenchDatabase, sandbox: Sandbox, load: { call: NthCall; first: number }) {
  const { rows } = await database.owner.query<{ id: string }>(
    `select gateway_payment_id as id from payment where status = 'IN_PROGRESS' order by id`,
  )
  const agent = new HttpAgent({ keepAlive: true, maxSockets: CONNECTIONS })
  const sign = async (): Promise<void> => {
    const url = `http://127.0.0.1:${sandbox.port}/control/orders/${rows.pop()?.id}/approve`
    const { status, body } = await send(agent, { url, method: 'POST', body: {} })
    if (status !== 200) throw new Error(`${status}: ${body}`)
  }
  const started = await measure(async (n) => (await Promise.all([load.call(n), sign()]))[0], load.first)
  const waiting = `select count(*)::int as n from gateway_event where applied_at is null`
  // The bank executes what was signed three seconds later.
  await sleep(4_000)
  for (let i = 0; i < 60; i++) {
    if ((await database.owner.query<{ n: number }>(waiting)).rows[0]?.n === 0) break
    await sleep(1_000)
  }
  const ages = await database.owner.query<{ events: number; ms: number }>(
    `select count(*)::int as events,
       coalesce(percentile_cont(0.99) within group (order by extract(epoch from coalesce(applied_at, now()) - received_at) * 1000), 0)::float8 as ms
     from gateway_event`,
  )
  return { ...(ages.rows[0] ?? { events: 0, ms: 0 }), perSecond: started.perSecond }
}

function processorTime(
  program: string,
  before: number | undefined,
  after: number | undefined,
  payments: number,
): Result[] {
  if (before === undefined || after === undefined) return []
  const value = ((after - before) * 1000) / payments
  return [{ name: `payment requests, ${program}`, value, unit: 'ms of a core', floor: null, ratio: null }]
}

export async function benchPayments(): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'kvitt-bench-payments-'))
  const database = await openBenchDatabase()
  const [port, sandboxPort] = [await freePort(), await freePort(3)]
  const sandbox = await startSandbox(folder, sandboxPort, port)
  try {
    await fillInvoices(database.owner, await fillInstance(database.owner), INVOICES)
    await giveAccounts(database)
    const floor = await measure(floorCall(sandbox), 1)
    const settings = {
      PORT: String(port),
      SANDBOX_PORT: String(sandboxPort),
      DATA_DIR: folder,
      BANK_BASE_URL: `https://localhost:${sandboxPort + 1}`,
      BANK_CA_FILE: join(sandbox.certificates, 'ca.pem'),
      BANK_CERTIFICATE_FILE: join(sandbox.certificates, 'client.pem'),
      BANK_KEY_FILE: join(sandbox.certificates, 'client-key.pem'),
      BANK_SEAL_CERTIFICATE_FILE: join(sandbox.certificates, 'seal.pem'),
      BANK_SEAL_KEY_FILE: join(sandbox.certificates, 'seal-key.pem'),
      BANK_LINK_HOSTS: 'localhost,127.0.0.1',
    }
    const server = await startServer(database, 1, settings)
    try {
      const call = ourCall(port)
      const used = async (): Promise<(number | undefined)[]> => [
        cpuSeconds(server.pid),
        await databaseCpuSeconds(database),
        cpuSeconds(sandbox.pid),
      ]
      const warm = await measure(call, 1)
      const before = await used()
      const ours = await measure(call, warm.next)
      const after = await used()
      const age = await measureAge(database, sandbox, { call, first: ours.next })
      console.log(
        `payment requests: the floor is the sandbox alone, ${WANTED_PER_SECOND} are wanted; ${age.events} events`,
      )
      return [
        {
          name: 'payment requests, end to end',
          value: ours.perSecond,
          unit: 'requests/s',
          floor: floor.perSecond,
          ratio: ours.perSecond / floor.perSecond,
        },
        ...['server', 'database', 'sandbox'].flatMap((program, i) =>
          processorTime(program, before[i], after[i], ours.next - warm.next),
        ),
        {
          name: 'payments started, signed and booked',
          value: age.perSecond,
          unit: 'payments/s',
          floor: null,
          ratio: null,
        },
        {
          name: 'news of payments in the books, p99',
          value: age.ms,
          unit: 'ms',
          floor: MOST_AGE_MS,
          ratio: age.ms / MOST_AGE_MS,
        },
      ]
    } finally {
      await server.stop()
    }
  } finally {
    await sandbox.stop()
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
