/** For whoever watches over the process: alive, ready, and what it measures. */
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Counter, Histogram, Registry, type Gauge } from 'prom-client'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Context } from '../../context.ts'
import { measureCounterparties } from '../counterparties/circuit-breaker.ts'
import type { Readiness } from '../database/readiness.ts'
import { measureFileQueues } from '../files/file-queue.ts'
import { measureJobs } from '../jobs.ts'
import { openAllWorkers } from '../measures/all-workers.ts'
import { openMeasures, type Measure, type MeasureGroup } from '../measures/measures.ts'
import { measurePools, type Pools } from '../measures/pools.ts'
import { requireWatcher } from './loopback.ts'

/** What health does not know by itself. */
export type Watched = {
  readonly measures: readonly (Measure | MeasureGroup)[]
  /** How long what was read from the database is told again, in milliseconds. */
  readonly keptMs: number
  readonly pools: Pools
  readonly readiness: Readiness
  /** Counted elsewhere, told here. */
  readonly counters: readonly (Counter | Gauge)[]
}

/** These are answered without knowing whose host was asked: they must not wait for the database. */
export const isProbe = (url: string): boolean => /^\/(livez|readyz|metrics)(\?|$)/.test(url)

/** `/livez`, `/readyz` and, for whoever watches over the process, `/metrics`: also while the database is away. */
export function serveHealth(app: FastifyInstance, context: Context, watched: Watched): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  measureFileQueues(registry)
  measureCounterparties(registry)
  measureJobs(registry)
  measurePools(registry, watched.pools)
  for (const counter of watched.counters) registry.registerMetric(counter)
  const requests = new Histogram({
    name: 'kvitt_request_seconds',
    help: 'Time to answer a request',
    labelNames: ['method', 'route', 'status'],
    // 0.3 is what is promised of a read (deploy/prometheus/alerts.yml).
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.3, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  const refusals = new Counter({
    name: 'kvitt_client_errors_total',
    help: 'Answers from 400 to 499',
    labelNames: ['route', 'status'],
    registers: [registry],
  })
  const measures = openMeasures(registry, watched.measures, {
    ...context,
    pools: Object.values(watched.pools),
    keptMs: watched.keptMs,
  })
  const own = { registry, refresh: () => measures.refresh() }
  const tellAll = context.config.workers > 1 ? openAllWorkers(own) : undefined
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
    requireWatcher(request, context.config.metricsToken)
    reply.type(registry.contentType)
    if (tellAll) return reply.send(await tellAll())
    await measures.refresh()
    return reply.send(await registry.metrics())
  })
}
