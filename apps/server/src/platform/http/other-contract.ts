/**
 * Two releases side by side: a page of one release calls a process of another. Each page says which contract it was made for; what a
 * process of another contract would call a mistake of the page is told apart from one, so that the page can ask again, or be loaded anew.
 */
import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal, type ErrorCode } from '@kvitt/domain/errors.ts'
import type { OpenApi } from './openapi.ts'
import { InputRefusal } from './read-input.ts'

const ids = new WeakMap<OpenApi, string>()

/** Names all calls with what goes in and out: two releases with the same calls have the same contract. */
export function contractIdOf(api: OpenApi): string {
  const known = ids.get(api)
  if (known) return known
  const id = createHash('sha256').update(JSON.stringify(api.paths)).digest('hex').slice(0, 12)
  ids.set(api, id)
  return id
}

/** What a page may be told only because its release has other calls. */
const OF_NO_CALL: readonly ErrorCode[] = ['not_found', 'method_not_allowed']

type Told = {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** Is there such a call here? What one does not find is not there for any release. */
  readonly isCall: boolean
}

/**
 * The refusal as a page of another contract is told it; any other as it is. Nothing was done, so such a page asks again, and most likely
 * at a process of its own release. A value that the contract refuses may be wrong in its release, too: whoever typed it is told which.
 * @param contract of this process
 */
export function toldToPage(refusal: Refusal, contract: string, { request, reply, isCall }: Told): Refusal {
  const { 'x-contract': theirs } = request.headers
  const isOfContract = isCall ? refusal instanceof InputRefusal : OF_NO_CALL.includes(refusal.code)
  if (
    typeof theirs !== 'string' ||
    theirs === '' ||
    !request.url.startsWith('/api/') ||
    theirs === contract ||
    !isOfContract
  )
    return refusal
  reply.header('x-other-contract', contract)
  const isOfValue = refusal instanceof InputRefusal && !refusal.isOfShape
  return isOfValue ? refusal : new Refusal('other_release')
}
