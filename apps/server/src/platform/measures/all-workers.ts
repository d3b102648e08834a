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

/** A worker that is busy for longer is left out. */
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

function gatherAll({ registry, refresh }: Own): () => Promise<string> {
  let last = 0
  const waiting = new Map<number, (metrics: object[]) => void>()
  const ownOf = async (worker: Worker): Promise<object[]> => {
    const id = ++last
    const giveUp = new AbortController()
    try {
      const told = new Promise<object[]>((resolve) => waiting.set(id, resolve))
      worker.send({ type: 'own?', id } satisfies Message)
      const late = sleep(PATIENCE_MS, [] as object[], { signal: giveUp.signal, ref: false }).catch(() => [])
      return await Promise.race([told, late])
    } finally {
      giveUp.abort()
      waiting.delete(id)
    }
  }
  async function gather(): Promise<string> {
    await refresh()
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected())
    const told = await Promise.all(workers.map((worker) => ownOf(worker as Worker)))
    const first = (await registry.getMetricsAsJSON()) as object[]
    return AggregatorRegistry.aggregate([first, ...told]).metrics()
  }
  cluster.on('message', (worker, raw: unknown) => {
    const message = readMessage(raw)
    if (message?.type === 'own') waiting.get(message.id)?.(message.metrics)
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
