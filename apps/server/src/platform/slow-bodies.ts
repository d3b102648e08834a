/**
 * How long a body may take. Node has one limit for all requests, and a photograph from a telephone takes longer than
 * anything else may.
 */
import type { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** Node's limit, in milliseconds: 10 MB at half a megabit a second. */
export const SLOWEST_FORM = 180_000
const SLOWEST_BODY = 30_000

/** Ends the line of whoever sends a body without a file for too long, as Node does after its own limit. */
export function limitBodyTime({ raw }: FastifyRequest, answer: (error: Error, socket: Socket) => void): void {
  // Without either of these there is no body, and nothing ends.
  if (!('content-length' in raw.headers || 'transfer-encoding' in raw.headers)) return
  const timer = setTimeout(() => answer(new Error('the body takes too long'), raw.socket), SLOWEST_BODY)
  timer.unref()
  const stop = (): void => clearTimeout(timer)
  raw.once('end', stop).once('close', stop)
}
