/** The SQL of passkeys, and of challenges that wait for their answer. Whoever adds or removes one holds the person's row. */
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'

export type PasskeyRow = {
  id: string
  person_id: string
  rp_id: string
  credential_id: string
  transports: string[]
  name: string
  is_backed_up: boolean
  made_at: string
  used_at: string | null
}

const COLUMNS = 'id, person_id, rp_id, credential_id, transports, name, is_backed_up, made_at, used_at'

const all = statement(
  'passkey.all',
  `select ${COLUMNS} from passkey where person_id = $1 order by made_at, id`,
)

/** A person's, the oldest first, wherever they were made. */
export function readPasskeys(db: Connection, personId: string): Promise<PasskeyRow[]> {
  return db.rows<PasskeyRow>(all, [personId])
}

export type KnownPasskey = PasskeyRow & { public_key: Buffer; email: string; person_name: string }

const byCredential = statement(
  'passkey.byCredential',
  `select ${COLUMNS.replaceAll(/\w+/g, 'k.$&')}, k.public_key, p.email, p.name as person_name
   from passkey k join person p on p.id = k.person_id where k.rp_id = $1 and k.credential_id = $2`,
)

/** The one that a browser names, with whose it is. */
export async function readPasskeyByCredential(
  db: Connection,
  { rpId, credentialId }: { rpId: string; credentialId: string },
): Promise<KnownPasskey | undefined> {
  return (await db.rows<KnownPasskey>(byCredential, [rpId, credentialId]))[0]
}

const insert = statement(
  'passkey.insert',
  `insert into passkey (id, person_id, instance_id, rp_id, credential_id, public_key, counter, is_multi_device, is_backed_up,
     transports, name, made_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) on conflict (rp_id, credential_id) do nothing returning 1`,
)

export type NewPasskey = {
  id: string
  personId: string
  instanceId: string
  rpId: string
  credentialId: string
  publicKey: Uint8Array
  counter: number
  isMultiDevice: boolean
  isBackedUp: boolean
  transports: readonly string[]
  name: string
  at: string
}

/** Answers whether nobody had it here before. */
export async function insertPasskeyRow(tx: Transaction, key: NewPasskey): Promise<boolean> {
  const { id, personId, instanceId, rpId, credentialId, publicKey, counter } = key
  const { isMultiDevice, isBackedUp, transports, name, at } = key
  const values = [id, personId, instanceId, rpId, credentialId, Buffer.from(publicKey), counter]
  return (await tx.rows(insert, [...values, isMultiDevice, isBackedUp, transports, name, at])).length === 1
}

const use = statement(
  'passkey.use',
  `update passkey set counter = $2, is_multi_device = $3, is_backed_up = $4, used_at = $5
   where id = $1 and (counter < $2 or (counter = 0 and $2 = 0)) returning 1`,
)

export type Use = { id: string; counter: number; isMultiDevice: boolean; isBackedUp: boolean; at: string }

const still = statement('passkey.still', 'select name from passkey where id = $1')

/** Notes that it was used; `copied`: its counter stands where it stood before, or goes back, as a copy's does. */
export async function usePasskeyRow(
  tx: Transaction,
  used: Use,
): Promise<{ state: 'used' | 'gone' } | { state: 'copied'; name: string }> {
  const { id, counter, isMultiDevice, isBackedUp, at } = used
  if ((await tx.rows(use, [id, counter, isMultiDevice, isBackedUp, at])).length === 1)
    return { state: 'used' }
  const [found] = await tx.rows<{ name: string }>(still, [id])
  return found ? { state: 'copied', name: found.name } : { state: 'gone' }
}

const rename = statement(
  'passkey.rename',
  'update passkey set name = $3 where person_id = $1 and id = $2 returning 1',
)

export async function renamePasskeyRow(
  tx: Transaction,
  { personId, id, name }: { personId: string; id: string; name: string },
): Promise<boolean> {
  return (await tx.rows(rename, [personId, id, name])).length === 1
}

const remove = statement('passkey.remove', 'delete from passkey where person_id = $1 and id = $2 returning 1')

export async function removePasskeyRow(tx: Transaction, personId: string, id: string): Promise<boolean> {
  return (await tx.rows(remove, [personId, id])).length === 1
}

const removeAll = statement('passkey.removeAll', 'delete from passkey where person_id = $1 returning 1')

/** Removes a person's; answers how many there were. */
export async function removePasskeyRows(tx: Transaction, personId: string): Promise<number> {
  return (await tx.rows(removeAll, [personId])).length
}

const withPassword = statement(
  'passkey.hasPassword',
  'select from person where id = $1 and password_hash is not null',
)

export async function hasPassword(tx: Transaction, personId: string): Promise<boolean> {
  return (await tx.rows(withPassword, [personId])).length === 1
}

/** What a challenge is for: one more passkey of a session, or a sign-in that has begun in a browser. */
export type ChallengeKey = {
  readonly instanceId: string
  readonly model: 'PasskeyAdd' | 'PasskeySignIn'
  readonly idHash: Uint8Array
}

const keep = statement(
  'passkey.keepChallenge',
  `insert into oidc_item (instance_id, model, id_hash, payload, expires_at)
   values ($1, $2, $3, jsonb_strip_nulls(jsonb_build_object('challenge', $4::text, 'accountId', $5::text)), $6)
   on conflict (instance_id, model, id_hash) do update set payload = excluded.payload, expires_at = excluded.expires_at`,
)

/** Keeps it in the place of one before. What ends the person's proofs ends it too. */
export async function keepChallengeRow(
  db: Connection,
  { instanceId, model, idHash }: ChallengeKey,
  kept: { challenge: string; personId: string | null; expiresAt: string },
): Promise<void> {
  await db.rows(keep, [instanceId, model, idHash, kept.challenge, kept.personId, kept.expiresAt])
}

const take = statement(
  'passkey.takeChallenge',
  `delete from oidc_item where instance_id = $1 and model = $2 and id_hash = $3 and expires_at > $4
   returning payload ->> 'challenge' as challenge`,
)

/** Uses it up: of two at once, one. */
export async function takeChallengeRow(
  db: Connection,
  { instanceId, model, idHash }: ChallengeKey,
  at: string,
): Promise<string | undefined> {
  return (await db.rows<{ challenge: string }>(take, [instanceId, model, idHash, at]))[0]?.challenge
}
