/**
 * How long a whole call may take, whatever it waits for: waits for connections, for a host that takes writes and for answers add up over
 * what one call asks. And what it does again within that time, so that its caller need not.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Contract } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { HostAway } from './database/database-away.ts'
import { sendProblem } from './http/send-problem.ts'
import { routeForLog, type Log } from './log.ts'

/** Nobody waits longer than 30 seconds for an answer (operations.md); the way there and back takes some of them. */
const CALL_MS = 28_000
const LOOK_MS = 250
/** What begins anew after that would hardly be answered in time. */
const AGAIN_WITHIN_MS = 20_000
const MOST_TIMES = 3
const AGAIN_MS = 200

const begunAt = new WeakMap<FastifyRequest, number>()

export type CallWatch = {
  begin(request: FastifyRequest, reply: FastifyReply): void
  end(request: FastifyRequest): void
  stop(): void
}

/**
 * Answers 503 to whoever would wait longer than `callMs`. The call itself goes on: what it does is done or not, and its key tells.
 * One that makes a file is left (`isLong`), and so is one that is being answered. A timer for each would cost every call.
 */
export function watchCalls(log: Log, callMs = CALL_MS): CallWatch {
  const underWay = new Map<FastifyRequest, FastifyReply>()
  function giveUp(request: FastifyRequest, reply: FastifyReply): void {
    underWay.delete(request)
    if (request.isLong || reply.sent || reply.raw.headersSent) return
    log.error({ traceId: request.traceId, route: routeForLog(request) }, 'a call took too long')
    void sendProblem(request, reply, new Refusal('unavailable'))
  }
  const timer = setInterval(() => {
    const late = performance.now() - callMs
    // In the order in which they came.
    for (const [request, reply] of underWay) {
      if ((begunAt.get(request) ?? 0) > late) return
      giveUp(request, reply)
    }
  }, LOOK_MS)
  timer.unref()
  return {
    begin(request, reply) {
      begunAt.set(request, performance.now())
      underWay.set(request, reply)
    },
    end: (request) => void underWay.delete(request),
    stop: () => clearInterval(timer),
  }
}

/** What only reads, and what a key keeps from being done twice. */
export function mayAskAgain({ method, reads, takesKey }: Contract, { headers }: FastifyRequest): boolean {
  return method === 'GET' || reads === true || (takesKey === true && headers['idempotency-key'] !== undefined)
}

/**
 * Asks, and asks again when a host of several was lost over it, as the caller would. `ask` may be done twice: what the first one has done
 * is there or it is not.
 */
export async function askAgain<Given>(request: FastifyRequest, ask: () => Promise<Given>): Promise<Given> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask()
    } catch (error) {
      const since = performance.now() - (begunAt.get(request) ?? 0)
      if (!(error instanceof HostAway) || attempt >= MOST_TIMES || since > AGAIN_WITHIN_MS) throw error
      await sleep(AGAIN_MS)
    }
  }
}
