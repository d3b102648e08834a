/**
 * A contract beside the use case that answers it. The doors of the contract decide what kind of principal the use case has to
 * take, so that one that takes another does not compile; each door has one authenticator, and the guard against guessing
 * begins and ends here.
 */
import type { z } from 'zod'
import type { FastifyRequest } from 'fastify'
import { debtorQuery, type Contract, type Door } from '@kvitt/domain/contract.ts'
import { isReading } from '@kvitt/domain/sign-in/peek.contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { isUuid } from '@kvitt/domain/ids.ts'
import type { Context } from '../context.ts'
import type { Instance } from '../instances/instances.ts'
import {
  noForm,
  readInputs,
  type Answer,
  type Answered,
  type Asked,
  type Binding,
  type Call,
} from '../platform/http/call.ts'
import { readInput } from '../platform/http/read-input.ts'
import { untilGone } from '../platform/http/until-gone.ts'
import {
  principalAt,
  rightsOf,
  type ClientPrincipal,
  type OfficePrincipal,
  type OperatorMember,
} from '../staff/staff.ts'
import { noteLook } from './note-look.ts'
import { isPeekToken } from './peeks.ts'
import { hasPower, type Principal, type Visitor } from './principal.ts'
import { sessionOfRequest, staffOfRequest } from './session-of-request.ts'
import { authenticatePair, endFirstRead, meetPair, type Attempt, type Guarded } from './sign-in.ts'
import { selectorOf, type DebtorViewer, type PublicViewer, type UnprovenPair } from './viewer.ts'

type Authenticated<P> = { readonly principal: P; readonly setCookie: string | undefined }

/** Proves who makes a call before it does anything, or refuses. */
type Authenticate<P> = (asked: Asked) => Promise<Authenticated<P>>

/** One authenticator for each door. */
export type Authenticators<Behind> = { readonly [D in keyof Behind]: Authenticate<Behind[D]> }

/** Who stands behind each door once the guard has proven a pair. */
export type Proven = {
  readonly open: Visitor
  readonly public: PublicViewer
  readonly debtor: DebtorViewer
  readonly client: ClientPrincipal
  readonly admin: OperatorMember
}

/** The same where the call's own first read proves it. */
export type FirstRead = Omit<Proven, 'public'> & { readonly public: PublicViewer | UnprovenPair }

export const AUTHENTICATORS: Authenticators<Proven> = {
  open: async (asked) => ({
    principal: { kind: 'visitor', instance: instanceOf(asked) },
    setCookie: undefined,
  }),
  public: (asked) => authenticatePair(guardOf(asked), attemptOf(asked)),
  debtor: async (asked) => {
    // A path that is spelled so that the door's own check does not know it is no way around the session.
    const session = sessionOfRequest(asked.request)
    if (!session) throw new Refusal('not_signed_in')
    const { id } = asked.request.params as { id?: string }
    const { paymentReference: reference, zip } = readInput(debtorQuery, asked.request.query)
    const selector = selectorOf({ reference, zip, id })
    return {
      principal: { kind: 'debtor', instance: instanceOf(asked), session, selector },
      setCookie: undefined,
    }
  },
  client: async (asked) => {
    const staff = staffOfRequest(asked.request)
    if (!staff) throw new Refusal('not_signed_in')
    if (staff.kind === 'api_key') return { principal: staff, setCookie: undefined }
    // An operator's staff has its own door.
    if (staff.creditorId === null) throw new Refusal('not_allowed')
    return { principal: staff, setCookie: undefined }
  },
  admin: async (asked) => {
    const staff = staffOfRequest(asked.request)
    if (!staff) throw new Refusal('not_signed_in')
    if (staff.kind === 'api_key' || staff.creditorId !== null) throw new Refusal('not_allowed')
    return { principal: staff, setCookie: undefined }
  },
}

const FIRST_READ: Authenticators<FirstRead> = {
  ...AUTHENTICATORS,
  public: (asked) => meetPair(guardOf(asked), attemptOf(asked)),
}

/** Binds a call whose pair the guard proves. */
export function bind<
  Query extends z.ZodType,
  Body extends z.ZodType,
  Response extends z.ZodType,
  D extends Door,
