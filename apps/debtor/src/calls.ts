/** The calls of the debtor portal as queries: what is read, under which key, and what a failure does. */
import type { InvoiceAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import { ApiUnreachable, createApi, publicInvoicePath, withQuery } from '@kvitt/ui/api.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { QueryClient, queryOptions } from '@tanstack/react-query'
import type { LoginProvider } from './instance.ts'
import {
  endSession,
  isIdentified,
  readAuthorization,
  renewIdentity,
  type DebtKey,
  type InvoiceKey,
} from './session.ts'
import { goToErrorPage, homeHash, type LoginState } from './views.ts'

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
/** The first part of the key of every list. */
export const INVOICES = 'invoices'

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
    // Whoever has left meanwhile knows why.
    if (!isIdentified()) return
    forgetSession()
    goTo(homeHash(), { replace: true, state: { sessionOver: true } satisfies LoginState })
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

/** The key of what is read about one debt. */
export function keyed(key: DebtKey, what: string): readonly string[] {
  return [what, key.reference, key.zip, key.claimNumber ?? key.invoiceNumber ?? '']
}

/** A page asks for many things as it appears: each in a task of its own, so that a press in between is answered. */
const ownTask = (): Promise<void> => new Promise((begin) => setTimeout(begin))

/** A reading call about one debt whose failure is shown in its own place. */
export function readPart<Answer>(
  key: DebtKey,
  what: string,
  tail: string,
  query: Record<string, string> = {},
) {
  return queryOptions({
    queryKey: keyed(key, what),
    queryFn: async ({ signal }) => {
      const path = debtPath(key, tail, query)
      await ownTask()
      return api.ask<Answer>({ path, signal, handleLocally: true })
    },
    // The page of a debt sees to it, and says what has changed (debts/look-again.ts).
    refetchOnWindowFocus: false,
  })
}

/** The invoice, also the login lookup: the caller shows every failure. */
export const invoiceQuery = (key: InvoiceKey) => readPart<InvoiceAnswer>(key, 'invoice', '')

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
