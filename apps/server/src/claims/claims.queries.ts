/** The SQL of claims. */
import type { ClaimStatus } from '@kvitt/domain/claims/claim.ts'
import type { Currency } from '@kvitt/domain/money.ts'
import { creditedOn } from '../ledger/ledger.ts'
import { isOpenToPairs } from '../ledger/protected-persons.queries.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'
import type { DebtSelector, ListScope, Viewer } from '../sign-in/viewer.ts'

/**
 * The claims that a viewer may see, as table expressions over $1..$3 (visibleTo). A public session: the one of its
 * reference and zip. A debtor's: those of its debtors, all or those of a reference.
 */
const VISIBLE: Readonly<Record<Viewer['kind'], string>> = {
  public: `claim c where c.instance_id = $1 and c.payment_reference = $2 and c.zip = $3
    and ${isOpenToPairs('c')}`,
  debtor: `claim c where c.instance_id = $1 and c.debtor_id = any($3::uuid[])
    and ($2::text is null or c.payment_reference = split_part($2::text, ' ', 1)
      and split_part($2::text, ' ', 2) in ('', c.zip))`,
}

function visibleTo(viewer: Viewer): [string, string | null, string | readonly string[]] {
  const { id } = viewer.instance
  switch (viewer.kind) {
    case 'public':
      return [id, viewer.reference, viewer.zip]
    case 'debtor':
      return [id, namedBy(viewer.selector), viewer.session.debtorIds]
  }
}

/** Reference and zip in one value: the statements are the same with and without a zip. */
function namedBy(selector: DebtSelector): string | null {
  if (selector.by === 'pair') return `${selector.reference} ${selector.zip}`
  return selector.by === 'reference' ? selector.reference : null
}

export type ClaimRow = {
  id: string
  instance_id: string
  creditor_id: string
  debtor_id: string
  status: ClaimStatus
  claim_number: string
  payment_reference: string
  zip: string
  currency: Currency
  opened_on: string
  expire_date: string
  total_minor: number
  principal_minor: number
  costs_minor: number
  interest_minor: number
  balance_minor: number
  interest_posted_to: string
  /** Of the principal that joined, what is itself interest and bears none. */
  interest_free_minor: number
  is_part_payment: boolean
  part_payment_variant: 'PART_PAYMENT' | 'ONGOING_PAYMENT' | 'PART_PAYMENT_ACCOUNT' | null
  paused_on: string | null
  /** Whose law says in which order a payment settles what is owed. */
  creditor_country: string
}

const COLUMNS = `c.id, c.instance_id, c.creditor_id, c.debtor_id, c.status, c.claim_number, c.payment_reference, c.zip,
  c.currency, c.opened_on, c.expire_date, c.total_minor, c.principal_minor, c.costs_minor, c.interest_minor,
  c.balance_minor, c.interest_posted_to, c.interest_free_minor, c.is_part_payment, c.part_payment_variant, c.paused_on,
  (select o.country from creditor o where o.instance_id = c.instance_id and o.id = c.creditor_id) as creditor_country`

/** A claim with what a screen names beside it. */
export type ShownClaim = ClaimRow & {
  creditor_name: string
  debtor_name: string
  debtor_email: string | null
  /** How many demands have been sent. */
  demands: number
  /** Closed, and all that it was made of was credited. */
  is_credited: boolean
}

/** A public session sees a person's first name only and no e-mail (A-69, D-34). */
const DEBTOR_SEEN_BY: Readonly<Record<Viewer['kind'], string>> = {
  public: `case when d.kind = 'PERSON' then split_part(d.name, ' ', 1) else d.name end as debtor_name,
  null as debtor_email`,
  debtor: 'd.name as debtor_name, d.email as debtor_email',
}

const shown = (kind: Viewer['kind']): string => `${COLUMNS}, k.name as creditor_name, ${DEBTOR_SEEN_BY[kind]},
  (select count(*)::int from collection_step s where s.instance_id = c.instance_id and s.debt_id = c.id
    and s.type = 'COLLECTION_CLAIM' and s.status = 'PERFORMED') as demands,
  (c.status = 'CLOSED' and not exists (select from invoice m where m.instance_id = c.instance_id and m.claim_id = c.id
    and m.total_minor > ${creditedOn('m')})) as is_credited`
