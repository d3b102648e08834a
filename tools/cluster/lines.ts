/** Lines between the hosts of the cluster that can be cut: who is cut off hears nothing, as when a network is lost. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { createConnection, createServer, type Server, type Socket } from 'node:net'

export type Line = {
  /** Nothing passes any more, of what is connected and of what connects, until `heal`. Where `from` is given: of its connections alone. */
  cut(from?: (port: number) => boolean): void
  /** What was silenced is closed, and whoever connects gets through. */
  heal(): void
  close(): void
}

type Pair = { readonly near: Socket; readonly far: Socket; isSilent: boolean }

/** Listens on `port` of loopback and leads to `target`. */
export async function openLine(port: number, target: number): Promise<Line> {
  const pairs = new Set<Pair>()
  let cutsOff: (port: number) => boolean = () => false
  const server: Server = createServer((near) => {
    const pair: Pair = {
      near,
      far: createConnection(target, '127.0.0.1'),
      isSilent: cutsOff(near.remotePort ?? 0),
    }
    pairs.add(pair)
    for (const [from, to] of [
      [near, pair.far],
      [pair.far, near],
    ] as const) {
      from.setNoDelay(true)
      from.on('data', (chunk: Buffer) => {
        if (pair.isSilent) return
        if (!to.write(chunk)) {
          from.pause()
          to.once('drain', () => from.resume())
        }
      })
      from.on('error', () => {})
      from.on('close', () => {
        // The other end of one that is silent does not hear of it.
        if (pair.isSilent) return
        pairs.delete(pair)
        to.destroy()
      })
    }
  })
  await new Promise<void>((settle, fail) => {
    server.once('error', fail)
    server.listen(port, '127.0.0.1', settle)
  })
  const closeAll = (which: (pair: Pair) => boolean): void => {
    for (const pair of pairs)
      if (which(pair) && pairs.delete(pair)) for (const end of [pair.near, pair.far]) end.destroy()
  }
  return {
    cut(from = () => true) {
      cutsOff = from
      for (const pair of pairs) pair.isSilent ||= from(pair.near.remotePort ?? 0)
    },
    heal() {
      cutsOff = () => false
      closeAll(({ isSilent }) => isSilent)
    },
    close() {
      server.close()
      closeAll(() => true)
    },
  }
}

/**
 * Whether the connection from this port of loopback is one of these processes'. They run under `uid`, where all others do not: to look
 * through them for each connection of the program would keep the lines themselves waiting, which take part in what is measured.
 */
export function isOf(pids: () => readonly number[], port: number, uid?: number): boolean {
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  const row = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .find(([, local]) => local?.endsWith(`:${hex}`))
  if (!row || (uid !== undefined && Number(row[7]) !== uid)) return false
  const socket = `socket:[${row[9]}]`
  return pids().some((pid) => {
    try {
      return readdirSync(`/proc/${pid}/fd`).some((fd) => linkOf(`/proc/${pid}/fd/${fd}`) === socket)
    } catch {
      return false
    }
  })
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
