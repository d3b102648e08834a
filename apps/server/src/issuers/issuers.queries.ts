/** The SQL of providers' own issuers, of whom they have linked, and of browsers that are there just now. */
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
  `update staff_session set logged_out_at = $2 where instance_id = $1 and by_issuer is not null and logged_out_at is null`,
)
const endGrants = statement(
  'issuers.endGrants',
  `delete from oidc_item g using oidc_item s
   where s.instance_id = $1 and s.model = 'IssuerSignIn' and g.instance_id = $1 and g.model = 'Grant' and g.id_hash = s.id_hash`,
)

/** Ends every session that began there, and every sign-in that is not done. */
export async function endIssuerSessions(tx: Transaction, instanceId: string, at: string): Promise<void> {
  await tx.rows(endGrants, [instanceId])
  await tx.rows(endSessions, [instanceId, at])
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

const linked = statement(
  'issuers.linked',
  `select p.id, p.email, p.name, p.password_hash from sign_in_link l join person p on p.id = l.person_id
   where l.instance_id = $1 and l.issuer = $2 and l.subject = $3`,
)

export type LinkedPerson = { id: string; email: string; name: string; password_hash: string | null }
export type LinkKey = { readonly instanceId: string; readonly issuer: string; readonly subject: string }

/** Who somebody of the issuer is here. */
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

/** Links, in the place of another account that the person had there. Whether it is theirs then: the first to link it keeps it. */
export async function linkRow(
  tx: Transaction,
  key: LinkKey,
  { personId, at }: { readonly personId: string; readonly at: string },
): Promise<boolean> {
  const { instanceId, issuer, subject } = key
  await tx.rows(unlink, [instanceId, issuer, personId, subject])
  await tx.rows(link, [instanceId, issuer, subject, personId, at])
  return (await readLinkedPerson(tx, key))?.id === personId
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

export type TryRow = {
  issuer: string
  nonce: string
  verifier: string
  redirect_uri: string
  go_on: string
}
export type NewTry = {
  readonly instanceId: string
  readonly stateHash: Uint8Array
  readonly forHash: Uint8Array
  readonly issuer: string
  readonly nonce: string
  readonly verifier: string
  readonly redirectUri: string
  readonly goOn: string
  readonly expiresAt: string
}

const insertTry = statement(
  'issuers.insertTry',
  `insert into sign_in_try (instance_id, state_hash, for_hash, issuer, nonce, verifier, redirect_uri, go_on, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
)

export async function insertTryRow(db: Connection, row: NewTry): Promise<void> {
  const { instanceId, stateHash, forHash, issuer, nonce, verifier, redirectUri, goOn, expiresAt } = row
  await db.rows(insertTry, [
    instanceId, stateHash, forHash, issuer, nonce, verifier, redirectUri, goOn, expiresAt,
  ]) // biome-ignore format: a list
}

type State = { readonly instanceId: string; readonly stateHash: Uint8Array; readonly at: string }
const goOn = statement(
  'issuers.goOn',
  'select go_on from sign_in_try where instance_id = $1 and state_hash = $2 and expires_at > $3',
)

/** Where a browser that comes back with this state belongs. */
export async function readGoOn(db: Connection, state: State): Promise<string | undefined> {
  const { instanceId, stateHash, at } = state
  return (await db.rows<{ go_on: string }>(goOn, [instanceId, stateHash, at]))[0]?.go_on
}

const takeTry = statement(
  'issuers.takeTry',
  `delete from sign_in_try where instance_id = $1 and state_hash = $2 and expires_at > $3 and for_hash = $4
   returning issuer, nonce, verifier, redirect_uri, go_on`,
)

/** Uses it up: of two at once, one. */
export async function takeTryRow(
  db: Connection,
  { instanceId, stateHash, at, forHash }: State & { readonly forHash: Uint8Array },
): Promise<TryRow | undefined> {
  return (await db.rows<TryRow>(takeTry, [instanceId, stateHash, at, forHash]))[0]
}

const forget = statement('issuers.forgetTries', 'delete from sign_in_try where expires_at < $1')

export async function forgetTryRows(db: Connection, at: string): Promise<void> {
  await db.rows(forget, [at])
}