>(
  contract: Contract<Query, Body, Response, D, 'guard'>,
  handler: Handler<Proven[D], Contract<Query, Body, Response>>,
): Binding {
  return bindWith(AUTHENTICATORS, contract, handler)
}

/** Binds a call whose own first read takes the guess that the pair is. */
export function bindFirstRead<
  Query extends z.ZodType,
  Body extends z.ZodType,
  Response extends z.ZodType,
  D extends Door,
>(
  contract: Contract<Query, Body, Response, D, 'first_read'>,
  handler: Handler<FirstRead[D], Contract<Query, Body, Response>>,
): Binding {
  return bindWith(FIRST_READ, contract, handler)
}

/** Finds the row that a call of staff is about, named by `:id` in its path, or refuses `not_found`. */
type Find<Row, P = ClientPrincipal> = (context: Context, principal: P, id: string) => Promise<Row>

/**
 * Binds a call of staff about one row. The row is looked for before anything else of the call is read: whoever may
 * not see it learns nothing from what they sent. An operator's staff does it for the creditor whose row it is.
 */
export function bindRow<
  Query extends z.ZodType,
  Body extends z.ZodType,
  Response extends z.ZodType,
  D extends 'client' | 'admin',
  Row,
>(
  contract: Contract<Query, Body, Response, D, 'guard'>,
  find: Find<Row>,
  handler: (
    call: Call<ClientPrincipal, z.output<Query>, z.output<Body>> & { readonly row: Row },
  ) => Promise<Answer<z.output<Response>>>,
): Binding {
  return bindFound<Query, Body, Response, D, Row, ClientPrincipal>(
    contract,
    {
      find,
      principalAt: ({ db }, principal, id) => principalAt(db, principal, contract, id),
    },
    handler,
  )
}

/** The same for a row that is no one creditor's, such as a debtor: an operator's staff has it as it is for all of them. */
export function bindSharedRow<
  Query extends z.ZodType,
  Body extends z.ZodType,
  Response extends z.ZodType,
  D extends 'client' | 'admin',
  Row,
>(
  contract: Contract<Query, Body, Response, D, 'guard'>,
  find: Find<Row, Proven[D]>,
  handler: (
    call: Call<Proven[D], z.output<Query>, z.output<Body>> & { readonly row: Row },
  ) => Promise<Answer<z.output<Response>>>,
): Binding {
  return bindFound<Query, Body, Response, D, Row, Proven[D]>(
    contract,
    { find, principalAt: (_context, principal) => principal as Proven[D] },
    handler,
  )
}

function bindFound<
  Query extends z.ZodType,
  Body extends z.ZodType,
  Response extends z.ZodType,
  D extends 'client' | 'admin',
  Row,
  P extends OfficePrincipal,
>(
  contract: Contract<Query, Body, Response, D, 'guard'>,
  {
    find,
    principalAt,
  }: {
    readonly find: Find<Row, P>
    readonly principalAt: (context: Context, principal: OfficePrincipal, id: string) => P | Promise<P>
  },
  handler: (
    call: Call<P, z.output<Query>, z.output<Body>> & { readonly row: Row },
  ) => Promise<Answer<z.output<Response>>>,
): Binding {
  const found = new WeakMap<FastifyRequest, { readonly row: Row; readonly principal: P }>()
  const before = async ({ context, request }: Asked, asking: OfficePrincipal): Promise<void> => {
    const { id = '' } = request.params as { id?: string }
    if (!isUuid(id)) throw new Refusal('not_found')
    const principal = await principalAt(context, asking, id)
    const row = await find(context, principal, id)
    requireVersion(row, request.body)
    found.set(request, { row, principal })
  }
  const handle = (call: Call<Proven[D], z.output<Query>, z.output<Body>>) => {
    const at = found.get(call.request)
    if (!at) throw new Error(`${contract.name} was answered before its row was found`)
    return handler({ ...call, ...at })
  }
  return bindWith<Query, Body, Response, D, Proven>(AUTHENTICATORS, contract, handle, (asked, principal) =>
    before(asked, principal),
  )
}

