/** The calls of the later screens: lists, claims and plans. Apart from calls.ts, which every visitor loads. */
import type { ClaimAnswer, ClaimInvoiceAnswer } from '@kvitt/domain/claims/claim.contract.ts'
import type { AccountAnswer, InvoiceAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import type { StatsAnswer } from '@kvitt/domain/invoices/invoice-list.contract.ts'
import type { OptionsAnswer, PlanAnswer } from '@kvitt/domain/part-payments/part-payment.contract.ts'
import type { SessionAnswer } from '@kvitt/domain/sign-in/session.contract.ts'
import { publicInvoicePath, withQuery, type ApiCall } from '@kvitt/ui/api.ts'
import type { DownloadFormat } from '@kvitt/domain/downloads/download.contract.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, debtPath, INVOICES, queries, readPart } from '../calls.ts'
import { clientQuery } from './part-calls.ts'
import { isIdentified, readClaimSession, readSession, type DebtKey } from '../session.ts'

/** A call about all of the debtor's invoices. Throws when nobody is here. */
function listPath(tail: string, query: Record<string, string> = {}): string {
  if (isIdentified()) return withQuery(`debtor/invoices${tail}`, query)
  const session = readSession() ?? readClaimSession()
  if (!session) throw new Error('nobody is signed in')
  return publicInvoicePath(session.reference, session.zip, tail, query)
}

/** Where a transfer is to go. */
export const accountQuery = (key: DebtKey) => readPart<AccountAnswer>(key, 'account', '/payment-account')
export const planOptionsQuery = (key: DebtKey) =>
  readPart<OptionsAnswer>(key, 'plan-options', '/part-payment/options')
export const planQuery = (key: DebtKey) => readPart<PlanAnswer>(key, 'plan', '/part-payment')

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
    queryFn: ({ signal }) => api.ask<SessionAnswer>({ path: 'debtor/session', signal, handleLocally: true }),
    enabled: isIdentified(),
  })

/** A claim; also its login lookup: the caller shows every failure. */
export const claimQuery = (key: DebtKey) => readPart<ClaimAnswer>(key, 'claim', '')
export const claimInvoicesQuery = (key: DebtKey) =>
  readPart<readonly ClaimInvoiceAnswer[]>(key, 'claim-invoices', '/invoices')

type ListWish = { readonly statuses: string; readonly page: number; readonly limit: number }

/** A call about all of the debtor's claims: the pair of a claim or of an invoice opens the list. */
function claimListPath(tail: string, query: Record<string, string> = {}): string {
  const pair = readClaimSession() ?? readSession()
  const at = pair && !isIdentified() ? pair : { reference: '', zip: '' }
  return debtPath({ ...at, invoiceNumber: undefined, claimNumber: '' }, tail, query)
}

export type ListName = 'invoices' | 'claims'

/** The call for all that a list holds, as a file. */
export function listDownload(list: ListName, format: DownloadFormat): ApiCall {
  const tail = '/ledger/download'
  const path =
    list === 'invoices'
      ? listPath(tail, { format })
      : claimListPath(tail, { format, orderBy: 'expireDate', order: 'asc' })
  return { path, method: 'POST', body: {}, handleLocally: true }
}

export const OPEN_CLAIM_STATUSES = 'OPEN[OR]RESUME[OR]DISPUTED[OR]PAUSED'
export const CLOSED_CLAIM_STATUSES = 'CLOSED[OR]STOPPED'

export const HELD_CLAIM_STATUSES = 'DISPUTED[OR]PAUSED'

/** A page of the debtor's claims, those that are due first at the top. */
export const claimListQuery = ({ statuses: status, page, limit }: ListWish) =>
  queryOptions({
    queryKey: [INVOICES, 'claims', status, page, limit],
    queryFn: ({ signal }) =>
      api.askList<ClaimAnswer>({
        path: claimListPath('/ledger', {
          page: String(page),
          limit: String(limit),
          orderBy: 'expireDate',
          order: 'asc',
        }),
        method: 'POST',
        body: { status },
        signal,
        handleLocally: true,
      }),
    placeholderData: keepPreviousData,
  })

export const claimStatsQuery = () =>
  queryOptions({
    queryKey: [INVOICES, 'claim-stats'],
    queryFn: ({ signal }) =>
      api.ask<StatsAnswer>({ path: claimListPath('/stats'), signal, handleLocally: true }),
  })

export const OPEN_STATUSES = 'ACTIVATED[OR]PAUSED[OR]DISPUTED'
export const CLOSED_STATUSES = 'CLOSED[OR]STOPPED'
export const HELD_STATUSES = 'PAUSED[OR]DISPUTED'

/** What the debtor owes, once for each currency. */
export const statsQuery = () =>
  queryOptions({
    queryKey: [INVOICES, 'stats'],
    queryFn: ({ signal }) => api.ask<StatsAnswer>({ path: listPath('/stats'), signal, handleLocally: true }),
  })

/** A page of the debtor's invoices: open ones by due date, closed ones newest first. */
export const invoiceListQuery = ({ statuses, page, limit }: ListWish) =>
  queryOptions({
    queryKey: [INVOICES, statuses, page, limit],
    queryFn: ({ signal }) =>
      api.askList<InvoiceAnswer>({
        path: listPath('/ledger', {
          page: String(page),
          limit: String(limit),
          orderBy: statuses === CLOSED_STATUSES ? 'id' : 'dates.expireDate',
        }),
        method: 'POST',
        body: { statuses: { main: statuses } },
        signal,
        handleLocally: true,
      }),
    placeholderData: keepPreviousData,
  })
