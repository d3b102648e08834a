import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { testDatabase } from '../../testing/test-database.ts'
import { statement } from './database.ts'

const base = await testDatabase()
const ownProcess = statement('test.ownProcess', 'select pg_backend_pid() as pid')

test('T-PGKILL: a connection that is cut between two statements fails its transaction and nothing else', async () => {
  const lost = base.db.transaction(async (tx) => {
    const [row] = await tx.rows<{ pid: number }>(ownProcess)
    await base.owner.query('select pg_terminate_backend($1)', [row?.pid])
    await sleep(100)
    return tx.rows(ownProcess)
  })
  await expect(lost).rejects.toThrow(/terminat|not queryable|unexpectedly/)
  expect(await base.db.rows(ownProcess)).toHaveLength(1)
})

const add = statement('test.add', 'insert into secret (name, value) values ($1, $2)')
const names = statement('test.names', `select name from secret where name like 'sent-%' order by name`)
const sentNames = async (): Promise<string[]> =>
  (await base.db.rows<{ name: string }>(names)).map(({ name }) => name)

test('what is sent is executed in order, before what is asked for after it, and committed with the rest', async () => {
  const seen = await base.db.transaction(async (tx) => {
    tx.send(add, ['sent-1', 'a'])
    const rows = await tx.rows<{ name: string }>(names)
    tx.send(add, ['sent-2', 'b'])
    return rows
  })
  expect(seen).toEqual([{ name: 'sent-1' }])
  expect(await sentNames()).toEqual(['sent-1', 'sent-2'])
})

test('what is sent and fails takes its transaction along, and is the reason that is told', async () => {
  const last = base.db.transaction(async (tx) => {
    tx.send(add, ['sent-3', 'c'])
    tx.send(add, ['sent-1', 'again'])
  })
  await expect(last).rejects.toThrow(/duplicate key/)
  const followed = base.db.transaction(async (tx) => {
    tx.send(add, ['sent-1', 'again'])
    tx.send(add, ['sent-4', 'd'])
    await tx.rows(names)
  })
  await expect(followed).rejects.toThrow(/duplicate key/)
  expect(await sentNames()).toEqual(['sent-1', 'sent-2'])
})

test('a failure that is swallowed inside a transaction is not taken for a commit', async () => {
  const swallowed = base.db.transaction(async (tx) => {
    await tx.rows(add, ['sent-5', 'e'])
    await tx.rows(add, ['sent-1', 'again']).catch(() => {})
  })
  await expect(swallowed).rejects.toThrow(/went on to its commit/)
  expect(await sentNames()).toEqual(['sent-1', 'sent-2'])
})
