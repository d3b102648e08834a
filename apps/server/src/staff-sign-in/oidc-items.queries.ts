/** The SQL of what our OpenID provider remembers, and of who signs in. */
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'

export type ItemKey = { readonly instanceId: string; readonly model: string; readonly idHash: Uint8Array }

export type Item = { payload: Record<string, unknown>; consumed_at: string | null }

const keep = statement(
  'staffSignIn.keepItem',
  `insert into oidc_item (instance_id, model, id_hash, payload, uid, grant_id, expires_at) values ($1, $2, $3, $4, $5, $6, $7)
   on conflict (instance_id, model, id_hash) do update set payload = excluded.payload, uid = excluded.uid,
     grant_id = excluded.grant_id, expires_at = excluded.expires_at`,
)

export async function keepItem(
  db: Connection,
  { instanceId, model, idHash }: ItemKey,
  item: { payload: object; uid: string | null; grantId: string | null; expiresAt: string },
): Promise<void> {
  const { payload, uid, grantId, expiresAt } = item
  await db.rows(keep, [instanceId, model, idHash, JSON.stringify(payload), uid, grantId, expiresAt])
}

const read = statement(
  'staffSignIn.item',
  `select payload, consumed_at from oidc_item
   where instance_id = $1 and model = $2 and id_hash = $3 and expires_at > $4`,
)

export async function readItem(db: Connection, key: ItemKey, at: string): Promise<Item | undefined> {
  return (await db.rows<Item>(read, [key.instanceId, key.model, key.idHash, at]))[0]
}

const readByUid = statement(
  'staffSignIn.itemByUid',
  'select payload, consumed_at from oidc_item where instance_id = $1 and model = $2 and uid = $3 and expires_at > $4',
)

export async function readItemByUid(
  db: Connection,
  { instanceId, model, uid }: { instanceId: string; model: string; uid: string },
  at: string,
): Promise<Item | undefined> {
  return (await db.rows<Item>(readByUid, [instanceId, model, uid, at]))[0]
}

const consume = statement(
  'staffSignIn.consumeItem',
  `update oidc_item set consumed_at = $4
   where instance_id = $1 and model = $2 and id_hash = $3 and consumed_at is null returning 1`,
)

/** Answers whether it had not been used before: of two at once, one. */
export async function consumeItem(db: Connection, key: ItemKey, at: string): Promise<boolean> {
  return (await db.rows(consume, [key.instanceId, key.model, key.idHash, at])).length === 1
}

const remove = statement(
  'staffSignIn.removeItem',
  'delete from oidc_item where instance_id = $1 and model = $2 and id_hash = $3',
)

export async function removeItem(db: Connection, key: ItemKey): Promise<void> {
  await db.rows(remove, [key.instanceId, key.model, key.idHash])
}

const removeGrant = statement(
  'staffSignIn.removeGrant',
  'delete from oidc_item where instance_id = $1 and grant_id = $2',
)

export async function removeItemsOfGrant(db: Connection, instanceId: string, grantId: string): Promise<void> {
  await db.rows(removeGrant, [instanceId, grantId])
}

const stillProves = statement(
  'staffSignIn.stillProves',
  'select from person where id = $1 and password_hash = $2 for share',
)

/** Is this still the password of the person? Waits for whoever is just setting another. */
export async function hasPasswordHash(
  tx: Transaction,
  { id, password_hash: hash }: Pick<PersonRow, 'id' | 'password_hash'>,
): Promise<boolean> {
  return (await tx.rows(stillProves, [id, hash])).length === 1
}

const takeItem = statement(
  'staffSignIn.takeItem',
  'delete from oidc_item where instance_id = $1 and model = $2 and id_hash = $3 and expires_at > $4 returning 1',
)

/** Removes it, and answers whether it was there: of two at once, one. */
export async function takeItemRow(tx: Transaction, key: ItemKey, at: string): Promise<boolean> {
  return (await tx.rows(takeItem, [key.instanceId, key.model, key.idHash, at])).length === 1
}

const hasGrant = statement(
  'staffSignIn.hasGrant',
  `with held as (select from person where id = $3 for share)
   select from oidc_item, held where instance_id = $1 and model = 'Grant' and id_hash = $2`,
)

/** Is the grant still there? Waits for whoever is just ending all of the person's. */
export async function holdGrant(
  tx: Transaction,
  of: { readonly instanceId: string; readonly idHash: Uint8Array; readonly personId: string },
): Promise<boolean> {
  return (await tx.rows(hasGrant, [of.instanceId, of.idHash, of.personId])).length === 1
}

const forget = statement('staffSignIn.forget', 'delete from oidc_item where expires_at < $1')

export async function forgetItemRows(db: Connection, at: string): Promise<void> {
  await db.rows(forget, [at])
}

export type PersonRow = { id: string; email: string; name: string; password_hash: string | null }

const personByEmail = statement(
  'staffSignIn.personByEmail',
  'select id, email, name, password_hash from person where email = lower($1)',
)

export async function readPersonByEmail(db: Connection, email: string): Promise<PersonRow | undefined> {
  return (await db.rows<PersonRow>(personByEmail, [email]))[0]
}

const personById = statement(
  'staffSignIn.personById',
  'select id, email, name, password_hash from person where id = $1',
)

export async function readPersonById(db: Connection, id: string): Promise<PersonRow | undefined> {
  return (await db.rows<PersonRow>(personById, [id]))[0]
}

export type MembershipRow = {
  id: string
  role: string
  creditor_id: string | null
  creditor_name: string | null
}

const memberships = statement(
  'staffSignIn.memberships',
  `select m.id, m.role, m.creditor_id, c.name as creditor_name from membership m
     left join creditor c on c.instance_id = m.instance_id and c.id = m.creditor_id
   where m.instance_id = $1 and m.person_id = $2 and m.ended_at is null
   order by c.name nulls first, m.created_at, m.id`,
)

/** What a person works as at an instance. */
export function readMemberships(
  db: Connection | Transaction,
  instanceId: string,
  personId: string,
): Promise<MembershipRow[]> {
  return db.rows<MembershipRow>(memberships, [instanceId, personId])
}
