/** Where a contract is found. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Contract, Door } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'

/** The path of a contract behind one of its doors. */
export function pathOf(contract: Contract, door: Door): string {
  if (door === 'open') return `/api${contract.path}`
  const { subject } = contract
  if (door === 'public') return `/api/public/${subject}/:paymentReference/:zip${contract.path}`
  if (door === 'client' || door === 'admin') return `/api/${door}${contract.path}`
  return `/api/debtor${subject ? `/${subject}` : ''}${contract.path}`
}

/** The router knows no longer part of a path. */
export const LONGEST_PART = 200

/** Stands a reference and a zip in this path, however they are written? */
export const namesPair = (path: string): boolean =>
  /^\/api\/public\/(?:invoices|collection-batches)\//.test(path)

/** Every path of a contract: behind the debtor's door some have a second one (A-26). */
export function pathsOf(contract: Contract, door: Door): string[] {
  const path = pathOf(contract, door)
  const hasId = door === 'debtor' && contract.byId
  return hasId ? [path, `/api/debtor/${contract.subject}/:id${contract.path}`] : [path]
}

type Bindings = readonly { readonly contract: Contract }[]

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const

/** 405 where the path exists under another method, else the neutral 404. */
export function whyNotFound(
  app: FastifyInstance,
  bindings: Bindings,
  request: FastifyRequest,
  reply: FastifyReply,
): Refusal {
  const path = request.url.split('?', 1)[0] ?? ''
  // The router gives up at a part that is too long: as a pair it is one that nobody has.
  const isLong = path.split('/').some((part) => part.length > LONGEST_PART)
  if (request.tenant && isLong && namesPair(path)) return new Refusal('login_error::invalid_data')
  const allowed = METHODS.filter((method) => isCall(app, method, path) || matches(bindings, method, path))
  if (
    request.tenant &&
    path.startsWith('/api/') &&
    allowed.length > 0 &&
    !allowed.includes(request.method as 'GET')
  ) {
    reply.header('allow', allowed.join(', '))
    return new Refusal('method_not_allowed')
  }
  return new Refusal('not_found')
}

/** The portals' pages stand wherever nothing else does: that is no call. */
function isCall(app: FastifyInstance, method: (typeof METHODS)[number], url: string): boolean {
  const found: Pick<ReturnType<FastifyInstance['findRoute']>, 'params'> | null = app.findRoute({
    method,
    url,
  })
  return found !== null && !('*' in found.params)
}

function matches(bindings: Bindings, method: string, path: string): boolean {
  return bindings.some(({ contract }) =>
    contract.doors
      .filter(() => contract.method === method)
      .flatMap((door) => pathsOf(contract, door))
      .some((pattern) => new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`).test(path)),
  )
}
