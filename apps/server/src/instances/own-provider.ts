/** One provider as it is now, for its own people: nobody's cache, and the version that a change of theirs names. */
import type { Connection, Transaction } from '../platform/database/database.ts'
import { lockOwnInstance, readOwnInstance, type InstanceRow } from './instances.queries.ts'
import { GUESS_LIMITS } from './provider-rules.ts'

export type OwnProvider = { readonly version: number; readonly row: InstanceRow }

/** Undefined when there is none. */
export function readOwnProvider(db: Connection, id: string): Promise<OwnProvider | undefined> {
  return readOwnInstance(db, id)
}

/** The same, for whoever changes it: two come one after the other, and nobody at another provider waits. */
export async function lockOwnProvider(tx: Transaction, id: string): Promise<OwnProvider | undefined> {
  await lockOwnInstance(tx, id)
  return readOwnInstance(tx, id)
}

/** Each limit of wrong guesses as a person says it: a number, "off" or "default". */
export function guessTextsOf({ guess_limits: limits }: InstanceRow): Readonly<Record<string, string>> {
  return Object.fromEntries(
    GUESS_LIMITS.map((name) => {
      const set = limits[name]
      if (set === undefined) return [name, 'default']
      return [name, set === null ? 'off' : String(set)]
    }),
  )
}
