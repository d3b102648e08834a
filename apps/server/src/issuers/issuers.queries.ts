/** The SQL of providers' own issuers, and of whom they have linked. */
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'

export type IssuerRow = {
  readonly instance_id: string
  readonly issuer: string
  readonly client_id: string
  readonly domains: string[]
  readonly is_on: boolean
  readonly is_required: boolean
  readonly counts_as_both: boolean
  readonly proposal_id: string
  /** Its secret, encrypted. */
  readonly id: string
  readonly key_id: string
  readonly sealed: Buffer
}

const COLUMNS = `i.instance_id, i.issuer, i.client_id, i.domains, i.is_on, i.is_required, i.counts_as_both, i.proposal_id,
     s.id, s.key_id, s.sealed
   from sign_in_issuer i join kept_secret s on s.instance_id = i.instance_id and s.id = i.secret_id
   where i.instance_id = $1`
const read = statement('issuers.read', `select ${COLUMNS}`)
const lock = statement('issuers.lock', `select ${COLUMNS} for update of i`)
const share = statement('issuers.share', `select ${COLUMNS} for share of i`)

export async function readIssuerRow(db: Connection, instanceId: string): Promise<IssuerRow | undefined> {
  return (await db.rows<IssuerRow>(read, [instanceId]))[0]
}

/** Whoever begins a session there waits, and sees what has become of it. */
export async function lockIssuerRow(tx: Transaction, instanceId: string): Promise<IssuerRow | undefined> {
  return (await tx.rows<IssuerRow>(lock, [instanceId]))[0]
}

/** Until the end of the transaction it stays as it is. */
export async function shareIssuerRow(tx: Transaction, instanceId: string): Promise<IssuerRow | undefined> {
  return (await tx.rows<IssuerRow>(share, [instanceId]))[0]
}

const keep = statement(
  'issuers.keep',
  `insert into sign_in_issuer (instance_id, issuer, client_id, secret_id, domains, is_on, is_required, counts_as_both, proposal_id)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
   on conflict (instance_id) do update set issuer = excluded.issuer, client_id = excluded.client_id, secret_id = excluded.secret_id,
     domains = excluded.domains, is_on = excluded.is_on, is_required = excluded.is_required,
     counts_as_both = excluded.counts_as_both, proposal_id = excluded.proposal_id`,
)

export type WrittenIssuer = {
  readonly issuer: string
  readonly clientId: string
  readonly secretId: string
  readonly domains: readonly string[]
  readonly isOn: boolean
  readonly isRequired: boolean
  readonly countsAsBoth: boolean
}

export async function keepIssuerRow(
  tx: Transaction,
  instanceId: string,
  { proposalId, ...row }: WrittenIssuer & { readonly proposalId: string },
): Promise<void> {
  const { issuer, clientId, secretId, domains, isOn, isRequired, countsAsBoth } = row
  const values = [instanceId, issuer, clientId, secretId, domains, isOn, isRequired, countsAsBoth]
  await tx.rows(keep, [...values, proposalId])
}

const switchOff = statement(
  'issuers.switchOff',
  'update sign_in_issuer set is_on = false where instance_id = $1',
)

export async function switchOffRow(tx: Transaction, instanceId: string): Promise<void> {
  await tx.rows(switchOff, [instanceId])
}

const endSessions = statement(
  'issuers.endSessions',
  `update staff_session s set logged_out_at = $2 from membership m join person p on p.id = m.person_id
   where s.instance_id = $1 and s.by_issuer is not null and s.logged_out_at is null and m.instance_id = $1 and m.id = s.membership_id
     and ($3::text[] is null or split_part(p.email, '@', 2) <> all ($3))`,
)
const endGrants = statement(
  'issuers.endGrants',
  `delete from oidc_item g where g.instance_id = $1 and (
     g.model = 'Grant' and exists (select from oidc_item s where s.instance_id = $1 and s.model = 'IssuerSignIn' and s.id_hash = g.id_hash)
     or g.model = 'PasswordProof' and g.payload ? 'by'
     or g.model = 'Interaction' and g.payload -> 'result' -> 'login' -> 'amr' ? 'issuer')`,
)

