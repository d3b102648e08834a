import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { getVersion } from '@kvitt/domain/instances/instance.contract.ts'
import { expect, test } from 'vitest'
import { startTestServer } from '../../testing/start-test-server.ts'
import { buildServer } from './serve.ts'

const server = await startTestServer()

test('T-DRAIN: closing waits for a call whose caller has gone', async () => {
  let begin: () => void = () => {}
  let end: () => void = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const app = buildServer({
    contract: '',
    context: server.product.context,
    bindings: [
      {
        contract: getVersion,
        routes: [
          {
            door: 'open',
            answer: async () => {
              begin()
              await ended
              return { given: { data: { version: 'test' } }, query: {}, setCookie: undefined }
            },
          },
        ],
      },
    ],
    tenantOf: async () => ({ id: 'tenant', language: 'sv' }),
    proveSession: async () => {},
    checkAnswers: false,
  } as unknown as Parameters<typeof buildServer>[0])
  await app.listen({ host: '127.0.0.1', port: 0 })
  const caller = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  caller.write('GET /api/ping/version HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await begun
  caller.destroy()
  let isClosed = false
  const closing = app.close().then(() => {
    isClosed = true
  })
  await new Promise((resolve) => setTimeout(resolve, 150))
  expect(isClosed).toBe(false)
  end()
  await closing
  expect(isClosed).toBe(true)
})

test.each([
  ['nothing was asked', ''],
  ['a request stops in its head', 'GET /api/ping/version HTTP/1.1\r\nHost: loc'],
])(
  'T-DRAIN: closing does not wait a minute for a connection on which %s',
  async (_what, sent) => {
    const app = buildServer({
      contract: '',
      context: server.product.context,
      bindings: [],
      tenantOf: async () => undefined,
      proveSession: async () => {},
      checkAnswers: false,
    })
    await app.listen({ host: '127.0.0.1', port: 0 })
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    socket.on('error', () => {})
    await new Promise((resolve) => socket.once('connect', resolve))
    if (sent !== '') await new Promise((resolve) => socket.write(sent, resolve))
    const gone = new Promise((resolve) => socket.once('close', resolve))
    await app.close()
    await gone
    expect(socket.destroyed).toBe(true)
  },
  25_000,
)
