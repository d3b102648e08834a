/** All claims of a debtor, page by page, and what they come to. */
import { CLAIM_STATUSES } from '@kvitt/domain/claims/claim.ts'
import type { ClaimAnswer } from '@kvitt/domain/claims/claim.contract.ts'
import type { Loosen } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { StatsAnswer } from '@kvitt/domain/invoices/invoice-list.contract.ts'
import { readFilter } from '@kvitt/domain/invoices/status-filter.ts'
import { Amount } from '@kvitt/domain/money.ts'
import { readReference } from '@kvitt/domain/references.ts'
import type { Context } from '../context.ts'
import { readPage, type Listed } from '../platform/http/paging.ts'
import { searchList, searchPage, type SearchBody } from '../platform/http/search.ts'
import type { Viewer } from '../sign-in/viewer.ts'
import { countClaimsOf, isClaimOrder, readClaimPage, readClaimStats } from './claims.queries.ts'
import { findClaimListScope, presentClaim } from './claims.ts'

export type ClaimListQuery = {
  readonly collectionBatchNumber?: string | undefined
  readonly limit?: string | undefined
  readonly page?: string | undefined
  readonly order?: string | undefined
  readonly orderBy?: string | undefined
}

export type ClaimFilter = {
  readonly status?: string | undefined
  readonly paymentReference?: string | undefined
}

/** Without a filter every claim; without an order the newest first (specification section 9). */
export async function listClaims(
  context: Context,
  viewer: Viewer,
  query: ClaimListQuery,
  filter: ClaimFilter,
): Promise<Listed<Loosen<ClaimAnswer>>> {
  const page = readPage(query, false)
  const statuses = filter.status === undefined ? CLAIM_STATUSES : readFilter(filter.status, CLAIM_STATUSES)
  const orderBy = query.orderBy ?? 'id'
  const direction = query.order ?? (orderBy === 'expireDate' ? 'asc' : 'desc')
  if (!statuses || !isClaimOrder(orderBy) || (direction !== 'asc' && direction !== 'desc')) {
    throw new Refusal('invalid_filter', {}, [statuses ? 'orderBy' : 'status'])
  }
  const { paymentReference } = filter
  const wanted = {
    scope: await findClaimListScope(context, viewer, query.collectionBatchNumber),
    statuses,
    reference: paymentReference === undefined ? undefined : readReference(paymentReference),
    orderBy,
    direction,
    limit: page.limit,
    offset: (page.page - 1) * page.limit,
  } as const
  const [rows, total] = await Promise.all([
    readClaimPage(context.db, viewer, wanted),
    countClaimsOf(context.db, viewer, wanted),
  ])
  return { items: rows.map((row) => presentClaim(context, viewer, row)), total, page }
}

/** What the debtor owes on open claims, by currency. */
export async function getClaimStats(
  context: Context,
  viewer: Viewer,
  claimNumber: string | undefined,
): Promise<Loosen<StatsAnswer>> {
  const scope = await findClaimListScope(context, viewer, claimNumber)
  const rows = await readClaimStats(context.db, viewer, scope)
  return rows.map((row) => ({
    currency: row.currency,
    balance: new Amount(row.balance_minor),
    count: row.count,
  }))
}

const SEARCHED = {
  targets: ['collectionBatchNumber', 'paymentReference', 'clientName'],
  filters: ['status', 'currency', 'clientName'],
} as const

/** A debtor has few claims: this many are searched in. */
const MOST_SEARCHED = 1000

/** The debtor's claims that match, the newest first unless asked otherwise. */
export async function searchClaims(
  context: Context,
  viewer: Viewer,
  query: ClaimListQuery,
  body: SearchBody,
): Promise<Listed<Loosen<ClaimAnswer>>> {
  const { orderBy = 'id' } = query
  if (!isClaimOrder(orderBy)) throw new Refusal('invalid_filter', {}, ['orderBy'])
  const rows = await readClaimPage(context.db, viewer, {
    scope: await findClaimListScope(context, viewer, query.collectionBatchNumber),
    statuses: CLAIM_STATUSES,
    reference: undefined,
    orderBy,
    direction: searchPage(query).direction,
    limit: MOST_SEARCHED,
    offset: 0,
  })
  const all = rows.map((row) => presentClaim(context, viewer, row))
  return searchList(all, SEARCHED, query, body)
}
