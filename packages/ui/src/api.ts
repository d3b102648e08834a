/**
 * The one way from a portal to the API. Answers, refusals and failures are told apart here and nowhere else
 * (specification section 8): 401 ends the session, 400 goes to the caller, anything else to the error page.
 */

import type {
  AnyCall,
  CallAnswering,
  DebtSubject,
  PlainCall,
  PlainPath,
  QueryFor,
} from '@kvitt/domain/calls.ts'
import type { AnswerOf, Method, SentBody } from '@kvitt/domain/contract.ts'
import type { ErrorCode } from '@kvitt/domain/errors.ts'
import type { SentFile } from '@kvitt/domain/sent-file.contract.ts'
import { takeEarlyAnswer } from './start/early-answer.ts'

/** 3,000 s, the specification's timeout; a page that is left cancels its calls long before. */
const TIMEOUT_MS = 3_000_000

export type FieldFault = { readonly field: string; readonly message: string }

/** The API said no to what was asked; the caller shows `message` or its own words for `code`. */
export class ApiRefusal extends Error {
  override name = 'ApiRefusal'
  readonly status: number
  /** Empty when it did not come from the API. */
  readonly code: ErrorCode | ''
  readonly traceId: string
  readonly errors: readonly FieldFault[]
  /** Values of the refusal, as text: those that the message names, and others. */
  readonly params: Readonly<Partial<Record<string, string>>>
  constructor(
    status: number,
    body: Partial<Record<'code' | 'message' | 'traceId', string>> &
      Partial<Pick<ApiRefusal, 'errors' | 'params'>>,
  ) {
    super(body.message ?? 'Unknown error')
    this.status = status
    this.code = (body.code ?? '') as ErrorCode | ''
    this.traceId = body.traceId ?? ''
    this.errors = body.errors ?? []
    this.params = body.params ?? {}
  }
}

/** No answer came: offline, server down, or cut off. Whether the call took effect is not known. */
export class ApiUnreachable extends Error {
  override name = 'ApiUnreachable'
}

declare const CONTRACT: unique symbol

/** Where a call is found. */
export type Address = {
  readonly method: Method
  /** Below `/api`. */
  readonly path: string
}

/** The address of a call, of which the compiler knows the contract: what goes in, what comes out. */
export type CallTo<C extends AnyCall> = Address & { readonly [CONTRACT]?: C }

/** What goes with a call besides its body. */
export type Sent = {
  /** What carries the call instead of `fetch`, such as one that tells how much has been sent. */
  readonly carrier?: (url: string, init: RequestInit) => Promise<Response>
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** A failure other than a refusal leads to the error page. Without it the caller shows every failure itself. */
  readonly toErrorPage?: boolean
}

/** As JSON, or a form where a file goes along. */
export type BodyFor<C extends AnyCall> = C extends AnyCall
  ? SentBody<C> extends { readonly file: SentFile }
    ? FormData
    : SentBody<C>
  : never

type Along<C extends AnyCall> =
  undefined extends BodyFor<C>
    ? [sent?: Sent & { readonly body?: BodyFor<C> }]
    : [sent: Sent & { readonly body: BodyFor<C> }]

export type ApiOptions = {
  readonly language: () => string
  readonly onSignedOut: () => void
  readonly onFailure: (failure: ApiRefusal) => void
  /** The Authorization header of whoever is signed in; sent to paths below `debtor/` and nowhere else. */
  readonly authorization?: () => string | undefined
  /** A fresh token came with an answer: the session goes on with it (D-05). */
  readonly onToken?: (token: string) => void
}

/** `disposition` is the header of that name, which tells what the file is called (RFC 6266). */
export type FileAnswer = { readonly blob: Blob; readonly disposition: string }

/** A part of a list, and how long the whole is. */
export type ListAnswer<Item> = { readonly items: readonly Item[]; readonly total: number }

