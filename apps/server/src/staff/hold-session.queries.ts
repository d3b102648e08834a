/** The SQL of what a session that goes on as another membership waits for. */
import { statement, type Transaction } from '../platform/database/database.ts'

const holdPersonOf = statement(
  'staff.holdPersonOfSession',
  `select from person p join membership m on m.person_id = p.id
     join staff_session s on s.instance_id = m.instance_id and s.membership_id = m.id
   where s.instance_id = $1 and s.id = $2 for share of p`,
)

/** Waits for whoever is just ending the sessions of the person, such as by another password; they wait for this transaction. */
export async function holdPersonOfSession(tx: Transaction, instanceId: string, id: string): Promise<void> {
  await tx.rows(holdPersonOf, [instanceId, id])
}

const holdIssuer = statement(
  'staff.holdIssuer',
  'select from sign_in_issuer where instance_id = $1 and issuer = $2 and is_on for share',
)

/** Waits for whoever is just changing what is agreed of the issuer; they wait for this transaction. Whether it is on. */
export async function holdIssuerOfSession(
  tx: Transaction,
  instanceId: string,
  issuer: string,
): Promise<boolean> {
  return (await tx.rows(holdIssuer, [instanceId, issuer])).length === 1
}
