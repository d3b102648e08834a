/** Requests as no browser writes them: another host, a path instead of a name, `__proto__` in a body. */
import { request } from 'node:http'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildInstance, buildInvoice, type BuiltInvoice } from './testing/build.ts'
import { signIn } from './testing/sign-in.ts'
import { startTestServer, type TestServer } from './testing/start-test-server.ts'

const CANARY = 'canary-7f3a9c'
const folder = mkdtempSync(join(tmpdir(), 'kvitt-canary-'))
const canaryFile = join(folder, 'canary.pdf')

let server: TestServer
let invoice: BuiltInvoice
let foreign: BuiltInvoice
beforeAll(async () => {
  writeFileSync(canaryFile, CANARY)
  server = await startTestServer()
  const other = await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })
  invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  foreign = await buildInvoice(server.test, other.id, server.clock, { zip: '0150' })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Raw = { status: number; text: string; cache: string | undefined }
/** A request whose path and headers go out as they stand here. */
function ask(path: string, headers: Record<string, string> = {}): Promise<Raw> {
  const { hostname, port } = new URL(server.origin)
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, headers, agent: false }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          text: Buffer.concat(parts).toString('latin1'),
          cache: answer.headers['cache-control'],
        }),
      )
    })
      .on('error', reject)
      .end()
  })
}

describe('host.matrix: a host', () => {
  const OURS = 'nordklar'
  const THEIRS = 'fjellklar'
  test.each<[string, string | undefined]>([
    ['localhost', OURS], ['LOCALHOST', OURS], ['localhost.', OURS], ['localhost:1', OURS], ['localhost:65535', OURS], ['a.b.localhost', OURS], ['127.0.0.1', OURS],
    ['127.0.0.1:8080', OURS], ['[::1]', OURS], ['[::1]:8080', OURS], ['nordklar.portal.test', OURS], ['NordKlar.Portal.Test', OURS],
    ['nordklar.portal.test.', OURS], ['nordklar.portal.test:443', OURS], ['fjellklar.portal.test', THEIRS], ['FJELLKLAR.PORTAL.TEST:80', THEIRS],
    ['fjellklar.portal.test.', THEIRS],
    ['evil.example', undefined], ['portal.test', undefined], ['.portal.test', undefined], ['xnordklar.portal.test', undefined], ['nordklar.portal.test.evil.example', undefined],
    ['nordklar-portal.test', undefined], ['www.nordklar.portal.test', undefined], ['nordklar.portal.test@evil.example', undefined],
    ['evil.example@nordklar.portal.test', undefined], ['nordklar.portal.test/evil', undefined], ['nordklar.portal.test?', undefined], ['nordklar.portal.test#', undefined],
    ['nordklar.portal.test,evil.example', undefined], ['nordklar.portal.test evil.example', undefined], ['nordklar.portal.test..', undefined],
    ['nordklar.portal.test:', undefined], ['nordklar.portal.test:x', undefined], ['nordklar.portal.test:123456', undefined], ['nordklar%2eportal.test', undefined],
    ['xn--nordklar-.portal.test', undefined], ['localhost.evil.example', undefined], ['notlocalhost', undefined], ['127.0.0.1.evil.example', undefined], ['127.1', undefined],
    ['2130706433', undefined], ['0.0.0.0', undefined], ['[::ffff:127.0.0.1]', undefined], ['*', undefined],
  ])('%j leads to %s', async (host, alias) => {
    const told = await ask('/api/instance-providers/default', { host })
    const named = [OURS, THEIRS].filter((one) => told.text.includes(`"urlAlias":"${one}"`))
    expect([told.status, named]).toEqual(alias ? [200, [alias]] : [expect.any(Number), []])
    if (!alias) expect([400, 404]).toContain(told.status)
    expect(told.cache ?? 'no-store').toBe('no-store')
  }) // biome-ignore format: a list of hosts

  test.each([
    'x-forwarded-host',
    'x-host',
    'x-original-host',
    'x-forwarded-server',
    'forwarded',
    'x-original-url',
    'x-rewrite-url',
  ])('in %s is nobody’s, and the answer is not kept by anybody for others', async (name) => {
    const value = name === 'forwarded' ? 'host=fjellklar.portal.test' : 'fjellklar.portal.test'
    for (const path of [
      '/api/instance-providers/default',
      `/api/public/invoices/${foreign.reference}/${foreign.zip}`,
    ]) {
      const told = await ask(path, { host: 'localhost', [name]: value })
      expect(told.text).not.toContain('fjellklar')
      expect(told.text).not.toContain(foreign.id)
      expect(told.cache).toBe('no-store')
    }
  })

  test('in the request’s own line does not stand for that of another tenant', async () => {
    const told = await ask('http://fjellklar.portal.test/api/instance-providers/default', {
      host: 'localhost',
    })
    expect(told.text).not.toContain('"urlAlias":"fjellklar"')
  })
})

