/**
 * How long a body may take. Node has one limit for all requests, and a photograph from a telephone takes longer than
 * anything else may.
 */
import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { BODY_MS, LOOK_MS } from './limits.ts'

export type BodyWatch = {
  /** A request without a file has come. */
  begin(request: IncomingMessage): void
  /** It is answered, or its caller has gone. */
  end(request: IncomingMessage): void
  stop(): void
}

/** Ends the line of whoever sends a body for too long, as Node does after its own limit. A timer for each would cost every call. */
export function watchBodies(
  answer: (error: Error, socket: Socket) => void,
  { bodyMs, lookMs } = { bodyMs: BODY_MS, lookMs: LOOK_MS },
): BodyWatch {
  const begun = new Map<IncomingMessage, number>()
  const timer = setInterval(() => {
    const now = performance.now()
    for (const [request, since] of begun) {
      if (request.complete || request.destroyed) begun.delete(request)
      else if (now - since >= bodyMs) {
        begun.delete(request)
        answer(new Error('the body takes too long'), request.socket)
      }
    }
  }, lookMs)
  timer.unref()
  return {
    begin(request) {
      // Without either of these there is no body, and nothing ends.
      if (!('content-length' in request.headers || 'transfer-encoding' in request.headers)) return
      // A request that is made inside the program has no line.
      if (request.socket instanceof Socket) begun.set(request, performance.now())
    },
    // One that is answered before it has come is still watched.
    end(request) {
      if (request.complete) begun.delete(request)
    },
    stop: () => clearInterval(timer),
  }
}
