/** Waits add up over what one call asks: the whole of it has an end, and what may be asked twice is, within it. */
import type { FastifyInstance } from 'fastify'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Contract } from '@kvitt/domain/contract.ts'
import { getVersion } from '@kvitt/domain/instances/instance.contract.ts'
import { expect, test } from 'vitest'
import { readConfig } from '../../config/config.ts'
import type { Context } from '../context.ts'
import { closeAfterwards } from '../testing/close-afterwards.ts'
import { systemClock } from './clock.ts'
import { DatabaseAway, HostAway } from './database/database-away.ts'
import { buildServer } from './http/serve.ts'
import { openLog } from './log.ts'

const context = {
  config: readConfig({ LOG_LEVEL: 'silent' }),
  clock: systemClock(() => 0),
  log: openLog('silent'),
} as unknown as Context
const CALL_MS = 1_000

type Played = {
  readonly contract?: Partial<Contract>
  readonly answer: () => Promise<void>
  readonly tenant?: () => Promise<void>
  readonly isLong?: boolean
}

/** A call that is answered when `answer` is done. */
function open({ contract = {}, answer, tenant = async () => {}, isLong = false }: Played): FastifyInstance {
  const app = buildServer({
    contract: '',
    context,
    bindings: [
      {
        contract: { ...getVersion, ...contract },
        routes: [
          {
            door: 'open',
            answer: async ({ request }) => {
              request.isLong = isLong
              await answer()
              return { given: { data: { version: 'test' } }, query: {}, setCookie: undefined }
            },
          },
        ],
      },
    ],
    tenantOf: async () => {
      await tenant()
      return { id: 'tenant', language: 'sv', mode: 'test' }
    },
    proveSession: async () => {},
    checkAnswers: false,
    callMs: CALL_MS,
  })
  closeAfterwards(() => app.close())
  return app
}

/** Is under way for far longer than a call may be. */
function endless() {
  const state = { isDone: false }
  const slowly = async (): Promise<void> => {
    await sleep(4 * CALL_MS)
    state.isDone = true
  }
  return { state, slowly }
}

const quickly = async (): Promise<void> => {}

test.each([
  ['its answer', (slowly: () => Promise<void>) => ({ answer: slowly })],
  ['what stands before it', (slowly: () => Promise<void>) => ({ answer: quickly, tenant: slowly })],
])(
  'T-CALL-END: who waits for %s hears 503 with Retry-After when a call may take no longer',
  async (_, played) => {
    const { state, slowly } = endless()
    const { statusCode, headers, body } = await open(played(slowly)).inject('/api/ping/version')
    expect(state.isDone).toBe(false)
    expect([statusCode, headers['retry-after']]).toEqual([503, '5'])
    expect(JSON.parse(body)).toMatchObject({ code: 'unavailable' })
    // What it does goes on, and its end harms nobody.
    await sleep(4 * CALL_MS)
    expect(state.isDone).toBe(true)
  },
  30_000,
)

test('a file that is made while somebody waits may take longer', async () => {
  expect(
    (await open({ answer: endless().slowly, isLong: true }).inject('/api/ping/version')).statusCode,
  ).toBe(200)
}, 20_000)

/** Fails so often, then answers. Counts how often it was asked. */
function failing(times: number, error: Error) {
  const asked = { times: 0 }
  return {
    asked,
    async answer() {
      if (asked.times++ < times) throw error
    },
  }
}

const KEYED: Partial<Contract> = { method: 'POST', takesKey: true }
const GONE = new HostAway('gone')

type Row = readonly [string, Partial<Contract>, Record<string, string>, Error, number, number]
const ROWS: readonly Row[] = [
  ['a read', {}, {}, GONE, 200, 2],
  ['a write with its key', KEYED, { 'idempotency-key': 'k' }, GONE, 200, 2],
  ['a write without a key', KEYED, {}, GONE, 503, 1],
  ['a write that takes none', { method: 'POST' as const }, { 'idempotency-key': 'k' }, GONE, 503, 1],
  ['a read of a database of one host', {}, {}, new DatabaseAway('gone'), 503, 1],
]

test.each(ROWS)(
  'when a host of several was lost over it, %s is asked as often as it may be',
  async (...row) => {
    const [, contract, headers, error, status, times] = row
    const { asked, answer } = failing(1, error)
    const app = open({ contract, answer })
    const { statusCode } = await app.inject({
      method: contract.method ?? 'GET',
      url: '/api/ping/version',
      headers,
    })
    expect([statusCode, asked.times]).toEqual([status, times])
  },
)

test('one that is lost each time is asked three times, and no more', async () => {
  const { asked, answer } = failing(9, GONE)
  expect((await open({ answer }).inject('/api/ping/version')).statusCode).toBe(503)
  expect(asked.times).toBe(3)
})
