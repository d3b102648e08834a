/** The calls of the debtor portal as queries: what is read, under which key, and what a failure does. */
import type { AnyCall, CallAbout, DebtSubject, DebtTail, QueryFor, TailOf } from '@kvitt/domain/calls.ts'
import type { AnswerOf, Method } from '@kvitt/domain/contract.ts'
import {
  ApiUnreachable,
  callTo,
  createApi,
  publicPath,
  withQuery,
  type Address,
  type CallTo,
} from '@kvitt/ui/api.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { QueryClient, queryOptions } from '@tanstack/react-query'
import {
  endSession,
  isIdentified,
  readAuthorization,
  renewIdentity,
  type DebtKey,
  type InvoiceKey,
} from './session.ts'
import type { LoginProvider } from './instance.ts'
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

/**
 * Logs out: the server is told to end a token's session; whether it hears it or not, nothing stays here. Its answer
 * takes the cookie away, so whoever logs in at once waits for it.
 */
export async function leaveSession(): Promise<void> {
  const told = isIdentified() && api.ask(callTo('POST', '/debtor/logout')).catch(() => undefined)
  forgetSession()
  await told
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

type Query = Record<string, string | undefined>

/** A call about what the key names, through the door of whoever is here (specification section 6). */
function callAbout(method: Method, key: DebtKey, tail: string, query: Query = {}): Address {
  const { reference: paymentReference, zip, invoiceNumber, claimNumber } = key
  const subject = claimNumber === undefined ? 'invoices' : 'collection-batches'
  const number = claimNumber === undefined ? { invoiceNumber } : { collectionBatchNumber: claimNumber }
  return {
    method,
    path: isIdentified()
      ? withQuery(`/debtor/${subject}${tail}`, { paymentReference, zip, ...number, ...query })
      : withQuery(publicPath(subject, key, tail), { ...number, ...query }),
  }
}

type About<S extends DebtSubject> = <M extends Method, Tail extends TailOf<S, M>>(
  method: M,
  key: DebtKey,
  tail: Tail,
  query?: QueryFor<CallAbout<S, M, Tail>>,
) => CallTo<CallAbout<S, M, Tail>>
type AboutDebt = <M extends Method, Tail extends DebtTail<M>>(
  method: M,
  key: DebtKey,
  tail: Tail,
  query?: QueryFor<CallAbout<DebtSubject, M, Tail>>,
) => CallTo<CallAbout<DebtSubject, M, Tail>>

/** A call that exists for invoices and for claims. */
export const debtCall = callAbout as AboutDebt
/** A call about an invoice: the key names no claim. */
export const invoiceCall = callAbout as About<'invoices'>
/** A call about a claim. */
export const claimCall = callAbout as About<'collection-batches'>

/** The key of what is read about one debt. */
export function keyed(key: DebtKey, what: string): readonly string[] {
  return [what, key.reference, key.zip, key.claimNumber ?? key.invoiceNumber ?? '']
}

/** A page asks for many things as it appears: each in a task of its own, so that a press in between is answered. */
const ownTask = (): Promise<void> => new Promise((begin) => setTimeout(begin))

function read<C extends AnyCall>(key: DebtKey, what: string, tail: string, query?: Query) {
  return queryOptions({
    queryKey: keyed(key, what),
    queryFn: async ({ signal }): Promise<AnswerOf<C>> => {
      const call = callAbout('GET', key, tail, query)
      await ownTask()
      return askFor<C>(call, { signal })
    },
    // The page of a debt sees to it, and says what has changed (debts/look-again.ts).
    refetchOnWindowFocus: false,
  })
}

/** What is read takes no body. */
const askFor = api.ask as <C extends AnyCall>(
  call: CallTo<C>,
  sent: { readonly signal: AbortSignal },
) => Promise<AnswerOf<C>>

type Reading<S extends DebtSubject, Tail extends string> = ReturnType<typeof read<CallAbout<S, 'GET', Tail>>>
type Read<S extends DebtSubject> = <Tail extends TailOf<S, 'GET'>>(
  key: DebtKey,
  what: string,
  tail: Tail,
  query?: QueryFor<CallAbout<S, 'GET', Tail>>,
) => Reading<S, Tail>
type ReadDebt = <Tail extends DebtTail<'GET'>>(
  key: DebtKey,
  what: string,
  tail: Tail,
  query?: QueryFor<CallAbout<DebtSubject, 'GET', Tail>>,
) => Reading<DebtSubject, Tail>

/** A reading call about an invoice or a claim, whichever the key names. Its failure is shown in its own place. */
export const readDebt = read as ReadDebt
export const readInvoice = read as Read<'invoices'>
export const readClaim = read as Read<'collection-batches'>

/** The invoice, also the login lookup: the caller shows every failure. */
export const invoiceQuery = (key: InvoiceKey) => readInvoice(key, 'invoice', '')

/** Everything about this debt may have changed: reads again what is on the screen. */
export async function reloadDebt(key: DebtKey): Promise<void> {
  await queries.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[1] === key.reference || queryKey[0] === INVOICES,
  })
}

/** The ways to log in that this provider offers. */
export const loginProvidersQuery = queryOptions({
  queryKey: [LOGIN_PROVIDERS],
  queryFn: ({ signal }): Promise<readonly LoginProvider[]> =>
    api.ask(callTo('POST', '/public/service-providers/search', { limit: '1000' }), {
      body: { filters: { topic: 'AUTHENTICATION', type: 'LOGIN', enabled: true } },
      signal,
    }),
  staleTime: 300_000,
})
