/** A use case that opens a transaction of its own, as a part of another. */
import type { Database, Transaction } from './database.ts'

/** What looks like a database to a use case, and is the caller's transaction: all of it happens, or nothing. */
export function within(tx: Transaction): Database {
  return { rows: tx.rows, transaction: (work) => work(tx), close: async () => {} }
}
