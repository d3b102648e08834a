/**
 * A call as data: method, path, what goes in, what comes out, what may be refused. The server binds it, the
 * tests sweep over it, the portals take its types (never the schema library).
 */
import { z } from 'zod'
import type { ErrorCode } from './errors.ts'
import type { Amount } from './money.ts'
import type { StaffRight } from './staff/roles.ts'

/**
 * What an instance may keep from public sessions (D-07): the debtor's other items, documents, disputes, plans. A call
 * without a power is part of seeing and paying the one item that the pair names.
 */
export const POWERS = ['lists', 'documents', 'disputes', 'plans'] as const
export type Power = (typeof POWERS)[number]

/**
 * Who may make a call. `public` carries reference and zip in the path, `debtor` a session, `client` the session of a creditor's
 * staff or a key of its programs, `admin` that of an operator's staff, `open` nothing. A handler takes the principals of its doors.
 */
export type Door = 'open' | 'public' | 'debtor' | 'client' | 'admin'

/**
 * What shows that a pair is right: the guard before the call, or the first read of the call itself, which saves the hottest
 * calls a round trip. The second is bound with `bindFirstRead` (`sign-in/bind.ts`), which sees that the read has done it.
 */
export type PairProof = 'guard' | 'first_read'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** What a call behind a door is about; the first part of its path. */
export type Subject = 'invoices' | 'collection-batches' | 'clients'

export type Contract<
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
  Behind extends Door = Door,
  Proof extends PairProof = PairProof,
> = {
  readonly name: string
  readonly method: Method
  /** For `open` calls the whole path below the API root; for door calls the part after the subject. */
  readonly path: string
  /** What a door call is about; decides its path prefix. */
  readonly subject?: Subject
  readonly doors: readonly Behind[]
  readonly pairProof: Proof
  /** What of a session it uses; an instance may ask for an electronic ID for it. */
  readonly power?: Power
  /** What of the rights of staff it needs; every call behind a door of staff names one (staff/roles.ts). */
  readonly right?: StaffRight
  /** The debtor's door also has it by identifier: `debtor/{subject}/{id}{path}`. */
  readonly byId?: boolean
  readonly query: Query
  readonly body: Body
  readonly response: Response
  /** 200 unless something was made (201), will be done (202) or there is nothing to say (204). */
  readonly status: 200 | 201 | 202 | 204
  /** `json`, or `file` when the answer is bytes (a PDF, an image). */
  readonly answers: 'json' | 'file'
  /** Besides JSON, the same as a file of these types, when one of them is what is accepted. */
  readonly alsoFiles?: readonly string[]
  /** The body is a form with a file `file` of at most so many bytes; `body` describes it whole. No other call reads a form. */
  readonly largestFile?: number
  readonly refusals: readonly ErrorCode[]
  /** It takes an `Idempotency-Key`, and says when it answers as before; an `Undo-Seconds`, and is taken back until then; or answers 202. */
  readonly takesKey?: boolean
  readonly takesUndo?: boolean
  readonly mayPropose?: boolean
  readonly reads?: boolean // it changes nothing, although its method is that of a write
  readonly takesSolution?: boolean // a `Challenge-Solution`, as every call with a pair does
}

/** What the compiler knows of a call besides its shapes, so that a portal's client can be made from it (calls.ts). */
export type Located<
  M extends Method,
  Path extends string,
  Codes extends readonly ErrorCode[],
  S extends Subject | undefined = undefined,
> = {
  readonly method: M
  readonly path: Path
  readonly refusals: Codes
} & (S extends Subject ? { readonly subject: S } : unknown)

/** The same as it is written in a call. */
type Place<M extends Method, Path extends string, Codes extends readonly ErrorCode[]> = {
  readonly method?: M
  readonly path: Path
  readonly refusals?: Codes
}

/** A number as creditors print it: any text in one line. */
export const invoiceNumber = z
  .string()
  .min(1)
  .max(60)
  .regex(/^[^\p{Cc}]+$/u)

/** A number in an address. Without a text after the `=` it is not there. */
export const numberInQuery = z.union([invoiceNumber, z.literal('').transform(() => undefined)]).optional()

/** Every invoice call accepts these besides its own (specification section 7). */
export const invoiceQuery = z.object({ invoiceNumber: numberInQuery })

/** Every call about a claim accepts these besides its own. */
export const claimQuery = z.object({ collectionBatchNumber: numberInQuery })

/** What a search is asked with (domain/search.ts): a text, the field it is looked for in, and filters. */
export const searchBody = z.record(z.string(), z.unknown()).optional()
/** The filter of a list: values joined by `[OR]`. What it may not be is told by the use case, as a filter. */
export const filterText = z.unknown().optional().meta({ type: 'string' })

