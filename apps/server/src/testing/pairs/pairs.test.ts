/**
 * Every two things that can happen to a debt, one after the other in both orders and at the same time. At the same time
 * a seed decides at every statement who goes on (testing/schedule.ts), and it has to come to what one of the orders
 * comes to. A thirty-sixth of the pairs in every run of the tests, other ones of each debt, and each act alone; `npm run soak`
 * plays all, with many seeds each.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { openLog } from '../../platform/log.ts'
import type { Database } from '../../platform/database/database.ts'
import { Schedule, seeded } from '../schedule.ts'
import { startTestServer, type TestServer } from '../start-test-server.ts'
import { brokenInvariants } from '../test-database.ts'
import { ACTS as ACTS_OF_ALL, type Act } from './acts.ts'
import { movesOutsideTheTables, outcomeOf, watchMoves } from './outcome.ts'
import { STAFF_ACTS } from './staff-acts.ts'
import { buildStage, openStageClock, SUBJECTS, type Stage, type StageClock, type Subject } from './stage.ts'

const isSoak = process.env.SOAK !== undefined
const FIRST_SEED = Number(process.env.SOAK_SEED ?? 1)
const ROUNDS = isSoak ? Number(process.env.SOAK_ROUNDS ?? 20) : 1
const SHARE = isSoak ? 1 : 36

const ACTS = [...ACTS_OF_ALL, ...STAFF_ACTS]

const clock = openStageClock()
const schedule = new Schedule()
let server: TestServer

/** Deadlocks and the like are tried again by the product; that there are any is a fault of the order of its locks. */
const collisions: string[] = []
function watched(db: Database): Database {
  const noting = async <Result>(what: string, work: Promise<Result>): Promise<Result> => {
    try {
      return await work
    } catch (error) {
      const { code } = error as { code?: string }
      if (code === '40P01' || code === '40001') collisions.push(`${code} ${what}`)
      throw error
    }
  }
  return {
    rows: (statement, values) => noting(statement.name, db.rows(statement, values)),
    close: () => db.close(),
    transaction: (work) =>
      db.transaction((tx) =>
        work({ ...tx, rows: (statement, values) => noting(statement.name, tx.rows(statement, values)) }),
      ),
  }
}

beforeAll(async () => {
  server = await startTestServer({ clock })
  await watchMoves(server.test)
  const { context } = server.product
  Object.assign(context, {
    log: openLog('silent'),
    db: schedule.database(watched(context.db)),
    gateways: context.gateways.map((gateway) => schedule.gateway(gateway, () => {})),
    journal: schedule.journal(context.journal),
  })
})

/** The stage's clock as long as its test is on: one that was given up goes on, and would move the days of the next. */
const clockOf = (signal: AbortSignal): StageClock => ({
  ...clock,
  moveTo(day) {
    signal.throwIfAborted()
    clock.moveTo(day)
  },
})

/** On what acts are played, for a test that may be given up. */
type Scene = { readonly subject: Subject; readonly signal: AbortSignal }
type Played = { readonly words: string[]; readonly outcome: string[] }

/** Plays acts on a stage of their own, each after the other or, with a seed, together. */
async function play({ subject, signal }: Scene, acts: readonly Act[], seed?: number): Promise<Played> {
  signal.throwIfAborted()
  const needs = [...new Set(acts.flatMap((act) => act.needs))]
  // What the bank tells comes when an act brings it.
  await server.control('POST', '/control/faults', { target: 'bank', fault: 'drop-callback', times: 1_000 })
  const stage = await buildStage(server, clockOf(signal), { subject, needs })
  const words: string[] = []
  const run = async (act: Act, number: number): Promise<void> => {
    signal.throwIfAborted()
    words[number] = await act.run(stage)
  }
  const actors = acts.map((act, number) => () => run(act, number))
  // What an act leaves to itself, such as looking into a callback that it has acknowledged, ends before the next begins.
  if (seed === undefined) for (const actor of actors) await schedule.run(seeded(1), [actor])
  else await schedule.run(seeded(seed), actors)
  await settleDown(stage, acts)
  expect(await brokenInvariants(server.test.owner, stage.instance.id)).toEqual({})
  expect(await movesOutsideTheTables(server.test)).toEqual([])
  expect(collisions.splice(0)).toEqual([])
  return { words, outcome: await outcomeOf(stage) }
}

/** What waits goes on: news of the bank, and what a night passed over because somebody was at it. */
async function settleDown(stage: Stage, acts: readonly Act[]): Promise<void> {
  await stage.server.product.sweepAll()
  for (const { isRepeated, run } of acts) if (isRepeated) await run(stage)
}

/** The orders in which an act comes between the parts of the other. */
async function playBetween(scene: Scene, one: Act, other: Act): Promise<Played[]> {
  const orders: Played[] = []
  for (const [cut, between] of [
    [one, other],
    [other, one],
  ] as const) {
    const { begin } = cut
    if (begin === undefined) continue
    const first: Act = { ...cut, run: async (stage) => String(await begin(stage)) }
    orders.push(await play(scene, [first, between, cut]))
  }
  return orders
}

const PAIRS = ACTS.flatMap((one, first) => ACTS.slice(first).map((other) => [one, other] as const))
const EVERY = SUBJECTS.flatMap((subject) =>
  PAIRS.map(([one, other], number) => ({ subject, one, other, number })),
)
/** An invoice and a claim begin half a share apart: what is not played on the one is played on the other. */
const beginOf = (subject: Subject): number =>
  (FIRST_SEED + SUBJECTS.indexOf(subject) * Math.floor(SHARE / SUBJECTS.length)) % SHARE

describe.each(SUBJECTS)('state.pairs, T-ISO: on one %s', (subject) => {
  test('each does what it says when nothing else happens', { timeout: 120_000 }, async ({ signal }) => {
    for (const act of ACTS) {
      const alone = typeof act.alone === 'string' ? act.alone : act.alone[subject]
      expect([act.name, ...(await play({ subject, signal }, [act])).words]).toEqual([act.name, alone])
    }
  })

  test.for(EVERY.filter((pair) => pair.subject === subject && pair.number % SHARE === beginOf(subject)))(
    '$one.name, $other.name',
    { timeout: 60_000 + ROUNDS * 5_000 },
    async ({ one, other, number }, { signal }) => {
      const scene = { subject, signal }
      const forth = await play(scene, [one, other])
      const back = one === other ? forth : await play(scene, [other, one])
      // The same thing twice is the same thing once.
      if (one === other) expect(forth.outcome).toEqual((await play(scene, [one])).outcome)
      for (let round = 0; round < ROUNDS; round++) {
        const seed = FIRST_SEED + number * 1_000 + round
        const { outcome, words } = await play(scene, [one, other], seed)
        const isOneOf = (orders: readonly Played[]): boolean =>
          orders.some((order) => order.outcome.join() === outcome.join())
        if (!isOneOf([forth, back]) && !isOneOf(await playBetween(scene, one, other))) {
          const about = `seed ${seed}: ${words.join(' / ')}; one after the other: ${forth.words.join(' / ')}; ${back.words.reverse().join(' / ')}`
          expect({ about, outcome }).toEqual({ about, outcome: forth.outcome })
        }
      }
    },
  )
})
