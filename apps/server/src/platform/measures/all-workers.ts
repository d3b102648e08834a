/**
 * Several workers share a port, and whoever scrapes it meets one of them. It is told of all: of a counter that another worker answers
 * the next time, Prometheus would make leaps. The first process gathers them; what is read from the database only it reads.
 */
import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { AggregatorRegistry, type Registry } from 'prom-client'

/** Between the first process and its workers: a worker asks for all, and each is asked for its own. */
type Message =
  | { readonly type: 'all?'; readonly id: number }
  | { readonly type: 'all'; readonly id: number; readonly text: string }
  | { readonly type: 'own?'; readonly id: number }
  | { readonly type: 'own'; readonly id: number; readonly metrics: object[] }

/** A worker that is busy for longer is told of as it was: without it the sums would fall, and Prometheus would count all of it again. */
const PATIENCE_MS = 2_000
/** Longer than the first process waits for the database and for its workers. */
const LONGEST_MS = 8_000

const readMessage = (message: unknown): Message | undefined =>
  typeof message === 'object' && message !== null && 'type' in message ? (message as Message) : undefined

type Own = {
  readonly registry: Registry
  /** Reads what is read from the database. */
  readonly refresh: () => Promise<void>
}

/** Answers a function that tells of all workers. To be called once in each process. */
export function openAllWorkers(own: Own): () => Promise<string> {
  return cluster.isPrimary ? gatherAll(own) : askFirst(own.registry)
}

type Metric = { readonly type: string }

/** What counts up goes on from there when its process has ended; a gauge has ended with it. */
const isCounted = (metric: object): boolean => /^(counter|histogram)$/.test((metric as Metric).type)

/** What each worker told last, and what those had counted that are gone. */
function openFigures() {
  const last = new Map<number, object[]>()
  let gone: object[] = []
  return {
    keep: (worker: Worker, metrics: object[]): void => void last.set(worker.id, metrics),
    end({ id }: Worker): void {
      const counted = last.get(id)?.filter(isCounted) ?? []
      last.delete(id)
      gone = AggregatorRegistry.aggregate([gone, counted]).getMetricsAsArray()
    },
    all: (): object[][] => [gone, ...last.values()],
  }
}

function gatherAll({ registry, refresh }: Own): () => Promise<string> {
  let asked = 0
  const figures = openFigures()
  /** Those that have said that they listen: what is sent to one before would be taken for what it is started with. */
  const listening = new Map<number, Worker>()
  const waiting = new Map<number, () => void>()
  const ask = async (worker: Worker): Promise<void> => {
    const id = ++asked
    const giveUp = new AbortController()
    try {
      const told = new Promise<void>((resolve) => waiting.set(id, resolve))
      worker.send({ type: 'own?', id } satisfies Message)
      const late = sleep(PATIENCE_MS, undefined, { signal: giveUp.signal, ref: false }).catch(() => {})
      await Promise.race([told, late])
    } finally {
      giveUp.abort()
      waiting.delete(id)
    }
  }
  async function gather(): Promise<string> {
    await refresh()
    await Promise.all([...listening.values()].filter((worker) => worker.isConnected()).map(ask))
    const first = (await registry.getMetricsAsJSON()) as object[]
    return AggregatorRegistry.aggregate([first, ...figures.all()]).metrics()
  }
  cluster.on('listening', (worker) => void listening.set(worker.id, worker))
  cluster.on('exit', (worker) => {
    listening.delete(worker.id)
    figures.end(worker)
  })
  cluster.on('message', (worker, raw: unknown) => {
    const message = readMessage(raw)
    if (message?.type === 'own') {
      // One that has ended may be heard after its end.
      if (listening.has(worker.id)) figures.keep(worker, message.metrics)
      waiting.get(message.id)?.()
    }
    if (message?.type !== 'all?') return
    const tell = (text: string): void => {
      if (worker.isConnected()) worker.send({ type: 'all', id: message.id, text } satisfies Message)
    }
    gather().then(tell, () => tell(''))
  })
  return gather
}

function askFirst(registry: Registry): () => Promise<string> {
  let last = 0
  const waiting = new Map<number, (text: string) => void>()
  const ownText = (): Promise<string> => registry.metrics()
  process.on('message', (raw: unknown) => {
    const message = readMessage(raw)
    if (message?.type === 'all') waiting.get(message.id)?.(message.text)
    if (message?.type !== 'own?') return
    void registry.getMetricsAsJSON().then((metrics) => {
      if (process.connected) process.send?.({ type: 'own', id: message.id, metrics })
    })
  })
  return async () => {
    const id = ++last
    const giveUp = new AbortController()
    try {
      const told = new Promise<string>((resolve) => waiting.set(id, resolve))
      process.send?.({ type: 'all?', id } satisfies Message)
      const late = sleep(LONGEST_MS, '', { signal: giveUp.signal, ref: false }).catch(() => '')
      return (await Promise.race([told, late])) || (await ownText())
    } finally {
      giveUp.abort()
      waiting.delete(id)
    }
  }
}
