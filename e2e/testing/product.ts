/** The whole product for a spec file: the programs that users run, with the demo in them. */
import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, expect, inject } from 'vitest'
import { INVARIANTS } from '../../apps/server/src/testing/test-database.ts'
import type { BankLine } from './bank-line.ts'
import { makeFolder, today } from './prepared-data.ts'
import { startPrograms, type Options, type Programs } from './programs.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder of this run; without a value where the journeys' global setup has not run. */
    journeys: string | undefined
  }
}

/** A payment as the sandbox bank sees it. */
export type Order = {
  readonly id: string
  readonly reference: string
  readonly amount: string
  readonly currency: string
  readonly status:
    | 'waiting'
    | 'signed'
    | 'due-date'
    | 'held'
    | 'executed'
    | 'declined'
    | 'expired'
    | 'cancelled'
  readonly executionDate: string
}

export type Answer = { readonly status: number; readonly body: unknown; readonly text: string }
export type CallOptions = { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }

/** What `npm run import -- --json` says about one file. */
export type Imported = {
  readonly outcome: 'created' | 'unchanged' | 'refused'
  readonly invoiceNumber: string | null
  readonly paymentReference: string | null
  readonly zip: string | null
  readonly reason: string | null
}

/** What a journey may do to a product that others use after it. */
export type Product = {
  readonly address: string
  readonly sandboxAddress: string
  /** A call of the API, with `path` below `/api/`. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
  /** A control call of the sandbox. Throws when it does not answer 200. */
  control<Result>(method: string, path: string, body?: unknown): Promise<Result>
  /** Every order ever placed at the bank for this reference, the newest first. */
  ordersFor(reference: string): Promise<Order[]>
  /** Rows of the product's own database, read as its owner. */
  readRows<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>
  importFile(xml: string): Imported
}

export type OwnProduct = Product & {
  /** All that the programs that run now and the database have written of themselves. */
  logs(): string
  /** `npm run refund-payment -- --payment ID --whole`; answers what it prints. */
  sendBack(paymentId: string): string
  kill9Server(): Promise<void>
  startServerAgain(): Promise<void>
  /** Both programs, as Ctrl-C stops them; answers their exit statuses. */
  stopCleanly(): Promise<(number | null)[]>
  startAgain(): Promise<void>
}

/** A product that speaks to its bank over a line which the test can hold. */
export type ProductOnALine = OwnProduct & { readonly bankLine: BankLine }

type Command = 'import' | 'refund-payment'

async function ask(url: string, method: string, options: CallOptions = {}): Promise<Answer> {
  const hasBody = options.body !== undefined
  const response = await fetch(url, {
    method,
    headers: { ...(hasBody ? { 'content-type': 'application/json' } : {}), ...options.headers },
    ...(hasBody ? { body: JSON.stringify(options.body) } : {}),
  })
  const text = await response.text()
  const isJson = (response.headers.get('content-type') ?? '').includes('json')
  return { status: response.status, text, body: isJson ? (JSON.parse(text) as unknown) : undefined }
}

function runCommand(
  settings: Readonly<Record<string, string>>,
  name: Command,
  args: readonly string[],
): string {
  const command = fileURLToPath(new URL(`../../apps/server/dist/${name}-cli.js`, import.meta.url))
  if (!existsSync(command)) throw new Error(`The command ${name} is not built: run "npm run build".`)
  const { PATH, HOME } = process.env
  const run = spawnSync(process.execPath, [command, ...args], {
    env: { PATH, HOME, ...settings },
    encoding: 'utf8',
  })
  if (run.stdout === '') throw new Error(`The command ${name} said nothing.\n${run.stderr}`)
  return run.stdout
}

function importInto(settings: Readonly<Record<string, string>>, folder: string, xml: string): Imported {
  const file = join(folder, `invoice-${Date.now()}.xml`)
  writeFileSync(file, xml)
  const line = runCommand(settings, 'import', ['--json', file])
    .split('\n')
    .find((text) => text.startsWith('{'))
  if (!line) throw new Error('The import told of no file.')
  return JSON.parse(line) as Imported
}

