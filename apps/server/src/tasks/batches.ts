/** Work on many matters, a batch in a transaction. One that cannot be done holds up no other, and a person is asked. */
import { inLanes } from '../platform/database/lanes.ts'
import { endsAllWork, retryOnce } from '../platform/database/retry.ts'
import { quarantine, type Workplace } from './quarantine.ts'

type Many<Item> = {
  readonly instanceId: string
  readonly items: readonly Item[]
  /** Of one batch. */
  readonly size: number
  /** Names an item for the operator, without personal data. */
  readonly about: (item: Item) => string
}

/**
 * Calls `work` for every batch, two at a time; when that fails twice for each item of it by itself, so that only those at fault
 * are set aside. Answers the sum of what `work` answers. Throws only when the database is out of reach.
 */
export async function inBatches<Item>(
  place: Workplace,
  { instanceId, items, size, about }: Many<Item>,
  work: (batch: readonly Item[]) => Promise<number>,
): Promise<number> {
  if (items.length === 0) return 0
  return inLanes(0, async (start, ends) => {
    const end = start + size
    ends(end < items.length ? end : undefined)
    const batch = items.slice(start, end)
    try {
      return await retryOnce(() => work(batch))
    } catch (error) {
      if (endsAllWork(error)) throw error
    }
    let sum = 0
    for (const item of batch) {
      sum += (await quarantine(place, { instanceId, about: about(item) }, () => work([item]))) ?? 0
    }
    return sum
  })
}
