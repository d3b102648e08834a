/** What an operator's monitoring sees of each provider, before a debtor does. The provider is its alias; nothing is about a person. */
import { Gauge } from 'prom-client'
import { addDays, date } from '@kvitt/domain/calendar.ts'
import { ALL_TASKS, deadlineOf, TASK_KINDS } from '@kvitt/domain/tasks/task-kind.ts'
import type { Context } from '../context.ts'
import { readPrintQueue } from '../mail/mail.ts'
import type { Clock } from '../platform/clock.ts'
import type { MeasureGroup, Sample } from '../platform/measures/measures.ts'
import { openStore } from '../platform/store/open-store.ts'
import type { StorePlace } from '../platform/store/store.ts'
import { askWithin } from './asked-now-and-then.ts'
import { measureStores } from './store-measures.ts'
import {
  openTasksOf,
  readFiles,
  readMoney,
  readQueues,
  readRuns,
  readSuspense,
  readWaitingMail,
  type OpenTasksRow,
} from './watch.queries.ts'

/** Seconds since 1970 of the beginning of a day in UTC. */
const secondsOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1000

/** A sample where there is a value. */
const where = (labels: Readonly<Record<string, string>>, value: number | null): Sample[] =>
  value === null ? [] : [[labels, value]]

const RUNS: MeasureGroup = {
  gauges: [
    {
      name: 'kvitt_daily_run_waits',
      help: '1 while the daily run of today or of a day before has not ended, else 0',
      labels: ['provider'],
    },
    {
      name: 'kvitt_daily_run_ended_timestamp_seconds',
      help: 'When the last daily run ended, on the clock of the product',
      labels: ['provider'],
    },
    {
      name: 'kvitt_daily_run_seconds',
      help: 'How long the last daily run took, all its tries together',
      labels: ['provider'],
    },
  ],
  async read(db, clock) {
    const rows = await readRuns(db)
    return {
      kvitt_daily_run_waits: rows.map(({ provider, timeZone, day }) => [
        { provider },
        day === null || day < clock.today(timeZone) ? 1 : 0,
      ]),
      kvitt_daily_run_ended_timestamp_seconds: rows.flatMap(({ provider, endedAt }) =>
        where({ provider }, endedAt),
      ),
      kvitt_daily_run_seconds: rows.flatMap(({ provider, seconds }) => where({ provider }, seconds)),
    }
  },
}

const BANK: MeasureGroup = {
  gauges: [
    {
      name: 'kvitt_bank_file_timestamp_seconds',
      help: 'When the last file of a bank was taken in',
      labels: ['provider'],
    },
    {
      name: 'kvitt_bank_files_day',
      help: 'Files of banks that were taken in during the last 24 hours',
      labels: ['provider'],
    },
    {
      name: 'kvitt_suspense_lines',
      help: 'Payments of bank files that nobody could place, the 10,000 oldest of a provider',
      labels: ['provider', 'currency'],
    },
    {
      name: 'kvitt_suspense_minor',
      help: 'Their money, in minor units of the currency',
      labels: ['provider', 'currency'],
    },
    {
      name: 'kvitt_suspense_oldest_timestamp_seconds',
      help: 'The bank’s day of the oldest of them, at midnight UTC',
      labels: ['provider', 'currency'],
    },
  ],
  async read(db) {
    const [files, suspense] = [await readFiles(db), await readSuspense(db)]
    const inSuspense = suspense.map((row) => ({
      ...row,
      labels: { provider: row.provider, currency: row.currency },
    }))
    return {
      kvitt_bank_file_timestamp_seconds: files.flatMap(({ provider, lastAt }) => where({ provider }, lastAt)),
      kvitt_bank_files_day: files.map(({ provider, day }) => [{ provider }, day]),
      kvitt_suspense_lines: inSuspense.map(({ labels, lines }) => [labels, lines]),
      kvitt_suspense_minor: inSuspense.map(({ labels, minor }) => [labels, minor]),
      kvitt_suspense_oldest_timestamp_seconds: inSuspense.map(({ labels, day }) => [labels, secondsOf(day)]),
    }
  },
}

const MONEY: MeasureGroup = {
  gauges: [
    {
      name: 'kvitt_money_in_today',
      help: 'Payments booked on the provider’s day of today, by the account that they came to',
      labels: ['provider', 'currency', 'method'],
    },
    {
      name: 'kvitt_money_in_today_minor',
      help: 'Their money, in minor units of the currency',
      labels: ['provider', 'currency', 'method'],
    },
  ],
  async read(db, clock) {
    const rows = (await readMoney(db, clock)).map(({ provider, currency, method, n, minor }) => ({
      labels: { provider, currency, method },
      n,
      minor,
    }))
    return {
      kvitt_money_in_today: rows.map(({ labels, n }) => [labels, n]),
      kvitt_money_in_today_minor: rows.map(({ labels, minor }) => [labels, minor]),
    }
  },
}

const OUTBOX: MeasureGroup = {
  gauges: [
    {
      name: 'kvitt_messages_waiting',
      help: 'Messages that wait, of the 10,000 that are due first',
      labels: ['provider', 'way'],
    },
    {
      name: 'kvitt_messages_oldest_seconds',
      help: 'For how long the oldest of them has waited',
      labels: ['provider', 'way'],
    },
  ],
  async read(db) {
    const rows = await readWaitingMail(db)
    return {
      kvitt_messages_waiting: rows.map(({ provider, way, waiting }) => [{ provider, way }, waiting]),
      kvitt_messages_oldest_seconds: rows.map(({ provider, way, oldest }) => [{ provider, way }, oldest]),
    }
  },
}

