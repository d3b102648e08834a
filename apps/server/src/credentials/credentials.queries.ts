/** The SQL of credentials. */
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'
import type { CredentialKind } from './credential.ts'

export type CredentialRow = {
  readonly instance_id: string
  readonly url_alias: string
  readonly kind: CredentialKind
  readonly account: string
  readonly is_current: boolean
  readonly key_id: string
  readonly sealed: Buffer
  readonly version: string
}

const COLUMNS = `c.instance_id, i.url_alias, c.kind, c.account, c.is_current, c.key_id, c.sealed, c.version`

const readAll = statement(
  'credentials.all',
  `select ${COLUMNS} from credential c join instance i on i.id = c.instance_id
   order by i.url_alias, c.kind, c.is_current desc, c.account`,
)

/** Of all providers, or of one. */
export async function readCredentialRows(db: Connection, instanceId?: string): Promise<CredentialRow[]> {
  const rows = await db.rows<CredentialRow>(readAll)
  return instanceId === undefined ? rows : rows.filter((row) => row.instance_id === instanceId)
}

// Whoever changes credentials waits for whoever does, so that a rotation misses none.
const lock = statement('credentials.lock', 'lock table credential in share row exclusive mode')

export async function lockCredentialRows(tx: Transaction, instanceId?: string): Promise<CredentialRow[]> {
  await tx.rows(lock)
  return readCredentialRows(tx, instanceId)
}

const makeFormer = statement(
  'credentials.makeFormer',
  'update credential set is_current = false where instance_id = $1 and kind = $2 and account <> $3',
)
const keep = statement(
  'credentials.keep',
  `insert into credential (instance_id, kind, account, is_current, key_id, sealed, version) values ($1, $2, $3, true, $4, $5, $6)
   on conflict (instance_id, kind, account)
   do update set is_current = true, key_id = excluded.key_id, sealed = excluded.sealed, version = excluded.version`,
)

export type KeptCredential = {
  readonly instanceId: string
  readonly kind: CredentialKind
  readonly account: string
  readonly keyId: string
  readonly sealed: Uint8Array
  readonly version: string
}

/** Takes the place of the one that was current. */
export function keepCredentialRow(tx: Transaction, row: KeptCredential): void {
  const { instanceId, kind, account, keyId, sealed, version } = row
  tx.send(makeFormer, [instanceId, kind, account])
  tx.send(keep, [instanceId, kind, account, keyId, sealed, version])
}

const reseal = statement(
  'credentials.reseal',
  'update credential set key_id = $4, sealed = $5 where instance_id = $1 and kind = $2 and account = $3',
)

/** The same under another key: nobody has to read it anew. */
export function resealCredentialRow(
  tx: Transaction,
  { instance_id: instanceId, kind, account }: CredentialRow,
  { keyId, bytes }: { readonly keyId: string; readonly bytes: Uint8Array },
): void {
  tx.send(reseal, [instanceId, kind, account, keyId, bytes])
}

const remove = statement(
  'credentials.remove',
  'delete from credential where instance_id = $1 and kind = $2 and account = $3',
)

export function removeCredentialRow(
  tx: Transaction,
  { instance_id: instanceId, kind, account }: CredentialRow,
): void {
  tx.send(remove, [instanceId, kind, account])
}

const openPayments = statement(
  'credentials.openPayments',
  `select (select count(*) from payment
       where instance_id = $1 and payee_account = $2 and status in ('CREATED', 'IN_PROGRESS', 'AUTHORIZED'))::int
     + (select count(*) from refund r join payment p on p.instance_id = r.instance_id and p.id = r.payment_id
       where r.instance_id = $1 and p.payee_account = $2 and r.status in ('CREATED', 'SENT'))::int as count`,
)

/** How many payments to this number, and refunds of such, are under way. */
export async function countOpenPayments(
  tx: Transaction,
  instanceId: string,
  account: string,
): Promise<number> {
  return (await tx.rows<{ count: number }>(openPayments, [instanceId, account]))[0]?.count ?? 0
}

const readVersion = statement(
  'credentials.version',
  'select version from credential where instance_id = $1 and kind = $2 and is_current',
)

/** Of what a provider has of its own now; null where the settings of the process hold. */
export async function readVersionRow(
  db: Connection,
  { instanceId, kind }: { readonly instanceId: string; readonly kind: CredentialKind },
): Promise<string | null> {
  return (await db.rows<{ version: string }>(readVersion, [instanceId, kind]))[0]?.version ?? null
}

const trial = statement(
  'credentials.trial',
  `insert into credential_trial (instance_id, kind, version, is_accepted, tried_at) values ($1, $2, $3, $4, $5)
   on conflict (instance_id, kind) do update set version = excluded.version, is_accepted = excluded.is_accepted,
     tried_at = excluded.tried_at`,
)

/** What the counterparty said of this version, in place of what it said before. */
export async function keepTrialRow(
  db: Connection,
  tried: {
    readonly instanceId: string
    readonly kind: CredentialKind
    readonly version: string | null
    readonly isAccepted: boolean
    readonly at: string
  },
): Promise<void> {
  const { instanceId, kind, version, isAccepted, at } = tried
  await db.rows(trial, [instanceId, kind, version, isAccepted, at])
}
