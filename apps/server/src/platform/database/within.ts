/** A use case that opens a transaction of its own, as a part of another. */
import { statement, type Database, type Transaction } from './database.ts'

/** What looks like a database to a use case, and is the caller's transaction: all of it happens, or nothing. */
export function within(tx: Transaction): Database {
  return { rows: tx.rows, transaction: (work) => work(tx), close: async () => {} }
}

const begin = statement('within.begin', 'savepoint inner_work')
const keep = statement('within.keep', 'release savepoint inner_work')
const drop = statement('within.drop', 'rollback to savepoint inner_work')

/** The same where what fails is taken back alone: the caller's transaction goes on as if it had not begun. */
export function withinApart(tx: Transaction): Database {
  return {
    ...within(tx),
    async transaction(work) {
      await tx.rows(begin)
      try {
        const done = await work(tx)
        await tx.rows(keep)
        return done
      } catch (error) {
        await tx.rows(drop)
        // Else whoever stands around this one would take back to it.
        await tx.rows(keep)
        throw error
      }
    },
  }
}

const oneSnapshot = statement('database.oneSnapshot', 'set transaction isolation level repeatable read')

/** All that `work` reads is of one moment: what changes meanwhile would be seen by a part of it. It may be done twice. */
export function inOneSnapshot<Result>(
  db: Database,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (tx) => {
    await tx.rows(oneSnapshot)
    return work(within(tx))
  })
}