/** The names of the invariants that do not hold, each with what breaks it. */
async function findBrokenInvariants({ ask }: Programs): Promise<Record<string, unknown[]>> {
  const broken: Record<string, unknown[]> = {}
  for (const view of INVARIANTS) {
    const rows = await ask({ name: view, text: `select * from ${view} limit 5` })
    if (rows.length > 0) broken[view] = rows
  }
  return broken
}

function usesOf(programs: Programs): Product {
  const { address, sandboxAddress, settings, folder } = programs
  return {
    address,
    sandboxAddress,
    call: (method, path, options) => ask(`${address}/api/${path}`, method, options),
    async control<Result>(method: string, path: string, body?: unknown) {
      const answer = await ask(`${sandboxAddress}/control/${path}`, method, { body })
      if (answer.status !== 200)
        throw new Error(`${method} /control/${path}: ${answer.status} ${answer.text}`)
      return answer.body as Result
    },
    async ordersFor(reference) {
      const { body } = await ask(`${sandboxAddress}/control/orders?all=true`, 'GET')
      return (body as Order[]).filter((order) => order.reference === reference)
    },
    readRows: <Row>(text: string, values?: readonly unknown[]) =>
      programs.askAlone({ text, values: [...(values ?? [])] }) as Promise<Row[]>,
    importFile: (xml) => importInto(settings, folder, xml),
  }
}

/**
 * A product for this file alone, for what others must not meet: `reason` says what. It stops after the file's last
 * test; after each test the books are expected to be right.
 */
export function ownProduct(reason: string, options: Options & { withBankLine: true }): Promise<ProductOnALine>
export function ownProduct(reason: string, options?: Options): Promise<OwnProduct>
export async function ownProduct(
  _reason: string,
  options: Options = {},
): Promise<OwnProduct | ProductOnALine> {
  const programs = await startPrograms(makeFolder(), inject('journeys'), options)
  const { bankLine, settings, startAgain } = programs
  afterAll(() => programs.end())
  afterEach(async () => {
    expect(await findBrokenInvariants(programs)).toEqual({})
  })
  return {
    ...usesOf(programs),
    ...(bankLine ? { bankLine } : {}),
    logs: () => programs.logs(),
    kill9Server: () => programs.kill9Server(),
    stopCleanly: () => programs.stopCleanly(),
    startAgain,
    startServerAgain: startAgain,
    sendBack: (paymentId) => runCommand(settings, 'refund-payment', ['--payment', paymentId, '--whole']),
  }
}

/** A worker of the test runner keeps what its modules hold from file to file. */
let shared: Promise<Programs> | undefined

async function freshPrograms(): Promise<Programs> {
  const running = await shared?.catch(() => undefined)
  if (running?.isRunning() && running.day === today()) {
    await running.putBack()
    return running
  }
  await running?.end()
  shared = startPrograms(makeFolder(inject('journeys')), inject('journeys'))
  return shared
}

/** The server would remember the day, and counterparties as silent. */
const OWN_MATTERS = /^(clock|faults|delays)$/

/** What the server keeps in mind for some seconds, and what only a page of the sandbox may have changed. */
async function readLasting({ ask: read }: Programs, { control }: Product): Promise<unknown> {
  const providers = await read({ text: 'select to_jsonb(i) as row from instance i order by id' })
  const shift = await read({ text: 'select days from clock_shift' })
  return { providers, shift, faults: await control('GET', 'faults'), delays: await control('GET', 'delays') }
}

/**
 * The product that the files of a worker share. Each begins with the demo as it was loaded: what an earlier file did is gone, in
 * the database and at the counterparties. What outlives that is refused here, and needs `ownProduct`. After each test the
 * books are expected to be right.
 */
export async function sharedProduct(): Promise<Product> {
  const programs = await freshPrograms()
  const product = usesOf(programs)
  const before = await readLasting(programs, product)
  afterEach(async () => {
    expect(await findBrokenInvariants(programs)).toEqual({})
  })
  afterAll(async () => {
    expect(programs.isRunning(), 'both programs run').toBe(true)
    expect(await readLasting(programs, product), 'who changes this needs ownProduct').toEqual(before)
  })
  return {
    ...product,
    control(method, path, body) {
      if (method !== 'GET' && OWN_MATTERS.test(path))
        throw new Error(`${method} /control/${path} needs ownProduct.`)
      return product.control(method, path, body)
    },
  }
}