const QUEUES: MeasureGroup = {
  gauges: [
    {
      name: 'kvitt_queue_waiting',
      help: 'What waits for a job, 10,000 of a queue at most; a queue in which nothing waits is left out',
      labels: ['provider', 'queue'],
    },
    {
      name: 'kvitt_queue_oldest_seconds',
      help: 'For how long the oldest of a queue has waited; an import counts from its upload',
      labels: ['provider', 'queue'],
    },
  ],
  async read(db) {
    const rows = await readQueues(db)
    return {
      kvitt_queue_waiting: rows.map(({ provider, queue, waiting }) => [{ provider, queue }, waiting]),
      kvitt_queue_oldest_seconds: rows.map(({ provider, queue, oldest }) => [{ provider, queue }, oldest]),
    }
  },
}

type OpenTasks = {
  readonly labels: { readonly provider: string; readonly kind: string; readonly solver: string }
  open: number
  late: number
  /** The first last day; null where the kind has none. */
  deadline: string | null
}

function tasksByKind(rows: readonly OpenTasksRow[], clock: Clock): OpenTasks[] {
  const found = new Map<string, OpenTasks>()
  for (const { provider, kind, madeOn, country, timeZone, tasks } of rows) {
    const key = `${provider} ${kind}`
    const labels = { provider, kind, solver: TASK_KINDS[kind].solver }
    const of = found.get(key) ?? { labels, open: 0, late: 0, deadline: null }
    const deadline = deadlineOf(kind, date(madeOn), country)
    of.open += tasks
    if (deadline !== null && deadline < clock.today(timeZone)) of.late += tasks
    if (deadline !== null && (of.deadline === null || deadline < of.deadline)) of.deadline = deadline
    found.set(key, of)
  }
  return [...found.values()]
}

const readOpenTasks = openTasksOf(ALL_TASKS)

const TASKS: MeasureGroup = {
  gauges: [
    {
      name: 'kvitt_tasks_open',
      help: 'Open tasks, also those that are put aside, 10,000 of a kind at most; solver is who has to solve them',
      labels: ['provider', 'kind', 'solver'],
    },
    {
      name: 'kvitt_tasks_late',
      help: 'Those of them whose last day is over',
      labels: ['provider', 'kind', 'solver'],
    },
    {
      name: 'kvitt_tasks_deadline_timestamp_seconds',
      help: 'The end of the first last day among them, at midnight UTC',
      labels: ['provider', 'kind', 'solver'],
    },
  ],
  async read(db, clock) {
    const tasks = tasksByKind(await readOpenTasks(db), clock)
    return {
      kvitt_tasks_open: tasks.map(({ labels, open }) => [labels, open]),
      kvitt_tasks_late: tasks.map(({ labels, late }) => [labels, late]),
      kvitt_tasks_deadline_timestamp_seconds: tasks.flatMap(({ labels, deadline }) =>
        where(labels, deadline === null ? null : secondsOf(addDays(date(deadline), 1))),
      ),
    }
  },
}

export const PROVIDER_MEASURES: readonly MeasureGroup[] = [RUNS, BANK, MONEY, OUTBOX, QUEUES, TASKS]

/** What lies in the stores beside the database, as this process sees it; of one that does no jobs, only whether they answer. */
export function measureFolders(context: Context): Gauge[] {
  const { config, clock } = context
  const stores = measureStores(context)
  if (config.role === 'api') return stores
  const askQueue = askWithin(() => readPrintQueue(config.stores.letters))
  const askNewest = askWithin(() => newestIn(config.stores.anchors))
  const letters = new Gauge({
    name: 'kvitt_print_letters',
    help: 'Letters in the print queue that the printer has not taken',
    aggregator: 'max',
    registers: [],
  })
  const oldest = new Gauge({
    name: 'kvitt_print_oldest_seconds',
    help: 'For how long the first of them has lain there; 0 when there is none',
    aggregator: 'max',
    registers: [],
    async collect() {
      const { last: queue } = await askQueue()
      if (!queue?.isConfigured) return
      letters.set(queue.letters)
      this.set(queue.oldestAt === null ? 0 : secondsSince(Date.parse(queue.oldestAt), clock))
    },
  })
  const anchor = new Gauge({
    name: 'kvitt_audit_anchor_timestamp_seconds',
    help: 'When the newest anchor of the audit log was written; left out while there is none',
    aggregator: 'max',
    registers: [],
    async collect() {
      const { last: writtenAtMs } = await askNewest()
      this.remove()
      if (writtenAtMs !== undefined) this.set(writtenAtMs / 1000)
    },
  })
  return [...stores, letters, oldest, anchor]
}

const secondsSince = (moment: number, clock: Clock): number => Math.max(0, (clock.now() - moment) / 1000)

/** Names of anchors are made in the order of time. */
async function newestIn(place: StorePlace): Promise<number | undefined> {
  return (await openStore(place).list('')).filter(({ name }) => name.endsWith('.json')).at(-1)?.writtenAtMs
}