/**
 * Ends every session that began there, or those of addresses of no domain of `except`, and every sign-in there that is not done. The caller
 * holds the issuer's row.
 */
export async function endIssuerSessions(
  tx: Transaction,
  instanceId: string,
  { at, except }: { readonly at: string; readonly except?: readonly string[] },
): Promise<void> {
  await tx.rows(endGrants, [instanceId])
  await tx.rows(endSessions, [instanceId, at, except ?? null])
}

const endOwnSessions = statement(
  'issuers.endOwnSessions',
  `update staff_session s set logged_out_at = $2 from membership m join person p on p.id = m.person_id
   where s.instance_id = $1 and s.by_issuer is null and s.logged_out_at is null and m.instance_id = $1 and m.id = s.membership_id
     and split_part(p.email, '@', 2) = any ($3)`,
)
const endOwnSignIns = statement(
  'issuers.endOwnSignIns',
  `delete from oidc_item g where g.instance_id = $1 and g.model in ('Grant', 'PasswordProof', 'Interaction')
     and coalesce(g.payload ->> 'accountId', g.payload -> 'result' -> 'login' ->> 'accountId') in
       (select p.id::text from person p where split_part(p.email, '@', 2) = any ($2))`,
)

/** Ends every session of these domains that began by a password or a passkey, and every sign-in of theirs that is not done. */
export async function endOwnSessionsOf(
  tx: Transaction,
  instanceId: string,
  { at, domains }: { readonly at: string; readonly domains: readonly string[] },
): Promise<void> {
  await tx.rows(endOwnSignIns, [instanceId, domains])
  await tx.rows(endOwnSessions, [instanceId, at, domains])
}

const isManagerLeft = statement(
  'issuers.isManagerLeft',
  `select from membership m join person p on p.id = m.person_id
   where m.instance_id = $1 and m.creditor_id is null and m.role = 'manager' and m.ended_at is null
     and case when split_part(p.email, '@', 2) = any ($3) then exists (select from sign_in_link l
           where l.instance_id = $1 and l.issuer = $2 and l.person_id = p.id)
         else p.password_hash is not null end
   limit 1`,
)

/** Can a manager of the operator still come in when these domains have to sign in at this issuer? */
export async function isManagerLeftRow(
  tx: Transaction,
  instanceId: string,
  { issuer, domains }: Pick<WrittenIssuer, 'issuer' | 'domains'>,
): Promise<boolean> {
  return (await tx.rows(isManagerLeft, [instanceId, issuer, domains])).length === 1
}

const countLinks = statement(
  'issuers.countLinks',
  'select count(*)::int as count from sign_in_link where instance_id = $1 and issuer = $2',
)

export async function countLinkRows(db: Connection, instanceId: string, issuer: string): Promise<number> {
  return (await db.rows<{ count: number }>(countLinks, [instanceId, issuer]))[0]?.count ?? 0
}

/** A link counts while the person's own address here is of a listed domain. */
const linked = statement(
  'issuers.linked',
  `select p.id, p.email, p.name, p.password_hash from sign_in_link l join person p on p.id = l.person_id
     join sign_in_issuer i on i.instance_id = l.instance_id and i.issuer = l.issuer
   where l.instance_id = $1 and l.issuer = $2 and l.subject = $3 and split_part(p.email, '@', 2) = any (i.domains)`,
)

export type LinkedPerson = { id: string; email: string; name: string; password_hash: string | null }
export type LinkKey = { readonly instanceId: string; readonly issuer: string; readonly subject: string }

/** Who somebody of the issuer is here, as far as it may say so. */
export async function readLinkedPerson(
  db: Connection,
  { instanceId, issuer, subject }: LinkKey,
): Promise<LinkedPerson | undefined> {
  return (await db.rows<LinkedPerson>(linked, [instanceId, issuer, subject]))[0]
}

const unlink = statement(
  'issuers.unlink',
  'delete from sign_in_link where instance_id = $1 and issuer = $2 and person_id = $3 and subject <> $4',
)
const link = statement(
  'issuers.link',
  `insert into sign_in_link (instance_id, issuer, subject, person_id, linked_at) values ($1, $2, $3, $4, $5)
   on conflict do nothing`,
)

