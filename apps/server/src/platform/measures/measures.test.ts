/** What is read from the database for whoever watches: seldom, never in the way, and never told when nobody could read it. */
import { Registry } from 'prom-client'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { DatabaseAway } from '../database/database-away.ts'
import type { Database, Statement } from '../database/database.ts'
import { openLog } from '../log.ts'
import { testClock } from '../../testing/build.ts'
import { openMeasures, type Measure, type MeasureGroup } from './measures.ts'

const letters: MeasureGroup = {
  gauges: [{ name: 'test_letters', help: 'letters', labels: ['provider'] }],
  read: async (db) => ({
    test_letters: (await db.rows<{ n: number }>({ name: 'letters', text: '' })).map(({ n }) => [
      { provider: 'nordklar' },
      n,
    ]),
  }),
}
const tasks: Measure = {
  name: 'test_tasks',
  help: 'tasks',
  count: async (db) => (await db.rows<{ n: number }>({ name: 'tasks', text: '' }))[0]?.n ?? 0,
}

let registry: Registry
let asked: string[]
let answer: (sql: Statement) => Promise<unknown[]>
const rows = <Row>(sql: Statement): Promise<Row[]> => {
  asked.push(sql.name)
  return answer(sql) as Promise<Row[]>
}
const db: Database = {
  rows,
  transaction: (work) => work({ rows, isTransaction: true, send: () => {} }),
  close: async () => {},
}
const open = (keptMs = 60_000, others: readonly Database[] = []) =>
  openMeasures(registry, [letters, tasks], {
    db,
    pools: [db, ...others],
    clock: testClock(),
    log: openLog('silent'),
    keptMs,
  })
const never = (): Promise<never> => new Promise(() => {})
const valueOf = async (name: string): Promise<number | undefined> =>
  (await registry.getSingleMetric(name)?.get())?.values[0]?.value

beforeEach(() => {
  registry = new Registry()
  asked = []
  answer = async () => [{ n: 7 }]
})

test('whoever asks again soon, or meanwhile, is told what was read', async () => {
  const measures = open()
  await Promise.all([measures.refresh(), measures.refresh()])
  await measures.refresh()
  expect(asked).toEqual(['measures.probe', 'letters', 'tasks'])
  expect([await valueOf('test_letters'), await valueOf('test_tasks')]).toEqual([7, 7])
  expect([await valueOf('kvitt_database_up'), await valueOf('kvitt_measures_lost')]).toEqual([1, 0])
})

test('what is gone from the database is gone from the answer', async () => {
  const measures = open(0)
  await measures.refresh()
  answer = async () => []
  await measures.refresh()
  expect(await registry.metrics()).not.toMatch(/^test_letters\{/m)
})

test('a database that is away leaves no figure that nobody read, and a first one is none either', async () => {
  const measures = open(0)
  expect(await valueOf('test_tasks')).toBeUndefined()
  await measures.refresh()
  answer = async () => {
    throw new DatabaseAway('gone')
  }
  await measures.refresh()
  expect(await valueOf('kvitt_database_up')).toBe(0)
  expect([await valueOf('test_letters'), await valueOf('test_tasks')]).toEqual([undefined, undefined])
  answer = async () => [{ n: 3 }]
  await measures.refresh()
  expect([await valueOf('kvitt_database_up'), await valueOf('test_tasks')]).toEqual([1, 3])
})

test('one group that cannot be read costs nobody the others', async () => {
  answer = async ({ name }) => {
    if (name === 'letters') throw Object.assign(new Error('canceled'), { code: '57014' })
    return [{ n: 5 }]
  }
  await open().refresh()
  expect([await valueOf('test_letters'), await valueOf('test_tasks')]).toEqual([undefined, 5])
  expect([await valueOf('kvitt_database_up'), await valueOf('kvitt_measures_lost')]).toEqual([1, 1])
})

test('a database that says nothing is waited for three seconds, and up again when it speaks', async () => {
  let speak: (rows: unknown[]) => void = () => {}
  const spoken = new Promise<unknown[]>((resolve) => (speak = resolve))
  answer = () => spoken
  const measures = open(0)
  const beganMs = performance.now()
  await measures.refresh()
  expect(performance.now() - beganMs).toBeLessThan(4_000)
  expect([await valueOf('kvitt_database_up'), await valueOf('test_tasks')]).toEqual([0, undefined])
  speak([{ n: 9 }])
  await measures.refresh()
  expect(asked, 'it was not asked anew meanwhile').toEqual(['measures.probe', 'letters', 'tasks'])
  expect([await valueOf('kvitt_database_up'), await valueOf('test_tasks')]).toEqual([1, 9])
})

describe('a group that takes too long', () => {
  test('is counted as lost, and costs nobody what was read', async () => {
    answer = ({ name }) => (name === 'letters' ? never() : Promise.resolve([{ n: 5 }]))
    const measures = open(0)
    const beganMs = performance.now()
    await measures.refresh()
    expect(performance.now() - beganMs).toBeLessThan(4_000)
    expect([await valueOf('test_letters'), await valueOf('test_tasks')]).toEqual([undefined, 5])
    expect([await valueOf('kvitt_database_up'), await valueOf('kvitt_measures_lost')]).toEqual([1, 1])
    await measures.refresh()
    expect(
      asked.filter((name) => name === 'letters'),
      'nor is it asked for beside itself',
    ).toHaveLength(1)
  })

  test('tells what it told last for a minute, and then nothing', async () => {
    const measures = open(0)
    await measures.refresh()
    answer = ({ name }) => (name === 'letters' ? never() : Promise.resolve([{ n: 5 }]))
    await measures.refresh()
    expect([await valueOf('test_letters'), await valueOf('test_tasks')]).toEqual([7, 5])
    expect(await valueOf('kvitt_measures_lost')).toBe(1)
    const now = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 61_000)
    try {
      await measures.refresh()
    } finally {
      vi.restoreAllMocks()
    }
    expect([await valueOf('test_letters'), await valueOf('test_tasks')]).toEqual([undefined, 5])
  })

  test('and after which nothing answers, is a database that is away', async () => {
    let isSilent = false
    answer = ({ name }) => {
      isSilent ||= name === 'letters'
      return isSilent ? never() : Promise.resolve([{ n: 5 }])
    }
    const measures = open(0)
    await measures.refresh()
    await expect.poll(async () => valueOf('kvitt_database_up'), { timeout: 5_000 }).toBe(0)
    expect([await valueOf('test_tasks'), await valueOf('kvitt_measures_lost')]).toEqual([undefined, 2])
  })
})

test('a pool without a free connection is no database that is away', async () => {
  const jobs: Database = { ...db, rows: async <Row>() => [{ one: 1 }] as Row[] }
  answer = never
  await open(0, [jobs]).refresh()
  expect([await valueOf('kvitt_database_up'), await valueOf('kvitt_measures_lost')]).toEqual([1, 2])
})

test('nor is one that had none within its time', async () => {
  const jobs: Database = { ...db, rows: async <Row>() => [{ one: 1 }] as Row[] }
  answer = async () => {
    throw new DatabaseAway('timeout exceeded when trying to connect')
  }
  await open(0, [jobs]).refresh()
  expect([await valueOf('kvitt_database_up'), await valueOf('kvitt_measures_lost')]).toEqual([1, 2])
})
