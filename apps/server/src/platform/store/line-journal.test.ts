import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openLog } from '../log.ts'
import { forgetLines, KEPT_DAYS, keptDays, openLineJournal, readLines } from './line-journal.ts'
import { openStore } from './open-store.ts'
import { StoreUnavailable, type Store } from './store.ts'

const DAY_MS = 24 * 60 * 60 * 1000
let folder: string
let store: Store
let days = 0
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kvitt-lines-'))
  store = openStore({ folder })
  days = 0
})
afterEach(() => rmSync(folder, { recursive: true }))

const clock = { now: () => Date.now() + days * DAY_MS, today: () => '2026-11-20' as never }
const log = openLog('silent')
const open = (over: Store) => openLineJournal(over, { clock, log })
const numbers = async () => (await readLines(store, keptDays(clock))).lines.map(({ n }) => n)

/** Holds or refuses what is put, and counts it. */
function troubled(trouble: (call: number) => Promise<void>) {
  let puts = 0
  const put: Store['put'] = async (name, bytes) => {
    await trouble((puts += 1))
    return store.put(name, bytes)
  }
  return { over: { ...store, put }, puts: () => puts }
}

test('lines of one moment share a file, in their order; one that is noted is there', async () => {
  const { over, puts } = troubled(async () => {})
  const journal = open(over)
  await journal.note({ n: 0 })
  expect(await numbers()).toEqual([0])
  await Promise.all(Array.from({ length: 50 }, (_, n) => journal.note({ n: n + 1 })))
  expect(await numbers()).toEqual(Array.from({ length: 51 }, (_, n) => n))
  expect(puts()).toBe(3)
})

test('a store that is away holds nobody up for long, and has every line once it is back', async () => {
  let isAway = true
  const { over } = troubled(async () => {
    if (isAway) throw new StoreUnavailable('away', 'away')
  })
  const journal = open(over)
  const began = Date.now()
  await journal.note({ n: 1 })
  expect(Date.now() - began).toBeGreaterThanOrEqual(900)
  const next = Date.now()
  for (let n = 2; n <= 20; n++) await journal.note({ n })
  expect(Date.now() - next).toBeLessThan(500)
  expect(journal.waiting()).toBe(20)
  isAway = false
  await journal.close()
  expect(journal.waiting()).toBe(0)
  expect(await numbers()).toEqual(Array.from({ length: 20 }, (_, n) => n + 1))
})

test('a line that was cut off in the middle is counted, and the others are read', async () => {
  const journal = open(store)
  await journal.note({ n: 1 })
  const [day = ''] = keptDays(clock).slice(-2)
  writeFileSync(join(folder, day, 'cut.jsonl'), '{"n":2}\n{"n":')
  const read = await readLines(store, keptDays(clock))
  expect([
    read.lines.map(({ n }) => Number(n)).toSorted((one, other) => one - other),
    read.unreadable,
  ]).toEqual([[1, 2], 1])
})

test(`kept for ${KEPT_DAYS} days, and no longer`, async () => {
  const journal = open(store)
  await journal.note({ n: 1 })
  days = KEPT_DAYS
  await forgetLines(store, clock)
  expect(await numbers()).toEqual([1])
  days = KEPT_DAYS + 1
  await forgetLines(store, clock)
  expect(await numbers()).toEqual([])
  days = 0
  expect(await numbers()).toEqual([])
})

test('a store that holds a line up holds one start up, and its lines count as waiting', async () => {
  let letGo = (): void => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const { over } = troubled(() => held)
  const journal = open(over)
  await journal.note({ n: 1 })
  const next = Date.now()
  for (let n = 2; n <= 20; n++) await journal.note({ n })
  expect(Date.now() - next).toBeLessThan(500)
  expect(journal.waiting()).toBe(20)
  letGo()
  await journal.close()
  expect([journal.waiting(), await numbers()]).toEqual([0, Array.from({ length: 20 }, (_, n) => n + 1)])
})

test('what has waited is written in pieces, in its order', async () => {
  const { over, puts } = troubled(async (call) => {
    if (call === 1) throw new StoreUnavailable('away', 'away')
  })
  const journal = open(over)
  await journal.note({ n: 0 })
  for (let n = 1; n < 4_500; n++) await journal.note({ n })
  await journal.close()
  expect(puts()).toBe(4)
  expect(await numbers()).toEqual(Array.from({ length: 4_500 }, (_, n) => n))
})