/** Which part of a list is wanted (D-32). */
const PAGING = { limit: z.string().optional(), page: z.string().optional() }

/** Which part, and in which order; what an order may be is told by the use case, as a filter. */
export const LIST_QUERY = {
  ...PAGING,
  order: z.string().max(10).optional(),
  orderBy: z.string().max(60).optional(),
}
export const searchQuery = z.object({ invoiceNumber: numberInQuery, ...LIST_QUERY })

/**
 * What the debtor's door takes besides a call's own query: which invoice or claim is meant. The session says whose
 * it has to be; a `zip` beside the reference proves nothing, but has to be the right one.
 */
export const debtorQuery = z.object({
  paymentReference: z.string().max(60).optional(),
  zip: z.string().max(60).optional(),
})

export const noBody = z.undefined()
export const noQuery = z.object({})

/** A sum in the currency's main unit, a JSON number written with two decimals (D-25). */
export const amount = z.number()
/** A calendar day YYYY-MM-DD. */
export const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/)
/** An instant, ISO 8601 UTC. */
export const instant = z.string()
/** An amount as it may arrive: number or text, checked on its digits by the use case. */
export const amountIn = z.union([z.number(), z.string().max(40)])

/** What a handler may return for a schema: the same shape, with Amount where the wire has a number. */
export type Loosen<T> = T extends number
  ? number | Amount
  : T extends readonly (infer Item)[]
    ? Loosen<Item>[]
    : T extends object
      ? { [Key in keyof T]: Loosen<T[Key]> }
      : T

export type AnswerOf<C extends { readonly response: unknown }> = z.output<C['response']>
export type BodyOf<C extends { readonly body: unknown }> = z.output<C['body']>
/** A body as it may be sent. Where the schema takes anything and looks itself, what it reads counts. */
export type SentBody<C extends { readonly body: unknown }> =
  unknown extends z.input<C['body']> ? z.output<C['body']> : z.input<C['body']>
export type QueryOf<C extends { readonly query: unknown }> = z.output<C['query']>

/** Every list is paged, with X-Total-Count and Link (D-25). One that says nothing of it is short, and paged where it is sent. */
function paged<Call extends Contract>(call: Call): Call {
  if (!(call.response instanceof z.ZodArray) || !(call.query instanceof z.ZodObject)) return call
  const refusals: readonly ErrorCode[] = [...new Set([...call.refusals, 'invalid_paging' as const])]
  return { ...call, query: call.query.extend({ ...PAGING, ...call.query.shape }), refusals }
}

type Defaults<
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType,
  D extends Door,
  P extends PairProof = 'guard',
> = Pick<Contract<Q, B, R, D, P>, 'name' | 'path' | 'response'> & Partial<Contract<Q, B, R, D, P>>

/** A call without a subject, open to anyone who reaches the tenant's host. */
export function openCall<
  R extends z.ZodType,
  Q extends z.ZodType = typeof noQuery,
  B extends z.ZodType = typeof noBody,
  D extends Door = 'open',
  M extends Method = 'GET',
  const Path extends string = string,
  const Codes extends readonly ErrorCode[] = readonly [],
>(
  call: Defaults<Q, B, R, D> & Place<M, Path, Codes>,
): Contract<Q, B, R, D, 'guard'> & Located<M, Path, Codes> {
  const whole: Contract<Q, B, R, D, 'guard'> = {
    method: 'GET',
    doors: ['open'] as readonly Door[] as readonly D[],
    pairProof: 'guard',
    query: noQuery as unknown as Q,
    body: noBody as unknown as B,
    status: 200,
    answers: 'json',
    refusals: [],
    ...call,
  }
  return paged(whole) as Contract<Q, B, R, D, 'guard'> & Located<M, Path, Codes>
}

/** A call of a signed-in debtor that is about nothing of its own: `debtor{path}`. */
export function debtorCall<
  R extends z.ZodType,
  Q extends z.ZodType = typeof noQuery,
  B extends z.ZodType = typeof noBody,
  M extends Method = 'GET',
  const Path extends string = string,
  const Codes extends readonly ErrorCode[] = readonly [],
>(
  call: Defaults<Q, B, R, 'debtor'> & Place<M, Path, Codes>,
): Contract<Q, B, R, 'debtor', 'guard'> & Located<M, Path, Codes> {
  return openCall({ ...call, doors: ['debtor'] }) as Contract<Q, B, R, 'debtor', 'guard'> &
    Located<M, Path, Codes>
}

