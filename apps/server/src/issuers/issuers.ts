/**
 * A provider's own OpenID issuer, at which people with e-mail addresses of the listed domains sign in. They are linked once, by an
 * invitation, and known by issuer and subject from then on; never by an address alone.
 */
import { Refusal } from '@kvitt/domain/errors.ts'
import { isListed } from '@kvitt/domain/staff/issuer.ts'
import type { Context } from '../context.ts'
import type { Instance } from '../instances/instances.ts'
import type { Connection, Transaction } from '../platform/database/database.ts'
import { forgetTryRows } from './issuer-tries.queries.ts'
import {
  endByIssuerOf,
  isLinkedRow,
  linkRow,
  mayBeginRow,
  readIssuerRow,
  readLinkedPerson,
  shareIssuerRow,
  unlinkLeftRow,
  worksElsewhereRow,
  type LinkedPerson,
  type LinkKey,
} from './issuers.queries.ts'

export {
  findIssuer,
  proposeIssuer,
  showIssuer,
  SIGN_IN_ISSUER_WORK,
  switchOffByCommand,
  tryIssuer,
} from './issuer-desk.ts'
export { serveIssuerCallback } from './callback.ts'
export { beginThere, finishThere, refusalOf, type Proven } from './sign-in-there.ts'

/** What somebody with an address is offered, whoever they are and whether anybody has it. */
export type Offer = { readonly isOffered: boolean; readonly isRequired: boolean }

export async function offerFor(db: Connection, instanceId: string, email: string): Promise<Offer> {
  const row = await readIssuerRow(db, instanceId)
  const isOffered = row !== undefined && row.is_on && isListed(row.domains, email)
  return { isOffered, isRequired: isOffered && row.is_required }
}

/** Refuses `issuer_required` where people with such an address sign in at the issuer alone: before anything else is looked at. */
export async function requireOwnWay(db: Connection, { id, row }: Instance, email: string): Promise<void> {
  if ((await offerFor(db, id, email)).isRequired) throw new Refusal('issuer_required', { name: row.name })
}

/** How a person was proven at an issuer, until a session has begun. */
export type ByIssuer = { readonly issuer: string; readonly subject: string; readonly signedInAtMs: number }

/** Is it still true? Until the end of the transaction the issuer stays as it is. */
export async function isStillLinked(
  tx: Transaction,
  instanceId: string,
  { personId, by: { issuer, subject } }: { readonly personId: string; readonly by: ByIssuer },
): Promise<boolean> {
  if (!(await isIssuerOn(tx, instanceId, issuer))) return false
  return (await readLinkedPerson(tx, { instanceId, issuer, subject }))?.id === personId
}

/** Until the end of the transaction what is agreed stays as it is. Taken before the rows of people and of what they have proven. */
export async function holdIssuer(tx: Transaction, instanceId: string): Promise<void> {
  await shareIssuerRow(tx, instanceId)
}

/**
 * May a session of the person begin? Proven at an issuer: while it is on, the person is linked, and their address is of a listed domain. Proven
 * here: unless people with such an address sign in at the issuer alone. The caller holds the issuer.
 */
export function maySessionBegin(
  tx: Transaction,
  instanceId: string,
  who: { readonly personId: string; readonly issuer: string | null },
): Promise<boolean> {
  return mayBeginRow(tx, instanceId, who)
}

/** Unlinks whoever had this membership, when it was their last at the instance: the link is none of the next one's. Who was unlinked. */
export function unlinkWhoLeft(
  tx: Transaction,
  instanceId: string,
  membershipId: string,
): Promise<string | undefined> {
  return unlinkLeftRow(tx, instanceId, membershipId)
}

/** Is this the provider's issuer, and switched on? Until the end of the transaction it stays so. */
async function isIssuerOn(tx: Transaction, instanceId: string, issuer: string): Promise<boolean> {
  const row = await shareIssuerRow(tx, instanceId)
  return row !== undefined && row.is_on && row.issuer === issuer
}

/** Does a sign-in there count as both factors? */
export async function countsAsBoth(db: Connection, instanceId: string): Promise<boolean> {
  return (await readIssuerRow(db, instanceId))?.counts_as_both === true
}

/** Somebody of whom this provider's issuer alone may not say how they sign in everywhere. */
export function worksElsewhere(db: Connection, instanceId: string, personId: string): Promise<boolean> {
  return worksElsewhereRow(db, instanceId, personId)
}

/** Who somebody of an issuer is here; undefined for who was never linked. */
export function findLinked(db: Connection, key: LinkKey): Promise<LinkedPerson | undefined> {
  return readLinkedPerson(db, key)
}

/**
 * Does an invitation to this address link an account at the issuer? `again`: there is one, which another may take the place of. Of somebody
 * to whom the issuer is nothing, `no`.
 */
export async function isToLink(
  tx: Transaction,
  {
    instanceId,
    personId,
    email,
  }: { readonly instanceId: string; readonly personId: string; readonly email: string },
): Promise<'yes' | 'again' | 'no'> {
  const row = await readIssuerRow(tx, instanceId)
  if (!row?.is_on || !isListed(row.domains, email)) return 'no'
  return (await isLinkedRow(tx, { instanceId, issuer: row.issuer, personId })) ? 'again' : 'yes'
}

/**
 * Links the account of an issuer with a person, who is held, and ends what another one of theirs there has begun. Refuses `issuer_linked_already` for one that is somebody else's.
 */
export async function linkPerson(
  tx: Transaction,
  key: LinkKey,
  who: { readonly personId: string; readonly at: string },
): Promise<void> {
  if (!(await isIssuerOn(tx, key.instanceId, key.issuer))) throw new Refusal('issuer_off')
  if (!(await linkRow(tx, key, who))) throw new Refusal('issuer_linked_already')
  // The domain may have gone from the list since the invitation was opened.
  if (!(await readLinkedPerson(tx, key))) throw new Refusal('issuer_off')
  await endByIssuerOf(tx, key.instanceId, who)
}

/** Removes what no browser comes back for. */
export function forgetIssuerTries({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  return forgetTryRows(db, new Date(clock.now()).toISOString())
}