/** Whoever changes what somebody else has changed meanwhile hears that before what is wrong with their own change. */
function requireVersion(row: unknown, body: unknown): void {
  const [kept, sent] = [row, body].map((of) =>
    typeof of === 'object' && of !== null && 'version' in of ? of.version : undefined,
  )
  if (typeof kept === 'number' && Number.isInteger(sent) && kept !== sent)
    throw new Refusal('changed_meanwhile', {}, ['version'])
}

type Handler<P, C extends Contract> = (
  call: Call<P, z.output<C['query']>, z.output<C['body']>>,
) => Promise<Answer<z.output<C['response']>>>

function bindWith<
  Query extends z.ZodType,
  Body extends z.ZodType,
  Response extends z.ZodType,
  D extends Door,
  Behind extends Readonly<Record<Door, Principal>>,
>(
  authenticators: Authenticators<Behind>,
  contract: Contract<Query, Body, Response, D>,
  handler: Handler<Behind[D], Contract<Query, Body, Response>>,
  before?: (asked: Asked, principal: Behind[D]) => Promise<void>,
): Binding {
  const routes = contract.doors.map((door) => {
    const authenticate: Authenticate<Behind[D]> = authenticators[door]
    const answer = async (asked: Asked): Promise<Answered> => {
      refuseToPeek(asked, contract, door)
      const { principal, setCookie } = await authenticate(asked)
      // After a pair has proven right: a stranger does not learn what the instance keeps.
      if (!hasPower(principal, contract.power)) throw new Refusal('eid_required')
      requireRight(principal, contract)
      await before?.(asked, principal)
      try {
        const { query, body, form } = readInputs(asked, contract)
        const own = { untilGone: () => untilGone(asked.reply), receive: form?.receive ?? noForm }
        const { context, request } = asked
        let given: unknown
        try {
          given = await handler({ context, principal, query, body, request, ...own })
        } finally {
          await form?.close()
        }
        if (principal.kind === 'unproven' && !principal.isTaken) {
          throw new Error(`${contract.name} says that its first read takes the guess, and it did not`)
        }
        await noteLook(asked, contract, { principal, given })
        return { given, query, setCookie }
      } catch (error) {
        // Whoever is not let in hears that first, whatever they sent.
        if (principal.kind === 'unproven') await endFirstRead(asked.context.db, principal)
        throw error
      }
    }
    return { door, answer }
  })
  return { contract, routes }
}

/**
 * Whoever looks as a debtor would only reads, or ends it, behind the debtor's door or where no door is: a pair is never guessed with a peek.
 * Decided by what was proven there and by what was sent elsewhere, before anything of the call is read.
 */
function refuseToPeek({ request }: Asked, contract: Contract, door: Door): void {
  const isPeek =
    door === 'debtor'
      ? sessionOfRequest(request)?.peek !== undefined
      : isPeekToken(request.headers.authorization)
  if (!isPeek || (contract.name === 'logout' && door === 'debtor')) return
  if (!isReading(contract) || door === 'public') throw new Refusal('view_is_read_only')
}

/** A call of staff is made by whoever's role has the right that its contract names; one that names none, by nobody. */
function requireRight(principal: Principal, { right }: Contract): void {
  if (principal.kind !== 'staff' && principal.kind !== 'api_key') return
  if (right === undefined || !rightsOf(principal).includes(right)) throw new Refusal('not_allowed')
}

/** Every tenant here came from `instances.ofHost`. */
function instanceOf({ tenant }: Asked): Instance {
  return tenant as Instance
}

function guardOf({ context }: Asked): Guarded {
  return { db: context.db, clock: context.clock, key: context.guessKey }
}

/** The pair of a path, at an instance that takes pairs: else nobody learns here which one is right. */
function attemptOf(asked: Asked): Attempt {
  const instance = instanceOf(asked)
  if (!instance.row.logins.includes('PAYMENT_REFERENCE')) throw new Refusal('eid_required')
  const { request } = asked
  const { paymentReference = '', zip = '' } = request.params as Record<string, string>
  const { cookie, 'challenge-solution': solution } = request.headers
  return {
    reference: paymentReference,
    zip,
    instance,
    address: request.ip,
    cookie,
    isHttps: request.isHttps,
    solution: solution === undefined ? undefined : String(solution),
  }
}
