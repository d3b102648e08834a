/** How a person gets their second factor, changes it, and how it ends. */
import { Refusal } from '@kvitt/domain/errors.ts'
import { noteWithin, type AuditKind } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import { keepSecret, openSecrets, removeSecrets } from '../credentials/credentials.ts'
import type { Instance } from '../instances/instances.ts'
import { queueToStaff, type StaffMailWish } from '../mail/mail.ts'
import type { Connection, Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { recoveryHashOf, makeRecoveryCodes } from './recovery-code.ts'
import {
  confirmFactorRow,
  countCodesLeft,
  endProofs,
  hasByIssuerRow,
  holdPerson,
  insertFactorRow,
  readBegunFactor,
  readFactor,
  removeBegunRows,
  removeFactorRows,
  removeOldRows,
  replaceCodeRows,
  worksElsewhere,
} from './factors.queries.ts'
import { requireFactorLeft } from './left-factors.ts'
import { digitsOf, makeSecret, stepOf, uriOf } from './one-time-code.ts'
import { readPasskeys, removePasskeyRows } from './passkeys.queries.ts'

/** How long one that was begun waits for its first code. */
const BEGUN_MS = 24 * 60 * 60_000

export type FactorOwner = {
  readonly instance: Instance
  readonly person: { readonly id: string; readonly email: string; readonly name: string }
}

/** Somebody who changes what proves who they are. */
export type ChangingOwner = FactorOwner & {
  /** Refuses when what let them do so has ended meanwhile. */
  readonly requireStill: (tx: Transaction) => Promise<void>
  /** A provider's own issuer has said who it is, and nothing else. */
  readonly isByIssuer?: boolean
}

/** Until the end of the transaction nobody else changes it, and nobody whose session has ended does. */
export async function holdOwner(tx: Transaction, { person, requireStill }: ChangingOwner): Promise<void> {
  await holdPerson(tx, person.id)
  await requireStill(tx)
}

type BegunFactor = { readonly secret: string; readonly uri: string }

const iso = (epochMs: number): string => new Date(epochMs).toISOString()

async function dropSecrets(
  tx: Transaction,
  rows: readonly { readonly instance_id: string; readonly secret_id: string }[],
): Promise<void> {
  for (const row of rows) await removeSecrets(tx, row.instance_id, [row.secret_id])
}

/** A new secret, in the place of one that was begun and not confirmed. */
export function beginFactor(context: Context, owner: ChangingOwner): Promise<BegunFactor> {
  const { instance, person, isByIssuer = false } = owner
  const now = context.clock.now()
  const secret = makeSecret()
  const [id, secretId] = [newId(now), newId(now)]
  return context.db.transaction(async (tx) => {
    await holdOwner(tx, owner)
    await keepSecret(tx, context.config.settingsKeyFile, {
      instanceId: instance.id,
      id: secretId,
      text: secret,
    })
    await dropSecrets(tx, await removeBegunRows(tx, person.id))
    const row = { id, personId: person.id, instanceId: instance.id, secretId, at: iso(now) }
    await insertFactorRow(tx, { ...row, isByIssuer })
    return { secret, uri: uriOf(secret, { issuer: instance.row.name, account: person.email }) }
  })
}

type Confirmation = {
  readonly code: string
  /** The session that goes on; null while signing in. */
  readonly sessionId: string | null
  /** Somebody who knows no more than the password may not replace the one that there is. */
  readonly onlyFirst: boolean
}

/**
 * The first code of what was begun: from now on it is the person's, every other session ends, and they are told. Answers the
 * recovery codes. Refuses `code_wrong` and `second_factor_not_begun`.
 */
export function confirmFactor(
  context: Context,
  owner: ChangingOwner,
  { code, sessionId, onlyFirst }: Confirmation,
): Promise<readonly string[]> {
  const { instance, person } = owner
  const now = context.clock.now()
  const at = iso(now)
  return context.db.transaction(async (tx) => {
    await holdOwner(tx, owner)
    const begun = await readBegunFactor(tx, person.id)
    if (!begun || (onlyFirst && (await hasFactor({ db: tx }, person.id))))
      throw new Refusal('second_factor_not_begun')
    const digits = digitsOf(code)
    const secret = openSecrets(context.config.settingsKeyFile)(begun.secret)
    const step = digits === undefined ? undefined : stepOf(secret, digits, now)
    if (step === undefined) throw new Refusal('code_wrong', {}, ['code'])
    await dropSecrets(tx, await removeFactorRows(tx, person.id, { onlyConfirmed: true }))
    if (!(await confirmFactorRow(tx, { id: begun.id, at, step })))
      throw new Refusal('second_factor_not_begun')
    const codes = await newCodes(tx, person.id)
    await endProofs(tx, { personId: person.id, at, exceptSession: sessionId })
    await noteFactor(context, tx, { instance, person, kind: 'staff_factor_on' })
    return codes
  })
}

/** Does a person have any: an app, or a passkey wherever it was made? */
export async function hasFactor({ db }: { readonly db: Connection }, personId: string): Promise<boolean> {
  return (await readFactor(db, personId)) !== undefined || (await readPasskeys(db, personId)).length > 0
}

/** Ten recovery codes in the place of those of before. */
export async function newCodes(tx: Transaction, personId: string): Promise<readonly string[]> {
  const codes = makeRecoveryCodes()
  await replaceCodeRows(
    tx,
    personId,
    codes.flatMap((code) => recoveryHashOf(code) ?? []),
  )
  return codes
}

type Noted = FactorOwner & {
  readonly kind: Extract<AuditKind, StaffMailWish['kind']>
  /** What the passkey is called that it is about. */
  readonly passkey?: string
}

/** The person is told of what the log says. */
export async function noteFactor(
  context: Pick<Context, 'clock' | 'config'>,
  tx: Transaction,
  { instance, person, kind, passkey }: Noted,
): Promise<void> {
  const actor = `person:${person.id}`
  await noteWithin(tx, { instanceId: instance.id, kind, actor, about: actor })
  queueToStaff(context, tx, {
    kind,
    cause: `second-factor:${newId(context.clock.now())}`,
    instance,
    recipient: person.email,
    params: { name: person.name, ...(passkey === undefined ? {} : { passkey }) },
  })
}

type Removal = { readonly sessionId: string }

/**
 * Switches the app off, and with it the recovery codes of whoever has no passkey. Harmless where there is none. Refuses
 * `second_factor_required` where one has to be left and none that works there would be.
 */
export function removeFactor(
  context: Context,
  owner: ChangingOwner,
  { sessionId }: Removal,
): Promise<undefined> {
  const { instance, person } = owner
  return context.db.transaction(async (tx) => {
    await holdOwner(tx, owner)
    const hosts = (await readPasskeys(tx, person.id)).map(({ rp_id }) => rp_id)
    const isLast = hosts.length === 0
    const before = {
      hasApp: (await readFactor(tx, person.id)) !== undefined,
      hosts,
      codes: await countCodesLeft(tx, person.id),
    }
    await requireFactorLeft(tx, person.id, { before, after: { ...before, hasApp: false } })
    const removed = await removeFactorRows(tx, person.id, { onlyConfirmed: false })
    await dropSecrets(tx, removed)
    if (isLast) await replaceCodeRows(tx, person.id, [])
    if (removed.length === 0) return undefined
    const at = iso(context.clock.now())
    await endProofs(tx, { personId: person.id, at, exceptSession: sessionId })
    await noteFactor(context, tx, { instance, person, kind: 'staff_factor_off' })
    return undefined
  })
}

/** Ten new recovery codes in the place of the old ones. Refuses `no_second_factor`. */
export function renewCodes(context: Context, owner: ChangingOwner): Promise<readonly string[]> {
  const { instance, person } = owner
  return context.db.transaction(async (tx) => {
    await holdOwner(tx, owner)
    if (!(await hasFactor({ db: tx }, person.id))) throw new Refusal('no_second_factor')
    const actor = `person:${person.id}`
    await noteWithin(tx, { instanceId: instance.id, kind: 'staff_recovery_codes_made', actor, about: actor })
    return newCodes(tx, person.id)
  })
}

/**
 * Takes lost ones away, passkeys as well, in the transaction of whoever may: all sessions of the person end, and they are told. Whoever does it for
 * a creditor, or for an instance where `creditorId` is null, must not take away what guards others: refuses
 * `second_factor_of_others` for somebody who works elsewhere too, and `no_second_factor`.
 */
export async function resetFactor(
  context: Pick<Context, 'clock' | 'config'>,
  tx: Transaction,
  { instance, person, within }: FactorOwner & { readonly within?: { readonly creditorId: string | null } },
): Promise<void> {
  await holdPerson(tx, person.id)
  const reach = within && { personId: person.id, instanceId: instance.id, creditorId: within.creditorId }
  if (reach && (await worksElsewhere(tx, reach))) throw new Refusal('second_factor_of_others')
  if (!(await hasFactor({ db: tx }, person.id))) throw new Refusal('no_second_factor')
  await removePasskeyRows(tx, person.id)
  await dropSecrets(tx, await removeFactorRows(tx, person.id, { onlyConfirmed: false }))
  await replaceCodeRows(tx, person.id, [])
  const now = context.clock.now()
  await endProofs(tx, { personId: person.id, at: iso(now), exceptSession: null })
  queueToStaff(context, tx, {
    kind: 'staff_factor_reset',
    cause: `second-factor:${newId(now)}`,
    instance,
    recipient: person.email,
    params: { name: person.name },
  })
}

/**
 * Drops an app that was set up on the word of an issuer, which speaks for its own instance alone: `elsewhere`, when the person comes to work
 * at this instance and it was set up at another; `anywhere`, when they choose a first password. They are told, and it is noted.
 */
export async function dropFactorOfIssuer(
  context: Pick<Context, 'clock' | 'config'>,
  tx: Transaction,
  { instance, person, within }: FactorOwner & { readonly within: 'elsewhere' | 'anywhere' },
): Promise<void> {
  await holdPerson(tx, person.id)
  if (!(await hasByIssuerRow(tx, person.id, within === 'elsewhere' ? instance.id : null))) return
  await dropSecrets(tx, await removeFactorRows(tx, person.id, { onlyConfirmed: false }))
  if ((await readPasskeys(tx, person.id)).length === 0) await replaceCodeRows(tx, person.id, [])
  const at = iso(context.clock.now())
  await endProofs(tx, { personId: person.id, at, exceptSession: null })
  await noteFactor(context, tx, { instance, person, kind: 'staff_factor_off' })
}

/** Removes what was begun and never confirmed. */
export async function forgetBegunFactors({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  await db.transaction(async (tx) => dropSecrets(tx, await removeOldRows(tx, iso(clock.now() - BEGUN_MS))))
}
