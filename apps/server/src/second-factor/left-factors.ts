/** What a person is left with when a factor goes: where they work, each place has its hosts, and a passkey works at its own alone. */
import { Refusal } from '@kvitt/domain/errors.ts'
import { isPortalHost } from '../instances/instances.ts'
import type { Transaction } from '../platform/database/database.ts'
import { readPlaces, type PlaceRow } from './factors.queries.ts'

type Factors = {
  readonly hasApp: boolean
  /** The hosts of the passkeys. */
  readonly hosts: readonly string[]
  /** Recovery codes that are not used. They go with the last of the others. */
  readonly codes: number
}

const hasNone = ({ hasApp, hosts }: Factors): boolean => !hasApp && hosts.length === 0

const hasKeyAt = ({ hosts }: Factors, { host, is_default, creditor_id }: PlaceRow): boolean =>
  hosts.some((one) =>
    isPortalHost({ host, isDefault: is_default }, creditor_id === null ? 'admin' : 'client', one),
  )

const works = (factors: Factors, place: PlaceRow): boolean =>
  factors.hasApp || hasKeyAt(factors, place) || (factors.codes > 0 && factors.hosts.length > 0)

type Change = { readonly before: Factors; readonly after: Factors }

/** Refuses `second_factor_required` when one place that asks for a factor would be left without one that works there. */
export async function requireFactorLeft(
  tx: Transaction,
  personId: string,
  { before, after }: Change,
): Promise<void> {
  const places = await readPlaces(tx, personId)
  const isLost = (place: PlaceRow) => !works(after, place) && (works(before, place) || hasNone(after))
  if (places.some((place) => place.is_required && isLost(place))) throw new Refusal('second_factor_required')
}

/** The same of somebody without a password, whose passkeys are the way in. Refuses `last_way_in`. */
export async function requireWayIn(
  tx: Transaction,
  personId: string,
  { before, after }: Change,
): Promise<void> {
  const places = await readPlaces(tx, personId)
  if (after.hosts.length === 0 || places.some((place) => hasKeyAt(before, place) && !hasKeyAt(after, place)))
    throw new Refusal('last_way_in')
}
