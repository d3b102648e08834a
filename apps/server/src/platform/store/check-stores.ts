/** Whether the stores that the settings name can be used, asked once at a start. */
import type { StoresConfig } from '../../../config/config-store.ts'
import { StartupError } from '../startup-error.ts'
import { openStore } from './open-store.ts'
import { StoreUnavailable } from './store.ts'

/**
 * Throws StartupError where a bucket or its key is wrong: a person is there. One that does not answer is said and no more: what is to be
 * written waits, and debtors can pay.
 */
export async function checkStores(stores: StoresConfig, say: (line: string) => void): Promise<void> {
  const buckets = Object.values(stores).filter((place) => place && 'bucket' in place)
  // They have one key.
  const [place] = buckets
  if (!place) return
  try {
    await openStore(place).list('')
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    if (error.isRefused) throw new StartupError(error.message)
    say(`${error.message} Until it does, letters and the journal of payments wait.`)
  }
}
