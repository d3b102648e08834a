/**
 * How often a program calls: each process counts for itself, in memory, by whole minutes. It keeps one program from
 * taking the server from the others; it is no lock.
 */
import type { FastifyReply } from 'fastify'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Clock } from '../platform/clock.ts'

/** Calls of one key in a minute. */
export const CALLS_A_MINUTE = 600
const MINUTE_MS = 60_000

export type CallBudget = (keyId: string, reply: FastifyReply) => void

/**
 * Counts a call and says in the answer's `RateLimit` headers what is left (draft-ietf-httpapi-ratelimit-headers-10). Refuses
 * `calls_throttled`.
 */
export function openCallBudget(clock: Pick<Clock, 'now'>): CallBudget {
  let [minute, counts] = [0, new Map<string, number>()]
  return (keyId, reply) => {
    const now = clock.now()
    const current = Math.floor(now / MINUTE_MS)
    if (current !== minute) [minute, counts] = [current, new Map()]
    const count = (counts.get(keyId) ?? 0) + 1
    counts.set(keyId, count)
    const seconds = Math.ceil(((current + 1) * MINUTE_MS - now) / 1000)
    reply.header('ratelimit-policy', `"minute";q=${CALLS_A_MINUTE};w=60`)
    reply.header('ratelimit', `"minute";r=${Math.max(0, CALLS_A_MINUTE - count)};t=${seconds}`)
    if (count <= CALLS_A_MINUTE) return
    reply.header('retry-after', String(seconds))
    throw new Refusal('calls_throttled')
  }
}
