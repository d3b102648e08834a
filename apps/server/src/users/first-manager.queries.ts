/** Who manages for the operator, for the command that invites the first of them. */
import { statement, type Transaction } from '../platform/database/database.ts'
import type { ManagerRow } from './creditor-manager.queries.ts'

const lockInstance = statement(
  'users.lockInstance',
  'select id from instance where id = $1 for no key update',
)
const managers = statement(
  'users.operatorsManagers',
  `select m.id, m.signed_in_at is not null or p.password_hash is not null as has_come
   from membership m join person p on p.id = m.person_id
   where m.instance_id = $1 and m.creditor_id is null and m.role = 'manager' and m.ended_at is null`,
)

/** The managers of the operator; nobody else invites a first one until the transaction ends. */
export async function lockOperatorsManagers(tx: Transaction, instanceId: string): Promise<ManagerRow[]> {
  await tx.rows(lockInstance, [instanceId])
  return tx.rows<ManagerRow>(managers, [instanceId])
}
