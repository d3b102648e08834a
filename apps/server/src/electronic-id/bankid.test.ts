/** The client against a provider that answers what a test wants, over real mutual TLS. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ensureCertificates } from '../../../sandbox/src/certificates.ts'
import { NO_CREDENTIALS, type Credentials } from '../credentials/credentials.ts'
import { openBankId } from './bankid.ts'
import { IdentityRefused, IdentityUnavailable, type IdentityProvider } from './identity-provider.ts'

type Heard = { path: string; method: string; type: string | undefined; body: string; client: string }

let folder: string
let provider: Server
let client: IdentityProvider
let heard: Heard[] = []
let answer: { status: number; body: string } = { status: 200, body: '{}' }

const partyIn = (at: string) => ({
  certificateFile: join(at, 'client.pem'),
  keyFile: join(at, 'client-key.pem'),
})
const files = (caFile = join(folder, 'ca.pem')) => ({
  baseUrl: `https://localhost:${(provider.address() as AddressInfo).port}/rp/v6.0`,
  caFile,
  shared: partyIn(folder),
  own: new Map(),
})

beforeAll(async () => {
  folder = join(mkdtempSync(join(tmpdir(), 'kvitt-bankid-')), 'certificates')
  const made = await ensureCertificates(folder, Date.now())
  await ensureCertificates(join(folder, 'own'), Date.now())
  const tls = { cert: made['server.pem'], key: made['server-key.pem'], ca: made['ca.pem'] }
  provider = createServer({ ...tls, requestCert: true, rejectUnauthorized: false }, (request, response) => {
    let body = ''
    request.on('data', (part) => (body += String(part)))
    request.on('end', () => {
      heard.push({
        path: request.url ?? '',
        method: request.method ?? '',
        type: request.headers['content-type'],
        body,
        client: (request.socket as TLSSocket).getPeerCertificate().fingerprint256,
      })
      response.writeHead(answer.status).end(answer.body)
    })
  })
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  client = openBankId(files(), NO_CREDENTIALS, Date.now)
})
beforeEach(() => {
  heard = []
})
afterAll(() => {
  provider.closeAllConnections()
  provider.close()
  rmSync(join(folder, '..'), { recursive: true, force: true })
})

const START = {
  tenant: 'nordklar',
  address: '203.0.113.7',
  intent: 'Logga in hos Nordklar Åre',
  host: 'nordklar.portal.test',
  userAgent: 'x'.repeat(400),
  device: 'ab'.repeat(32),
}
const ORDER = { tenant: 'nordklar', orderRef: 'o-1' }
const STARTED = { orderRef: 'o-1', autoStartToken: 'a-1', qrStartToken: 'q-1', qrStartSecret: 's-1' }
const says = (status: number, body: unknown) => {
  answer = { status, body: typeof body === 'string' ? body : JSON.stringify(body) }
}

test('a start says who asks, from where and what for, and nothing about who it shall be', async () => {
  says(200, { ...STARTED, somethingNew: true })
  expect(await client.startOrder(START)).toEqual(STARTED)
  const [call] = heard
  expect(call).toMatchObject({ path: '/rp/v6.0/auth', method: 'POST', type: 'application/json' })
  expect(call?.client).toBeTruthy()
  expect(JSON.parse(call?.body ?? '')).toEqual({
    endUserIp: '203.0.113.7',
    returnRisk: true,
    requirement: { risk: 'moderate' },
    userVisibleData: Buffer.from('Logga in hos Nordklar Åre').toString('base64'),
    userVisibleDataFormat: 'plaintext',
    web: {
      referringDomain: 'nordklar.portal.test',
      userAgent: 'x'.repeat(256),
      deviceIdentifier: 'ab'.repeat(32),
    },
  })
})

test('collecting and cancelling name the order', async () => {
  says(200, { orderRef: 'o-1', status: 'pending', hintCode: 'userSign' })
  expect(await client.collectOrder(ORDER)).toEqual({ status: 'pending', hintCode: 'userSign' })
  says(200, {
    orderRef: 'o-1',
    status: 'complete',
    completionData: { user: { personalNumber: '199007292387' } },
  })
  const complete = { status: 'complete', personalNumber: '199007292387' }
  expect(await client.collectOrder(ORDER)).toEqual({ ...complete, appAddress: undefined })
  for (const [ipAddress, appAddress] of [
    ['203.0.113.7', '203.0.113.7'],
    ['here', undefined],
    [7, undefined],
  ]) {
    const device = { ipAddress, uhi: 'x' }
    says(200, {
      ...complete,
      orderRef: 'o-1',
      completionData: { user: { personalNumber: '199007292387' }, device },
    })
    expect(await client.collectOrder(ORDER)).toEqual({ ...complete, appAddress })
  }
  says(200, {})
  await client.cancelOrder(ORDER)
  expect(heard.map((h) => [h.path, h.body])).toEqual([
    ...Array.from({ length: 5 }, () => ['/rp/v6.0/collect', '{"orderRef":"o-1"}']),
    ['/rp/v6.0/cancel', '{"orderRef":"o-1"}'],
  ])
})

test.each([
  [408, { errorCode: 'requestTimeout' }],
  [429, { errorCode: 'tooManyRequests' }],
  [500, { errorCode: 'internalError' }],
  [503, { errorCode: 'Maintenance' }],
  [502, '<html>'],
  [200, '<html>'],
  [200, '[]'],
  [200, {}],
  [200, { ...STARTED, orderRef: undefined }],
  [200, { ...STARTED, orderRef: '"><script>' }],
  [200, { ...STARTED, qrStartSecret: 'x'.repeat(101) }],
])('%i %j is: not now, and nothing is tried again', async (status, body) => {
  says(status, body)
  await expect(client.startOrder(START)).rejects.toBeInstanceOf(IdentityUnavailable)
  expect(heard).toHaveLength(1)
})

test.each([
  [400, { errorCode: 'alreadyInProgress' }, 'alreadyInProgress'],
  [400, { errorCode: 'invalidParameters', details: 'x' }, 'invalidParameters'],
  [401, { errorCode: 'unauthorized' }, 'unauthorized'],
  [404, '', '404'],
  [415, 'no', '415'],
])('%i %j is a no that says %s', async (status, body, code) => {
  says(status, body)
  const error: unknown = await client.startOrder(START).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(IdentityRefused)
  expect((error as IdentityRefused).code).toBe(code)
  expect(heard).toHaveLength(1)
})

test.each([
  { status: 'done' },
  { status: 'complete' },
  { status: 'complete', completionData: { user: {} } },
  {},
])('an order that is %j is one without an answer', async (body) => {
  says(200, body)
  await expect(client.collectOrder(ORDER)).rejects.toBeInstanceOf(IdentityUnavailable)
})

test('only the pinned authority is believed', async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), 'kvitt-other-'))
  await ensureCertificates(join(elsewhere, 'c'), Date.now())
  const other = openBankId(files(join(elsewhere, 'c', 'ca.pem')), NO_CREDENTIALS, Date.now)
  says(200, STARTED)
  await expect(other.startOrder(START)).rejects.toBeInstanceOf(IdentityUnavailable)
  expect(heard).toEqual([])
  // Replaced certificates are read again after a call that failed.
  writeFileSync(join(elsewhere, 'c', 'ca.pem'), readFileSync(join(folder, 'ca.pem')))
  expect(await other.startOrder(START)).toEqual(STARTED)
  rmSync(elsewhere, { recursive: true, force: true })
})

test('a provider with a certificate of its own starts, asks and cancels with it, the others with the shared one', async () => {
  const two = openBankId(
    { ...files(), own: new Map([['fjellklar', partyIn(join(folder, 'own'))]]) },
    NO_CREDENTIALS,
    Date.now,
  )
  for (const tenant of ['nordklar', 'Fjellklar']) {
    says(200, STARTED)
    await two.startOrder({ ...START, tenant })
    says(200, { orderRef: 'o-1', status: 'pending', hintCode: 'userSign' })
    await two.collectOrder({ tenant, orderRef: 'o-1' })
    says(200, {})
    await two.cancelOrder({ tenant, orderRef: 'o-1' })
  }
  const names = heard.map(({ client: name }) => name)
  const [shared, , , own] = names
  expect(own).not.toBe(shared)
  expect(names).toEqual([shared, shared, shared, own, own, own])
})

test('what a provider has entered of its own comes before the settings, and another certificate from the next call on', async () => {
  const pem = (at: string) => ({
    certificate: readFileSync(join(at, 'client.pem'), 'utf8'),
    key: readFileSync(join(at, 'client-key.pem'), 'utf8'),
  })
  let entered: { version: string; at: string } | undefined
  const opened = () =>
    entered && {
      alias: 'fjellklar',
      isCurrent: true,
      version: entered.version,
      credential: { kind: 'BANKID' as const, ...pem(entered.at) },
    }
  const credentials: Credentials = {
    ...NO_CREDENTIALS,
    of: (kind, alias) => (kind === 'BANKID' && alias === 'fjellklar' ? opened() : undefined) as never,
  }
  const two = openBankId(files(), credentials, Date.now)
  const startAs = async (tenant: string) => {
    says(200, STARTED)
    await two.startOrder({ ...START, tenant })
    return heard.at(-1)?.client
  }
  const shared = await startAs('fjellklar')
  entered = { version: 'one', at: join(folder, 'own') }
  const own = await startAs('fjellklar')
  expect(own).not.toBe(shared)
  expect(await startAs('nordklar')).toBe(shared)
  entered = { version: 'two', at: folder }
  expect(await startAs('fjellklar')).toBe(shared)
})
