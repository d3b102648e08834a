/** Whether the stores that the settings name can be used, asked once at a start. */
import type { StoresConfig } from '../../../config/config-store.ts'
import { isLoopback } from '../http/loopback.ts'
import { StartupError } from '../startup-error.ts'
import { openStore } from './open-store.ts'
import { StoreUnavailable, type BucketConfig } from './store.ts'

/**
 * Throws StartupError where a bucket or its key is wrong, or another installation has it (`owner` is our public address): a person is there,
 * and the letters and journals of two would mix. One that does not answer is said and no more: what is to be
 * written waits, and debtors can pay.
 */
export async function checkStores(
  stores: StoresConfig,
  owner: string,
  say: (line: string) => void,
): Promise<void> {
  const buckets = Object.values(stores).filter((place) => place && 'bucket' in place)
  // They have one key.
  const [place] = buckets
  if (!place || !('bucket' in place)) return
  try {
    await openStore(place).list('')
    // On one machine alone hosts differ in their ports, and nobody else reaches it.
    if (!isLoopback(new URL(owner).hostname)) await mark(place.bucket, owner)
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    if (error.isRefused) throw new StartupError(error.message)
    say(`${error.message} Until it does, letters and the journal of payments wait.`)
  }
}

/** Written once, by whoever starts first. Two that start at once: one of them writes it. */
const MARK = 'installation'

async function mark(bucket: BucketConfig, owner: string): Promise<void> {
  const store = openStore({ bucket, prefix: 'owner' })
  if (await store.put(MARK, Buffer.from(owner))) return
  const other = (await store.get(MARK))?.bytes.toString('utf8', 0, 200)
  throw new StartupError(
    `The bucket ${bucket.bucket} is of the installation at ${other}, and this one is at ${owner}: give each a bucket of its own. ` +
      `If it has moved, remove owner/${MARK} from the bucket.`,
  )
}
