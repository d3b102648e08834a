/**
 * Two releases side by side: a page of one release calls a process of another. Each page says which contract it was made for; what a
 * process of another contract would call a mistake of the page is told apart from one, so that the page can ask again, or be loaded anew.
 */
import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal, type ErrorCode } from '@kvitt/domain/errors.ts'
import type { OpenApi } from './openapi.ts'

const ids = new WeakMap<OpenApi, string>()

/** Names all calls with what goes in and out: two releases with the same calls have the same contract. */
export function contractIdOf(api: OpenApi): string {
  const known = ids.get(api)
  if (known) return known
  const id = createHash('sha256').update(JSON.stringify(api.paths)).digest('hex').slice(0, 12)
  ids.set(api, id)
  return id
}

/** What a page may be told only because its release has other calls, or sends other fields or values to one. */
const OF_NO_CALL: readonly ErrorCode[] = ['not_found', 'method_not_allowed']
const OF_INPUT: readonly ErrorCode[] = ['unknown_field', 'invalid_request']

type Told = {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** Is there such a call here? What one does not find is not there for any release. */
  readonly isCall: boolean
}

/**
 * The refusal as a page of another contract is told it; any other as it is. Nothing was done, so such a page asks again, and most likely
 * at a process of its own release.
 * @param contract of this process
 */
export function toldToPage(refusal: Refusal, contract: string, { request, reply, isCall }: Told): Refusal {
  const { 'x-contract': theirs } = request.headers
  if (
    typeof theirs !== 'string' ||
    !request.url.startsWith('/api/') ||
    theirs === contract ||
    !(isCall ? OF_INPUT : OF_NO_CALL).includes(refusal.code)
  )
    return refusal
  reply.header('x-other-contract', contract)
  return new Refusal('other_release')
}
