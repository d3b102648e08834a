/** The whole product on a port of its own, with the sandbox bank as its counterparty over mutual TLS. */
import { randomInt } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { systemClock } from '../../../sandbox/src/clock.ts'
import { startSandbox, type RunningSandbox } from '../../../sandbox/src/sandbox.ts'
import { readConfig, type Config } from '../../config/config.ts'
import type { Clock } from '../platform/clock.ts'
import type { DatabaseAddress } from '../platform/database/database.ts'
import type { PortalFolders } from '../app.ts'
import { startProduct, type Product } from '../start.ts'
import { buildInstance, testClock, TODAY } from './build.ts'
import { closeAfterwards } from './close-afterwards.ts'
import { MANY_STARTS } from './many-starts.ts'
import { testDatabase, type TestDatabase } from './test-database.ts'

export type Answer = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: never
}

export type TestServer = {
  readonly test: TestDatabase
  readonly product: Product
  readonly sandbox: RunningSandbox
  readonly instanceId: string
  readonly clock: ReturnType<typeof testClock>
  readonly origin: string
  /** A request as a browser makes it. `path` begins with a slash. */
  call(
    method: string,
    path: string,
    options?: { body?: unknown; headers?: Record<string, string> },
  ): Promise<Answer>
  /** A control call of the sandbox. */
  control(method: string, path: string, body?: unknown): Promise<never>
}

/** A port for a moment later. Below those that the system hands out, or an outgoing call may have taken it by then. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(12_000, 32_000)
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => resolve(true))
    })
    if (!isFree) continue
    await new Promise((resolve) => server.close(resolve))
    return port
  }
}

/**
 * For the sandbox of a demo, which is filled before it can ask the product what day it is: it stands on the day of tests. By the
 * real day its bank refused, from nine days later on, what the cast pays on a due date.
 */
function onTestDay(): typeof systemClock {
  const ahead = Date.parse(`${TODAY}T12:00:00Z`) - Date.now()
  return { ...systemClock, now: () => Date.now() + ahead }
}

export type Wishes = {
  readonly clock?: Clock
  readonly sweepMs?: number
  readonly isDemo?: boolean
  /** Fills the database before anybody can call. No instance is built: `instanceId` is empty. */
  readonly fill?: (product: Product) => Promise<void>
  readonly portalFolders?: PortalFolders
  /** Settings in the place of those that tests have. */
  readonly settings?: Readonly<Record<string, string>>
  /** How the product reaches its database, when not directly. */
  readonly through?: (address: DatabaseAddress) => Promise<DatabaseAddress>
}

