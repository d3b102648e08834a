/**
 * What each provider shows its counterparties, kept with the provider and encrypted: a person enters it, every process uses it
 * within five seconds, and nobody ever reads it out again.
 */
import type { Tried, TriedKind } from '@kvitt/domain/instances/credential.ts'
import { noteDeed } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import type { Connection, Database, Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { StartupError } from '../platform/startup-error.ts'
import {
  accountOf,
  checkCredential,
  credential,
  CredentialRefused,
  describeCredential,
  type Credential,
  type CredentialKind,
  type Described,
} from './credential.ts'
import {
  countOpenPayments,
  keepCredentialRow,
  keepTrialRow,
  lockCredentialRows,
  readCredentialRows,
  removeCredentialRow,
  resealCredentialRow,
  type CredentialRow,
  readVersionRow,
} from './credentials.queries.ts'
import { addKey, KeyMissing, readKeyRing, removeKey, type KeyRing } from './key-ring.ts'
import { readSecretRows, resealSecretRow, type SecretRow } from './kept-secrets.queries.ts'
import { resealed } from './kept-secrets.ts'
import { aboutOf, missingKeySentence, openForPerson, openRow } from './sealed-credential.ts'

export { keepSecret, openSecrets, removeSecrets } from './kept-secrets.ts'
export { CredentialRefused, type Credential, type CredentialKind } from './credential.ts'
export {
  NO_CREDENTIALS,
  openCallers,
  openCredentials,
  type Credentials,
} from './open-credentials.ts'
export { OPTION_NAMES } from './sealed-credential.ts'

type CredentialContext = Pick<Context, 'clock'> & { readonly db: Database; readonly keyFile: string }

export type CredentialWish = { readonly instanceId: string; readonly by: string }

/** Answers false when it was kept before just so. Throws CredentialRefused; then nothing has changed. */
export async function keepCredential(
  context: CredentialContext,
  { instanceId, by }: CredentialWish,
  one: Credential,
): Promise<boolean> {
  checkCredential(one, context.clock.now())
  const read = readKeyRing(context.keyFile)
  return context.db.transaction(async (tx) => {
    const rows = await lockCredentialRows(tx)
    // A new file while others are encrypted with a lost one would look as if all was well.
    const unknown = rows.find((row) => !read.ids.includes(row.key_id))
    if (unknown) throw new StartupError(missingKeySentence(read, unknown))
    const lost = (await readSecretRows(tx)).find((row) => !read.ids.includes(row.key_id))
    if (lost) throw new StartupError(lostSecretSentence(read.file, lost.key_id))
    refuseForeignNumber(rows, instanceId, one)
    if (read.ids.length === 0) addKey(context.keyFile)
    const ring = readKeyRing(context.keyFile)
    const { kind } = one
    const account = accountOf(one)
    const own = rows.filter((row) => row.instance_id === instanceId && row.kind === kind)
    const before = own.find(({ is_current: isCurrent }) => isCurrent)
    const old = before && openRow(ring, before)
    if (old && JSON.stringify(old) === JSON.stringify(credential.parse(one))) return false
    const of = { instance_id: instanceId, kind, account }
    const { keyId, bytes } = ring.seal(JSON.stringify(one), aboutOf(of))
    const version = newId(context.clock.now())
    keepCredentialRow(tx, { instanceId, kind, account, keyId, sealed: bytes, version })
    await note(tx, { instanceId, by, before: old, after: one })
    return true
  })
}

/** A number's payments are asked for with its own certificate: of two providers with one number, one would act as the other. */
function refuseForeignNumber(rows: readonly CredentialRow[], instanceId: string, one: Credential): void {
  if (one.kind !== 'SWISH') return
  const other = rows.find((row) => row.account === one.number && row.instance_id !== instanceId)
  if (other)
    throw new CredentialRefused(
      'taken',
      `The Swish number ${one.number} is ${other.is_current ? '' : 'a former one '}of ${other.url_alias}. Remove it there first.`,
    )
}

export type RemovalWish = CredentialWish & {
  readonly kind: CredentialKind
  readonly account?: string | undefined
}

/**
 * Takes the current one away, or the one of `account`: the settings of the process hold then. Needs no key. Answers false when there is
 * none. Throws CredentialRefused while payments to a Swish number are under way, which nobody else could ask about.
 */
export function removeCredential(
  context: CredentialContext,
  { instanceId, by, kind, account }: RemovalWish,
): Promise<boolean> {
  return context.db.transaction(async (tx) => {
    const row = (await lockCredentialRows(tx, instanceId)).find((one) =>
      one.kind === kind && account === undefined
        ? one.is_current
        : one.kind === kind && one.account === account,
    )
    if (!row) return false
    const open = kind === 'SWISH' ? await countOpenPayments(tx, instanceId, row.account) : 0
    if (open > 0)
      throw new CredentialRefused(
        'under_way',
        `${open === 1 ? 'One payment or refund' : `${open} payments and refunds`} of ${row.account} under way would not be heard of again. Enter another number: this one stays for them.`,
      )
    removeCredentialRow(tx, row)
    const before = { kind, account: row.account }
    const about = `provider:${instanceId}`
    await noteDeed(tx, { instanceId, kind: 'credentials_changed', by, about, before, after: {} })
    return true
  })
}

type Change = CredentialWish & { readonly before: Credential | undefined; readonly after: Credential }

function note(tx: Transaction, { instanceId, by, before, after }: Change): Promise<void> {
  return noteDeed(tx, {
    instanceId,
    kind: 'credentials_changed',
    by,
    about: `provider:${instanceId}`,
    before: before ? describeCredential(before) : {},
    after: describeCredential(after),
  })
}

export type Listed = Described & {
  readonly alias: string
  readonly isCurrent: boolean
  readonly keyId: string
  /** False when the key file lacks the key: then only what is no secret is known. */
  readonly isReadable: boolean
}

/** Of one provider, for a list. */
export async function listCredentials(
  db: Connection,
  keyFile: string,
  instanceId: string,
): Promise<Listed[]> {
  const ring = readKeyRing(keyFile)
  return (await readCredentialRows(db, instanceId)).map((row) => {
    const isReadable = ring.ids.includes(row.key_id)
    const described: Described = isReadable
      ? describeCredential(openForPerson(ring, row))
      : { kind: row.kind, account: row.account, certificate: null }
    const { url_alias: alias, is_current: isCurrent, key_id: keyId } = row
    return { ...described, alias, isCurrent, keyId, isReadable }
  })
}

/** Puts a key that encrypts from now on into the file, one process after the other. Answers its name. */
export function addSettingsKey({ db, keyFile }: Omit<CredentialContext, 'clock'>): Promise<string> {
  return db.transaction(async (tx) => {
    await lockCredentialRows(tx)
    return addKey(keyFile)
  })
}

export type Rotated = { readonly keyId: string; readonly count: number }

/**
 * Encrypts everything anew: with the last key of the file when nothing is encrypted with it yet, else with a new one. Done twice, or
 * cut off, everything can be read with the file. Throws StartupError when a key is missing.
 */
export async function rotateKey({ db, keyFile }: Omit<CredentialContext, 'clock'>): Promise<Rotated> {
  return db.transaction(async (tx) => {
    const rows = await lockCredentialRows(tx)
    const secrets = await readSecretRows(tx)
    const last = readKeyRing(keyFile).ids.at(-1)
    if (last === undefined || [...rows, ...secrets].some(({ key_id: id }) => id === last)) addKey(keyFile)
    const ring = readKeyRing(keyFile)
    let keyId = ring.ids.at(-1) ?? ''
    for (const row of rows) {
      const sealed = ring.seal(JSON.stringify(openForPerson(ring, row)), aboutOf(row))
      keyId = sealed.keyId
      resealCredentialRow(tx, row, sealed)
    }
    for (const row of secrets) resealSecretRow(tx, row, resealForPerson(ring, row))
    return { keyId, count: rows.length + secrets.length }
  })
}

function resealForPerson(ring: KeyRing, row: SecretRow): ReturnType<typeof resealed> {
  try {
    return resealed(ring, row)
  } catch (error) {
    if (error instanceof KeyMissing) throw new StartupError(lostSecretSentence(ring.file, row.key_id))
    throw error
  }
}

function lostSecretSentence(file: string, keyId: string): string {
  return `Secrets of webhooks or second factors are encrypted with the key ${keyId}, which ${file} does not have. Put that file back (SETTINGS_KEY_FILE), or have the webhooks removed and made anew, and the second factors reset.`
}

/** Throws CredentialRefused while something is encrypted with it, or when the file does not have it. */
export async function forgetKey(
  { db, keyFile }: Omit<CredentialContext, 'clock'>,
  id: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const rows = [...(await lockCredentialRows(tx)), ...(await readSecretRows(tx))]
    const used = rows.filter(({ key_id: key }) => key === id).length
    if (used > 0)
      throw new CredentialRefused(
        'key_file',
        `${used} ${used === 1 ? 'credential is' : 'credentials are'} encrypted with the key ${id}. Rotate first.`,
      )
    const { ids } = readKeyRing(keyFile)
    if (!ids.includes(id))
      throw new CredentialRefused(
        'key_file',
        `${keyFile} has no key ${id}; it has ${ids.join(', ') || 'none'}.`,
      )
    removeKey(keyFile, id)
  })
}

/**
 * Asks the counterparty, and keeps what it says of what is shown to it now. Where nobody answers, what was said before still stands.
 * @param ask outside of any transaction; undefined where it is not offered
 */
export async function tryCredential(
  { db, clock }: Pick<CredentialContext, 'db' | 'clock'>,
  of: { readonly instanceId: string; readonly kind: TriedKind },
  ask: () => Promise<Tried | undefined>,
): Promise<Tried> {
  // Before it is asked: whoever enters another meanwhile has not tried that.
  const version = await readVersionRow(db, of)
  const tried = await ask()
  if (tried?.outcome === 'ACCEPTED' || tried?.outcome === 'REFUSED') {
    const at = new Date(clock.now()).toISOString()
    await keepTrialRow(db, { ...of, version, isAccepted: tried.outcome === 'ACCEPTED', at })
  }
  return tried ?? { outcome: 'NOT_OFFERED', detail: null }
}
