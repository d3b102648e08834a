/** A database for a run that may end with wrong books. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { openDatabase } from '../../platform/database/database.ts'
import { cloneAs } from '../global-setup.ts'
import { openOwner, type TestDatabase } from '../test-database.ts'

/** A database of its own whose books nobody looks at afterwards: a run with a planted bug leaves them wrong. */
export async function inFreshDatabase(work: (test: TestDatabase) => Promise<void>): Promise<void> {
  const { host, port, ownerUser } = inject('postgres')
  const database = `sim_${randomBytes(6).toString('hex')}`
  const admin = new pg.Client({ host, port, user: ownerUser, database: 'postgres' })
  await admin.connect()
  await admin.query(cloneAs(database))
  const ownerAddress = { host, port, user: ownerUser, database }
  const address = { host, port, user: 'kvitt_app', database }
  const owner = openOwner(ownerAddress)
  const db = openDatabase(address, 10)
  try {
    await work({ db, address, owner, ownerAddress })
  } finally {
    await db.close()
    await owner.end()
    await admin.query(`drop database ${database} with (force)`)
    await admin.end()
  }
}
