/** One address holds so many connections and no more, so that nobody takes those of all others. */
import { BlockList, isIP, type Server, type Socket } from 'node:net'
import type { Config } from '../../../config/config.ts'
import { HEADERS_MS } from './limits.ts'

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

/** An IPv4 address, or the /64 that one IPv6 subscriber has at least. */
export function holderOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (isIP(plain) !== 6) return plain
  const [head = '', tail = ''] = plain.split('::')
  const first = head.split(':').filter((group) => group !== '')
  const last = tail.split(':').filter((group) => group !== '')
  const missing = plain.includes('::') ? Math.max(0, 8 - first.length - last.length) : 0
  const groups = [...first, ...Array.from({ length: missing }, () => '0'), ...last]
  return groups.slice(0, 4).join(':')
}

/** Counts the connections of `server`, and gives what is too many to `refuse`. Each process counts its own. */
export function limitConnections(
  server: Server,
  { limits, trustedProxies }: Pick<Config, 'limits' | 'trustedProxies'>,
  refuse: (socket: Socket) => void,
): void {
  // They come for everybody.
  const trusted = listOf(trustedProxies)
  const held = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const holder = holderOf(socket.remoteAddress ?? '')
    if (
      isIP(holder) === 4 ? trusted.check(holder, 'ipv4') : trusted.check(socket.remoteAddress ?? '', 'ipv6')
    )
      return
    const count = (held.get(holder) ?? 0) + 1
    held.set(holder, count)
    socket.once('close', () => {
      const left = (held.get(holder) ?? 1) - 1
      if (left === 0) held.delete(holder)
      else held.set(holder, left)
    })
    if (count > limits.connectionsPerAddress) refuse(socket)
  })
}

/** So long something may still be asked on a connection that was opened as the process began to stop. */
const UNUSED_MS = 1_000

/**
 * Answers what ends the connections of `server` on which nothing has been asked, a second after it is called. A server that closes ends
 * those that were used and rest, and waits for all others; browsers and balancers open some before they need them.
 */
export function watchUnused(server: Server): () => void {
  const unused = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  server.on('request', ({ socket }) => unused.delete(socket))
  const end = (): void => {
    for (const socket of unused) {
      if (socket.bytesRead === 0) socket.destroy()
      // Node looks for slow headers no more.
      else socket.setTimeout(HEADERS_MS)
    }
  }
  return () => void setTimeout(end, UNUSED_MS).unref()
}
