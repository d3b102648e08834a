/** The SQL of second factors and recovery codes. Whoever changes those of a person holds the person's row. */
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'

export type FactorRow = {
  id: string
  confirmed_at: string | null
  last_step: string | null
  /** Its secret, as it is kept. */
  secret: { instance_id: string; id: string; key_id: string; sealed: Buffer }
}

type Found = Omit<FactorRow, 'secret'> & {
  instance_id: string
  secret_id: string
  key_id: string
  sealed: Buffer
}

const read = statement(
  'secondFactor.read',
  `select f.id, f.confirmed_at, f.last_step, k.instance_id, k.id as secret_id, k.key_id, k.sealed
   from second_factor f join kept_secret k on k.instance_id = f.instance_id and k.id = f.secret_id
   where f.person_id = $1 and (f.confirmed_at is not null) = $2`,
)

async function readOne(db: Connection, personId: string, isOn: boolean): Promise<FactorRow | undefined> {
  const [row] = await db.rows<Found>(read, [personId, isOn])
  if (!row) return undefined
  const { id, confirmed_at, last_step, instance_id, secret_id, key_id, sealed } = row
  return { id, confirmed_at, last_step, secret: { instance_id, id: secret_id, key_id, sealed } }
}

/** The one that a person has. */
export function readFactor(db: Connection, personId: string): Promise<FactorRow | undefined> {
  return readOne(db, personId, true)
}

/** The one that they are setting up. */
export function readBegunFactor(db: Connection, personId: string): Promise<FactorRow | undefined> {
  return readOne(db, personId, false)
}

const hold = statement('secondFactor.holdPerson', 'select from person where id = $1 for no key update')

export async function holdPerson(tx: Transaction, personId: string): Promise<void> {
  await tx.rows(hold, [personId])
}

const insert = statement(
  'secondFactor.insert',
  `insert into second_factor (id, person_id, instance_id, secret_id, made_at, by_issuer) values ($1, $2, $3, $4, $5, $6)`,
)

export type NewFactor = {
  id: string
  personId: string
  instanceId: string
  secretId: string
  at: string
  isByIssuer: boolean
}

export async function insertFactorRow(tx: Transaction, factor: NewFactor): Promise<void> {
  const { id, personId, instanceId, secretId, at, isByIssuer } = factor
  await tx.rows(insert, [id, personId, instanceId, secretId, at, isByIssuer])
}

const confirm = statement(
  'secondFactor.confirm',
  'update second_factor set confirmed_at = $2, last_step = $3 where id = $1 and confirmed_at is null returning 1',
)

/** Answers whether it was still there and not confirmed: of two at once, one. */
export async function confirmFactorRow(
  tx: Transaction,
  { id, at, step }: { id: string; at: string; step: number },
): Promise<boolean> {
  return (await tx.rows(confirm, [id, at, step])).length === 1
}

const useStep = statement(
  'secondFactor.useStep',
  `update second_factor set last_step = $2
   where id = $1 and confirmed_at is not null and (last_step is null or last_step < $2) returning 1`,
)

/** Uses the code of a time step up. False: it, or a newer one, was used before; of two at once, one is true. */
export async function useStepRow(db: Connection, id: string, step: number): Promise<boolean> {
  return (await db.rows(useStep, [id, step])).length === 1
}

const remove = statement(
  'secondFactor.remove',
  `delete from second_factor where person_id = $1 and (confirmed_at is not null or not $2)
   returning instance_id, secret_id`,
)

/** Removes a person's, the one that is begun as well unless `onlyConfirmed`; answers where their secrets are. */
export function removeFactorRows(
  tx: Transaction,
  personId: string,
  { onlyConfirmed }: { onlyConfirmed: boolean },
): Promise<{ instance_id: string; secret_id: string }[]> {
  return tx.rows(remove, [personId, onlyConfirmed])
}

const hasByIssuer = statement(
  'secondFactor.hasByIssuer',
  'select from second_factor where person_id = $1 and by_issuer and instance_id is distinct from $2::uuid',
)

/** Has the person one that was set up, or begun, on the word of an issuer: of another instance than `except`, if that is said? */
export async function hasByIssuerRow(
  tx: Transaction,
  personId: string,
  except: string | null,
): Promise<boolean> {
  return (await tx.rows(hasByIssuer, [personId, except])).length > 0
}

const removeBegun = statement(
  'secondFactor.removeBegun',
  'delete from second_factor where person_id = $1 and confirmed_at is null returning instance_id, secret_id',
)

export function removeBegunRows(
  tx: Transaction,
  personId: string,
): Promise<{ instance_id: string; secret_id: string }[]> {
  return tx.rows(removeBegun, [personId])
}

const clearCodes = statement('secondFactor.clearCodes', 'delete from recovery_code where person_id = $1')
const insertCodes = statement(
  'secondFactor.insertCodes',
  'insert into recovery_code (person_id, code_hash) select $1, unnest($2::bytea[])',
)

