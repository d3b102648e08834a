/** Whoever sends a body for too long is ended, however steadily something comes. */
import { createServer } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answerBrokenRequest } from './send-problem.ts'
import { watchBodies } from './slow-bodies.ts'

const bodies = watchBodies(answerBrokenRequest, { bodyMs: 600, lookMs: 50 })
const server = createServer((request, response) => {
  bodies.begin(request)
  response.once('close', () => bodies.end(request))
  request.on('data', () => {})
  request.on('error', () => {})
  // It is not sooner answered than it has come, and one that has come may be worked on for long.
  request.once('end', () => void sleep(900).then(() => response.end('done')))
})
beforeAll(async () => {
  await new Promise<void>((begun) => server.listen(0, '127.0.0.1', begun))
})
afterAll(async () => {
  bodies.stop()
  server.closeAllConnections()
  await new Promise((closed) => server.close(closed))
})

type Sent = { readonly heard: string; readonly ms: number }

/** Sends `length` bytes, one every 50 ms; one that goes on does not end its own side when the server has ended its. */
function dribble(length: number, goesOn: boolean): Promise<Sent> {
  const began = performance.now()
  const { port } = server.address() as AddressInfo
  const socket: Socket = connect({ port, host: '127.0.0.1', allowHalfOpen: goesOn })
  let heard = ''
  socket.write(`POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`)
  let left = length
  const timer = setInterval(() => {
    if (left-- > 0) socket.write('x')
  }, 50)
  socket.setEncoding('utf8').on('data', (text) => (heard += String(text)))
  return new Promise((resolve) => {
    socket.on('error', () => {})
    socket.once('close', () => {
      clearInterval(timer)
      resolve({ heard, ms: performance.now() - began })
    })
  })
}

test.each([false, true])(
  'dos.slow: a body that dribbles is ended at its limit; goes on all the same: %s',
  async (goesOn) => {
    const { heard, ms } = await dribble(1_000, goesOn)
    expect(heard).toMatch(/^HTTP\/1\.1 400 /)
    expect(ms).toBeGreaterThan(500)
    expect(ms).toBeLessThan(5_000)
  },
  10_000,
)

test('one that comes in time is answered, however long that takes', async () => {
  const { heard, ms } = await dribble(4, false)
  expect(heard).toMatch(/^HTTP\/1\.1 200 /)
  expect(ms).toBeGreaterThan(900)
})
