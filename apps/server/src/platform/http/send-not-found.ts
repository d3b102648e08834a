/** What stands at a path where no call is. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Contract } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { LONGEST_PART, namesPair, pathsOf } from './paths.ts'

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
