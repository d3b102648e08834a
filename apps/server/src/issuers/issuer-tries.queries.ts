/** The SQL of browsers that are at a provider's issuer just now. */
import { statement, type Connection } from '../platform/database/database.ts'

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
