/** What an act writes in the books, shown before it is done: it is done, read and taken back. */
import { Amount } from '@kvitt/domain/money.ts'
import type { Context } from '../../context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/identity.ts'
import type { OwedRow, PostingRow } from '../office/preview.queries.ts'
import { readOwedNow, readPostingsNow } from './preview.queries.ts'

/** Ends the transaction of a preview: what it has written is read, and never stays. */
class NeverKept extends Error {}

/** Why nothing can be seen is what `work` refuses. */
export async function previewIn(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  instanceId: string,
  work: (tx: Transaction) => Promise<void>,
) {
  let seen: { postings: PostingRow[]; owed: OwedRow[] } | undefined
  try {
    await db.transaction(async (tx) => {
      // As old as what is written from now on.
      const since = newId(clock.now() - 1000)
      await work(tx)
      seen = {
        postings: await readPostingsNow(tx, instanceId, since),
        owed: await readOwedNow(tx, instanceId, since),
      }
      throw new NeverKept()
    })
  } catch (error) {
    if (!(error instanceof NeverKept)) throw error
  }
  if (!seen) throw new Error('a preview was not read')
  return {
    postings: seen.postings.map(({ minor, ...posting }) => ({ ...posting, amount: new Amount(minor) })),
    after: seen.owed.map(({ owed_minor: minor, ...debt }) => ({ ...debt, owed: new Amount(minor) })),
  }
}
