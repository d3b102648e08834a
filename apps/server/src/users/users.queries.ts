/**
 * The SQL of the people of a creditor, or of the operator where $2 is null. Everything starts from their memberships that have not
 * ended.
 */
import { STAFF_ROLES, type StaffRole } from '@kvitt/domain/staff/roles.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'
import { asWritten, instantText, sqlJson, word } from '../platform/database/sql-json.ts'
import { openOfficeList, openOfficeRow, type OfficeListShape } from '../staff/office-list.ts'
import { endSignIns, type OfficePrincipal } from '../staff/staff.ts'

const THEIRS = `membership m join person p on p.id = m.person_id
   where m.instance_id = $1 and m.creditor_id is not distinct from $2::uuid and m.ended_at is null`
const IS_INVITED = `case when m.invited_name is null then p.password_hash is null else m.signed_in_at is null end`
/** Who has not been here yet is called what the one who invited them wrote: an address tells nobody whose it is. */
const NAME = `case when m.signed_in_at is null then coalesce(m.invited_name, p.name) else p.name end`

/** What has still to be agreed to: of an operator's people it is a proposal. */
const PROPOSED = `case when m.creditor_id is null and exists (select from proposal q where q.instance_id = m.instance_id
   and q.about = 'membership:' || m.id and q.status = 'OPEN') then 'manager' else m.proposed_role end`

const JSON_OF_USER = sqlJson({
  id: word('m.id'),
  version: asWritten('m.xmin::text'),
  email: 'p.email',
  name: NAME,
  role: word('m.role'),
  proposedRole: PROPOSED,
  isInvited: asWritten(`case when ${IS_INVITED} then 'true' else 'false' end`),
  hasSecondFactor: asWritten(`case when m.signed_in_at is not null and (exists (select from second_factor f
    where f.person_id = p.id and f.confirmed_at is not null) or exists (select from passkey k where k.person_id = p.id)) then 'true' else 'false' end`),
  createdAt: instantText('m.created_at'),
  signedInAt: instantText('m.signed_in_at'),
})

const SHAPE: OfficeListShape = {
  name: 'users.office',
  from: () => THEIRS,
  json: JSON_OF_USER,
  targets: { name: NAME, email: 'p.email' },
  filters: { role: { kind: 'choice', values: STAFF_ROLES, sql: 'm.role' } },
  orders: { id: 'm.created_at', name: NAME, email: 'p.email' },
  tie: 'm.id',
}

export const searchUserRows = openOfficeList(SHAPE)

/** One of them. */
export const readUserJson = openOfficeRow(SHAPE)

export type UserRow = {
  id: string
  version: number
  person_id: string
  role: StaffRole
  email: string
  name: string
  proposed_role: 'manager' | null
  /** The person who has proposed it. */
  proposed_by_person: string | null
}

const COLUMNS = `m.id, m.xmin::text::bigint as version, m.person_id, m.role, p.email, ${NAME} as name, m.proposed_role,
  (select b.person_id from membership b where b.instance_id = m.instance_id and b.id = m.proposed_by) as proposed_by_person`

const one = statement('users.one', `select ${COLUMNS} from ${THEIRS} and m.id = $3`)

export async function readUserRow(
  db: Connection,
  { instance, creditorId }: OfficePrincipal,
  id: string,
): Promise<UserRow | undefined> {
  return (await db.rows<UserRow>(one, [instance.id, creditorId, id]))[0]
}

const lockAll = statement('users.lockAll', `select ${COLUMNS} from ${THEIRS} order by m.id for update of m`)

/** All of them, locked: who is the last manager is asked with nobody changing it meanwhile. */
export function lockUserRows(tx: Transaction, { instance, creditorId }: OfficePrincipal): Promise<UserRow[]> {
  return tx.rows<UserRow>(lockAll, [instance.id, creditorId])
}

const lockMembership = statement(
  'users.lockMembership',
  `select role, person_id from membership where instance_id = $1 and id = $2 and ended_at is null for update`,
)

/** A membership that has not ended, locked. */
export async function lockMembershipRow(
  tx: Transaction,
  { instanceId, id }: { instanceId: string; id: string },
): Promise<{ role: StaffRole; person_id: string } | undefined> {
  return (await tx.rows<{ role: StaffRole; person_id: string }>(lockMembership, [instanceId, id]))[0]
}

