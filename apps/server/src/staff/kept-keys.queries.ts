/** The SQL of keys under which staff and programs have acted. */
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'

type KeyOf = { readonly instanceId: string; readonly creditorId: string; readonly key: string }

const insert = statement(
  'keptKeys.insertKey',
  `insert into staff_key (instance_id, creditor_id, idempotency_key, request_hash) values ($1, $2, $3, $4)
   on conflict do nothing returning idempotency_key`,
)
const read = statement(
  'keptKeys.readKey',
  `select request_hash, subject_id from staff_key
   where instance_id = $1 and creditor_id = $2 and idempotency_key = $3`,
)
const name = statement(
  'keptKeys.nameSubject',
  `update staff_key set subject_id = $4 where instance_id = $1 and creditor_id = $2 and idempotency_key = $3`,
)

/** True when the key is new. Waits for whoever acts under it at this moment. */
export async function insertKeyRow(
  tx: Transaction,
  { instanceId, creditorId, key }: KeyOf,
  hash: Buffer,
): Promise<boolean> {
  return (await tx.rows(insert, [instanceId, creditorId, key, hash])).length > 0
}

export async function readKeyRow(
  tx: Transaction,
  { instanceId, creditorId, key }: KeyOf,
): Promise<{ request_hash: Buffer; subject_id: string | null } | undefined> {
  const rows = await tx.rows<{ request_hash: Buffer; subject_id: string | null }>(read, [
    instanceId,
    creditorId,
    key,
  ])
  return rows[0]
}

export async function nameSubjectRow(
  tx: Transaction,
  { instanceId, creditorId, key }: KeyOf,
  subjectId: string,
): Promise<void> {
  await tx.rows(name, [instanceId, creditorId, key, subjectId])
}

const forget = statement(
  'keptKeys.forgetKeys',
  `delete from staff_key where made_at < $1::timestamptz - interval '30 days'`,
)

/** Removes keys that no program sends again. */
export async function forgetKeyRows(db: Connection, at: string): Promise<void> {
  await db.rows(forget, [at])
}
