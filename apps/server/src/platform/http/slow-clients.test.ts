/** Whoever is slow takes nobody else's place. */
import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { buildInvoice } from '../../testing/build.ts'
import { startTestServer } from '../../testing/start-test-server.ts'
import { holderOf } from './connections.ts'
import { HEADERS_MS, LOOK_MS } from './limits.ts'

const PER_ADDRESS = 200
const server = await startTestServer()
const port = Number(new URL(server.origin).port)

type Slow = { readonly socket: Socket; heard: string; isClosed: boolean }
const open: Slow[] = []
afterEach(() => {
  for (const { socket } of open.splice(0)) socket.destroy()
})

/** A connection that begins a request and never ends its headers. Every address of 127/8 is this machine's on Linux. */
function openSlow(localAddress: string): Promise<Slow> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    const slow: Slow = { socket, heard: '', isClosed: false }
    open.push(slow)
    socket.setEncoding('utf8').on('data', (text) => (slow.heard += String(text)))
    socket.on('error', () => {})
    socket.once('close', () => {
      slow.isClosed = true
      resolve(slow)
    })
    socket.once('connect', () => {
      socket.write('GET /api/ping/version HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ')
      setTimeout(() => resolve(slow), 500)
    })
  })
}

/** Milliseconds that `count` reads of an invoice took, one after the other, the slowest twentieth left out. */
async function timeReads(path: string, count: number): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < count; n++) {
    const before = performance.now()
    expect((await server.call('GET', path)).status).toBe(200)
    times.push(performance.now() - before)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(count * 0.95)] ?? 0
}

test.runIf(process.platform === 'linux')(
  'dos.slow: hundreds of slow connections hinder nobody, an address gets its share of them, and each ends in time',
  async () => {
    const { reference, zip } = await buildInvoice(server.test, server.instanceId, server.clock)
    const path = `/api/public/invoices/${reference}/${zip}`
    await timeReads(path, 20)
    const alone = await timeReads(path, 60)
    const all = await Promise.all(
      ['127.0.0.2', '127.0.0.3', '127.0.0.4'].flatMap((address) =>
        Array.from({ length: PER_ADDRESS + 10 }, () => openSlow(address)),
      ),
    )
    await expect.poll(() => all.filter(({ isClosed }) => isClosed).length, { timeout: 5_000 }).toBe(30)
    const refused = all.filter(({ isClosed }) => isClosed)
    for (const { heard } of refused) expect(heard === '' || heard.startsWith('HTTP/1.1 503 ')).toBe(true)
    expect(refused.filter(({ heard }) => heard.includes('"code":"unavailable"')).length).toBeGreaterThan(0)

    expect(await timeReads(path, 60)).toBeLessThan(5 * alone + 300)

    const dribble = setInterval(() => {
      for (const { socket, isClosed } of all) if (!isClosed) socket.write('x')
    }, 1_000)
    await expect
      .poll(() => all.every(({ isClosed }) => isClosed), { timeout: HEADERS_MS + 5 * LOOK_MS, interval: 200 })
      .toBe(true)
    clearInterval(dribble)
    // This end may hear of it first.
    await expect.poll(async () => (await openSlow('127.0.0.2')).isClosed, { timeout: 5_000 }).toBe(false)
  },
  40_000,
)

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::ffff:127.0.0.1', '127.0.0.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
])('the connections of %s are those of %s', (address, holder) => {
  expect(holderOf(address)).toBe(holder)
})

test('a proxy that is trusted comes for everybody, and is not counted', async () => {
  const behind = await startTestServer({
    settings: { CONNECTIONS_PER_ADDRESS: '2', TRUSTED_PROXIES: '127.0.0.0/8' },
  })
  const sockets = Array.from({ length: 6 }, () => connect(Number(new URL(behind.origin).port), '127.0.0.1'))
  const closed = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)))
  const settled = await Promise.race([
    ...closed,
    new Promise((resolve) => setTimeout(() => resolve('open'), 500)),
  ])
  expect(settled).toBe('open')
  for (const socket of sockets) socket.destroy()
})
