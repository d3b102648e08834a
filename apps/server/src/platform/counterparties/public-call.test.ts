/** Calls to addresses that somebody outside chose, against servers that do what servers should not. */
import { createSocket } from 'node:dgram'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { ensureCertificates } from '../../../../sandbox/src/certificates.ts'
import { closeAfterwards } from '../../testing/close-afterwards.ts'
import { askNameServers, openPublicCaller, type PublicCallOptions, type Resolve } from './public-call.ts'

const folder = mkdtempSync(join(tmpdir(), 'kvitt-public-'))
closeAfterwards(() => rmSync(folder, { recursive: true, force: true }))
const file = (name: string): string => readFileSync(join(folder, name), 'utf8')
type Serve = (request: IncomingMessage, response: ServerResponse) => void
let serve: Serve
let hits: string[]
let port: string
let canaryPort: string

async function listen(server: Server, host: string): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  closeAfterwards(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  return String((server.address() as AddressInfo).port)
}

beforeAll(async () => {
  await ensureCertificates(folder, Date.now())
  const tls = { cert: file('server.pem'), key: file('server-key.pem') }
  port = await listen(
    createServer(tls, (request, response) => {
      hits.push(request.socket.localAddress ?? '')
      serve(request, response)
    }),
    '127.0.0.1',
  )
  canaryPort = await listen(
    createServer(tls, (_, response) => {
      hits.push('canary')
      response.end()
    }),
    '127.0.0.1',
  )
})
beforeEach(() => {
  hits = []
  serve = (_, response) => response.end('taken')
})

/** A name of the internet that leads to the server of this test, which counts as public here. */
const NAME = 'localhost.test'
const here: Resolve = async () => [{ address: '127.0.0.1', family: 4 }]
const open = (options: Partial<PublicCallOptions> = {}) =>
  openPublicCaller({
    timeoutMs: 2_000,
    inwardOrigins: [],
    resolve: here,
    isPublic: () => true,
    port,
    ca: file('ca.pem'),
    ...options,
  })
const post = (url: string, options: Partial<PublicCallOptions> = {}) =>
  open(options).call({ url, headers: { 'content-type': 'application/json' }, body: '{}' })
const at = (path = '/', host = '127.0.0.1'): string => `https://${host}:${port}${path}`

test('what is taken is answered with status and text', async () => {
  expect(await post(at())).toEqual({ status: 200, failure: null, answer: 'taken' })
})

test('another server’s certificate is no proof: nothing is sent to it', async () => {
  expect(await post(at('/', NAME))).toEqual({ status: null, failure: 'certificate', answer: '' })
  expect(hits).toEqual([])
})

test('a redirect is not followed', async () => {
  serve = (_, response) =>
    response.writeHead(302, { location: `https://127.0.0.1:${canaryPort}/` }).end('elsewhere')
  expect(await post(at())).toEqual({ status: 302, failure: 'redirected', answer: 'elsewhere' })
  expect(hits).not.toContain('canary')
})

test('a refusal is an answer', async () => {
  serve = (_, response) => response.writeHead(500).end('out of order')
  expect(await post(at())).toEqual({ status: 500, failure: null, answer: 'out of order' })
})

test('who says nothing is left, and who hangs up has not answered', async () => {
  serve = () => {}
  expect(await post(at(), { timeoutMs: 60 })).toMatchObject({ status: null, failure: 'too_slow' })
  serve = (request) => request.socket.destroy()
  expect(await post(at())).toMatchObject({ status: null, failure: 'broken_off' })
})

test('a resolver that says nothing is left as well', async () => {
  const resolve: Resolve = () => new Promise(() => {})
  expect(await post(at('/', NAME), { resolve, timeoutMs: 30 })).toMatchObject({ failure: 'too_slow' })
})

test('a huge answer is read to its beginning only', async () => {
  let sent = 0
  serve = (_, response) => {
    const more = (): void => {
      while (!response.destroyed && sent < 50_000_000) {
        sent += 16_384
        if (!response.write('x'.repeat(16_384))) {
          response.once('drain', more)
          return
        }
      }
    }
    more()
  }
  const { status, answer } = await post(at())
  expect([status, answer]).toEqual([200, 'x'.repeat(1_000)])
  expect(sent).toBeLessThan(50_000_000)
})

