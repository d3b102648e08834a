/** What is counted in the database whenever somebody looks, and kept for a while: who asks often costs it nothing more. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Gauge, type Registry } from 'prom-client'
import type { Clock } from '../clock.ts'
import { DatabaseAway, isDatabaseAway } from '../database/database-away.ts'
import { statement, type Connection, type Database } from '../database/database.ts'
import type { Log } from '../log.ts'

export type Labels = Readonly<Record<string, string>>
/** One number of a metric, of what the labels name. */
export type Sample = readonly [labels: Labels, value: number]

/** What a feature counts whenever somebody looks: one number. */
export type Measure = {
  readonly name: string
  readonly help: string
  readonly count: (db: Connection, clock: Clock) => Promise<number>
}

type Named = {
  readonly name: string
  readonly help: string
  /** Names of few values each, and of nothing about a person. */
  readonly labels: readonly string[]
}

/** The same of several metrics at once, each by its labels. `read` answers samples by the names of `gauges`. */
export type MeasureGroup = {
  readonly gauges: readonly Named[]
  readonly read: (db: Connection, clock: Clock) => Promise<Readonly<Record<string, readonly Sample[]>>>
}

export type Measures = {
  /** Brings the registry up to date: from the database, or from what was read of it just before. Never throws. */
  refresh(): Promise<void>
}

type MeasuresOptions = {
  readonly db: Database
  /** All pools of the process: the database is up when it answers any of them. One may have no connection free. */
  readonly pools: readonly Connection[]
  readonly clock: Clock
  readonly log: Log
  /** How long what was read is told again, in milliseconds. */
  readonly keptMs: number
}

/** Who scrapes gives up after ten seconds as a rule: what needs no database is told long before. */
const PATIENCE_MS = 3_000
/** For each statement of a group, at the database. */
const STATEMENT_MS = 1_500
/** For a group, the wait for a free connection included. */
const GROUP_MS = 2_000
/** After a group that took too long or had no connection, for an answer to anything at all. */
const PROBE_MS = 1_000
/** A figure that is not read anew stands for this long, so that one slow round mutes no alarm. */
const LONGEST_KEPT_MS = 60_000

const probe = statement('measures.probe', 'select 1 as one')
const limit = statement('measures.limit', `set local statement_timeout = ${STATEMENT_MS}`)

const groupOf = ({ name, help, count }: Measure): MeasureGroup => ({
  gauges: [{ name, help, labels: [] }],
  read: async (db, clock) => ({ [name]: [[{}, await count(db, clock)]] }),
})

/** How it went is measured too: what could not be read is left out within a minute, and nothing old stands in its place. */
function openOutcome(registry: Registry) {
  const gauge = (name: string, help: string): Gauge => new Gauge({ name, help, registers: [registry] })
  return {
    isUp: gauge('kvitt_database_up', '1 when the database has answered this process lately, else 0'),
    lost: gauge(
      'kvitt_measures_lost',
      'Groups of measures that could not be read from the database last time, or not in time',
    ),
    seconds: gauge(
      'kvitt_measures_seconds',
      'How long reading the measures from the database took last time',
    ),
  }
}

function openGauge(registry: Registry, { name, help, labels }: Named) {
  const gauge = new Gauge({ name, help, labelNames: [...labels], registers: [registry] })
  return {
    name,
    /** These samples and no others: a number that nobody could read is no nought. */
    tell(samples: readonly Sample[]): void {
      if (labels.length === 0) gauge.remove()
      else gauge.reset()
      for (const [of, value] of samples) gauge.set(of, value)
    },
  }
}

/** The answer, or undefined when there is none after `ms`. Throws what `asked` throws until then. */
async function inTime<Answer>(asked: Promise<Answer>, ms: number): Promise<Answer | undefined> {
  asked.catch(() => {})
  const giveUp = new AbortController()
  const late = sleep(ms, undefined, { signal: giveUp.signal, ref: false }).catch(() => undefined)
  try {
    return await Promise.race([asked, late])
  } finally {
    giveUp.abort()
  }
}

/** Asks all pools, each of them once at a time, and answers with the first. Throws when none answers; it waits for the first of `pools`. */
function openProbe([first, ...others]: readonly Connection[]): () => Promise<true> {
  const underWay = new Map<Connection, Promise<true>>()
  const ask = (pool: Connection): Promise<true> => {
    const asked =
      underWay.get(pool) ??
      pool
        .rows(probe)
        .then(() => true as const)
        .finally(() => underWay.delete(pool))
    underWay.set(pool, asked)
    return asked
  }
  const askInTime = async (pool: Connection): Promise<true> => {
    if (await inTime(ask(pool), PATIENCE_MS)) return true
    throw new DatabaseAway('no answer in time')
  }
  return async () => {
    try {
      return await Promise.any([...(first ? [ask(first)] : []), ...others.map(askInTime)])
    } catch (error) {
      throw (error as AggregateError).errors[0]
    }
  }
}

