/** Secrets that other parts keep, such as those of webhooks and second factors: encrypted with the keys of credentials, and rotated with them. */
import type { Transaction } from '../platform/database/database.ts'
import { lockCredentialRows } from './credentials.queries.ts'
import { addKey, KeyMissing, readKeyRing, type KeyRing } from './key-ring.ts'
import { insertSecretRow, readSecretRows, removeSecretRows, type SecretRow } from './kept-secrets.queries.ts'

const aboutOf = ({ instance_id: instanceId, id }: Pick<SecretRow, 'instance_id' | 'id'>): string =>
  `${instanceId}\nkept secret\n${id}`

/** Keeps a secret. Throws KeyMissing when others are encrypted with a key that the file does not have any more. */
export async function keepSecret(
  tx: Transaction,
  keyFile: string,
  { instanceId, id, text }: { readonly instanceId: string; readonly id: string; readonly text: string },
): Promise<void> {
  const rows = [...(await lockCredentialRows(tx)), ...(await readSecretRows(tx))]
  const { ids } = readKeyRing(keyFile)
  const unknown = rows.find(({ key_id: key }) => !ids.includes(key))
  if (unknown) throw new KeyMissing(unknown.key_id)
  if (ids.length === 0) addKey(keyFile)
  const { keyId, bytes } = readKeyRing(keyFile).seal(text, aboutOf({ instance_id: instanceId, id }))
  await insertSecretRow(tx, { instanceId, id, keyId, bytes })
}

/** Reads secrets out: the key file is read once for all of them. Throws KeyMissing. */
export function openSecrets(keyFile: string): (row: SecretRow) => string {
  const ring = readKeyRing(keyFile)
  return (row) => openSecret(ring, row)
}

/** The same with a ring that was read before. */
export function openSecret(ring: KeyRing, row: SecretRow): string {
  return ring.open({ keyId: row.key_id, bytes: row.sealed }, aboutOf(row))
}

/** The same secret under the last key of the ring. */
export function resealed(ring: KeyRing, row: SecretRow): ReturnType<KeyRing['seal']> {
  return ring.seal(openSecret(ring, row), aboutOf(row))
}

/** Takes secrets away that nobody needs any more. */
export async function removeSecrets(
  tx: Transaction,
  instanceId: string,
  ids: readonly string[],
): Promise<void> {
  await removeSecretRows(tx, instanceId, ids)
}
