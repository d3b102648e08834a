/** Guessing references and zips, for tests: two products over one database, and a fresh instance for each test. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect } from 'vitest'
import type { Contract } from '@kvitt/domain/contract.ts'
import { makeReference } from '@kvitt/domain/references.ts'
import { readConfig } from '../../config/config.ts'
import { DEMO_GUESS_SETTINGS, type GuessSettings } from '../instances/guess-limits.ts'
import { newReferenceDigits } from '../platform/identity.ts'
import { startProduct, type Product } from '../start.ts'
import { buildInstance, buildInvoice, testClock, type BuiltInvoice } from './build.ts'
import { closeAfterwards } from './close-afterwards.ts'
import { testDatabase, type TestDatabase } from './test-database.ts'

export const HOUR = 3_600_000
export const DAY = 24 * HOUR
/** All budgets but the reference's, so that a test sees one defence at a time. */
export const BY_REFERENCE: GuessSettings = { zipPerHour: null, ...DEMO_GUESS_SETTINGS }

export let testBase: TestDatabase
export let products: readonly Product[]
/** What the clock of the products says; tests move it on. */
export const time = { nowMs: Date.now() }
export const clock = { now: () => time.nowMs, today: testClock().today }
const dataDir = mkdtempSync(join(tmpdir(), 'kvitt-guesses-'))
closeAfterwards(() => rmSync(dataDir, { recursive: true, force: true }))
let instances = 0

/** A product of its own over the same database: another process, as far as the budgets can tell. */
function startOne(isDemo: boolean): Promise<Product> {
  const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', PORT: '18801' })
  const parts = { config, database: testBase.address, version: 'test', clock, gateways: [], sweepMs: 0 }
  return startProduct({ ...parts, isDemo, checkAnswers: true, measuresKeptMs: 0 })
}

export let host: string
export let instanceId: string
/** A fresh instance for each test: its budgets are its own. */
export async function useInstance(guessLimits: GuessSettings): Promise<void> {
  const built = await buildInstance(testBase, { alias: `i${++instances}`, isDefault: false, guessLimits })
  ;({ host, id: instanceId } = built)
  // Every product reads its instances again.
  time.nowMs += 6_000
}

export const build = (wishes: Parameters<typeof buildInvoice>[3] = {}): Promise<BuiltInvoice> =>
  buildInvoice(testBase, instanceId, clock, wishes)

export type Sent = {
  headers?: Record<string, string>
  solution?: string
  address?: string
  cookie?: string
  language?: string
  product?: number
  tail?: string
}
export type Told = { status: number; code: string; body: string; headers: Record<string, unknown> }

export async function send(url: string, sent: Sent = {}, method: Contract['method'] = 'GET'): Promise<Told> {
  const answer = await (products[sent.product ?? 0] as Product).app.inject({
    method,
    url,
    remoteAddress: sent.address ?? '203.0.113.5',
    headers: {
      host,
      ...(sent.cookie ? { cookie: sent.cookie } : {}),
      ...sent.headers,
      ...(sent.solution ? { 'challenge-solution': sent.solution } : {}),
      ...(sent.language ? { 'accept-language': sent.language } : {}),
    },
  })
  const isProblem = String(answer.headers['content-type']).includes('problem')
  const problem = isProblem ? answer.json<{ code: string; traceId: string }>() : undefined
  const { date: _, ...headers } = answer.headers
  return {
    status: answer.statusCode,
    code: problem?.code ?? 'ok',
    body: problem ? answer.body.replaceAll(problem.traceId, 'TRACE') : answer.body,
    headers,
  }
}

export const guess = (reference: string, zip: string, sent: Sent = {}): Promise<Told> =>
  send(`/api/public/invoices/${reference}/${zip}${sent.tail ?? ''}`, sent)

export const codes = (told: readonly Told[]): string[] => told.map((t) => t.code)
export const count = (told: readonly Told[], code: string): number =>
  told.filter((t) => t.code === code).length
export const WRONG = 'login_error::invalid_data'
export const THROTTLED = 'login_throttled'
export const zipOf = (n: number): string => String(20_000 + n)
export const noReference = (): string => makeReference('SE', newReferenceDigits())
export const addressOf = (n: number): string => `10.${(n >> 8) & 255}.${n & 255}.9`

export async function useUp(reference: string): Promise<void> {
  for (let n = 0; n < 5; n++) expect((await guess(reference, zipOf(n))).code).toBe(WRONG)
}

export async function rowsOf(scope: string): Promise<{ fails: number; passes: number }[]> {
  const sql = 'select fails, passes from guess_budget where instance_id = $1 and scope = $2'
  return (await testBase.owner.query(sql, [instanceId, scope])).rows
}

export function cookieOf(told: Told): string {
  return String(told.headers['set-cookie']).split(';', 1)[0] ?? ''
}

/** For the top of a test file. */
export function useGuesses(): void {
  beforeAll(async () => {
    testBase = await testDatabase()
    products = await Promise.all([startOne(true), startOne(false)])
    for (const product of products) closeAfterwards(() => product.stop())
  })
  beforeEach(() => useInstance(BY_REFERENCE))
}
