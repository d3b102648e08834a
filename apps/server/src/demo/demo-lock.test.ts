import { expect, test } from 'vitest'
import type { Transaction } from '../platform/database/database.ts'
import { testDatabase } from '../testing/test-database.ts'
import { lockDemo } from './demo.queries.ts'

const patienceOf = async (tx: Transaction): Promise<string | undefined> => {
  const show = {
    name: 'x.patience',
    text: `select current_setting('idle_in_transaction_session_timeout') as ms`,
  }
  return (await tx.rows<{ ms: string }>(show))[0]?.ms
}

test('whoever loads the cast is not cut off while it takes long, and who comes second is told at once', async () => {
  const { db } = await testDatabase()
  await db.transaction(async (tx) => {
    expect([await lockDemo(tx), await patienceOf(tx)]).toEqual([true, '0'])
    expect(await db.transaction(lockDemo)).toBe(false)
  })
  await db.transaction(async (tx) => {
    expect([await patienceOf(tx), await lockDemo(tx)]).toEqual(['30s', true])
  })
})
