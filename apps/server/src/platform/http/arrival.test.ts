import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { buildInstance } from '../../testing/build.ts'
import { startTestServer } from '../../testing/start-test-server.ts'
import { isHttps } from './arrival.ts'

test.each([
  ['https', 'pay.example', 'http://127.0.0.1:8080', 'test', true],
  ['http', 'pay.example', 'http://127.0.0.1:8080', 'live', true],
  ['http', 'pay.example:8443', 'https://pay.example', 'test', true],
  ['http', 'pay.example', 'http://127.0.0.1:8080', 'test', false],
  // On this machine it is as it came, whatever is said of the world outside.
  ['http', 'localhost:8080', 'https://pay.example', 'live', false],
  ['http', 'nordklar.localhost', 'https://pay.example', 'live', false],
  ['https', 'localhost', 'http://127.0.0.1:8080', 'test', true],
] as const)('%s to %s with PUBLIC_URL %s, %s: https is %s', (protocol, host, publicUrl, mode, is) => {
  expect(isHttps({ protocol, host }, { publicUrl, mode })).toBe(is)
})

test('a live tenant tells browsers to come over https only, and its cookies are Secure', async () => {
  const server = await startTestServer()
  const { id, host } = await buildInstance(server.test, { alias: 'live-one', isDefault: false })
  await server.test.owner.query(`update instance set mode = 'live' where id = $1`, [id])
  const ask = (to: string) =>
    server.product.app.inject({
      method: 'GET',
      url: '/api/instance-providers/default',
      headers: { host: to },
    })
  const before = Date.now()
  let told = await ask(host)
  while (!told.headers['strict-transport-security'] && Date.now() - before < 10_000) {
    await new Promise((next) => setTimeout(next, 250))
    told = await ask(host)
  }
  expect(told.headers['strict-transport-security']).toBe('max-age=63072000')
  expect((await ask('localhost')).headers['strict-transport-security']).toBeUndefined()
})

test('host.matrix: a request that names two hosts is refused', async () => {
  const server = await startTestServer()
  const { port } = new URL(server.origin)
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(
    'GET /api/instance-providers/default HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n',
  )
  const answer = await new Promise<string>((resolve) => socket.once('data', (text) => resolve(String(text))))
  socket.destroy()
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
})
