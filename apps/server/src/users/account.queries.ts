/** The SQL of somebody's own account. */
import { statement, type Connection } from '../platform/database/database.ts'

const sessions = statement(
  'account.sessions',
  `select s.id, c.name as creditor, s.signed_in_at, s.used_at, s.ends_at from staff_session s
     join membership m on m.instance_id = s.instance_id and m.id = s.membership_id and m.ended_at is null
     left join creditor c on c.instance_id = m.instance_id and c.id = m.creditor_id
   where s.instance_id = $1 and m.person_id = $2 and s.logged_out_at is null and s.ends_at > $3 and s.used_at > $4
   order by s.used_at desc, s.id`,
)

export type OwnSessionRow = {
  id: string
  creditor: string | null
  signed_in_at: string
  used_at: string
  ends_at: string
}

/** Sessions of a person at an instance that were used after `idleSince` and have not ended. */
export function readOwnSessions(
  db: Connection,
  of: { instanceId: string; personId: string; at: string; idleSince: string },
): Promise<OwnSessionRow[]> {
  return db.rows<OwnSessionRow>(sessions, [of.instanceId, of.personId, of.at, of.idleSince])
}

const endOthers = statement(
  'account.endOthers',
  `update staff_session s set logged_out_at = $4 from membership m
   where s.instance_id = $1 and m.instance_id = s.instance_id and m.id = s.membership_id and m.person_id = $2
     and s.id <> $3 and s.logged_out_at is null returning 1`,
)

/** Answers how many have ended now. */
export async function endOtherRows(
  db: Connection,
  of: { instanceId: string; personId: string; sessionId: string; at: string },
): Promise<number> {
  return (await db.rows(endOthers, [of.instanceId, of.personId, of.sessionId, of.at])).length
}
