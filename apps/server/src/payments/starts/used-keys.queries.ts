/** The SQL of keys that were answered with a payment which had been started without them. */
import { debtId, type Debt } from '@kvitt/domain/ledger/booking.ts'
import { statement, type Transaction } from '../../platform/database/database.ts'

export type UsedKeyRow = { payment_id: string; request_hash: Buffer }

const usedKey = statement(
  'payments.usedKey',
  'select payment_id, request_hash from payment_key where instance_id = $1 and debt_id = $2 and idempotency_key = $3',
)

/** What a key was first used for, and the payment that answered it. */
export async function readUsedKey(
  tx: Transaction,
  { instanceId, debt }: { readonly instanceId: string; readonly debt: Debt },
  key: string,
): Promise<UsedKeyRow | undefined> {
  const [row] = await tx.rows<UsedKeyRow>(usedKey, [instanceId, debtId(debt), key])
  return row
}

const insertKey = statement(
  'payments.insertUsedKey',
  `insert into payment_key (instance_id, debt_id, idempotency_key, payment_id, request_hash)
   select instance_id, debt_id, $3, id, $4 from payment where instance_id = $1 and id = $2
   on conflict (instance_id, debt_id, idempotency_key) do update set payment_id = excluded.payment_id`,
)

export async function insertUsedKey(
  tx: Transaction,
  payment: { readonly instance_id: string; readonly id: string },
  { key, hash }: { readonly key: string; readonly hash: Buffer },
): Promise<void> {
  await tx.rows(insertKey, [payment.instance_id, payment.id, key, hash])
}
