/**
 * Whether a reference exists shows neither in what a refusal says nor in how long it takes. The bytes are compared in every run;
 * `npm run soak` compares five thousand times of each kind of failure, which a machine that does other work would blur.
 */
import { expect, test } from 'vitest'
import { makeReference } from '@kvitt/domain/references.ts'
import { newReferenceDigits } from '../platform/identity.ts'
import { buildInstance, buildInvoice } from '../testing/build.ts'
import { startTestServer } from '../testing/start-test-server.ts'

const isSoak = process.env.SOAK !== undefined
const SAMPLES = isSoak ? 5_000 : 25
const WARM_UP = isSoak ? 500 : 0
/** Guesses are counted as ever, and none of these is one too many. */
const ENOUGH = 1_000_000
const LIMITS = {
  referencePerDay: ENOUGH,
  referencePerMonth: ENOUGH,
  zipPerHour: ENOUGH,
  networkPerHour: ENOUGH,
  instancePerTenMinutes: ENOUGH,
}

const KINDS = ['no such reference', 'a wrong zip', 'not sent yet', 'a credit'] as const
type Kind = (typeof KINDS)[number]

const median = (times: readonly number[]): number =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0

/** The chance that two samples of one kind are at least as far apart as these are (Mann-Whitney, two-sided, normal). */
function chanceOfOneKind(one: readonly number[], other: readonly number[]): number {
  const all = [...one.map((ms) => ({ ms, own: 1 })), ...other.map((ms) => ({ ms, own: 0 }))]
  all.sort((a, b) => a.ms - b.ms)
  const ranks = all.reduce((sum, { own }, rank) => sum + own * (rank + 1), 0)
  const [n, m] = [one.length, other.length]
  const u = ranks - (n * (n + 1)) / 2
  const z = Math.abs(u - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12)
  // Abramowitz and Stegun 7.1.26.
  const t = 1 / (1 + (0.3275911 * z) / Math.SQRT2)
  const poly =
    t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
  return poly * Math.exp((-z * z) / 2)
}

test('the arithmetic: samples of one kind are alike, a tenth of a millisecond apart they are not', () => {
  const around = (at: number) => Array.from({ length: 500 }, (_, n) => at + ((n * 7919) % 500) / 500)
  expect(chanceOfOneKind(around(2), around(2))).toBeGreaterThan(0.9)
  expect(chanceOfOneKind(around(2), around(2.1))).toBeLessThan(0.001)
})

test(`oracle.equal: ${SAMPLES} of each kind of failure, the same answer after the same time`, {
  timeout: 600_000,
}, async () => {
  const server = await startTestServer()
  const { id, host } = await buildInstance(server.test, {
    alias: 'alike',
    isDefault: false,
    guessLimits: LIMITS,
  })
  const build = (wishes = {}) => buildInvoice(server.test, id, server.clock, wishes)
  const open = await build()
  const hidden = await build({ status: 'PENDING' })
  const negative = await build({ type: 'CREDIT_INVOICE', totalMinor: -25_000 })
  const none = makeReference('SE', newReferenceDigits())
  const pairs = {
    'no such reference': [none, open.zip],
    'a wrong zip': [open.reference, '98765'],
    'not sent yet': [hidden.reference, hidden.zip],
    'a credit': [negative.reference, negative.zip],
  } as const
  const times: Record<Kind, number[]> = {
    'no such reference': [],
    'a wrong zip': [],
    'not sent yet': [],
    'a credit': [],
  }
  const faces = new Set<string>()
  for (let n = 0; n < WARM_UP + SAMPLES; n++) {
    // In another order each time, so that none is always the one after the cache was filled.
    const turn = n % KINDS.length
    for (const kind of [...KINDS.slice(turn), ...KINDS.slice(0, turn)]) {
      const [reference, zip] = pairs[kind]
      const began = performance.now()
      const answer = await server.product.app.inject({
        url: `/api/public/invoices/${reference}/${zip}`,
        headers: { host },
        remoteAddress: '203.0.113.5',
      })
      if (n >= WARM_UP) times[kind].push(performance.now() - began)
      const { traceId } = answer.json<{ traceId: string }>()
      const { date: _, ...headers } = answer.headers
      faces.add(JSON.stringify([answer.statusCode, headers, answer.body.replaceAll(traceId, '')]))
    }
  }
  expect([...faces]).toEqual([expect.stringContaining('login_error::invalid_data')])
  if (!isSoak) return
  const told = KINDS.map((kind) => ({
    kind,
    median: median(times[kind]),
    chance: chanceOfOneKind(times['no such reference'], times[kind]),
  }))
  const first = told[0]?.median ?? 0
  for (const one of told) {
    expect(Math.abs(one.median - first), JSON.stringify(told)).toBeLessThan(1)
    expect(one.chance, JSON.stringify(told)).toBeGreaterThan(0.01)
  }
})