const PARTIES = `join creditor k on k.instance_id = c.instance_id and k.id = c.creditor_id
   join debtor d on d.instance_id = c.instance_id and d.id = c.debtor_id`

const oneVisible = (kind: Viewer['kind']) =>
  statement(
    `claims.visible.${kind}`,
    `select ${shown(kind)}
     from (select * from ${VISIBLE[kind]} and ($4::text is null or c.claim_number = $4) limit 1) c ${PARTIES}`,
  )
const visibleClaim = { public: oneVisible('public'), debtor: oneVisible('debtor') }

/** The claim that the viewer means, or undefined: then the viewer is not let in. */
export async function readVisibleClaim(
  db: Connection,
  viewer: Viewer,
  claimNumber: string | undefined,
): Promise<ShownClaim | undefined> {
  const values = [...visibleTo(viewer), claimNumber ?? null]
  return (await db.rows<ShownClaim>(visibleClaim[viewer.kind], values))[0]
}

const numberOfClaim = statement(
  'claims.number',
  'select claim_number from claim where instance_id = $1 and id = $2',
)

/** What the debtor knows a claim by. */
export async function readClaimNumber(db: Connection, instanceId: string, claimId: string): Promise<string> {
  const [row] = await db.rows<{ claim_number: string }>(numberOfClaim, [instanceId, claimId])
  return row?.claim_number ?? ''
}

const shownClaim = statement(
  'claims.shown',
  `select ${shown('public')} from (select * from claim c where c.instance_id = $1 and c.id = $2) c ${PARTIES}`,
)

/** For who holds a signed file link. */
export async function readShownClaim(
  db: Connection,
  instanceId: string,
  claimId: string,
): Promise<ShownClaim | undefined> {
  return (await db.rows<ShownClaim>(shownClaim, [instanceId, claimId]))[0]
}

const lockClaim = statement(
  'claims.lock',
  `select ${COLUMNS} from claim c where c.instance_id = $1 and c.id = $2 for no key update`,
)

/** The claim, locked until the transaction ends. Lock its invoices first, always (lockClaim in move-claim.ts). */
export async function lockClaimRow(tx: Transaction, instanceId: string, claimId: string): Promise<ClaimRow> {
  const row = (await tx.rows<ClaimRow>(lockClaim, [instanceId, claimId]))[0]
  if (!row) throw new Error(`claim ${claimId} does not exist`)
  return row
}

const moveClaim = statement(
  'claims.move',
  'update claim set status = $4 where instance_id = $1 and id = $2 and status = $3 returning id',
)

/** Moves the status when it still is `from`. Answers whether it was. */
export async function moveClaimRow(
  tx: Transaction,
  claim: { instanceId: string; id: string },
  { from, to }: { from: ClaimStatus; to: ClaimStatus },
): Promise<boolean> {
  return (await tx.rows(moveClaim, [claim.instanceId, claim.id, from, to])).length === 1
}

const pauseClaim = statement(
  'claims.pause',
  'update claim set pause_reason = $3, paused_on = $4, resume_date = $5 where instance_id = $1 and id = $2',
)

export async function setClaimPause(
  tx: Transaction,
  key: { instanceId: string; claimId: string },
  { reason, on, resumeDate }: { reason: string; on: string; resumeDate: string | null },
): Promise<void> {
  await tx.rows(pauseClaim, [key.instanceId, key.claimId, reason, on, resumeDate])
}

const stopClaim = statement(
  'claims.stop',
  'update claim set stop_reason = $3 where instance_id = $1 and id = $2',
)

export async function setClaimStopReason(
  tx: Transaction,
  key: { instanceId: string; claimId: string },
  reason: string,
): Promise<void> {
  await tx.rows(stopClaim, [key.instanceId, key.claimId, reason])
}

export type MemberRow = {
  id: string
  invoice_number: string
  payment_reference: string
  issue_date: string
  expire_date: string
  total_minor: number
  rows: { name: string; description: string | null; amountMinor: number; accountNumber: string | null }[]
  /** What moved to the claim. */
  principal_minor: number
  costs_minor: number
  interest_minor: number
}

