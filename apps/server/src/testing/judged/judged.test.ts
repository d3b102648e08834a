/**
 * Stories that the oracle judges after every night, told only what has been delivered until then: the product as it is agrees
 * with it on each debt and bucket, and each planted fault is found. `npm test` plays 5,000 steps, `npm run soak` a million.
 * A story that goes wrong stops no other: what was found is printed at once, and again at the end.
 */
import { appendFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { Chance } from '../simulation/chance.ts'
import { inFreshDatabase } from '../simulation/fresh-database.ts'
import { troubledDatabase, type PlantedBug } from '../simulation/planted-bugs.ts'
import type { Favour, FavourName } from '../oracle/facts.ts'
import type { TestDatabase } from '../test-database.ts'
import type { Difference } from './compare.ts'
import { KNOWN_STORIES, STORIES_OF_FAULTS, storyOf } from './known-stories.ts'
import { PLANTED_FAULTS } from './planted-faults.ts'
import { play } from './play.ts'
import { ofDebtor, printed, shrink } from './shrink.ts'
import { setStage, type Stage } from './stage.ts'
import { tellStory, type Story } from './story.ts'

const isSoak = process.env.SOAK !== undefined
const STORY_STEPS = 2_500
const STEPS = isSoak ? Number(process.env.SOAK_STEPS ?? 1_000_000) : 2_500
/** Stories at a time, each in a database of its own: program and database keep a core busy each. */
const LANES = 2
const STORIES = Math.ceil(STEPS / STORY_STEPS)
const FIRST_SEED = Number(process.env.SOAK_SEED ?? 0)
/** Each of them is played many times until its few steps are found: by then somebody has to look. */
const MOST_FOUND = 10
/** A fault may stay hidden in the first stories, which are shorter here. */
const STORIES_FOR_A_FAULT = 6
const STEPS_FOR_A_FAULT = 700
/**
 * The faults that every run looks for, each with a seed whose story shows it in a second or two. They are of three kinds: money
 * that is not booked, money that is booked twice, and money that is booked elsewhere. The others take up to a minute each,
 * and are looked for in the soak with these.
 */
const IN_EVERY_RUN: Readonly<Record<string, number>> = {
  'a second entry of a bank is taken for the first': 4,
  'money that two formats tell of is booked twice': 0,
  'money goes to the wrong bucket of another account': 0,
}
/** Played in the soak. */
const OWN_STORIES = isSoak ? STORIES_OF_FAULTS : []
const ownStoryOf = (name: string) => STORIES_OF_FAULTS.find(({ fault }) => fault === name)
const FAULTS = PLANTED_FAULTS.filter(({ name }) => !ownStoryOf(name) && (isSoak || name in IN_EVERY_RUN))

/** All that debtors are let off beyond the law, and the most of each at once, in minor units of a krone or krona. */
const LARGEST_FAVOURS: Readonly<Record<FavourName, number>> = {
  'a small rest after a payment is written off': 2_500,
  'interest under 1.00 is not posted': 99,
  'unsent interest waits': 2_500,
  'interest that was paid late is not billed when it is little': 9_999,
  'no further fee on a small rest': 10_000,
}

type Played = { readonly stage: Stage; readonly found: Difference | undefined; readonly wasPlanted: boolean }

async function playOnce(database: TestDatabase, story: Story, bug?: PlantedBug): Promise<Played> {
  const troubled = troubledDatabase(database.db, new Chance(0), { crashShare: 0 }, bug)
  const stage = await setStage(database, story, troubled)
  const found = await play(stage)
  return { stage, found, wasPlanted: troubled.wasPlanted() }
}

/** What went wrong, with the few steps that lead there. */
async function explain(database: TestDatabase, story: Story, { stage, found }: Played): Promise<string> {
  const debtor = stage.debtors.findIndex(({ id }) => id === found?.debtor)
  const own = ofDebtor(story, debtor)
  const goesWrong = async (shorter: Story): Promise<boolean> =>
    (await playOnce(database, shorter)).found !== undefined
  const short = debtor >= 0 && (await goesWrong(own)) ? await shrink(own, goesWrong) : story
  return `${found?.what}\n${printed(short)}`
}

type Sum = { count: number; largest: number }

function sumUp(sums: Map<FavourName, Sum>, favours: readonly Favour[]): void {
  for (const { name, minor } of favours) {
    const { count, largest } = sums.get(name) ?? { count: 0, largest: 0 }
    sums.set(name, { count: count + 1, largest: Math.max(largest, minor) })
  }
}

/** A line for whoever watches: a million steps take hours. */
function say(line: string): void {
  process.stdout.write(`${line}\n`)
  if (process.env.SOAK_REPORT) appendFileSync(`${process.env.SOAK_REPORT}.judged.txt`, `${line}\n`)
}

/** Plays the story of a seed: how it ended, and what is wrong. */
async function judgeSeed(seed: number): Promise<{ readonly stage?: Stage; readonly wrong?: string }> {
  let judged: { readonly stage?: Stage; readonly wrong?: string } = {}
  try {
    await inFreshDatabase(async (database) => {
      const story = tellStory(seed, STORY_STEPS)
      const played = await playOnce(database, story)
      judged = { stage: played.stage }
      if (played.found)
        judged = { ...judged, wrong: `seed ${seed}: ${await explain(database, story, played)}` }
    })
  } catch (error) {
    judged = { ...judged, wrong: `seed ${seed}: ${error instanceof Error ? error.stack : String(error)}` }
  }
  return judged
}

test(`T-MODEL: books and oracle agree for ${STEPS} steps from seed ${FIRST_SEED}`, {
  timeout: 5 * 3_600_000,
}, async () => {
  const favours = new Map<FavourName, Sum>()
  const found: string[] = []
  const startedAt = performance.now()
  let steps = 0
  let next = FIRST_SEED
  const lane = async (): Promise<void> => {
    while (next < FIRST_SEED + STORIES && found.length < MOST_FOUND) {
      const seed = next++
      const { stage, wrong } = await judgeSeed(seed)
      steps += stage?.counted ?? 0
      sumUp(favours, stage?.favours ?? [])
      if (wrong !== undefined) found.push(wrong)
      if (wrong !== undefined || isSoak) say(wrong ?? `seed ${seed}: ${stage?.counted} steps agree`)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  const seconds = (performance.now() - startedAt) / 1000
  const list = [...favours].map(
    ([name, { count, largest }]) => `\n  ${name}: ${count} times, ${largest / 100} at most`,
  )
  const seeds = `seeds ${FIRST_SEED} to ${next - 1}`
  say(`${steps} steps, ${seeds}, in ${Math.round(seconds)} s; in the debtors' favour:${list.join('')}`)
  expect(found.join('\n\n'), `${found.length} stories are wrong`).toBe('')
  expect(steps).toBeGreaterThan(0.9 * STEPS)
  for (const [name, { largest }] of favours) expect(largest, name).toBeLessThanOrEqual(LARGEST_FAVOURS[name])
})

test.each(KNOWN_STORIES)('no more: $wrong', { timeout: 120_000 }, async (known) => {
  await inFreshDatabase(async (database) => {
    const { found } = await playOnce(database, storyOf(known))
    expect(found?.what).toBeUndefined()
  })
})

describe('a planted fault is found', () => {
  test('each that every run looks for is one of them', () => {
    expect(PLANTED_FAULTS.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(IN_EVERY_RUN)))
  })

  test.each(FAULTS)('$name', { timeout: 600_000 }, async (fault) => {
    const first = FIRST_SEED + (isSoak ? 0 : (IN_EVERY_RUN[fault.name] ?? 0))
    for (let seed = first; seed < first + STORIES_FOR_A_FAULT; seed++) {
      let played: Played | undefined
      await inFreshDatabase(async (database) => {
        played = await playOnce(database, tellStory(seed, STEPS_FOR_A_FAULT), fault)
      })
      if (!played?.found) continue
      expect(played.wasPlanted, `found without it: ${played.found.what}`).toBe(true)
      return
    }
    expect.fail(`${STORIES_FOR_A_FAULT} stories did not find it`)
  })

  test.each(OWN_STORIES)('$fault, in a story of its own', { timeout: 120_000 }, async (own) => {
    const fault = PLANTED_FAULTS.find(({ name }) => name === own.fault)
    if (!fault) throw new Error(`nobody plants it: ${own.fault}`)
    const found = async (bug?: PlantedBug): Promise<Played> => {
      let played: Played | undefined
      await inFreshDatabase(async (database) => {
        played = await playOnce(database, storyOf(own), bug)
      })
      if (!played) throw new Error('nothing was played')
      return played
    }
    expect((await found()).found?.what).toBeUndefined()
    const planted = await found(fault)
    expect([planted.wasPlanted, planted.found?.what]).toEqual([true, expect.any(String)])
  })
})
