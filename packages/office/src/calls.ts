/** The calls of a portal of staff: each carries the session, and what goes wrong with one is shown on the page. */
import type { PlainCall, PlainPath, QueryFor } from '@kvitt/domain/calls.ts'
import type { Method } from '@kvitt/domain/contract.ts'
import {
  ApiRefusal,
  ApiUnreachable,
  createApi,
  withQuery,
  type Api,
  type CallTo,
  type Sent,
} from '@kvitt/ui/api.ts'
import { sayContract } from '@kvitt/ui/feedback/other-release.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { report } from './messages/messages.ts'
import { readProvider } from './provider.ts'
import { readAuthorization } from './session/tokens.ts'
import { t } from './text.ts'

type StaffPath<M extends Method> = Extract<PlainPath<M>, `/client/${string}` | `/admin/${string}`>

/** `path` with the parts that begin with a colon filled in. */
export function fillPath(path: string, parts: Readonly<Record<string, string>> = {}): string {
  return path.replace(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(parts[name] ?? ''))
}

/**
 * The address of a call of staff, as its contract has it: `staffCall('GET', '/client/invoices/:id', { id })`. A call that both
 * kinds of staff have is written with the client's path, and made at the door of the portal that makes it.
 */
export function staffCall<M extends Method, Path extends StaffPath<M>>(
  method: M,
  path: Path,
  parts?: Readonly<Record<string, string>>,
  query?: QueryFor<PlainCall<M, Path>>,
): CallTo<PlainCall<M, Path>> {
  return { method, path: withQuery(fillPath(path, parts), query) }
}

/** Calls at a portal's door with the session of whoever is signed in. `onSignedOut` is told when the server knows the session no longer. */
export function createStaffApi(door: 'client' | 'admin', onSignedOut: () => void): Api {
  sayContract(readProvider().contract)
  const api = createApi({ language: currentLanguage, onSignedOut, onFailure: () => {} })
  const signed = (sent: Sent | undefined): Sent => {
    const authorization = readAuthorization()
    return { ...sent, headers: { ...(authorization && { Authorization: authorization }), ...sent?.headers } }
  }
  // What goes along has the shape that the contract wants; only a header is added.
  const along = (sent: Sent | undefined): never => [signed(sent)] as never
  const placed = <C extends { readonly path: string }>(call: C): C => ({
    ...call,
    path: call.path.replace(/^\/client\//, `/${door}/`),
  })
  return {
    ask: (call, ...[sent]) => api.ask(placed(call), ...along(sent)),
    askList: (call, ...[sent]) => api.askList(placed(call), ...along(sent)),
    fetchFile: (call, sent) => api.fetchFile(placed(call), signed(sent)),
  }
}

/** How long a block has to say what was refused, before it is told for the whole page. */
const SAID_MS = 300

/** Failures that something on the page says. */
const said = new WeakSet<object>()

/**
 * What is shown of a failure: the server's own message, else that it is not known (specification section 8). Whoever asks for it says it:
 * it is not told beside that.
 */
export function failureText(error: unknown): string {
  if (typeof error === 'object' && error !== null) said.add(error)
  if (error instanceof ApiUnreachable) return t('office.unreachable')
  if (error instanceof ApiRefusal) {
    return error.code === '' ? t('office.unknown_error') : error.message
  }
  return t('office.unknown_error')
}

function tell(error: unknown): void {
  // The sign-in takes the place of the page.
  if (error instanceof ApiRefusal && error.status === 401) return
  report('bad', failureText(error))
}

/** Queries and mutations of a portal of staff; a mutation says what it has done in `meta.done`. */
export function createQueries(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        if (!(error instanceof ApiRefusal) || error.status >= 500) return tell(error)
        // What a role may not see is not shown.
        if (error.code === 'not_allowed') return
        // What was refused is said in its own place, where a block shows it; elsewhere nobody would know.
        setTimeout(() => {
          if (!said.has(error)) tell(error)
        }, SAID_MS)
      },
    }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _context, { meta }) => {
        if (meta?.['isSilent'] !== true) tell(error)
      },
      onSuccess: (_answer, _variables, _context, { meta }) => {
        const done = meta?.['done']
        if (meta?.['isSilent'] !== true) report('ok', typeof done === 'string' ? done : t('office.saved'))
      },
    }),
    defaultOptions: {
      queries: {
        networkMode: 'always',
        staleTime: 10_000,
        retry: (failures, error) => error instanceof ApiUnreachable && failures < 2,
      },
      mutations: { networkMode: 'always' },
    },
  })
}