const setRole = statement(
  'users.setRole',
  `update membership set role = $3, proposed_role = $4, proposed_by = $5 where instance_id = $1 and id = $2`,
)

export async function setRoleRow(
  tx: Transaction,
  { instanceId, id }: { instanceId: string; id: string },
  to: { role: StaffRole; proposedRole: 'manager' | null; proposedBy: string | null },
): Promise<void> {
  await tx.rows(setRole, [instanceId, id, to.role, to.proposedRole, to.proposedBy])
}

const end = statement(
  'users.end',
  `with ended as (update staff_session set logged_out_at = $3
     where instance_id = $1 and membership_id = $2 and logged_out_at is null),
   unused as (update invitation set used_at = $3 where instance_id = $1 and membership_id = $2 and used_at is null)
   update membership set ended_at = $3 where instance_id = $1 and id = $2`,
)

/** The membership with its sessions and invitations. */
export async function endUserRow(
  tx: Transaction,
  { instanceId, id, at }: { instanceId: string; id: string; at: string },
): Promise<void> {
  await tx.rows(end, [instanceId, id, at])
}

const insertInvitation = statement(
  'users.insertInvitation',
  `insert into invitation (instance_id, id, membership_id, person_id, token_hash, expires_at)
   values ($1, $2, $3, $4, $5, $6)`,
)

export async function insertInvitationRow(
  tx: Transaction,
  invitation: {
    instanceId: string
    id: string
    /** Null: the person has forgotten their password. */
    membershipId: string | null
    personId: string
    tokenHash: Uint8Array
    expiresAt: string
  },
): Promise<void> {
  const { instanceId, id, membershipId, personId, tokenHash, expiresAt } = invitation
  await tx.rows(insertInvitation, [instanceId, id, membershipId, personId, tokenHash, expiresAt])
}

/** An invitation chooses a first password, and ends with the membership; whoever has forgotten theirs works here still. */
const openInvitation = statement(
  'users.openInvitation',
  `select v.id, p.id as person_id, p.email, p.name, v.membership_id is null as is_reset, p.password_hash is null as has_none,
     i.instance_id is not null as has_issuer,
     v.membership_id is null or (p.password_hash is null and i.is_required is not true) as may_choose,
     exists (select from membership m where m.instance_id = v.instance_id and m.person_id = p.id and m.ended_at is null
       and m.creditor_id is not null and (v.membership_id is null or m.id = v.membership_id)) as is_creditors
   from invitation v
     join person p on p.id = v.person_id
     left join sign_in_issuer i on i.instance_id = v.instance_id and v.membership_id is not null and i.is_on
       and split_part(p.email, '@', 2) = any (i.domains)
   where v.instance_id = $1 and v.token_hash = $2 and v.used_at is null and v.expires_at > $3
     and case when v.membership_id is null then exists (select from membership m where m.instance_id = v.instance_id
           and m.person_id = p.id and m.ended_at is null)
         else (p.password_hash is null or i.instance_id is not null) and exists (select from membership m where m.instance_id = v.instance_id
           and m.id = v.membership_id and m.ended_at is null) end`,
)

export type OpenInvitation = {
  id: string
  person_id: string
  email: string
  name: string
  /** The person has forgotten the password that they had. */
  is_reset: boolean
  /** No password was chosen yet. */
  has_none: boolean
  /** The provider's own issuer may say who it is. */
  has_issuer: boolean
  /** A password may be chosen: there is none yet, and the issuer is not the only way. */
  may_choose: boolean
  /** They work for a creditor there; else for the operator. */
  is_creditors: boolean
}

export async function readOpenInvitation(
  db: Connection,
  asked: { instanceId: string; tokenHash: Uint8Array; at: string },
): Promise<OpenInvitation | undefined> {
  return (await db.rows<OpenInvitation>(openInvitation, [asked.instanceId, asked.tokenHash, asked.at]))[0]
}

const useInvitation = statement(
  'users.useInvitation',
  'update invitation set used_at = $3 where instance_id = $1 and id = $2 and used_at is null returning 1',
)
/** Answers whether it was still unused: of two at once, one. */
export async function takeInvitationRow(
  tx: Transaction,
  { instanceId, id, at }: { instanceId: string; id: string; at: string },
): Promise<boolean> {
  return (await tx.rows(useInvitation, [instanceId, id, at])).length === 1
}

const useOthers = statement(
  'users.useOtherInvitations',
  `update invitation set used_at = $3 where instance_id = $1 and person_id = $2 and membership_id is not null and used_at is null`,
)