const isTheirs = statement(
  'issuers.isTheirs',
  'select from sign_in_link where instance_id = $1 and issuer = $2 and subject = $3 and person_id = $4',
)

/** Links, in the place of another account that the person had there. Whether it is theirs then: the first to link it keeps it. */
export async function linkRow(
  tx: Transaction,
  key: LinkKey,
  { personId, at }: { readonly personId: string; readonly at: string },
): Promise<boolean> {
  const { instanceId, issuer, subject } = key
  await tx.rows(unlink, [instanceId, issuer, personId, subject])
  await tx.rows(link, [instanceId, issuer, subject, personId, at])
  return (await tx.rows(isTheirs, [instanceId, issuer, subject, personId])).length === 1
}

const endOfPerson = statement(
  'issuers.endOfPerson',
  `with ended as (update staff_session s set logged_out_at = $3 from membership m
     where s.instance_id = $1 and s.by_issuer is not null and s.logged_out_at is null
       and m.instance_id = $1 and m.id = s.membership_id and m.person_id = $2)
   delete from oidc_item g where g.instance_id = $1 and g.model in ('Grant', 'PasswordProof', 'Interaction')
     and $2::text in (g.payload ->> 'accountId', g.payload -> 'result' -> 'login' ->> 'accountId')`,
)

/** Ends what the person's account at the issuer has begun here, and every sign-in of theirs that is not done. */
export async function endByIssuerOf(
  tx: Transaction,
  instanceId: string,
  { personId, at }: { readonly personId: string; readonly at: string },
): Promise<void> {
  await tx.rows(endOfPerson, [instanceId, personId, at])
}

const unlinkLeft = statement(
  'issuers.unlinkLeft',
  `delete from sign_in_link l using membership e
   where e.instance_id = $1 and e.id = $2 and l.instance_id = $1 and l.person_id = e.person_id
     and not exists (select from membership m where m.instance_id = $1 and m.person_id = e.person_id and m.ended_at is null)
   returning l.person_id`,
)

/** Unlinks whoever had this membership and has no other at the instance; who that is. */
export async function unlinkLeftRow(
  tx: Transaction,
  instanceId: string,
  membershipId: string,
): Promise<string | undefined> {
  return (await tx.rows<{ person_id: string }>(unlinkLeft, [instanceId, membershipId]))[0]?.person_id
}

const mayBegin = statement(
  'issuers.mayBegin',
  `select from person p left join sign_in_issuer i on i.instance_id = $1 and i.is_on and split_part(p.email, '@', 2) = any (i.domains)
   where p.id = $2 and case when $3::text is null then i.is_required is not true
     else i.issuer = $3 and exists (select from sign_in_link l where l.instance_id = $1 and l.issuer = $3 and l.person_id = p.id) end`,
)

/** May a session of the person begin that was proven at `issuer`, or, where that is null, here? */
export async function mayBeginRow(
  tx: Transaction,
  instanceId: string,
  { personId, issuer }: { readonly personId: string; readonly issuer: string | null },
): Promise<boolean> {
  return (await tx.rows(mayBegin, [instanceId, personId, issuer])).length === 1
}

const isLinked = statement(
  'issuers.isLinked',
  'select from sign_in_link where instance_id = $1 and issuer = $2 and person_id = $3',
)

/** Has the person an account there that is linked? */
export async function isLinkedRow(
  db: Connection,
  { instanceId, issuer, personId }: Omit<LinkKey, 'subject'> & { readonly personId: string },
): Promise<boolean> {
  return (await db.rows(isLinked, [instanceId, issuer, personId])).length === 1
}

const worksElsewhere = statement(
  'issuers.worksElsewhere',
  'select from membership where person_id = $2 and instance_id <> $1 and ended_at is null limit 1',
)

/** Does the person work at another provider too, which this one's issuer has no say in? */
export async function worksElsewhereRow(
  db: Connection,
  instanceId: string,
  personId: string,
): Promise<boolean> {
  return (await db.rows(worksElsewhere, [instanceId, personId])).length === 1
}