describe('storage.traversal: a path instead of a name', () => {
  const UPS = [
    '../',
    '..%2f',
    '..%2F',
    '..%5c',
    '..\\',
    '%2e%2e/',
    '%2e%2e%2f',
    '.%2e/',
    '..%252f',
    '%252e%252e%252f',
    '..;/',
    '..%c0%af',
    '..%e0%80%af',
    '....//',
    '..%00/',
    './/',
    '..%u2215',
    '．．／',
  ]
  const odd = [
    '', '.', '..', '%2e', '%00', 'logo.svg%00.png', 'c', 'C:%5cboot.ini', 'C:\\boot.ini', '%5c%5chost%5cshare', 'file:%2f%2f%2fetc%2fpasswd', '~', '~root', '%7e', '*', '?',
    'a'.repeat(150), 'a'.repeat(2_000), '\u0000', 'con', 'nul.png', 'logo', 'logo.svg.', 'logo.svg%20', 'logo.svg;x', 'LOGO.SVG', '-logo.svg', '%', '%zz', '%c0', 'null', 'undefined',
    '__proto__', 'constructor', '__proto__.svg', 'toString.png', "'%20or%201=1--.svg", '$%7b7*7%7d.svg',
  ] // biome-ignore format: a list of names
  const vectors = [
    ...odd,
    ...UPS.flatMap((up) =>
      [1, 2, 4, 8, 12].flatMap((depth) => {
        const far = up.repeat(depth)
        const at = up.endsWith('/') ? canaryFile.slice(1) : encodeURIComponent(canaryFile.slice(1))
        return [`${far}${at}`, `${far}etc/passwd`, `${far}package.json`]
      }),
    ),
  ]

  test('whatever is put for a name, no file comes', async () => {
    expect(vectors.length).toBeGreaterThanOrEqual(300)
    for (const vector of vectors) {
      // What cannot be sent at all is sent as a browser would write it.
      const path = /[^\x21-\x7e]/.test(vector) ? encodeURI(vector) : vector
      const told = await ask(`/api/storage/${path}`, { host: 'localhost' })
      expect([400, 404, 414], vector.slice(0, 80)).toContain(told.status)
      expect(told.text, vector.slice(0, 80)).not.toMatch(/daemon:|"workspaces"|canary-7f/)
      expect(told.text, vector.slice(0, 80)).toMatch(/"code":"(not_found|invalid_request)"/)
    }
  })
})

describe('proto.pollute: a name that all things share', () => {
  const EVIL = '{"polluted":true,"isAdmin":true,"statusCode":200}'
  const WRAPS: readonly ((evil: string) => string)[] = [
    (evil) => `{"__proto__":${evil}}`,
    (evil) => `{"constructor":{"prototype":${evil}}}`,
    (evil) => `{"constructor.prototype":${evil},"__proto__.polluted":true}`,
    (evil) => `{"a":{"__proto__":${evil}},"filters":{"__proto__":${evil}}}`,
    (evil) => `{"filters":[{"key":"__proto__","search":"x"},{"key":"constructor.prototype.polluted","search":"x"}],"x":${evil}}`,
    (evil) => `{"\\u005f_proto__":${evil}}`,
    (evil) => `{"statuses":{"__proto__":${evil},"main":"ACTIVATED"},"statuses.__proto__.polluted":"true"}`,
    (evil) => `{"paymentDate":"2026-11-20","amount":{"__proto__":${evil}},"redirectUri":"/"}`,
  ] // biome-ignore format: a list of bodies
  const TAILS = ['payment-requests', 'dispute', 'ledger', 'search', 'part-payment/start'] as const

  test(`in ${WRAPS.length * TAILS.length} bodies changes nothing that is shared`, async () => {
    expect(WRAPS.length * TAILS.length).toBeGreaterThanOrEqual(40)
    const before = Object.getOwnPropertyNames(Object.prototype)
    for (const tail of TAILS) {
      for (const wrap of WRAPS) {
        const body = wrap(EVIL)
        const method = tail === 'part-payment/start' ? 'PUT' : 'POST'
        const path = `/api/public/invoices/${invoice.reference}/${invoice.zip}/${tail}`
        const told = await server.call(method, path, { body })
        expect(told.status, `${tail} ${body}`).toBeLessThan(500)
        expect(told.text, `${tail} ${body}`).not.toContain('polluted')
        expect(({} as { polluted?: unknown }).polluted, `${tail} ${body}`).toBeUndefined()
      }
    }
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before)
    const { rows } = await server.test.owner.query('select from payment union all select from dispute')
    expect(rows).toEqual([])
  })

  test('a name twice in the query is refused, not decided by its place', async () => {
    const headers = await signIn(server.product.context, server.instanceId, [invoice.debtorId])
    for (const query of [
      `paymentReference=${invoice.reference}&paymentReference=${foreign.reference}`,
      `paymentReference=${foreign.reference}&paymentReference=${invoice.reference}`,
      `paymentReference=${invoice.reference}&zip=${invoice.zip}&zip=0150`,
      `paymentReference[]=${invoice.reference}`,
      `paymentReference=${invoice.reference}&invoiceNumber=1&invoiceNumber=${invoice.number}`,
    ]) {
      const told = await server.call('GET', `/api/debtor/invoices?${query}`, { headers })
      expect([query, told.status, (told.json as { code: string }).code]).toEqual([
        query,
        400,
        expect.any(String),
      ])
    }
  })
})