/** A call of a creditor's staff or programs: `client{path}`. The row that it is about stands as `:id` in its path. */
export function clientCall<
  R extends z.ZodType,
  Q extends z.ZodType = typeof noQuery,
  B extends z.ZodType = typeof noBody,
  M extends Method = 'GET',
  const Path extends string = string,
  const Codes extends readonly ErrorCode[] = readonly [],
>(
  call: Defaults<Q, B, R, 'client'> & Place<M, Path, Codes> & { readonly right: StaffRight },
): Contract<Q, B, R, 'client', 'guard'> & Located<M, Path, Codes> {
  return openCall({ ...call, doors: ['client'] }) as Contract<Q, B, R, 'client', 'guard'> &
    Located<M, Path, Codes>
}

/**
 * A call of all who work here: `client{path}` for a creditor's staff and programs, `admin{path}` for an operator's staff, who have
 * it for the rows of all creditors of their instance.
 */
export function officeCall<
  R extends z.ZodType,
  Q extends z.ZodType = typeof noQuery,
  B extends z.ZodType = typeof noBody,
  M extends Method = 'GET',
  const Path extends string = string,
  const Codes extends readonly ErrorCode[] = readonly [],
>(
  call: Defaults<Q, B, R, 'client' | 'admin'> & Place<M, Path, Codes> & { readonly right: StaffRight },
): Contract<Q, B, R, 'client' | 'admin', 'guard'> & Located<M, Path, Codes> {
  return openCall({ ...call, doors: ['client', 'admin'] }) as Contract<Q, B, R, 'client' | 'admin', 'guard'> &
    Located<M, Path, Codes>
}

/** A call of an operator's staff alone: `admin{path}`. */
export function adminCall<
  R extends z.ZodType,
  Q extends z.ZodType = typeof noQuery,
  B extends z.ZodType = typeof noBody,
  M extends Method = 'GET',
  const Path extends string = string,
  const Codes extends readonly ErrorCode[] = readonly [],
>(
  call: Defaults<Q, B, R, 'admin'> & Place<M, Path, Codes> & { readonly right: StaffRight },
): Contract<Q, B, R, 'admin', 'guard'> & Located<M, Path, Codes> {
  return openCall({ ...call, doors: ['admin'] }) as Contract<Q, B, R, 'admin', 'guard'> &
    Located<M, Path, Codes>
}

function doorCall<
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType,
  D extends Door,
  P extends PairProof,
>(subject: Subject, query: z.ZodType, call: Defaults<Q, B, R, D, P>): Contract<Q, B, R, D, P> {
  return paged({
    method: 'GET',
    doors: ['public', 'debtor'] as readonly Door[] as readonly D[],
    pairProof: 'guard' as PairProof as P,
    subject,
    query: query as Q,
    body: noBody as unknown as B,
    status: 200,
    answers: 'json',
    ...call,
    refusals: ['login_error::invalid_data', ...(call.refusals ?? [])],
  })
}

/** A call about one invoice, through both doors: `public/invoices/{ref}/{zip}{path}` and `debtor/invoices{path}`. */
export function invoiceCall<
  R extends z.ZodType,
  Q extends z.ZodType = typeof invoiceQuery,
  B extends z.ZodType = typeof noBody,
  D extends Door = 'public' | 'debtor',
  P extends PairProof = 'guard',
  M extends Method = 'GET',
  const Path extends string = string,
  const Codes extends readonly ErrorCode[] = readonly [],
  S extends Subject = 'invoices',
>(
  call: Defaults<Q, B, R, D, P> & Place<M, Path, Codes> & { readonly subject?: S },
): Contract<Q, B, R, D, P> & Located<M, Path, Codes, S> {
  return doorCall('invoices', invoiceQuery, call) as Contract<Q, B, R, D, P> & Located<M, Path, Codes, S>
}

/** A call about one claim: `public/collection-batches/{ref}/{zip}{path}` and `debtor/collection-batches{path}`. */
export function claimCall<
  R extends z.ZodType,
  Q extends z.ZodType = typeof claimQuery,
  B extends z.ZodType = typeof noBody,
  D extends Door = 'public' | 'debtor',
  P extends PairProof = 'guard',
  M extends Method = 'GET',
  const Path extends string = string,
  const Codes extends readonly ErrorCode[] = readonly [],
>(
  call: Defaults<Q, B, R, D, P> & Place<M, Path, Codes>,
): Contract<Q, B, R, D, P> & Located<M, Path, Codes, 'collection-batches'> {
  return doorCall('collection-batches', claimQuery, call) as Contract<Q, B, R, D, P> &
    Located<M, Path, Codes, 'collection-batches'>
}
