/** A creditor as a person names it: the one way for every command. */
import type { Connection } from '../platform/database/database.ts'
import { findCreditorIds } from './named-creditor.queries.ts'

/** Why nobody is meant by a name, for a person to read. */
export class CreditorUnknown extends Error {
  override name = 'CreditorUnknown'
}

/**
 * The one creditor of an instance with this number (a hyphen in it does not matter), name or identifier, locked until the
 * transaction ends. Throws CreditorUnknown.
 */
export async function findNamedCreditor(db: Connection, instanceId: string, name: string): Promise<string> {
  const wanted = name.trim()
  const digits = /^[\d\s-]+$/.test(wanted) ? wanted.replaceAll(/\D/g, '') : ''
  const [one, ...others] = await findCreditorIds(db, instanceId, { name: wanted, digits })
  if (one === undefined) throw new CreditorUnknown(`The provider has no creditor ${wanted}.`)
  if (others.length > 0)
    throw new CreditorUnknown(
      `Several are called ${wanted}; name one by its id: ${[one, ...others].join(', ')}.`,
    )
  return one
}
