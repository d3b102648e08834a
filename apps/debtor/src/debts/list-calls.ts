/** The calls of the lists, and of who is signed in. Apart from part-calls.ts: the page of a debt shows no list. */
import type { CallAbout, QueryFor, TailOf } from '@kvitt/domain/calls.ts'
import type { Method } from '@kvitt/domain/contract.ts'
import { callTo, publicPath, withQuery, type Address, type CallTo } from '@kvitt/ui/api.ts'
import type { DownloadFormat } from '@kvitt/domain/downloads/download.contract.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, claimCall, INVOICES, queries } from '../calls.ts'
import { clientQuery } from './part-calls.ts'
import { isIdentified, readClaimSession, readSession, type DebtKey } from '../session.ts'

/** A call about all of the debtor's invoices. Throws when nobody is here. */
function listCall<M extends Method, Tail extends TailOf<'invoices', M>>(
  method: M,
  tail: Tail,
  query?: QueryFor<CallAbout<'invoices', M, Tail>>,
): CallTo<CallAbout<'invoices', M, Tail>> {
  const session = readSession() ?? readClaimSession()
  if (!isIdentified() && !session) throw new Error('nobody is signed in')
  const path = isIdentified() || !session ? `/debtor/invoices${tail}` : publicPath('invoices', session, tail)
  return { method, path: withQuery(path, query) }
}

/** The stored logo of a creditor, found through any of its invoices or claims; null without one. */
export const logoQuery = (creditor: string, key: DebtKey) =>
  queryOptions({
    queryKey: [INVOICES, 'logo', creditor],
    queryFn: async () => (await queries.fetchQuery(clientQuery(key))).logotypeDocumentFileName,
    staleTime: 300_000,
  })

/** Who is signed in with an electronic ID. */
export const personQuery = () =>
  queryOptions({
    queryKey: [INVOICES, 'person'],
    queryFn: ({ signal }) => api.ask(callTo('GET', '/debtor/session'), { signal }),
    enabled: isIdentified(),
  })

type ListWish = { readonly statuses: string; readonly page: number; readonly limit: number }

/** What a call about all of the debtor's claims names: the pair of a claim or of an invoice opens the list. */
function claimListKey(): DebtKey {
  const pair = readClaimSession() ?? readSession()
  const at = pair && !isIdentified() ? pair : { reference: '', zip: '' }
  return { ...at, claimNumber: '' }
}

export type ListName = 'invoices' | 'claims'

/** The call for all that a list holds, as a file. */
export function listDownload(list: ListName, format: DownloadFormat): Address {
  return list === 'invoices'
    ? listCall('POST', '/ledger/download', { format })
    : claimCall('POST', claimListKey(), '/ledger/download', { format, orderBy: 'expireDate', order: 'asc' })
}

export const OPEN_CLAIM_STATUSES = 'OPEN[OR]RESUME[OR]DISPUTED[OR]PAUSED'
export const CLOSED_CLAIM_STATUSES = 'CLOSED[OR]STOPPED'

export const HELD_CLAIM_STATUSES = 'DISPUTED[OR]PAUSED'

/** A page of the debtor's claims, those that are due first at the top. */
export const claimListQuery = ({ statuses: status, page, limit }: ListWish) =>
  queryOptions({
    queryKey: [INVOICES, 'claims', status, page, limit],
    queryFn: ({ signal }) =>
      api.askList(
        claimCall('POST', claimListKey(), '/ledger', {
          page: String(page),
          limit: String(limit),
          orderBy: 'expireDate',
          order: 'asc',
        }),
        { body: { status }, signal },
      ),
    placeholderData: keepPreviousData,
  })

export const claimStatsQuery = () =>
  queryOptions({
    queryKey: [INVOICES, 'claim-stats'],
    queryFn: ({ signal }) => api.ask(claimCall('GET', claimListKey(), '/stats'), { signal }),
  })

export const OPEN_STATUSES = 'ACTIVATED[OR]PAUSED[OR]DISPUTED'
export const CLOSED_STATUSES = 'CLOSED[OR]STOPPED'
export const HELD_STATUSES = 'PAUSED[OR]DISPUTED'

/** What the debtor owes, once for each currency. */
export const statsQuery = () =>
  queryOptions({
    queryKey: [INVOICES, 'stats'],
    queryFn: ({ signal }) => api.ask(listCall('GET', '/stats'), { signal }),
  })

/** A page of the debtor's invoices: open ones by due date, closed ones newest first. */
export const invoiceListQuery = ({ statuses, page, limit }: ListWish) =>
  queryOptions({
    queryKey: [INVOICES, statuses, page, limit],
    queryFn: ({ signal }) =>
      api.askList(
        listCall('POST', '/ledger', {
          page: String(page),
          limit: String(limit),
          orderBy: statuses === CLOSED_STATUSES ? 'id' : 'dates.expireDate',
        }),
        { body: { statuses: { main: statuses } }, signal },
      ),
    placeholderData: keepPreviousData,
  })
