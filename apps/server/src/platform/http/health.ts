/** For whoever watches over the process: alive, ready, and what it measures. */
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Context } from '../../context.ts'
import type { Clock } from '../clock.ts'
import type { Connection } from '../database/database.ts'
import { requireLoopback } from './loopback.ts'
import { measureFileQueues } from '../files/file-queue.ts'
import type { Readiness } from '../database/readiness.ts'

/** What a feature counts whenever somebody looks. */
export type Measure = {
  readonly name: string
  readonly help: string
  readonly count: (db: Connection, clock: Clock) => Promise<number>
}

/** What health does not know by itself. */
type Watched = {
  readonly measures: readonly Measure[]
  readonly readiness: Readiness
  /** Counted elsewhere, told here. */
  readonly counters: readonly (Counter | Gauge)[]
}

/** These are answered without knowing whose host was asked: they must not wait for the database. */
export const isProbe = (url: string): boolean => /^\/(livez|readyz)(\?|$)/.test(url)

/** `/livez`, `/readyz` and, on loopback only, `/metrics`. */
export function serveHealth(app: FastifyInstance, context: Context, watched: Watched): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  measureFileQueues(registry)
  for (const counter of watched.counters) registry.registerMetric(counter)
  const requests = new Histogram({
    name: 'kvitt_request_seconds',
    help: 'Time to answer a request',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  const refusals = new Counter({
    name: 'kvitt_client_errors_total',
    help: 'Answers from 400 to 499',
    labelNames: ['route', 'status'],
    registers: [registry],
  })
  const gauges = watched.measures.map(({ name, help, count }) => ({
    gauge: new Gauge({ name, help, registers: [registry] }),
    count,
  }))
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    const status = String(reply.statusCode)
    requests.observe({ method: request.method, route, status }, reply.elapsedTime / 1000)
    if (reply.statusCode >= 400 && reply.statusCode < 500) refusals.inc({ route, status })
  })
  app.get('/livez', async (_request, reply) => reply.type('text/plain').send('alive\n'))
  app.get('/readyz', async (_request, reply) => {
    if (!(await watched.readiness.isReady())) throw new Refusal('unavailable')
    return reply.type('text/plain').send('ready\n')
  })
  app.get('/metrics', async (request, reply) => {
    requireLoopback(request)
    for (const { gauge, count } of gauges) gauge.set(await countOrSay(context, count))
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

async function countOrSay({ db, clock, log }: Context, count: Measure['count']): Promise<number> {
  try {
    return await count(db, clock)
  } catch (error) {
    log.error({ err: error }, 'the database does not answer')
    throw new Refusal('unavailable')
  }
}