/** Uses up what else the person was invited by there: they have a way in. */
export async function useOtherInvitationRows(
  tx: Transaction,
  { instanceId, personId, at }: { instanceId: string; personId: string; at: string },
): Promise<void> {
  await tx.rows(useOthers, [instanceId, personId, at])
}

const setFirstPassword = statement(
  'users.setFirstPassword',
  'update person set password_hash = $2 where id = $1 and password_hash is null returning 1',
)

/** Answers whether the invitation was still unused, and nobody has chosen a password by another one: of two at once, one. */
export async function useInvitationRow(
  tx: Transaction,
  used: {
    instanceId: string
    id: string
    at: string
    personId: string
    passwordHash: string
    isReset: boolean
  },
): Promise<boolean> {
  const { instanceId, id, at, personId, passwordHash, isReset } = used
  if (!(await takeInvitationRow(tx, { instanceId, id, at }))) return false
  if (isReset) {
    await setPasswordRow(tx, { personId, passwordHash, at, exceptSession: null })
    return true
  }
  return (await tx.rows(setFirstPassword, [personId, passwordHash])).length === 1
}

const setPassword = statement(
  'users.setPassword',
  `with ended as (update staff_session s set logged_out_at = $3 from membership m
     where m.instance_id = s.instance_id and m.id = s.membership_id and m.person_id = $1 and s.logged_out_at is null
       and s.id is distinct from $4::uuid),
   unused as (update invitation set used_at = $3 where person_id = $1 and membership_id is null and used_at is null)
   update person set password_hash = $2 where id = $1`,
)

const holdPerson = statement('users.holdPerson', 'select from person where id = $1 for no key update')

/** Until the end of the transaction no session of the person is begun. */
export async function holdPersonRow(tx: Transaction, personId: string): Promise<void> {
  await tx.rows(holdPerson, [personId])
}

/** Another password: every session ends but `exceptSession`, and every sign-in that is not done, at every provider; no link of before works any more. */
export async function setPasswordRow(
  tx: Transaction,
  to: { personId: string; passwordHash: string; at: string; exceptSession: string | null },
): Promise<void> {
  // Whoever begins a session meanwhile has ended before, and is seen, or waits and finds nothing.
  await holdPersonRow(tx, to.personId)
  await endSignIns(tx, to.personId)
  await tx.rows(setPassword, [to.personId, to.passwordHash, to.at, to.exceptSession])
}

const memberByEmail = statement(
  'users.memberByEmail',
  `select p.id, p.name, p.email, bool_or(m.creditor_id is not null) as is_creditors from person p
     join membership m on m.person_id = p.id and m.instance_id = $1 and m.ended_at is null
   where p.email = lower($2) group by p.id`,
)

export type KnownMember = { id: string; name: string; email: string; is_creditors: boolean }

/** Who works at this instance under an e-mail address. */
export async function readMemberByEmail(
  db: Connection,
  instanceId: string,
  email: string,
): Promise<KnownMember | undefined> {
  return (await db.rows<KnownMember>(memberByEmail, [instanceId, email]))[0]
}

const passwordHash = statement('users.passwordHash', 'select password_hash from person where id = $1')

export async function readPasswordHash(db: Connection, personId: string): Promise<string | null> {
  const [row] = await db.rows<{ password_hash: string | null }>(passwordHash, [personId])
  return row?.password_hash ?? null
}

const contact = statement('users.contact', 'select id, email, name from person where id = $1')

export async function readContact(
  db: Connection,
  personId: string,
): Promise<{ id: string; email: string; name: string } | undefined> {
  return (await db.rows<{ id: string; email: string; name: string }>(contact, [personId]))[0]
}

const hasPassword = statement(
  'users.hasPassword',
  'select from person where id = $1 and password_hash is not null',
)

export async function hasChosenPassword(db: Connection, personId: string): Promise<boolean> {
  return (await db.rows(hasPassword, [personId])).length === 1
}

const creditorName = statement(
  'users.creditorName',
  'select name from creditor where instance_id = $1 and id = $2',
)

export async function readCreditorName(
  db: Connection,
  { instance, creditorId }: Pick<OfficePrincipal, 'instance' | 'creditorId'>,
): Promise<string> {
  return (await db.rows<{ name: string }>(creditorName, [instance.id, creditorId]))[0]?.name ?? ''
}
