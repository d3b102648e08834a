/** What stands in front of several hosts: each request goes to the next one that is ready, and nothing is tried twice. */
import { once } from 'node:events'
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http'

export type RoundRobin = {
  /** The hosts by port, whether they are ready or not. */
  readonly hosts: Set<number>
  readonly ready: ReadonlySet<number>
  /** How many requests each host has answered. */
  readonly answered: ReadonlyMap<number, number>
  close(): void
}

const LOOK_MS = 100

/** Listens on `port` of this machine. */
export async function openRoundRobin(port: number): Promise<RoundRobin> {
  const hosts = new Set<number>()
  const ready = new Set<number>()
  const asked = new Set<number>()
  const answered = new Map<number, number>()
  const look = async (host: number): Promise<void> => {
    // A late answer to an earlier look would bring back whoever has said since that it goes.
    if (asked.has(host)) return
    asked.add(host)
    const isReady = await fetch(`http://127.0.0.1:${host}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    )
    asked.delete(host)
    if (isReady && hosts.has(host)) ready.add(host)
    else ready.delete(host)
  }
  const looking = setInterval(() => {
    for (const host of new Set([...hosts, ...ready])) void look(host)
  }, LOOK_MS)
  let turn = 0
  const hand = (request: IncomingMessage, answer: ServerResponse): void => {
    const list = [...ready]
    const host = list[(turn += 1) % list.length]
    const fail = (): void => {
      if (answer.headersSent) answer.destroy()
      else answer.writeHead(502).end()
    }
    if (host === undefined) return fail()
    const { method, url, headers } = request
    const handed = ask(
      { port: host, host: '127.0.0.1', method, path: url, headers, agent: false },
      (told) => {
        answered.set(host, (answered.get(host) ?? 0) + 1)
        answer.writeHead(told.statusCode ?? 502, told.headers)
        told.on('error', fail).pipe(answer)
      },
    ).on('error', fail)
    request.pipe(handed)
  }
  const server = createServer(hand).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    hosts,
    ready,
    answered,
    close() {
      clearInterval(looking)
      server.closeAllConnections()
      server.close()
    },
  }
}
