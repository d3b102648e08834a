/**
 * Four eyes: one person proposes, another decides, and what was proposed is done in the transaction of the decision. A feature
 * proposes through `propose` and says with a `ProposalWork` how its kind is carried out; `proposal-desk/kinds.ts` has them all.
 */
import { isDeepStrictEqual } from 'node:util'
import { Refusal } from '@kvitt/domain/errors.ts'
import { ruleOf, type ProposalKind } from '@kvitt/domain/proposals/proposal.ts'
import { noteDeed } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import type { Connection, Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { actorOf, requireFreshSignIn, type OfficePrincipal, type OperatorMember } from '../staff/staff.ts'
import { JsonText } from '../platform/http/json.ts'
import { endTask, openTask } from '../tasks/tasks.ts'
import {
  decideRow,
  findOpenProposal,
  findProposalRow,
  insertProposalRow,
  lockProposalRow,
  readProposal,
  type ProposalRow,
} from './proposals.queries.ts'

export type { ProposalRow } from './proposals.queries.ts'

/** Values by name: what is shown, and what is carried out. */
export type ProposedState = Readonly<Record<string, unknown>>

/** How a kind is carried out, by the feature that it belongs to. */
export type ProposalWork = {
  /** What it is about as it is now, as `before` has it; locks that, so that it stays so until the transaction ends. */
  readonly readNow: (
    tx: Transaction,
    at: {
      readonly instanceId: string
      readonly about: string
      readonly before: ProposedState
      readonly principal: OperatorMember
    },
  ) => Promise<ProposedState>
  /** Does what was proposed. What it refuses, refuses the approval, and the proposal stays open. */
  readonly carryOut: (tx: Transaction, done: CarriedOut) => Promise<void>
  /** What becomes of it when it is refused or taken back, where that is more than nothing. */
  readonly letGo?: (tx: Transaction, done: CarriedOut) => Promise<void>
}
export type CarriedOut = {
  readonly context: Context
  readonly principal: OperatorMember
  readonly proposal: ProposalRow
}

export type Wanted = {
  readonly kind: ProposalKind
  readonly about: string
  readonly creditorId: string | null
  readonly before: ProposedState
  readonly after: ProposedState
}

const aboutOf = (id: string): string => `proposal:${id}`

/**
 * Writes down what a person wants done, and asks for another to decide. Call it with what it is about locked. Refuses
 * `proposal_open` while another about the same is open, and a program, which is nobody's eyes.
 */
export async function propose(
  tx: Transaction,
  { clock }: Pick<Context, 'clock'>,
  principal: OfficePrincipal,
  wanted: Wanted,
): Promise<string> {
  if (principal.kind === 'api_key') throw new Refusal('not_allowed')
  const { id: instanceId } = principal.instance
  const id = newId(clock.now())
  const { personId, membershipId } = principal
  if (!(await insertProposalRow(tx, { ...wanted, instanceId, id, personId, membershipId })))
    throw new Refusal('proposal_open')
  const { kind, about, before, after, creditorId } = wanted
  await openTask(tx, { instanceId, kind: 'proposal', about: aboutOf(id), details: { kind, of: creditorId } })
  await noteDeed(tx, {
    instanceId,
    kind: 'proposal_made',
    by: actorOf(principal),
    about,
    before,
    after: { ...after, proposal: id },
  })
  return id
}

/** Refuses `not_found`: another provider's does not exist. */
export async function findProposal(
  { db }: { readonly db: Connection },
  { instance }: OperatorMember,
  id: string,
): Promise<ProposalRow> {
  const row = await findProposalRow(db, { instanceId: instance.id, id })
  if (!row) throw new Refusal('not_found')
  return row
}

/** As the wire has it. */
export async function presentProposal(
  { db }: Pick<Context, 'db'>,
  principal: OfficePrincipal,
  id: string,
): Promise<JsonText> {
  const json = await readProposal(db, principal, { id })
  if (json === undefined) throw new Refusal('not_found')
  return new JsonText(json)
}

export type Decision = {
  readonly isApproved: boolean
  readonly reason: string | undefined
}

/** May this person decide it? Refuses `not_allowed`, `sign_in_again`, `another_person_needed` and `why_required`. */
export function requireDecider(
  context: Pick<Context, 'clock'>,
  principal: OperatorMember,
  row: ProposalRow,
  { isApproved, reason }: Decision,
): void {
  const rule = ruleOf(row.kind)
  const isOwn = row.proposedBy === principal.personId
  if (!rule.deciders.includes(principal.role) && (isApproved || !isOwn)) throw new Refusal('not_allowed')
  if (isApproved && rule.isFresh) requireFreshSignIn(context, principal)
  if (isApproved && isOwn) throw new Refusal('another_person_needed')
  const asksHow = isApproved && rule.asksHow && row.isOfCreditor
  if (!reason && (asksHow || !isApproved)) throw new Refusal('why_required', {}, ['reason'])
}

/** The open proposal about something; null where there is none. */
export function openProposalOf(db: Connection, instanceId: string, about: string): Promise<string | null> {
  return findOpenProposal(db, instanceId, about)
}

/**
 * Decides it, and does what was proposed in the same transaction. Refuses `proposal_decided`, and `changed_meanwhile` when what it
 * is about is no longer as it was when it was proposed.
 */
export async function decide(
  tx: Transaction,
  { context, principal, proposal: { id } }: CarriedOut,
  { isApproved, reason }: Decision,
  work: ProposalWork,
): Promise<void> {
  const { id: instanceId } = principal.instance
  const proposal = await lockProposalRow(tx, { instanceId, id })
  if (proposal?.status !== 'OPEN') throw new Refusal('proposal_decided')
  const { kind, about, before, after, proposedBy } = proposal
  const done = { context, principal, proposal }
  if (isApproved) {
    if (!isDeepStrictEqual(plain(await work.readNow(tx, { instanceId, about, before, principal })), before))
      throw new Refusal('changed_meanwhile')
    await work.carryOut(tx, done)
  } else await work.letGo?.(tx, done)
  const status = isApproved ? 'APPROVED' : proposedBy === principal.personId ? 'WITHDRAWN' : 'REFUSED'
  await decideRow(tx, { instanceId, id }, { status, personId: principal.personId, reason: reason ?? null })
  await endTask(tx, { instanceId, kind: 'proposal', about: aboutOf(id) })
  await noteDeed(tx, {
    instanceId,
    kind: isApproved ? 'proposal_approved' : 'proposal_refused',
    by: actorOf(principal),
    about,
    reason,
    before: { ...before, proposal: id },
    after: isApproved ? after : { status, kind },
  })
}

/** As the database gives it back. */
function plain(state: ProposedState): unknown {
  return JSON.parse(JSON.stringify(state))
}