test('a status that is here counts, though its text does not end', async () => {
  serve = (_, response) => void response.writeHead(200).write('slow')
  expect(await post(at(), { timeoutMs: 200 })).toEqual({ status: 200, failure: null, answer: 'slow' })
})

test('ssrf.matrix: nothing inward is called, however it is written', async () => {
  const inward = [
    'http://example.com/', 'https://example.com:8443/', 'https://user:secret@example.com/', 'ftp://example.com/', 'nonsense',
    'https://127.0.0.1/', 'https://127.1/', 'https://0x7f.1/', 'https://2130706433/', 'https://0177.0.0.1/', 'https://[::1]/',
    'https://[::ffff:127.0.0.1]/', 'https://[::ffff:7f00:1]/', 'https://[64:ff9b::7f00:1]/', 'https://[fd00::1]/',
    'https://169.254.169.254/latest/meta-data/', 'https://10.0.0.1/', 'https://192.168.0.1/', 'https://0/', 'https://0.0.0.0/',
    'https://localhost/', 'https://LOCALHOST./', 'https://sub.localhost/', 'https://printer/', 'https://db.internal/',
    'https://nas.local/', 'https://router.home.arpa/', 'https://①②⑦.0.0.1/',
  ] // biome-ignore format: a list
  const resolve: Resolve = async () => {
    throw new Error('nobody may be asked')
  }
  const caller = openPublicCaller({ timeoutMs: 200, inwardOrigins: [], resolve })
  for (const url of inward) {
    expect(await caller.call({ url, headers: {}, body: '' }), url).toMatchObject({
      failure: expect.stringMatching(/address_refused|name_unknown/),
    })
    if (!url.includes('example.com') && url !== 'nonsense' && !url.includes('①'))
      expect(await caller.mayLeadTo(url), url).toBe(false)
  }
  expect(hits).toEqual([])
})

test('ssrf.name: a name with one inward address is refused, whatever its others are', async () => {
  const resolve: Resolve = async () => [
    { address: '8.8.8.8', family: 4 },
    { address: '10.0.0.7', family: 4 },
  ]
  const caller = openPublicCaller({ timeoutMs: 200, inwardOrigins: [], resolve })
  const url = 'https://hooks.example.com/'
  expect(await caller.call({ url, headers: {}, body: '' })).toMatchObject({ failure: 'address_refused' })
  expect(await caller.mayLeadTo(url)).toBe(false)
})

test('ssrf.rebinding: the address that was checked is the one that is called; the name is asked for once', async () => {
  let asked = 0
  const resolve: Resolve = async () => {
    asked += 1
    return [{ address: asked === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }]
  }
  // The certificate is of `localhost` and the like: the name of this test may be any that it has.
  const isPublic = (address: string): boolean => address === '127.0.0.1'
  const caller = open({ resolve, isPublic })
  const call = () => caller.call({ url: at('/', NAME), headers: {}, body: '' })
  // Connected to where the first answer led: its certificate is what is refused.
  expect(await call()).toMatchObject({ failure: 'certificate' })
  expect(asked).toBe(1)
  // The second answer is checked anew, before anything is connected.
  expect(await call()).toMatchObject({ failure: 'address_refused' })
  expect(asked).toBe(2)
})

