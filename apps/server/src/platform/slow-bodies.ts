/**
 * How long a body may take. Node has one limit for all requests, and a photograph from a telephone takes longer than
 * anything else may.
 */
import { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { BODY_MS } from './limits.ts'

/** Ends the line of whoever sends a body without a file for too long, as Node does after its own limit. */
export function limitBodyTime({ raw }: FastifyRequest, answer: (error: Error, socket: Socket) => void): void {
  // Without either of these there is no body, and nothing ends.
  if (!('content-length' in raw.headers || 'transfer-encoding' in raw.headers)) return
  // A request that is made inside the program has no line.
  if (!(raw.socket instanceof Socket)) return
  const timer = setTimeout(() => answer(new Error('the body takes too long'), raw.socket), BODY_MS)
  timer.unref()
  const stop = (): void => clearTimeout(timer)
  raw.once('end', stop).once('close', stop)
}