type Group = {
  readonly read: MeasureGroup['read']
  readonly gauges: readonly ReturnType<typeof openGauge>[]
  /** When what it tells was asked for. */
  readAtMs: number
  /** It is not asked for a second time meanwhile. */
  underWay: Promise<true> | undefined
}

function openGroups(registry: Registry, measures: readonly (Measure | MeasureGroup)[]) {
  const groups = measures
    .map((one) => ('count' in one ? groupOf(one) : one))
    .map(
      ({ gauges, read }): Group => ({
        read,
        gauges: gauges.map((named) => openGauge(registry, named)),
        readAtMs: Number.NEGATIVE_INFINITY,
        underWay: undefined,
      }),
    )
  return {
    groups,
    /** What was read before `momentMs` is told no longer. */
    forgetBefore(momentMs: number): void {
      for (const { gauges, readAtMs } of groups)
        if (readAtMs < momentMs) for (const gauge of gauges) gauge.tell([])
    },
    /** How many were not read since. */
    lostSince: (momentMs: number): number => groups.filter(({ readAtMs }) => readAtMs < momentMs).length,
  }
}

async function readOf({ db, clock }: MeasuresOptions, group: Group): Promise<true> {
  const askedAtMs = performance.now()
  const samples = await db.transaction(async (tx) => {
    tx.send(limit)
    return group.read(tx, clock)
  })
  for (const gauge of group.gauges) gauge.tell(samples[gauge.name] ?? [])
  group.readAtMs = askedAtMs
  return true
}

/** Lets `registry` tell of `measures`. */
export function openMeasures(
  registry: Registry,
  measures: readonly (Measure | MeasureGroup)[],
  options: MeasuresOptions,
): Measures {
  const { log, keptMs, pools } = options
  const outcome = openOutcome(registry)
  const { groups, forgetBefore, lostSince } = openGroups(registry, measures)
  const answers = openProbe(pools)
  forgetBefore(Number.POSITIVE_INFINITY)
  let readAtMs = Number.NEGATIVE_INFINITY
  let beganMs = Number.NEGATIVE_INFINITY
  let underWay: Promise<void> | undefined
  let hasAnswered = false

  const tellAway = (): void => {
    outcome.isUp.set(0)
    outcome.lost.set(groups.length)
    forgetBefore(Number.POSITIVE_INFINITY)
  }
  /** Throws when the database is away. */
  async function readGroup(group: Group): Promise<void> {
    const metrics = group.gauges.map(({ name }) => name)
    try {
      group.underWay ??= readOf(options, group).finally(() => (group.underWay = undefined))
      if (await inTime(group.underWay, GROUP_MS)) return
      log.error({ metrics, afterMs: GROUP_MS }, 'measures not read')
    } catch (error) {
      log.error({ err: error, metrics }, 'measures not read')
      // Of a pool without a free connection the same is said as of a database that is away.
      if (!isDatabaseAway(error)) return
    }
    if (!(await inTime(answers(), PROBE_MS))) throw new DatabaseAway('nothing answers')
  }
  async function read(): Promise<void> {
    beganMs = performance.now()
    hasAnswered = false
    try {
      await answers()
      hasAnswered = true
      outcome.isUp.set(1)
      // One after the other, on one connection of those that requests use.
      for (const group of groups) await readGroup(group)
      readAtMs = performance.now()
      forgetBefore(readAtMs - LONGEST_KEPT_MS)
      outcome.lost.set(lostSince(beganMs))
      outcome.seconds.set((readAtMs - beganMs) / 1000)
    } catch (error) {
      log.error({ err: error }, 'the database does not answer')
      tellAway()
    } finally {
      underWay = undefined
    }
  }
  return {
    async refresh() {
      if (performance.now() - readAtMs < keptMs) return
      underWay ??= read()
      if (
        await inTime(
          underWay.then(() => true),
          PATIENCE_MS,
        )
      )
        return
      // It goes on, and whoever asks next waits for it again.
      if (!hasAnswered) return tellAway()
      forgetBefore(performance.now() - LONGEST_KEPT_MS)
      outcome.lost.set(lostSince(beganMs))
    },
  }
}