/** In the place of those of before. */
export async function replaceCodeRows(
  tx: Transaction,
  personId: string,
  hashes: readonly Uint8Array[],
): Promise<void> {
  await tx.rows(clearCodes, [personId])
  await tx.rows(insertCodes, [personId, hashes])
}

const useCode = statement(
  'secondFactor.useCode',
  `update recovery_code set used_at = $3 where person_id = $1 and code_hash = $2 and used_at is null returning 1`,
)
const isKnown = statement(
  'secondFactor.isKnown',
  'select from recovery_code where person_id = $1 and code_hash = $2',
)

/** Uses a recovery code up: of two at once, one. */
export async function useCodeRow(
  db: Connection,
  { personId, hash, at }: { personId: string; hash: Uint8Array; at: string },
): Promise<'now' | 'before' | 'never'> {
  if ((await db.rows(useCode, [personId, hash, at])).length === 1) return 'now'
  return (await db.rows(isKnown, [personId, hash])).length === 1 ? 'before' : 'never'
}

const countCodes = statement(
  'secondFactor.countCodes',
  'select count(*)::int as count from recovery_code where person_id = $1 and used_at is null',
)

/** Recovery codes that are not used yet. */
export async function countCodesLeft(db: Connection, personId: string): Promise<number> {
  return (await db.rows<{ count: number }>(countCodes, [personId]))[0]?.count ?? 0
}

const endSessions = statement(
  'secondFactor.endSessions',
  `update staff_session s set logged_out_at = $2 from membership m
   where m.instance_id = s.instance_id and m.id = s.membership_id and m.person_id = $1 and s.logged_out_at is null
     and s.id is distinct from $3::uuid`,
)
const endSignIns = statement(
  'secondFactor.endSignIns',
  `delete from oidc_item where model <> 'Session'
     and $1::text in (payload ->> 'accountId', payload -> 'result' -> 'login' ->> 'accountId')`,
)

/**
 * Ends a person's sessions everywhere but `exceptSession`, and what they have proven so far of sign-ins that are not done. What
 * the provider keeps of a browser proves nothing, and whoever is just signing in there goes on.
 */
export async function endProofs(
  tx: Transaction,
  { personId, at, exceptSession }: { personId: string; at: string; exceptSession: string | null },
): Promise<void> {
  await tx.rows(endSignIns, [personId])
  await tx.rows(endSessions, [personId, at, exceptSession])
}

const isDemo = statement('secondFactor.isDemo', 'select from person where id = $1 and is_demo')

export async function isOfDemo(db: Connection, personId: string): Promise<boolean> {
  return (await db.rows(isDemo, [personId])).length === 1
}

const places = statement(
  'secondFactor.places',
  `select lower(i.url_alias || '.' || i.url_domain) as host, i.is_default, m.creditor_id,
     coalesce(i.requires_second_factor, i.mode = 'live') and not p.is_demo as is_required
   from membership m join instance i on i.id = m.instance_id join person p on p.id = m.person_id
   where m.person_id = $1 and m.ended_at is null`,
)

/** Where somebody works, and whether a second factor is asked for there. */
export type PlaceRow = {
  readonly host: string
  readonly is_default: boolean
  readonly creditor_id: string | null
  readonly is_required: boolean
}

export function readPlaces(tx: Transaction, personId: string): Promise<PlaceRow[]> {
  return tx.rows<PlaceRow>(places, [personId])
}

const elsewhere = statement(
  'secondFactor.worksElsewhere',
  `select from membership where person_id = $1 and ended_at is null
     and not (instance_id = $2 and ($3::uuid is null or creditor_id is not distinct from $3::uuid)) limit 1`,
)

/** Does a person also work for others than this creditor, or than this instance where `creditorId` is null? */
export async function worksElsewhere(
  db: Connection,
  of: { personId: string; instanceId: string; creditorId: string | null },
): Promise<boolean> {
  return (await db.rows(elsewhere, [of.personId, of.instanceId, of.creditorId])).length === 1
}

const old = statement(
  'secondFactor.old',
  'delete from second_factor where confirmed_at is null and made_at < $1 returning instance_id, secret_id',
)

/** Removes what somebody has begun to set up before `at`; answers where the secrets are. */
export function removeOldRows(
  tx: Transaction,
  at: string,
): Promise<{ instance_id: string; secret_id: string }[]> {
  return tx.rows(old, [at])
}

const worksHere = statement(
  'secondFactor.worksHere',
  `select p.id, p.email, p.name from person p where p.email = $2
     and exists (select from membership m where m.instance_id = $1 and m.person_id = p.id and m.ended_at is null)`,
)

export type StaffPerson = { id: string; email: string; name: string }

/** Who works at an instance under an e-mail address. */
export async function readWorker(
  db: Connection,
  instanceId: string,
  email: string,
): Promise<StaffPerson | undefined> {
  return (await db.rows<StaffPerson>(worksHere, [instanceId, email]))[0]
}
