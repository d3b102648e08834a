import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { Refusal } from '@kvitt/domain/errors.ts'
import { DEFAULT_LIMITS } from '../instances/guess-limits.ts'
import { openInstances, type Instance } from '../instances/instances.ts'
import { readOrMakeSecret } from '../platform/database/secrets.queries.ts'
import {
  build,
  clock,
  DAY,
  host,
  testBase,
  THROTTLED,
  time,
  useGuesses,
  WRONG,
  zipOf,
} from '../testing/guesses.ts'
import { authenticatePair } from './sign-in.ts'

useGuesses()

const DAYS = 365
/** Failed guesses against one reference that are answered in 24 hours once those of 30 days are used up. */
const SLOW_PER_DAY = 1
/** One a day, and a month's at the end of one window and at the beginning of the next. */
const TRIES = DAYS * SLOW_PER_DAY + 2 * (DEFAULT_LIMITS.referencePerMonth ?? Number.POSITIVE_INFINITY)
const list = readFileSync(fileURLToPath(new URL('../../../../docs/threats.md', import.meta.url)), 'utf8')

test('bf.vertical: the chance of a year stands in docs/threats.md as the limits make it', () => {
  expect(list).toContain(`**${TRIES}** tries`)
  const rows = [...list.matchAll(/^\| (\w+) \| (\d+) \| ([\d.]+) % \|$/gm)]
  expect(rows.map(([, country]) => country)).toEqual(['Sweden', 'Norway', 'Finland', 'Denmark'])
  for (const [, country, zips, chance] of rows) {
    expect(((100 * TRIES) / Number(zips)).toFixed(1), country).toBe(chance)
  }
  expect(Number(rows[0]?.[3])).toBeLessThanOrEqual(2.5)
  // What the others would have to be given up for it.
  const tries = rows.slice(1).map(([, , zips]) => Math.floor(Number(zips) * 0.025))
  const waits = tries.map((most) => Math.ceil(DAYS / most))
  const plain = list.replaceAll('\n', ' ')
  expect(plain).toContain(
    `${tries[0]} tries a year in Norway, ${tries[1]} in Finland and ${tries[2]} in Denmark`,
  )
  expect(plain).toContain(`wait ${waits[0]}, ${waits[1]} and ${waits[2]} days`)
})

type Guard = { readonly instance: Instance; readonly key: Uint8Array }

async function openGuard(): Promise<Guard> {
  const instance = (await openInstances(testBase.db, clock).ofHost(host)) as Instance
  return { instance, key: await readOrMakeSecret(testBase.db, 'guesses') }
}

/** As the guard in front of every public call answers it: undefined, or how long to wait. */
async function waitAfter(
  { instance, key }: Guard,
  reference: string,
  zip: string,
): Promise<number | undefined> {
  const attempt = { instance, reference, zip, address: '203.0.113.5', cookie: undefined, isHttps: false }
  const told = authenticatePair({ db: testBase.db, clock, key }, { ...attempt, solution: undefined }).catch(
    (refusal: Refusal) => refusal,
  )
  const { code, params } = (await told) as Refusal
  if (code === WRONG) return undefined
  expect(code).toBe(THROTTLED)
  return Number(params.retryAfterSeconds) * 1000
}

/** Tries, waits as long as it is told, and so on. Answers how many tries were answered. */
async function guessFor(days: number, reference: string): Promise<number> {
  const end = time.nowMs + days * DAY
  const guard = await openGuard()
  let answered = 0
  while (time.nowMs < end) {
    const waitMs = await waitAfter(guard, reference, zipOf(answered))
    if (waitMs === undefined) answered += 1
    else {
      expect(waitMs).toBeLessThanOrEqual(DAY)
      time.nowMs += waitMs
    }
  }
  return answered
}

test('bf.vertical: whoever tries as soon as it is allowed is answered no more often in a year', async () => {
  const { reference } = await build()
  // Four days of five, then one a day.
  expect(await guessFor(DAYS, reference)).toBe(4 * 5 + (DAYS - 4))
})

test('bf.vertical: nor does whoever lets the end of one window run into the next', async () => {
  const { reference } = await build()
  expect(await waitAfter(await openGuard(), reference, zipOf(1))).toBeUndefined()
  time.nowMs += 26 * DAY
  // Nineteen are left of this window's, and twenty are the next one's.
  const answered = await guessFor(4, reference)
  expect(answered).toBe(19)
  const rest = await guessFor(DAYS - 4, reference)
  expect(rest).toBe(4 * 5 + (DAYS - 4 - 4))
  expect(answered + rest).toBeLessThanOrEqual(TRIES)
})
