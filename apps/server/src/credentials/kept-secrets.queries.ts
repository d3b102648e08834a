/** The SQL of secrets that other parts keep. */
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'

export type SecretRow = {
  readonly instance_id: string
  readonly id: string
  readonly key_id: string
  readonly sealed: Buffer
}

const readAll = statement('keptSecrets.all', 'select instance_id, id, key_id, sealed from kept_secret')

export function readSecretRows(db: Connection): Promise<SecretRow[]> {
  return db.rows<SecretRow>(readAll)
}

const insert = statement(
  'keptSecrets.insert',
  'insert into kept_secret (instance_id, id, key_id, sealed) values ($1, $2, $3, $4)',
)

export async function insertSecretRow(
  tx: Transaction,
  row: {
    readonly instanceId: string
    readonly id: string
    readonly keyId: string
    readonly bytes: Uint8Array
  },
): Promise<void> {
  await tx.rows(insert, [row.instanceId, row.id, row.keyId, row.bytes])
}

const reseal = statement(
  'keptSecrets.reseal',
  'update kept_secret set key_id = $3, sealed = $4 where instance_id = $1 and id = $2',
)

export function resealSecretRow(
  tx: Transaction,
  { instance_id: instanceId, id }: SecretRow,
  { keyId, bytes }: { readonly keyId: string; readonly bytes: Uint8Array },
): void {
  tx.send(reseal, [instanceId, id, keyId, bytes])
}

const remove = statement(
  'keptSecrets.remove',
  'delete from kept_secret where instance_id = $1 and id = any ($2)',
)

export async function removeSecretRows(
  tx: Transaction,
  instanceId: string,
  ids: readonly string[],
): Promise<void> {
  await tx.rows(remove, [instanceId, ids])
}