/** Starts everything, and stops it after the last test of the file. */
export async function startTestServer(wishes: Wishes = {}): Promise<TestServer> {
  const test = await testDatabase()
  const clock = testClock()
  const { id: instanceId } = wishes.fill ? { id: '' } : await buildInstance(test)
  const dataDir = mkdtempSync(join(tmpdir(), 'kvitt-server-'))
  closeAfterwards(() => rmSync(dataDir, { recursive: true, force: true }))
  const port = await freePort()
  cpSync(inject('certificates'), join(dataDir, 'sandbox/certificates'), { recursive: true })
  const sandboxConfig = { host: '127.0.0.1', port: 0, dataDir, productPort: port }
  const sandbox = await startSandbox(sandboxConfig, wishes.isDemo ? onTestDay() : undefined)
  closeAfterwards(() => sandbox.stop())
  const certificate = (name: string): string => join(sandbox.certificates, name)
  const config = readConfig({
    PORT: String(port),
    SANDBOX_PORT: String(sandbox.port),
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    ...MANY_STARTS,
    BANK_BASE_URL: `https://localhost:${sandbox.apiPort}`,
    BANK_CA_FILE: certificate('ca.pem'),
    BANK_CERTIFICATE_FILE: certificate('client.pem'),
    BANK_KEY_FILE: certificate('client-key.pem'),
    BANK_LINK_HOSTS: 'localhost,127.0.0.1',
    BANK_SEAL_CERTIFICATE_FILE: certificate('seal.pem'),
    BANK_SEAL_KEY_FILE: certificate('seal-key.pem'),
    SWISH_BASE_URL: `https://localhost:${sandbox.apiPort}/swish-cpcapi`,
    SWISH_PAYEE_ALIAS: '1234679304',
    SWISH_CA_FILE: certificate('ca.pem'),
    SWISH_CERTIFICATE_FILE: certificate('client.pem'),
    SWISH_KEY_FILE: certificate('client-key.pem'),
    SWISH_PAYEE_ALIAS_FJELLKLAR: '1231181189',
    SWISH_CERTIFICATE_FILE_FJELLKLAR: certificate('client.pem'),
    SWISH_KEY_FILE_FJELLKLAR: certificate('client-key.pem'),
    BANKID_BASE_URL: `https://localhost:${sandbox.apiPort}/rp/v6.0`,
    BANKID_CA_FILE: certificate('ca.pem'),
    BANKID_CERTIFICATE_FILE: certificate('client.pem'),
    BANKID_KEY_FILE: certificate('client-key.pem'),
    ISSUER_INWARD_ORIGINS: `http://localhost:${sandbox.port}`,
    SMTP_URL: `smtp://localhost:${sandbox.mailPort}`,
    SMTP_CA_FILE: certificate('ca.pem'),
    MAIL_FROM: 'no-reply@kvitt.example',
    SMS_URL: `http://sandbox:sandbox@localhost:${sandbox.port}`,
    PRINT_QUEUE_DIR: join(dataDir, 'print-queue'),
    DIGITAL_MAILBOX_URL: `https://sandbox:sandbox@localhost:${sandbox.apiPort}`,
    DIGITAL_MAILBOX_TENANT: '5a17d0b0c0de',
    DIGITAL_MAILBOX_CA_FILE: certificate('ca.pem'),
    DIGITAL_MAILBOX_CERTIFICATE_FILE: certificate('client.pem'),
    DIGITAL_MAILBOX_KEY_FILE: certificate('client-key.pem'),
    ELECTRONIC_INVOICE_URL: `https://localhost:${sandbox.apiPort}`,
    ELECTRONIC_INVOICE_TOKEN: 'sandbox',
    ELECTRONIC_INVOICE_SENDER: '0007:5599990016',
    ELECTRONIC_INVOICE_CA_FILE: certificate('ca.pem'),
    ELECTRONIC_INVOICE_CERTIFICATE_FILE: certificate('client.pem'),
    ELECTRONIC_INVOICE_KEY_FILE: certificate('client-key.pem'),
    ...wishes.settings,
  })
  const product = await startProduct({
    config,
    database: (await wishes.through?.(test.address)) ?? test.address,
    version: '0.0.0-test',
    isDemo: wishes.isDemo ?? false,
    clock: wishes.clock ?? clock,
    checkAnswers: true,
    measuresKeptMs: 0,
    sweepMs: wishes.sweepMs ?? 0,
    ...(wishes.portalFolders ? { portalFolders: wishes.portalFolders } : {}),
  })
  closeAfterwards(() => product.stop())
  await wishes.fill?.(product)
  await product.app.listen({ port, host: '127.0.0.1' })
  const origin = `http://127.0.0.1:${port}`
  const send = async (
    address: string,
    method: string,
    options: { body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Answer> => {
    const { body } = options
    const isForm = body instanceof FormData
    const hasJson = body !== undefined && !isForm
    const response = await fetch(address, {
      method,
      redirect: 'manual',
      headers: { ...(hasJson ? { 'content-type': 'application/json' } : {}), ...options.headers },
      ...(isForm ? { body } : {}),
      ...(hasJson ? { body: typeof body === 'string' ? body : JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    const isJson = /json/.test(response.headers.get('content-type') ?? '')
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: (isJson ? JSON.parse(text) : undefined) as never,
    }
  }
  return {
    test,
    product,
    sandbox,
    instanceId,
    clock,
    origin,
    call: (method, path, options) => send(`${origin}${path}`, method, options),
    async control(method, path, body) {
      const answer = await send(`http://127.0.0.1:${sandbox.port}${path}`, method, { body })
      if (answer.status >= 300) throw new Error(`the sandbox answered ${answer.status}: ${answer.text}`)
      return answer.json
    },
  }
}

/** A second process over the same database, which stops after the last test of the file. Its jobs rest unless it shall sweep. */
export async function startTwin(
  { product, test, clock }: TestServer,
  wishes: Pick<Wishes, 'clock' | 'through' | 'sweepMs'> & { readonly role?: Config['role'] } = {},
): Promise<Product> {
  const twin = await startProduct({
    config: { ...product.context.config, role: wishes.role ?? 'all' },
    database: (await wishes.through?.(test.address)) ?? test.address,
    version: 'twin',
    isDemo: false,
    clock: wishes.clock ?? clock,
    checkAnswers: true,
    measuresKeptMs: 0,
    sweepMs: wishes.sweepMs ?? 0,
  })
  closeAfterwards(() => twin.stop())
  return twin
}
