/** Who manages a creditor, and who works for the operator. */
import { statement, type Transaction } from '../platform/database/database.ts'

const lockCreditor = statement(
  'users.lockCreditor',
  'select id from creditor where instance_id = $1 and id = $2 for no key update',
)
const managers = statement(
  'users.managers',
  `select m.id, m.signed_in_at is not null or p.password_hash is not null as has_come
   from membership m join person p on p.id = m.person_id
   where m.instance_id = $1 and m.creditor_id = $2 and m.role = 'manager' and m.ended_at is null`,
)

export type ManagerRow = {
  readonly id: string
  /** They can sign in. Else they were invited, and perhaps it never reached them. */
  readonly has_come: boolean
}

/** The managers of a creditor; nobody else asks until the transaction ends. */
export async function lockManagerRows(
  tx: Transaction,
  { instanceId, creditorId }: { instanceId: string; creditorId: string },
): Promise<ManagerRow[]> {
  await tx.rows(lockCreditor, [instanceId, creditorId])
  return tx.rows<ManagerRow>(managers, [instanceId, creditorId])
}

const operatorsPerson = statement(
  'users.operatorsPerson',
  `select from person p join membership m on m.person_id = p.id
   where p.email = lower($2) and m.instance_id = $1 and m.creditor_id is null and m.ended_at is null limit 1`,
)

/** Whether an e-mail address is of somebody who works for the operator. */
export async function isOperatorsPerson(
  tx: Transaction,
  instanceId: string,
  email: string,
): Promise<boolean> {
  return (await tx.rows(operatorsPerson, [instanceId, email])).length === 1
}