const members = statement(
  'claims.members',
  `select i.id, i.invoice_number, i.payment_reference, i.issue_date, i.expire_date, i.total_minor, i.rows,
     coalesce(-sum(p.amount_minor) filter (where a.kind = 'principal'), 0)::bigint as principal_minor,
     coalesce(-sum(p.amount_minor) filter (where a.kind = 'costs'), 0)::bigint as costs_minor,
     coalesce(-sum(p.amount_minor) filter (where a.kind = 'interest'), 0)::bigint as interest_minor
   from invoice i
   left join ledger_transaction t on t.instance_id = i.instance_id and t.cause = 'transfer:' || i.id
   left join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
   left join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id and a.invoice_id = i.id
   where i.instance_id = $1 and i.claim_id = $2
   group by i.instance_id, i.id order by i.expire_date, i.invoice_number`,
)

/** The invoices that a claim was made of, the oldest first. */
export function readMembers(db: Connection, instanceId: string, claimId: string): Promise<MemberRow[]> {
  return db.rows<MemberRow>(members, [instanceId, claimId])
}

/**
 * The claims of a ListScope, as a table expression over $1 to $3: $3 is null, or the creditor and the zip of a letter in one
 * text. A debtor has few claims.
 */
const OF_SCOPE = `claim c where c.instance_id = $1 and c.debtor_id = any($2::uuid[])
  and ($3::text is null or c.creditor_id::text || ' ' || c.zip = $3)`

function scopeValues(viewer: Viewer, { debtorIds, letter }: ListScope) {
  return [viewer.instance.id, debtorIds, letter ? `${letter.creditorId} ${letter.zip}` : null] as const
}

const ORDERS = { expireDate: 'expire_date', id: 'created_at', balanceTotal: 'balance_minor' } as const
export type ClaimOrder = keyof typeof ORDERS

export function isClaimOrder(text: string): text is ClaimOrder {
  return Object.hasOwn(ORDERS, text)
}

export type ClaimPage = {
  /** Whose claims: findClaimListScope of the viewer. */
  readonly scope: ListScope
  readonly statuses: readonly ClaimStatus[]
  readonly reference: string | undefined
  readonly orderBy: ClaimOrder
  readonly direction: 'asc' | 'desc'
  readonly limit: number
  readonly offset: number
}

const WANTED = `and c.status = any($4) and ($5::text is null or c.payment_reference = $5)`

function listStatement(kind: Viewer['kind'], orderBy: ClaimOrder, direction: 'asc' | 'desc') {
  const order = `c.${ORDERS[orderBy]} ${direction}, c.id ${direction}`
  return statement(
    `claims.list.${kind}.${orderBy}.${direction}`,
    `select ${shown(kind)}
     from (select * from ${OF_SCOPE} ${WANTED} order by ${order} limit $6 offset $7) c ${PARTIES}
     order by ${order}`,
  )
}

const lists = new Map<string, ReturnType<typeof listStatement>>()

export function readClaimPage(db: Connection, viewer: Viewer, page: ClaimPage): Promise<ShownClaim[]> {
  const key = `${viewer.kind} ${page.orderBy} ${page.direction}`
  const list = lists.get(key) ?? listStatement(viewer.kind, page.orderBy, page.direction)
  lists.set(key, list)
  const { scope, statuses, reference, limit, offset } = page
  return db.rows<ShownClaim>(list, [
    ...scopeValues(viewer, scope),
    statuses,
    reference ?? null,
    limit,
    offset,
  ])
}

const countClaims = statement('claims.count', `select count(*)::int as total from ${OF_SCOPE} ${WANTED}`)

export async function countClaimsOf(
  db: Connection,
  viewer: Viewer,
  page: Pick<ClaimPage, 'scope' | 'statuses' | 'reference'>,
): Promise<number> {
  const values = [...scopeValues(viewer, page.scope), page.statuses, page.reference ?? null]
  return (await db.rows<{ total: number }>(countClaims, values))[0]?.total ?? 0
}

const stats = statement(
  'claims.stats',
  `select c.currency, sum(c.balance_minor)::bigint as balance_minor, count(*)::int as count
   from ${OF_SCOPE} and c.status in ('OPEN', 'RESUME', 'PAUSED', 'DISPUTED')
   group by c.currency order by c.currency`,
)

export function readClaimStats(
  db: Connection,
  viewer: Viewer,
  scope: ListScope,
): Promise<{ currency: string; balance_minor: number; count: number }[]> {
  return db.rows(stats, scopeValues(viewer, scope))
}
