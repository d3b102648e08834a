import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { testDatabase } from '../testing/test-database.ts'
import { statement } from './database.ts'

const base = await testDatabase()
const ownProcess = statement('test.ownProcess', 'select pg_backend_pid() as pid')

test('a connection that is cut between two statements fails its transaction and nothing else', async () => {
  const lost = base.db.transaction(async (tx) => {
    const [row] = await tx.rows<{ pid: number }>(ownProcess)
    await base.owner.query('select pg_terminate_backend($1)', [row?.pid])
    await sleep(100)
    return tx.rows(ownProcess)
  })
  await expect(lost).rejects.toThrow(/terminat|not queryable|unexpectedly/)
  expect(await base.db.rows(ownProcess)).toHaveLength(1)
})
