/** For whoever watches over the process: alive, ready, and what it measures. */
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Context } from '../../context.ts'
import type { Clock } from '../clock.ts'
import { statement, type Connection } from '../database/database.ts'
import { requireLoopback } from './loopback.ts'
import { measureFileQueues } from '../files/file-queue.ts'
import type { Readiness } from '../database/readiness.ts'

const probe = statement(
  'health.probe',
  `select (select count(*)::int from payment where status in ('CREATED', 'IN_PROGRESS')) as unsigned_payments,
     (select count(*)::int from gateway_event where applied_at is null and parked_reason is null) as waiting_events,
     (select coalesce(sum(cardinality(n.awaited_accounts)), 0)::int from instance i cross join lateral (
        select awaited_accounts from collection_night where instance_id = i.id order by day desc limit 1) n) as awaited_accounts`,
)

type Probe = { unsigned_payments: number; waiting_events: number; awaited_accounts: number }

/** What health does not know by itself. */
type Watched = {
  readonly countOpenTasks: (
    db: Connection,
    clock: Clock,
  ) => Promise<{ readonly open: number; readonly aside: number }>
  /** Instances whose budget of guesses is used up, so that who is not known there has to solve a challenge. */
  readonly countClosedInstances: (db: Connection, clock: Clock) => Promise<number>
  readonly countMissingFiles: (db: Connection, clock: Clock) => Promise<number>
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
  const gauges = {
    unsigned_payments: gauge(registry, 'kvitt_payments_unsigned', 'Payments made and not signed yet'),
    waiting_events: gauge(registry, 'kvitt_gateway_events_waiting', 'Gateway events not applied yet'),
    awaited_accounts: gauge(
      registry,
      'kvitt_bank_accounts_awaited',
      'Accounts for whose files the last night left debts waiting',
    ),
  }
  const openTasks = gauge(registry, 'kvitt_operator_tasks_open', 'Matters that a person must look at now')
  const tasksAside = gauge(
    registry,
    'kvitt_operator_tasks_aside',
    'Matters that a person has put aside until a day to come',
  )
  const closed = gauge(
    registry,
    'kvitt_guess_breakers_open',
    'Instances where strangers have to solve a challenge',
  )
  const missingFiles = gauge(
    registry,
    'kvitt_bank_files_missing',
    'Files of accounts that nights go on without',
  )
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
    const values = await readProbe(context)
    for (const name of Object.keys(gauges) as (keyof Probe)[]) gauges[name].set(values[name])
    const { open, aside } = await watched.countOpenTasks(context.db, context.clock)
    openTasks.set(open - aside)
    tasksAside.set(aside)
    closed.set(await watched.countClosedInstances(context.db, context.clock))
    missingFiles.set(await watched.countMissingFiles(context.db, context.clock))
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

function gauge(registry: Registry, name: string, help: string): Gauge {
  return new Gauge({ name, help, registers: [registry] })
}

async function readProbe(context: Context): Promise<Probe> {
  try {
    const row = (await context.db.rows<Probe>(probe))[0]
    if (row) return row
  } catch (error) {
    context.log.error({ err: error }, 'the database does not answer')
  }
  throw new Refusal('unavailable')
}
