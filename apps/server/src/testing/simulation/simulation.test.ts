/**
 * The simulation, and the proof that it sees: the product as it is survives every seed, and each planted bug is found.
 * Two seeds and three bugs in every run of the tests; `npm run soak` plays all of them.
 */
import { writeFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../../config/config.ts'
import { openInstances } from '../../instances/instances.ts'
import { openLog } from '../../platform/log.ts'
import { buildInstance, buildPlanSettings, testClock } from '../build.ts'
import { MANY_STARTS } from '../many-starts.ts'
import { Chance } from './chance.ts'
import { openFakeBank } from './fake-bank.ts'
import { inFreshDatabase } from './fresh-database.ts'
import { PLANTED_BUGS, troubledDatabase, type PlantedBug } from './planted-bugs.ts'
import { FIRST_DAY, simulate } from './simulate.ts'
import { openWatch, Violation } from './watch.ts'
import type { World } from './world.ts'
import { NO_JOURNAL } from '../store/no-journal.ts'

const isSoak = process.env.SOAK !== undefined
const SEEDS = isSoak ? 30 : 2
/**
 * The bugs that every run looks for, each with how far after the first the seed is that shows it in a second or two: of the
 * schedule, of a status, and of the books. The others take up to a minute each, and are looked for in the soak with these.
 */
const IN_EVERY_RUN: Readonly<Record<string, number>> = {
  'a disputed invoice keeps its planned steps': 3,
  'a paid invoice stays open': 0,
  'money goes to the wrong bucket of another account': 0,
}
const BUGS = isSoak ? PLANTED_BUGS : PLANTED_BUGS.filter(({ name }) => name in IN_EVERY_RUN)
const ACTS = 120
/** Seeds that a planted bug may take until it shows. */
const SEEDS_FOR_A_BUG = 12
const FIRST_SEED = Number(process.env.SOAK_SEED ?? 1_000)

/** Plays one seed. Answers what was found, or undefined; and whether the planted bug had its chance. */
async function play(seed: number, bug?: PlantedBug): Promise<{ found?: string; wasPlanted: boolean }> {
  let result: { found?: string; wasPlanted: boolean } = { wasPlanted: false }
  await inFreshDatabase(async (database) => {
    const chance = new Chance(seed)
    const clock = testClock(FIRST_DAY)
    const bank = openFakeBank(chance)
    const trouble = { crashShare: 0 }
    const { id } = await buildInstance(database)
    await buildPlanSettings(database, id)
    const db = troubledDatabase(database.db, chance, trouble, bug)
    const instance = await openInstances(database.db, clock).ofHost('localhost')
    if (!instance) throw new Error('the simulation has no instance')
    const context = {
      config: readConfig(MANY_STARTS),
      db,
      clock,
      log: openLog('silent'),
      gateways: [bank.gateway],
      identityProvider: undefined,
      journal: NO_JOURNAL,
      starterKey: new Uint8Array(32),
      fileKey: new Uint8Array(32),
      guessKey: new Uint8Array(32),
      version: 'simulation',
    }
    const watch = openWatch(database, bank)
    const world: World = {
      test: database, context, instance, clock, chance, bank, trouble, watch, invoices: [], bills: [], handedOut: new Set(),
    } // biome-ignore format: a list of parts
    try {
      await simulate(world, ACTS)
      result = { wasPlanted: db.wasPlanted() }
    } catch (error) {
      if (!(error instanceof Violation)) throw error
      result = { found: error.message, wasPlanted: db.wasPlanted() }
    }
  })
  return result
}

const report: { seeds: number[]; acts: number; bugs: { name: string; seed: number; found: string }[] } = {
  seeds: [],
  acts: 0,
  bugs: [],
}
afterAll(() => {
  if (process.env.SOAK_REPORT) writeFileSync(process.env.SOAK_REPORT, JSON.stringify(report))
})

describe('the product as it is', () => {
  test.each(Array.from({ length: SEEDS }, (_, n) => FIRST_SEED + n))(
    'survives seed %i',
    { timeout: 120_000 },
    async (seed) => {
      const { found } = await play(seed)
      expect(found, `seed ${seed}`).toBeUndefined()
      report.seeds.push(seed)
      report.acts += ACTS
    },
  )
})

describe('a planted bug is found', () => {
  test('each that every run looks for is one of them', () => {
    expect(PLANTED_BUGS.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(IN_EVERY_RUN)))
  })

  test.each(BUGS)('$name', { timeout: 300_000 }, async (bug) => {
    const first = FIRST_SEED + (isSoak ? 0 : (IN_EVERY_RUN[bug.name] ?? 0))
    for (let seed = first; seed < first + SEEDS_FOR_A_BUG; seed++) {
      const { found, wasPlanted } = await play(seed, bug)
      if (found === undefined) continue
      expect(wasPlanted, `found without it: ${found}`).toBe(true)
      report.bugs.push({ name: bug.name, seed, found })
      return
    }
    expect.fail(`${SEEDS_FOR_A_BUG} seeds did not find it`)
  })
})
