/** The calls of the debtor portal as queries: what is read, under which key, and what a failure does. */
import type {
  AccountAnswer,
  ClientAnswer,
  DocumentAnswer,
  EventAnswer,
  InvoiceAnswer,
} from '@kvitt/domain/invoices/invoice.contract.ts'
import type { StatsAnswer } from '@kvitt/domain/invoices/invoice-list.contract.ts'
import type { OptionsAnswer, PlanAnswer } from '@kvitt/domain/part-payments/part-payment.contract.ts'
import type { PaymentAnswer, PaymentMethodAnswer } from '@kvitt/domain/payments/payment.contract.ts'
import type { SessionAnswer } from '@kvitt/domain/sign-in/session.contract.ts'
import { ApiUnreachable, createApi, publicInvoicePath, withQuery } from '@kvitt/ui/api.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { keepPreviousData, QueryClient, queryOptions } from '@tanstack/react-query'
import type { LoginProvider } from './instance.ts'
import {
  endSession,
  isIdentified,
  readAuthorization,
  readSession,
  renewIdentity,
  type DebtKey,
  type InvoiceKey,
} from './session.ts'
import { goToErrorPage, homeHash } from './views.ts'

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'always',
      staleTime: 10_000,
      retry: (failures, error) => error instanceof ApiUnreachable && failures < 2,
    },
    mutations: { networkMode: 'always' },
  },
})

const LOGIN_PROVIDERS = 'login-providers'
const INVOICES = 'invoices'

/** Forgets who was here and everything that was shown. */
function forgetSession(): void {
  endSession()
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== LOGIN_PROVIDERS })
}

/** Logs out: the server is told to end a token's session; whether it hears it or not, nothing stays here. */
export function leaveSession(): void {
  if (isIdentified()) {
    void api.ask({ path: 'debtor/logout', method: 'POST', handleLocally: true }).catch(() => undefined)
  }
  forgetSession()
}

export const api = createApi({
  language: currentLanguage,
  authorization: readAuthorization,
  onToken: renewIdentity,
  onSignedOut: () => {
    forgetSession()
    goTo(homeHash(), { replace: true })
  },
  onFailure: (failure) => goToErrorPage(failure.traceId),
})

/** A call about one invoice, through the door of whoever is here (specification section 6). */
export function invoicePath(key: InvoiceKey, tail = '', query: Record<string, string> = {}): string {
  const { reference, zip, invoiceNumber } = key
  if (!isIdentified()) return publicInvoicePath(reference, zip, tail, { invoiceNumber, ...query })
  return withQuery(`debtor/invoices${tail}`, { paymentReference: reference, zip, invoiceNumber, ...query })
}

/** A call about an invoice or a claim, whichever the key names. */
export function debtPath(key: DebtKey, tail = '', query: Record<string, string> = {}): string {
  const { reference, zip, claimNumber } = key
  if (claimNumber === undefined) return invoicePath(key, tail, query)
  const number = { collectionBatchNumber: claimNumber, ...query }
  if (isIdentified()) {
    return withQuery(`debtor/collection-batches${tail}`, { paymentReference: reference, zip, ...number })
  }
  return withQuery(
    `public/collection-batches/${encodeURIComponent(reference)}/${encodeURIComponent(zip)}${tail}`,
    number,
  )
}

/** A call about all of the debtor's invoices. Throws when nobody is here. */
function listPath(tail: string, query: Record<string, string> = {}): string {
  if (isIdentified()) return withQuery(`debtor/invoices${tail}`, query)
  const session = readSession()
  if (!session) throw new Error('nobody is signed in')
  return publicInvoicePath(session.reference, session.zip, tail, query)
}

function keyed(key: DebtKey, what: string): readonly string[] {
  return [what, key.reference, key.zip, key.claimNumber ?? key.invoiceNumber ?? '']
}

/** A reading call about one debt whose failure is shown in its own place. */
function readPart<Answer>(key: DebtKey, what: string, tail: string, query: Record<string, string> = {}) {
  return queryOptions({
    queryKey: keyed(key, what),
    queryFn: ({ signal }) =>
      api.ask<Answer>({ path: debtPath(key, tail, query), signal, handleLocally: true }),
  })
}

/** The invoice, also the login lookup: the caller shows every failure. */
export const invoiceQuery = (key: InvoiceKey) => readPart<InvoiceAnswer>(key, 'invoice', '')
export const clientQuery = (key: DebtKey) => readPart<ClientAnswer>(key, 'client', '/client')
/** The stored logo of a creditor, found through any of its invoices; null without one. */
export const logoQuery = (creditor: string, key: InvoiceKey) =>
  queryOptions({
    queryKey: [INVOICES, 'logo', creditor],
    queryFn: async () => (await queries.fetchQuery(clientQuery(key))).logotypeDocumentFileName,
    staleTime: 300_000,
  })
export const documentsQuery = (key: InvoiceKey) => readPart<DocumentAnswer[]>(key, 'documents', '/documents')
export const accountQuery = (key: DebtKey) => readPart<AccountAnswer>(key, 'account', '/payment-account')
export const methodsQuery = (key: DebtKey) =>
  readPart<readonly (PaymentMethodAnswer | PaymentMethodAnswer['code'])[]>(key, 'methods', '/payment-methods')
export const planOptionsQuery = (key: DebtKey) =>
  readPart<OptionsAnswer>(key, 'plan-options', '/part-payment/options')
export const planQuery = (key: DebtKey) => readPart<PlanAnswer>(key, 'plan', '/part-payment')
export const eventsQuery = (key: DebtKey) =>
  readPart<EventAnswer[]>(key, 'events', '/events', { limit: '-1' })

export type FinancialEvent = {
  readonly date: string
  readonly type: string
  readonly amounts: { readonly total: number }
  readonly balances: { readonly total: number }
}
export const financialEventsQuery = (key: DebtKey) =>
  readPart<FinancialEvent[]>(key, 'financial', '/events/financial', { limit: '-1' })

/** The payments, after the bank has been asked about everything that is not final. */
export const refreshedPaymentsQuery = (key: DebtKey) =>
  queryOptions({
    queryKey: keyed(key, 'payments'),
    queryFn: ({ signal }) =>
      api.ask<PaymentAnswer[]>({
        path: debtPath(key, '/payment-requests/status'),
        method: 'PUT',
        signal,
        handleLocally: true,
      }),
    staleTime: 0,
  })

/** Who is signed in with an electronic ID. */
export const personQuery = () =>
  queryOptions({
    queryKey: [INVOICES, 'person'],
    queryFn: ({ signal }) => api.ask<SessionAnswer>({ path: 'debtor/session', signal, handleLocally: true }),
    enabled: isIdentified(),
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

type ListWish = { readonly statuses: string; readonly page: number; readonly limit: number }

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

/** Everything about this debt may have changed: reads again what is on the screen. */
export async function reloadDebt(key: DebtKey): Promise<void> {
  await queries.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[1] === key.reference || queryKey[0] === INVOICES,
  })
}

/** The ways to log in that this provider offers. */
export const loginProvidersQuery = queryOptions({
  queryKey: [LOGIN_PROVIDERS],
  queryFn: ({ signal }) =>
    api.ask<readonly LoginProvider[]>({
      path: 'public/service-providers/search?limit=1000',
      method: 'POST',
      body: { filters: { topic: 'AUTHENTICATION', type: 'LOGIN', enabled: true } },
      signal,
      handleLocally: true,
    }),
  staleTime: 300_000,
})
