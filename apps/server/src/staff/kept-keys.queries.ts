/** The SQL of keys under which staff and programs have acted. */
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'

/** `creditorId` is null where an operator's person acts on what is no one creditor's: such keys have a table of their own. */
type KeyOf = { readonly instanceId: string; readonly creditorId: string | null; readonly key: string }

const keyOf = ({ instanceId, creditorId, key }: KeyOf): string[] =>
  creditorId === null ? [instanceId, key] : [instanceId, creditorId, key]

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
const operators = {
  insert: statement(
    'keptKeys.insertOperatorKey',
    `insert into operator_key (instance_id, idempotency_key, request_hash) values ($1, $2, $3)
     on conflict do nothing returning idempotency_key`,
  ),
  read: statement(
    'keptKeys.readOperatorKey',
    `select request_hash, subject_id from operator_key where instance_id = $1 and idempotency_key = $2`,
  ),
  name: statement(
    'keptKeys.nameOperatorSubject',
    `update operator_key set subject_id = $3 where instance_id = $1 and idempotency_key = $2`,
  ),
}
const statementsFor = ({ creditorId }: KeyOf) => (creditorId === null ? operators : { insert, read, name })

/** True when the key is new. Waits for whoever acts under it at this moment. */
export async function insertKeyRow(tx: Transaction, of: KeyOf, hash: Buffer): Promise<boolean> {
  return (await tx.rows(statementsFor(of).insert, [...keyOf(of), hash])).length > 0
}

export async function readKeyRow(
  tx: Transaction,
  of: KeyOf,
): Promise<{ request_hash: Buffer; subject_id: string | null } | undefined> {
  const { read: reading } = statementsFor(of)
  const rows = await tx.rows<{ request_hash: Buffer; subject_id: string | null }>(reading, keyOf(of))
  return rows[0]
}

export async function nameSubjectRow(tx: Transaction, of: KeyOf, subjectId: string): Promise<void> {
  await tx.rows(statementsFor(of).name, [...keyOf(of), subjectId])
}

const forget = statement(
  'keptKeys.forgetKeys',
  `delete from staff_key where made_at < $1::timestamptz - interval '30 days'`,
)
const forgetOperators = statement(
  'keptKeys.forgetOperatorKeys',
  `delete from operator_key where made_at < $1::timestamptz - interval '30 days'`,
)

/** Removes keys that no program sends again. */
export async function forgetKeyRows(db: Connection, at: string): Promise<void> {
  await db.rows(forget, [at])
  await db.rows(forgetOperators, [at])
}
