/** The SQL that enters and changes a creditor, as an operator's people do. */
import type { ClientContact, NewClient } from '@kvitt/domain/creditors/client.ts'
import { statement, type Transaction } from '../platform/database/database.ts'

type Key = { readonly instanceId: string; readonly id: string }

const insert = statement(
  'clients.insert',
  `insert into creditor (instance_id, id, identity, name, country, identification_number, email, phone, address, address2, zip, city)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) on conflict (instance_id, identity) do nothing returning id`,
)

/** Answers false when the provider has the creditor. */
export async function insertClientRow(
  tx: Transaction,
  { instanceId, id, identity, client }: Key & { readonly identity: string; readonly client: NewClient },
): Promise<boolean> {
  const { name, countryCode, identificationNumber, email, phone, address, address2, zip, city } = client
  const values = [instanceId, id, identity, name, countryCode, identificationNumber, email, phone]
  return (await tx.rows(insert, [...values, address, address2, zip, city])).length === 1
}

const lock = statement(
  'clients.lock',
  `select xmin::text::bigint as version, country, name, email, phone, address, address2, zip, city
   from creditor where instance_id = $1 and id = $2 for no key update`,
)

/** Whoever else changes it waits. */
export async function lockClientRow(
  tx: Transaction,
  { instanceId, id }: Key,
): Promise<(ClientContact & { readonly version: number; readonly country: string }) | undefined> {
  return (await tx.rows<ClientContact & { version: number; country: string }>(lock, [instanceId, id]))[0]
}

const change = statement(
  'clients.change',
  `update creditor set name = $3, email = $4, phone = $5, address = $6, address2 = $7, zip = $8, city = $9
   where instance_id = $1 and id = $2`,
)

export async function changeClientRow(
  tx: Transaction,
  { instanceId, id, contact }: Key & { readonly contact: ClientContact },
): Promise<void> {
  const { name, email, phone, address, address2, zip, city } = contact
  await tx.rows(change, [instanceId, id, name, email, phone, address, address2, zip, city])
}
