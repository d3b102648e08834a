import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { statement, type Database } from '../platform/database/database.ts'
import { Schedule, seeded } from './schedule.ts'

const anything = statement('anything', 'select 1')

test('a run has ended when what an actor left to itself is committed, and what follows that is done', async () => {
  const done: string[] = []
  const slow: Database = {
    rows: async () => [],
    close: async () => {},
    async transaction(work) {
      const answer = await work({ rows: async () => [], send: () => {}, isTransaction: true })
      await sleep(50)
      done.push('committed')
      return answer
    },
  }
  const schedule = new Schedule()
  const db = schedule.database(slow)
  const leftToItself = async (): Promise<void> => {
    await db.transaction((tx) => tx.rows(anything))
    await db.rows(anything)
    done.push('said')
  }
  await schedule.run(seeded(1), [async () => void leftToItself()])
  expect(done).toEqual(['committed', 'said'])
})
