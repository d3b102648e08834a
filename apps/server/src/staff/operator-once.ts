/** What an operator's person does once for each `Idempotency-Key`, about what is no one creditor's. */
import { createHash } from 'node:crypto'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Context } from '../context.ts'
import type { Transaction } from '../platform/database/database.ts'
import { insertKeyRow, nameSubjectRow, readKeyRow } from './kept-keys.queries.ts'
import type { AskedOnce } from './once-under-key.ts'
import type { OperatorMember } from './principal.ts'

/** As onceUnderKey. The keys of a person are their own: another's may be the same text. */
export function onceByOperator(
  { db }: Pick<Context, 'db'>,
  { instance, personId }: OperatorMember,
  { key, what }: AskedOnce,
  work: (tx: Transaction) => Promise<string>,
): Promise<{ readonly id: string; readonly isReplayed: boolean }> {
  return db.transaction(async (tx) => {
    if (key === undefined) return { id: await work(tx), isReplayed: false }
    const of = { instanceId: instance.id, creditorId: null, key: `${personId} ${key}` }
    const hash = createHash('sha256').update(JSON.stringify(what)).digest()
    if (!(await insertKeyRow(tx, of, hash))) {
      const kept = await readKeyRow(tx, of)
      if (!kept?.request_hash.equals(hash)) throw new Refusal('idempotency_key_reused')
      if (kept.subject_id !== null) return { id: kept.subject_id, isReplayed: true }
    }
    const done = await work(tx)
    await nameSubjectRow(tx, of, done)
    return { id: done, isReplayed: false }
  })
}
