/** The SQL of who asked for something that is done later. */
import type { KeyScope } from '@kvitt/domain/staff/roles.ts'
import { statement, type Connection } from '../platform/database/database.ts'

type Of = { readonly instanceId: string; readonly id: string; readonly creditorId: string }

export type AskingMemberRow = {
  readonly person_id: string
  readonly email: string
  readonly name: string
  readonly role: string
  /** Null: of the operator. */
  readonly creditor_id: string | null
}

const member = statement(
  'staff.askingMember',
  `select m.person_id, p.email, p.name, m.role, m.creditor_id from membership m join person p on p.id = m.person_id
   where m.instance_id = $1 and m.id = $2 and coalesce(m.creditor_id, $3) = $3 and m.ended_at is null`,
)

/** Whoever has the membership now; undefined once it has ended. */
export async function readAskingMember(
  db: Connection,
  { instanceId, id, creditorId }: Of,
): Promise<AskingMemberRow | undefined> {
  return (await db.rows<AskingMemberRow>(member, [instanceId, id, creditorId]))[0]
}

export type AskingKeyRow = { readonly name: string; readonly scopes: readonly KeyScope[] }

const key = statement(
  'staff.askingKey',
  `select name, scopes from api_key where instance_id = $1 and id = $2 and creditor_id = $3 and revoked_at is null
     and (expires_at is null or expires_at > $4)`,
)

/** The key, while it still opens anything. */
export async function readAskingKey(
  db: Connection,
  { instanceId, id, creditorId }: Of,
  at: string,
): Promise<AskingKeyRow | undefined> {
  return (await db.rows<AskingKeyRow>(key, [instanceId, id, creditorId, at]))[0]
}
