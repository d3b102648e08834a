/** The provider's issuer as its managers see, propose and try it. */
import { isDeepStrictEqual } from 'node:util'
import type { AnswerOf, BodyOf } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import type * as contract from '@kvitt/domain/staff/issuer.contract.ts'
import { readDomains, type IssuerTried } from '@kvitt/domain/staff/issuer.ts'
import { noteDeed } from '../audit/audit.ts'
import { keepSecret, removeSecrets } from '../credentials/credentials.ts'
import type { Context } from '../context.ts'
import type { Instance } from '../instances/instances.ts'
import type { Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { openProposalOf, propose, type ProposalWork, type ProposedState } from '../proposals/proposals.ts'
import { takeTry } from '../sign-in/sign-in.ts'
import {
  actorOf,
  onceByOperator,
  requireFreshSignIn,
  type AskedOnce,
  type OperatorMember,
} from '../staff/staff.ts'
import { CALLBACK_PATH } from './callback.ts'
import { IssuerFailed, openClient, requireClientKnown } from './issuer-client.ts'
import { clientOf, outside } from './issuer-parts.ts'
import {
  countLinkRows,
  endIssuerSessions,
  endOwnSessionsOf,
  isManagerLeftRow,
  keepIssuerRow,
  lockIssuerRow,
  readIssuerRow,
  switchOffRow,
  type IssuerRow,
  type WrittenIssuer,
} from './issuers.queries.ts'

const ABOUT = 'sign-in-issuer'

/** What an issuer is told to lead back to: each address at which staff sign in. */
function redirectAddressesOf({ config }: Pick<Context, 'config'>, { isDefault, host }: Instance): string[] {
  const origins = isDefault
    ? [config.publicUrl]
    : ['client', 'admin'].map((portal) => `https://${portal}.${host}`)
  return origins.map((origin) => `${origin}${CALLBACK_PATH}`)
}

/** As a proposal has it: names and values; the secret by its name alone. */
function stateOf(row: IssuerRow | undefined): ProposedState {
  if (!row) return {}
  const { issuer, client_id: clientId, domains, is_on: isOn, is_required: isRequired } = row
  const { counts_as_both: countsAsBoth, id: secretId } = row
  return { issuer, clientId, domains: domains.join(', '), isOn, isRequired, countsAsBoth, secretId }
}

function writtenOf(state: ProposedState): WrittenIssuer {
  const { domains, ...rest } = state as unknown as Omit<WrittenIssuer, 'domains'> & {
    readonly domains: string
  }
  return { ...rest, domains: domains.split(', ') }
}

/** What two people have agreed to, and what waits for the second. */
export async function showIssuer(
  context: Context,
  { instance }: OperatorMember,
): Promise<AnswerOf<typeof contract.getSignInIssuer>> {
  const { db } = context
  const row = await readIssuerRow(db, instance.id)
  return {
    issuer: row
      ? {
          issuer: row.issuer,
          clientId: row.client_id,
          domains: row.domains,
          isOn: row.is_on,
          isRequired: row.is_required,
          countsAsBoth: row.counts_as_both,
          linked: await countLinkRows(db, instance.id, row.issuer),
          isReadable: isReadable(context, row),
        }
      : null,
    proposal: await openProposalOf(db, instance.id, ABOUT),
    redirectAddresses: redirectAddressesOf(context, instance),
  }
}

function isReadable(context: Context, row: IssuerRow): boolean {
  try {
    clientOf(context, row)
    return true
  } catch {
    return false
  }
}

type Written = BodyOf<typeof contract.proposeSignInIssuer>

/** Refuses what cannot be an issuer's address: without https, except where it may be on this machine. */
function requireAddress({ config }: Pick<Context, 'config'>, issuer: string): void {
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined
  const isUsable =
    url !== undefined &&
    (url.protocol === 'https:' || config.issuerInwardOrigins.includes(url.origin)) &&
    url.username === '' &&
    url.password === '' &&
    url.search === '' &&
    url.hash === ''
  if (!isUsable) throw new Refusal('issuer_address', {}, ['issuer'])
}

/** Refuses `issuer_locks_out` where nobody would be left who can change it back. */
async function requireManagerLeft(
  tx: Transaction,
  instanceId: string,
  written: WrittenIssuer,
): Promise<void> {
  if (written.isOn && written.isRequired && !(await isManagerLeftRow(tx, instanceId, written)))
    throw new Refusal('issuer_locks_out', {}, ['isRequired'])
}

/**
 * Proposes it, once under a key. Answers the proposal. Refuses `issuer_same` when nothing changes, and a field that is wrong: the secret too,
 * where none is known of this issuer and client.
 */
export function proposeIssuer(
  context: Context,
  principal: OperatorMember,
  { asked, body }: { readonly asked: AskedOnce; readonly body: Written },
): Promise<{ readonly id: string; readonly isReplayed: boolean }> {
  requireFreshSignIn(context, principal)
  const { id: instanceId } = principal.instance
  requireAddress(context, body.issuer)
  const domains = readDomains(body.domains)
  if (!domains) throw new Refusal('invalid_request', {}, ['domains'])
  return onceByOperator(context, principal, asked, async (tx) => {
    const now = await lockIssuerRow(tx, instanceId)
    const isSameClient = now?.issuer === body.issuer && now.client_id === body.clientId
    if (body.secret === undefined && !isSameClient) throw new Refusal('invalid_request', {}, ['secret'])
    const { issuer, clientId, isOn, isRequired, countsAsBoth } = body
    const secretId = body.secret === undefined && now ? now.id : newId(context.clock.now())
    const written = { issuer, clientId, domains, isOn, isRequired, countsAsBoth, secretId }
    const after = { ...written, domains: domains.join(', ') }
    if (isDeepStrictEqual(after, stateOf(now))) throw new Refusal('issuer_same')
    await requireManagerLeft(tx, instanceId, written)
    if (body.secret !== undefined)
      await keepSecret(tx, context.config.settingsKeyFile, { instanceId, id: secretId, text: body.secret })
    const wanted = {
      kind: 'sign_in_issuer',
      about: ABOUT,
      creditorId: null,
      before: stateOf(now),
      after,
    } as const
    return propose(tx, context, principal, wanted)
  })
}

/** How a proposed issuer comes to hold: sessions that it would not let begin end with it. */
export const SIGN_IN_ISSUER_WORK: ProposalWork = {
  readNow: async (tx, { instanceId }) => stateOf(await lockIssuerRow(tx, instanceId)),
  carryOut: async (tx, { context, principal, proposal: { id, after } }) => {
    const { id: instanceId } = principal.instance
    const before = await lockIssuerRow(tx, instanceId)
    const written = writtenOf(after)
    await requireManagerLeft(tx, instanceId, written)
    await keepIssuerRow(tx, instanceId, { ...written, proposalId: id })
    if (before && before.id !== written.secretId) await removeSecrets(tx, instanceId, [before.id])
    await endWhatIsOver(tx, instanceId, { before, written, at: new Date(context.clock.now()).toISOString() })
    const { secretId: _, ...told } = written
    await noteDeed(tx, {
      instanceId,
      kind: 'sign_in_issuer_changed',
      by: actorOf(principal),
      about: ABOUT,
      before: withoutSecret(stateOf(before)),
      after: told,
    })
  },
  letGo: async (tx, { principal, proposal: { before, after } }) => {
    const { secretId } = after
    if (typeof secretId === 'string' && secretId !== before['secretId'])
      await removeSecrets(tx, principal.instance.id, [secretId])
  },
}

type Change = { readonly before: IssuerRow | undefined; readonly written: WrittenIssuer; readonly at: string }

/** What a sign-in would be refused for from now on ends, with the sign-ins that are not done. */
async function endWhatIsOver(
  tx: Transaction,
  instanceId: string,
  { before, written, at }: Change,
): Promise<void> {
  const { issuer, clientId, secretId, domains, isOn, isRequired, countsAsBoth } = written
  const isSame = before?.issuer === issuer && before.client_id === clientId && before.id === secretId && isOn
  if (before && !(isSame && (countsAsBoth || !before.counts_as_both)))
    await endIssuerSessions(tx, instanceId, { at })
  else if (before?.domains.some((one) => !domains.includes(one)))
    await endIssuerSessions(tx, instanceId, { at, except: domains })
  if (isOn && isRequired) await endOwnSessionsOf(tx, instanceId, { at, domains })
}

function withoutSecret({ secretId: _, ...state }: ProposedState): ProposedState {
  return state
}

const TRIES = 30
const WINDOW_MS = 15 * 60_000

const OUTCOMES: Readonly<Record<IssuerFailed['why'], IssuerTried>> = {
  unreachable: 'NO_ANSWER',
  address: 'ADDRESS_REFUSED',
  no_issuer: 'NO_ISSUER',
  client: 'CLIENT_REFUSED',
  answer: 'CLIENT_REFUSED',
  declined: 'CLIENT_REFUSED',
  old: 'CLIENT_REFUSED',
}

/** Asks what was typed, with the secret that is known where none was. Nobody signs in, and nothing is kept. */
export async function tryIssuer(
  context: Context,
  { instance }: OperatorMember,
  { issuer, clientId, secret }: BodyOf<typeof contract.trySignInIssuer>,
): Promise<{ readonly outcome: IssuerTried; readonly detail: string | null }> {
  const budgets = [{ name: JSON.stringify(['issuer-try']), limit: TRIES }]
  if (!(await takeTry(context, instance, { scope: 'staff-sign-in', budgets, windowMs: WINDOW_MS })))
    throw new Refusal('sign_in_throttled')
  const row = await readIssuerRow(context.db, instance.id)
  const isKnown = row?.issuer === issuer && row.client_id === clientId
  if (secret === undefined && !isKnown) throw new Refusal('invalid_request', {}, ['secret'])
  const known = secret ?? (row ? clientOf(context, row).secret : '')
  try {
    const config = await openClient(outside(context), { issuer, clientId, secret: known })
    await requireClientKnown(config, redirectAddressesOf(context, instance)[0] ?? '')
    return { outcome: 'ACCEPTED', detail: null }
  } catch (error) {
    if (!(error instanceof IssuerFailed)) throw error
    return { outcome: OUTCOMES[error.why], detail: error.message }
  }
}

/** For a command: what is agreed, if anything. */
export async function findIssuer(
  { db }: Pick<Context, 'db'>,
  instanceId: string,
): Promise<
  { readonly issuer: string; readonly domains: readonly string[]; readonly isOn: boolean } | undefined
> {
  const row = await readIssuerRow(db, instanceId)
  return row && { issuer: row.issuer, domains: row.domains, isOn: row.is_on }
}

/**
 * Switches it off for whoever is locked out, by a command: people sign in by password or by a link that they are sent, and every session
 * that began there ends. Two people have to agree to switch it on again. Whether it was on.
 */
export function switchOffByCommand(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  instanceId: string,
  { by, reason }: { readonly by: string; readonly reason?: string | undefined },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const before = await lockIssuerRow(tx, instanceId)
    if (!before?.is_on) return false
    await switchOffRow(tx, instanceId)
    await endIssuerSessions(tx, instanceId, { at: new Date(clock.now()).toISOString() })
    await noteDeed(tx, {
      instanceId,
      kind: 'sign_in_issuer_changed',
      by,
      about: ABOUT,
      reason,
      before: withoutSecret(stateOf(before)),
      after: { ...withoutSecret(stateOf(before)), isOn: false },
    })
    return true
  })
}