export type Api = {
  /** The JSON answer. Throws ApiRefusal, ApiUnreachable, or the signal's reason. */
  readonly ask: <C extends AnyCall>(call: CallTo<C>, ...along: Along<C>) => Promise<AnswerOf<C>>
  /** As `ask`, for lists that come page by page. */
  readonly askList: <C extends ListCall>(
    call: CallTo<C>,
    ...along: Along<C>
  ) => Promise<ListAnswer<AnswerOf<C>[number]>>
  /** As `ask`, for answers that are a file. */
  readonly fetchFile: (call: Address, sent?: Anything) => Promise<FileAnswer>
}

type ListCall = CallAnswering<readonly unknown[]>
type Anything = Sent & { readonly body?: unknown }

/** `path` with these query values; empty ones are left out. */
export function withQuery(path: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value) search.set(name, value)
  const text = search.toString()
  return text ? `${path}?${text}` : path
}

/** The address of a call that is about no invoice and no claim. */
export function callTo<M extends Method, Path extends PlainPath<M>>(
  method: M,
  path: Path,
  query?: QueryFor<PlainCall<M, Path>>,
): CallTo<PlainCall<M, Path>> {
  return { method, path: withQuery(path, query) }
}

/** The address of a stored file: its name is the answer to a call, and opens it for a short time. */
export function storedFile(name: string): Address {
  return { method: 'GET', path: `/storage/${encodeURIComponent(name)}` }
}

/** `/public/{subject}/{reference}/{zip}{tail}` with every part escaped. */
export function publicPath(
  subject: DebtSubject,
  { reference, zip }: { readonly reference: string; readonly zip: string },
  tail: string,
): string {
  return `/public/${subject}/${encodeURIComponent(reference)}/${encodeURIComponent(zip)}${tail}`
}

async function readRefusal(response: Response): Promise<ApiRefusal> {
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  const body: unknown = isJson ? await response.json().catch(() => null) : null
  return new ApiRefusal(response.status, body !== null && typeof body === 'object' ? body : {})
}

async function send(
  { path, method }: Address,
  { body, carrier = fetch, headers = {}, signal }: Anything,
  own: Readonly<Record<string, string>>,
): Promise<Response> {
  const isJson = body !== undefined && !(body instanceof FormData)
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const early = method === 'GET' ? takeEarlyAnswer(`/api${path}`) : undefined
    if (early) return await early
    return await carrier(`/api${path}`, {
      method,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      headers: {
        ...own,
        ...(isJson ? { 'Content-Type': 'application/json' } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : body }),
    })
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new ApiUnreachable(path, { cause })
  }
}

/** How a call is sent. What comes after the first screen puts more around it (feedback/other-release.ts). */
export const line = { send }

export function createApi(options: ApiOptions): Api {
  async function answerOf(call: Address, sent: Anything = {}): Promise<Response> {
    const asking = options.authorization?.()
    const authorization = call.path.startsWith('/debtor/') ? asking : undefined
    const response = await line.send(call, sent, {
      'Accept-Language': options.language(),
      ...(authorization ? { Authorization: authorization } : {}),
    })
    // A late answer to whoever was here before says nothing about who is here now.
    const isHere = asking === options.authorization?.()
    const token = isHere && authorization && response.headers.get('X-Session-Token')
    if (token) options.onToken?.(token)
    if (response.ok) return response
    const refusal = await readRefusal(response)
    if (response.status === 401) {
      if (isHere) options.onSignedOut()
    } else if (response.status !== 400 && sent.toErrorPage) options.onFailure(refusal)
    throw refusal
  }
  return {
    async ask(call, ...[sent]) {
      const response = await answerOf(call, sent)
      return response.status === 204 ? undefined : await response.json()
    },
    async askList(call, ...[sent]) {
      const response = await answerOf(call, sent)
      const items = await response.json()
      const total = Number(response.headers.get('X-Total-Count') ?? items.length)
      return { items, total }
    },
    async fetchFile(call, sent) {
      const response = await answerOf(call, sent)
      return { blob: await response.blob(), disposition: response.headers.get('content-disposition') ?? '' }
    },
  }
}
