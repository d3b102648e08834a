import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { buildInvoice } from '../../testing/build.ts'
import { startTestServer } from '../../testing/start-test-server.ts'
import { NO_PATH, readTarget } from './request-path.ts'

test.each([
  ['/api/ping/version', '/api/ping/version'],
  ['/api/%70ing/%76ersion', '/api/ping/version'],
  ['/api/debtor/invoices?zip=%34&x=/../', '/api/debtor/invoices?zip=%34&x=/../'],
  ['http://host/api/ping/version?a', '/api/ping/version?a'],
  ['HTTPS://host', '/'],
  ['/API/Ping', '/API/Ping'],
  ['/api/storage/a.pdf', '/api/storage/a.pdf'],
  ['/api/storage/a%2epdf', '/api/storage/a.pdf'],
  ['/api/storage/..%2fa', '/api/storage/..%2Fa'],
  ['/api/storage/%252e%252e', '/api/storage/%252e%252e'],
  ['/api/storage/%c3%a5;x', '/api/storage/%C3%A5;x'],
  ['/api/storage/%E0%A4%A', '/api/storage/%E0%A4%A'],
  ['//api/ping', NO_PATH],
  ['/api//ping', NO_PATH],
  ['/api/./ping', NO_PATH],
  ['/api/../ping', NO_PATH],
  ['/api/%2e%2E/ping', NO_PATH],
  ['/api/%2e', NO_PATH],
  ['/api/..;x/ping', NO_PATH],
  ['/api/ping\\version', NO_PATH],
  ['/api/ping#/version', NO_PATH],
  ['/api/ping?#', NO_PATH],
  ['http://host//api', NO_PATH],
  ['*', NO_PATH],
  ['api/ping', NO_PATH],
  ['ftp://host/api', NO_PATH],
])('%s is read as %s', (target, path) => {
  expect(readTarget(target)).toBe(path)
  expect(readTarget(path)).toBe(path)
})

const server = await startTestServer()
const host = new URL(server.origin).host

/** The status line of a request that is sent as it stands. */
function statusOf(method: string, target: string, headers: readonly string[] = []): Promise<number> {
  return new Promise((resolve, reject) => {
    const lines = [
      `${method} ${target} HTTP/1.1`,
      `Host: ${host}`,
      'Connection: close',
      'Content-Length: 0',
      ...headers,
    ]
    let answer = ''
    const socket = connect(Number(host.split(':')[1]), '127.0.0.1', () =>
      socket.write(`${lines.join('\r\n')}\r\n\r\n`),
    )
    socket.setEncoding('utf8').on('data', (text) => (answer += String(text)))
    socket.on('error', reject).on('close', () => resolve(Number(/^HTTP\/1.1 (\d+)/.exec(answer)?.[1])))
  })
}

/** Ways to write one path. */
const spellings = (path: string): string[] => [
  path,
  path.replace('/api/', '/%61pi/'),
  path.replace('/api/', '/api//'),
  `/${path}`,
  path.replace('/api/', '/./api/'),
  path.replace('/api/', '/x/../api/'),
  path.replace('/api/', '/api/%2e/'),
  path.replace('/api/', '/api;x/'),
  path.replace('/api/', '/api%2f'),
  path.replace('/api/', '/api%5c'),
  path.replace('/api/', '\\api\\'),
  path.replace('/api/', '/API/'),
  path.replace('/api/', '/api%00/'),
  `http://${host}${path}`,
  `http://${host}/${path}`,
  `http://evil.example${path}`,
  `${path}#x`,
  `${path};x`,
  `${path}/`,
  `${path}%2f`,
  `${path}?x#y`,
]

const CROSS = ['Sec-Fetch-Site: cross-site']

test('doors.path: however a path is written, nobody comes behind the debtor’s door without a session', async () => {
  for (const target of spellings('/api/debtor/invoices')) {
    const [method, status] = [`GET ${target}`, await statusOf('GET', target)]
    expect([method, [400, 401, 404].includes(status)]).toEqual([method, true])
  }
  expect(await statusOf('GET', `http://${host}/api/debtor/nothing`)).toBe(401)
  expect(await statusOf('GET', '/%61pi/%64ebtor/nothing')).toBe(401)
})

test('doors.path: however a path is written, a page of another site presses nothing', async () => {
  const start = '/api/external/bankid/auth'
  for (const target of spellings(start)) {
    const status = await statusOf('POST', target, CROSS)
    expect([target, [400, 404].includes(status)]).toEqual([target, true])
  }
  expect(await statusOf('POST', '/%61pi/external/bankid/auth', CROSS)).toBe(400)
  expect(await statusOf('POST', `http://${host}${start}`, CROSS)).toBe(400)
})

test('doors.path: however a pair is written, its guard and its calls read the same', async () => {
  const { reference, zip } = await buildInvoice(server.test, server.instanceId, server.clock)
  const right = `/api/public/invoices/${reference}/${zip}`
  expect(await statusOf('GET', right)).toBe(200)
  expect(
    await statusOf('GET', `http://${host}/api/public/invoices/${reference}/%3${zip[0]}${zip.slice(1)}`),
  ).toBe(200)
  expect(await statusOf('GET', `http://evil.example${right}`)).toBe(400)
  for (const target of spellings(right).slice(1))
    expect([target, await statusOf('GET', target)]).not.toEqual([target, 500])
})