/** A name server that answers questions of one kind (1: A, 28: AAAA) with these bytes, and the others that there is nothing. */
async function nameServer(answers: ReadonlyMap<number, readonly number[]>, isSilent = false) {
  const asked: number[] = []
  const socket = createSocket('udp4')
  socket.on('message', (question, from) => {
    const type = question.readUInt16BE(question.indexOf(0, 12) + 1)
    asked.push(type)
    if (isSilent) return
    const address = answers.get(type)
    // RFC 1035 4.1: the question again, and one record about the name in it, valid for no time.
    const head = Buffer.from(question.subarray(0, question.indexOf(0, 12) + 5))
    head.writeUInt16BE(0x8180, 2)
    head.writeUInt16BE(address ? 1 : 0, 6)
    head.writeUInt16BE(0, 10)
    const record = address ? [0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, address.length, ...address] : []
    socket.send(Buffer.concat([head, Buffer.from(record)]), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  closeAfterwards(() => new Promise<void>((resolve) => socket.close(() => resolve())))
  return { asked, resolve: askNameServers([`127.0.0.1:${socket.address().port}`]) }
}
const INWARD_V6 = [0xfd, ...Array.from({ length: 14 }, () => 0), 1]

test('the name servers are asked for addresses of both kinds, and every one of them is checked', async () => {
  const late = new AbortController().signal
  const both = await nameServer(new Map([[1, [8, 8, 8, 8]], [28, INWARD_V6]])) // biome-ignore format: a list
  expect(await both.resolve('hooks.example.com', late)).toEqual([
    { address: '8.8.8.8', family: 4 },
    { address: 'fd00::1', family: 6 },
  ])
  expect(both.asked.toSorted((a, b) => a - b)).toEqual([1, 28])
  const caller = openPublicCaller({ timeoutMs: 5_000, inwardOrigins: [], resolve: both.resolve })
  const call = { url: 'https://hooks.example.com/', headers: {}, body: '' }
  expect(await caller.call(call)).toMatchObject({ failure: 'address_refused' })
  const { resolve } = await nameServer(new Map([[1, [127, 0, 0, 1]]]))
  const isPublic = (address: string): boolean => address === '127.0.0.1'
  // Connected: what is wrong is the name in the certificate.
  expect(
    await open({ resolve, isPublic }).call({ ...call, url: at('/', 'hooks.example.com') }),
  ).toMatchObject({ failure: 'certificate' })
  expect(hits).toEqual([])
})

test('name servers that do not answer are waited for as long as a call may take, and asked no more', async () => {
  const silent = await nameServer(new Map(), true)
  let end = (): void => {}
  const ended = new Promise<void>((resolve) => (end = resolve))
  const resolve: Resolve = (host, late) => silent.resolve(host, late).finally(end)
  const caller = openPublicCaller({ timeoutMs: 200, inwardOrigins: [], resolve })
  const call = { url: 'https://hooks.example.com/', headers: {}, body: '' }
  expect(await caller.call(call)).toMatchObject({ failure: 'too_slow' })
  await ended
  await expect.poll(() => silent.asked.toSorted((a, b) => a - b)).toEqual([1, 28])
})

test('a name in the file of hosts is reached through an origin of the settings', async () => {
  const inwardOrigins = [`https://localhost:${port}`]
  const caller = openPublicCaller({ timeoutMs: 2_000, inwardOrigins, ca: file('ca.pem') })
  expect(await caller.call({ url: at('/x', 'localhost'), headers: {}, body: '' })).toMatchObject({
    status: 200,
  })
})

test('a name that nobody knows now may be known later', async () => {
  const resolve: Resolve = async () => {
    throw Object.assign(new Error('x'), { code: 'ENOTFOUND' })
  }
  const caller = openPublicCaller({ timeoutMs: 200, inwardOrigins: [], resolve })
  expect(await caller.mayLeadTo('https://hooks.example.com/x')).toBe(true)
  expect(await caller.call({ url: 'https://hooks.example.com/x', headers: {}, body: '' })).toMatchObject({
    failure: 'name_unknown',
  })
})

test('an origin of the settings may be inward, and no other on the same machine', async () => {
  const inwardOrigins = [`https://127.0.0.1:${port}`]
  const caller = openPublicCaller({ timeoutMs: 2_000, inwardOrigins, ca: file('ca.pem') })
  expect(await caller.call({ url: at('/x'), headers: {}, body: '' })).toMatchObject({ status: 200 })
  expect(await caller.call({ url: `https://127.0.0.1:${canaryPort}/`, headers: {}, body: '' })).toMatchObject(
    { failure: 'address_refused' },
  )
  expect(hits).not.toContain('canary')
})
