/** What is counted in the database whenever somebody looks, and kept for a while: who asks often costs it nothing more. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Gauge, type Registry } from 'prom-client'
import type { Clock } from '../clock.ts'
import { isDatabaseAway } from '../database/database-away.ts'
import { statement, type Connection } from '../database/database.ts'
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
  readonly db: Connection
  readonly clock: Clock
  readonly log: Log
  /** How long what was read is told again, in milliseconds. */
  readonly keptMs: number
}

/** Who scrapes gives up after ten seconds as a rule: what needs no database is told long before. */
const PATIENCE_MS = 3_000

const probe = statement('measures.probe', 'select 1 as one')

const groupOf = ({ name, help, count }: Measure): MeasureGroup => ({
  gauges: [{ name, help, labels: [] }],
  read: async (db, clock) => ({ [name]: [[{}, await count(db, clock)]] }),
})

/** How it went is measured too: what could not be read is left out, and nothing old stands in its place. */
function openOutcome(registry: Registry) {
  const gauge = (name: string, help: string): Gauge => new Gauge({ name, help, registers: [registry] })
  return {
    isUp: gauge('kvitt_database_up', '1 when the database has answered this process lately, else 0'),
    lost: gauge(
      'kvitt_measures_lost',
      'Groups of measures that could not be read from the database last time',
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

/** Lets `registry` tell of `measures`. */
export function openMeasures(
  registry: Registry,
  measures: readonly (Measure | MeasureGroup)[],
  { db, clock, log, keptMs }: MeasuresOptions,
): Measures {
  const outcome = openOutcome(registry)
  const groups = measures
    .map((one) => ('count' in one ? groupOf(one) : one))
    .map(({ gauges, read }) => ({ read, gauges: gauges.map((named) => openGauge(registry, named)) }))
  const forget = (): void => {
    for (const { gauges } of groups) for (const gauge of gauges) gauge.tell([])
  }
  forget()
  let readAtMs = Number.NEGATIVE_INFINITY
  let underWay: Promise<void> | undefined
  let hasAnswered = false

  /** Throws when the database is away. */
  async function readGroup({ read, gauges }: (typeof groups)[number]): Promise<boolean> {
    try {
      const samples = await read(db, clock)
      for (const gauge of gauges) gauge.tell(samples[gauge.name] ?? [])
      return true
    } catch (error) {
      if (isDatabaseAway(error)) throw error
      log.error({ err: error, metrics: gauges.map(({ name }) => name) }, 'measures not read')
      for (const gauge of gauges) gauge.tell([])
      return false
    }
  }
  async function read(): Promise<void> {
    const beganMs = performance.now()
    hasAnswered = false
    try {
      await db.rows(probe)
      hasAnswered = true
      outcome.isUp.set(1)
      let lost = 0
      // One after the other, on one connection of those that requests use.
      for (const group of groups) if (!(await readGroup(group))) lost += 1
      outcome.lost.set(lost)
      readAtMs = performance.now()
      outcome.seconds.set((readAtMs - beganMs) / 1000)
    } catch (error) {
      log.error({ err: error }, 'the database does not answer')
      outcome.isUp.set(0)
      outcome.lost.set(groups.length)
      forget()
    } finally {
      underWay = undefined
    }
  }
  return {
    async refresh() {
      if (performance.now() - readAtMs < keptMs) return
      underWay ??= read()
      const giveUp = new AbortController()
      const late = sleep(PATIENCE_MS, true, { signal: giveUp.signal, ref: false }).catch(() => false)
      const isLate = await Promise.race([underWay.then(() => false), late])
      giveUp.abort()
      if (!isLate) return
      // It goes on, and whoever asks next waits for it again.
      forget()
      if (!hasAnswered) outcome.isUp.set(0)
    },
  }
}
