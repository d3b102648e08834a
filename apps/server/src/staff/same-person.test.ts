import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { testDatabase } from '../testing/test-database.ts'
import { insertPerson } from './staff.queries.ts'

test('a person whom somebody else makes at the same moment is that person', async () => {
  const { db, owner } = await testDatabase()
  const person = { email: 'ny@granskog.example', name: 'Greta Gran', passwordHash: null, isDemo: false }
  const other = await owner.connect()
  try {
    await other.query('begin')
    const theirs = randomUUID()
    await other.query('insert into person (id, email, name) values ($1, $2, $3)', [
      theirs,
      person.email,
      'Greta',
    ])
    const ours = db.transaction((tx) => insertPerson(tx, { ...person, id: randomUUID() }))
    await expect
      .poll(async () => (await owner.query('select from pg_locks where not granted')).rows.length)
      .toBeGreaterThan(0)
    await other.query('commit')
    expect(await ours).toBe(theirs)
  } finally {
    other.release()
  }
})
