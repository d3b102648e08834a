/** The SQL of proposals. */
import {
  ALL_PROPOSALS,
  PROPOSAL_STATUSES,
  type ProposalKind,
  type ProposalStatus,
} from '@kvitt/domain/proposals/proposal.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'
import { asWritten, instantText, sqlJson, word } from '../platform/database/sql-json.ts'
import { creditorJson } from '../staff/office-debtor.queries.ts'
import { openOfficeList, openOfficeRow, type OfficeListShape } from '../staff/office-list.ts'

const personJson = (column: string) =>
  asWritten(
    `coalesce((select ${sqlJson({ id: word('p.id'), name: 'p.name', email: 'p.email' })} from person p where p.id = ${column}), 'null')`,
  )

const SHAPE: OfficeListShape = {
  name: 'proposals.office',
  from: (whose) => `proposal x where x.instance_id = $1 and ${whose('x.creditor_id')}`,
  json: sqlJson({
    id: word('x.id'),
    version: asWritten('x.xmin::text'),
    kind: word('x.kind'),
    status: word('x.status'),
    about: 'x.about',
    creditor: creditorJson('x.instance_id', 'x.creditor_id'),
    before: asWritten('x.before::text'),
    after: asWritten('x.after::text'),
    proposedBy: personJson('x.proposed_by'),
    isOfCreditor: asWritten(
      `(exists (select from membership m where m.instance_id = x.instance_id and m.id = x.membership_id
         and m.creditor_id is not null))::text`,
    ),
    proposedAt: instantText('x.proposed_at'),
    decidedBy: personJson('x.decided_by'),
    decidedAt: instantText('x.decided_at'),
    reason: 'x.reason',
  }),
  targets: {
    name: `coalesce((select c.name from creditor c where c.instance_id = x.instance_id and c.id = x.creditor_id), '')`,
  },
  filters: {
    id: { kind: 'id', sql: 'x.id::text' },
    kind: { kind: 'choice', values: ALL_PROPOSALS, sql: 'x.kind' },
    status: { kind: 'choice', values: PROPOSAL_STATUSES, sql: 'x.status' },
    'creditor.id': { kind: 'id', sql: 'x.creditor_id::text' },
    proposedAt: { kind: 'day', sql: 'x.proposed_at::date' },
  },
  orders: { id: 'x.proposed_at', proposedAt: 'x.proposed_at', kind: 'x.kind', status: 'x.status' },
  tie: 'x.id',
}

export const searchProposalRows = openOfficeList(SHAPE)
export const readProposal = openOfficeRow(SHAPE)

export type ProposalRow = {
  readonly id: string
  readonly kind: ProposalKind
  readonly about: string
  readonly creditorId: string | null
  readonly before: Readonly<Record<string, unknown>>
  readonly after: Readonly<Record<string, unknown>>
  readonly proposedBy: string
  readonly status: ProposalStatus
  readonly isOfCreditor: boolean
}

const insert = statement(
  'proposals.insert',
  `insert into proposal (instance_id, id, kind, about, creditor_id, before, after, proposed_by, membership_id)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
   on conflict (instance_id, kind, about) where status = 'OPEN' do nothing returning id`,
)

export type NewProposal = {
  readonly instanceId: string
  readonly id: string
  readonly kind: ProposalKind
  readonly about: string
  readonly creditorId: string | null
  readonly before: object
  readonly after: object
  readonly personId: string
  readonly membershipId: string
}

/** Answers false when one about the same is open. */
export async function insertProposalRow(tx: Transaction, row: NewProposal): Promise<boolean> {
  const { instanceId, id, kind, about, creditorId, before, after, personId, membershipId } = row
  const values = [instanceId, id, kind, about, creditorId, JSON.stringify(before), JSON.stringify(after)]
  return (await tx.rows(insert, [...values, personId, membershipId])).length === 1
}

const one = (name: string, lock: string) =>
  statement(
    name,
    `select r.id, r.kind, r.about, r.creditor_id as "creditorId", r.before, r.after, r.proposed_by as "proposedBy", r.status,
       exists (select from membership m where m.instance_id = r.instance_id and m.id = r.membership_id and m.creditor_id is not null)
         as "isOfCreditor"
     from proposal r where r.instance_id = $1 and r.id = $2 ${lock}`,
  )
const found = one('proposals.found', '')
const locked = one('proposals.locked', 'for no key update of r')

type Key = { readonly instanceId: string; readonly id: string }

export async function findProposalRow(
  db: Connection,
  { instanceId, id }: Key,
): Promise<ProposalRow | undefined> {
  return (await db.rows<ProposalRow>(found, [instanceId, id]))[0]
}

/** Whoever else decides it waits. */
export async function lockProposalRow(
  tx: Transaction,
  { instanceId, id }: Key,
): Promise<ProposalRow | undefined> {
  return (await tx.rows<ProposalRow>(locked, [instanceId, id]))[0]
}

const decide = statement(
  'proposals.decide',
  `update proposal set status = $3, decided_by = $4, decided_at = now(), reason = $5
   where instance_id = $1 and id = $2 and status = 'OPEN' returning id`,
)

export async function decideRow(
  tx: Transaction,
  { instanceId, id }: Key,
  decision: {
    readonly status: Exclude<ProposalStatus, 'OPEN'>
    readonly personId: string
    readonly reason: string | null
  },
): Promise<void> {
  const values = [instanceId, id, decision.status, decision.personId, decision.reason]
  if ((await tx.rows(decide, values)).length !== 1) throw new Error(`proposal ${id} was decided meanwhile`)
}

const openAbout = statement(
  'proposals.openAbout',
  `select id from proposal where instance_id = $1 and about = $2 and status = 'OPEN'`,
)

/** The open proposal about something; null where there is none. */
export async function findOpenProposal(
  db: Connection,
  instanceId: string,
  about: string,
): Promise<string | null> {
  return (await db.rows<{ id: string }>(openAbout, [instanceId, about]))[0]?.id ?? null
}
