import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { START_PAGE_MARKS } from '@kvitt/domain/instances/start-page.ts'
import type { PortalName } from '@kvitt/domain/instances/portals.ts'
import { servePortals, type Portal } from './portals.ts'
import { openDebtorPortal } from './debtor-portal.ts'
import { openStaffPortal } from './staff-portal.ts'

const folder = mkdtempSync(join(tmpdir(), 'kvitt-portal-'))
let app: FastifyInstance

beforeAll(() => {
  writeFileSync(
    join(folder, 'index.html'),
    '<html lang="sv"><!--kvitt:head--><script nonce="__NONCE__">1</script><!--kvitt:home--><noscript><!--kvitt:no-script--></noscript></html>',
  )
  const home = {
    'A,B': '<link href="/0logo"/><p>0name</p><img src="/0logo"/><div data-x="0picture"></div><b>0tel</b>',
  }
  writeFileSync(
    join(folder, 'screens.json'),
    JSON.stringify({ sv: { home, description: 'Pay "0name"', opening: '' } }),
  )
  app = Fastify()
  app.decorateRequest('tenant', undefined)
  app.addHook('onRequest', async (request) => {
    request.tenant =
      request.headers.host === 'nobody.test' ? undefined : { id: '1', language: 'sv', mode: 'test' }
  })
  const debtor = openDebtorPortal(folder, () => ({
    name: 'Nordklar',
    language: 'sv',
    favicon: icon,
    variables: { '--fill': '#0b5c6b', '--hostile': 'red;}*{background:url(//evil.example)' },
    marks: [
      ['0logo', null],
      ['0picture', 'forest.svg'],
      ['0tel', '$& 1'],
      [START_PAGE_MARKS.phone, '031-390 06 10'],
      [START_PAGE_MARKS.phoneAbroad, '+46 31 390 06 10'],
      [START_PAGE_MARKS.name, '<Nordklar & Co>'],
      ['0name', '<Nordklar & Co>'],
    ],
    logins: 'A,B',
    foreign: { chatHosts: ['chat.example'], isChatInPage: true, receivers: [] },
    chatFrame: '<b>chat</b>',
    answer: { name: '</script><script>alert(1)</script>' },
  }))
  mkdirSync(join(folder, 'home/assets'), { recursive: true })
  writeFileSync(join(folder, 'home/assets/a.js'), 'home()')
  writeFileSync(join(folder, 'home/assets/a.js.br'), 'packed')
  const homepage: Portal = {
    name: 'home',
    folder: join(folder, 'home'),
    answer: ({ base, path, tenant }, reply) =>
      path.startsWith('no') ? undefined : reply.send(`${tenant.id} at ${base || 'its host'}: ${path}`),
  }
  mkdirSync(join(folder, 'client'))
  writeFileSync(
    join(folder, 'client/index.html'),
    '<html lang="sv"><script nonce="__NONCE__">1</script><!--kvitt:head--></html>',
  )
  const client = openStaffPortal('client', join(folder, 'client'), () => ({
    name: '<Nordklar & Co>',
    language: 'fi',
    favicon: null,
    variables: { '--fill': '#0b5c6b', '--hostile': 'red;}*{background:url(//evil.example)' },
    answer: { name: '</script><script>alert(1)</script>' },
  }))
  servePortals(app, [debtor, client, homepage], ({ headers }) => HOSTS[headers.host ?? ''])
})
const HOSTS: Record<string, PortalName> = {
  'nordklar.test': 'debtor',
  'nordklar.test:8443': 'debtor',
  'home.nordklar.test': 'home',
  'client.nordklar.test': 'client',
  'admin.nordklar.test': 'admin',
}
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

/** The debtor portal's, as its provider has one. */
let icon: string | null = null

async function locationOf(url: string): Promise<string | undefined> {
  const { statusCode, headers } = await app.inject({ url })
  return statusCode === 302 ? String(headers.location) : undefined
}

test('css.inject: the prerendered page is filled with what is the tenant’s own, as text and nothing else', async () => {
  const { body, headers } = await app.inject({ url: '/' })
  expect(body).toContain(
    '<p>&lt;Nordklar &amp; Co&gt;</p><div data-x="forest.svg"></div><b>$&amp; 1</b><noscript>',
  )
  expect(body).toContain(':root{--fill:#0b5c6b}')
  const [, icon = ''] = body.match(/<link rel="icon" href="data:image\/svg\+xml,([^"]+)">/) ?? []
  expect(decodeURIComponent(icon)).toContain('fill="#0b5c6b"')
  expect(body).toContain('content="Pay &quot;&lt;Nordklar &amp; Co&gt;&quot;"')
  expect(body).not.toContain('evil.example')
  expect(body).not.toContain('<script>')
  const nonces = new Set([...body.matchAll(/nonce="([^"]*)"/g)].map(([, nonce]) => nonce))
  expect(nonces.size).toBe(1)
  expect(headers['content-security-policy']).toContain(`'nonce-${[...nonces][0]}'`)
  expect(headers['cache-control']).toBe('no-cache')
})

test('the provider’s icon is no request that the words of the page wait for', async () => {
  icon = 'icon.svg'
  const { body } = await app.inject({ url: '/' })
  icon = null
  const withScript = body.replaceAll(/<noscript>.*?<\/noscript>/g, '')
  expect(withScript.match(/<link rel="icon"[^>]*>/g)).toEqual([
    expect.stringMatching(/^<link rel="icon" href="data:[^"]+" data-src="\/api\/storage\/icon\.svg">$/),
  ])
  expect(body).toContain('<noscript><link rel="icon" href="/api/storage/icon.svg"></noscript>')
})

test('css.inject: the page of staff has the tenant’s name and colours as text, and nothing of others runs in it', async () => {
  const { body, headers } = await app.inject({ url: '/client/' })
  expect(body).toContain('<html lang="fi">')
  expect(body).toContain('<title>&lt;Nordklar &amp; Co&gt;</title>')
  expect(body).toContain(':root{--fill:#0b5c6b}')
  expect(body).not.toMatch(/evil|<script>|__NONCE__/)
  const nonces = new Set([...body.matchAll(/nonce="([^"]*)"/g)].map(([, nonce]) => nonce))
  expect(nonces.size).toBe(1)
  const policy = String(headers['content-security-policy'])
  expect(policy).toContain(`script-src 'self' 'nonce-${[...nonces][0]}';`)
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).toContain("require-trusted-types-for 'script'")
})

test('the portal of staff is found by its path and at its host, and its routes lead behind the hash', async () => {
  expect(await locationOf('/client')).toBe('/client/')
  expect(await locationOf('/client/en/todo')).toBe('/client/#/en/todo')
  const own = await app.inject({ url: '/sv/todo', headers: { host: 'client.nordklar.test' } })
  expect(own.headers.location).toBe('/#/sv/todo')
  expect((await app.inject({ url: '/client/nothing' })).statusCode).toBe(404)
})

test('the chat in a frame is a page without rights', async () => {
  const { body, headers } = await app.inject({ url: '/chat' })
  expect(body).toContain('<b>chat</b>')
  expect(headers['content-security-policy']).toMatch(/^sandbox allow-scripts allow-forms allow-popups; /)
  expect(headers['x-frame-options']).toBe('SAMEORIGIN')
})

test('each page has a nonce of its own, and is packed as whoever asks understands', async () => {
  const policies = await Promise.all(
    (
      [
        ['br, gzip', 'br', brotliDecompressSync],
        ['br, gzip', 'br', brotliDecompressSync],
        ['gzip', 'gzip', gunzipSync],
        ['br;q=0, gzip', 'gzip', gunzipSync],
        ['x-br', undefined, (bytes: Buffer) => bytes],
      ] as const
    ).map(async ([accepted, encoding, unpack]) => {
      const answer = await app.inject({ url: '/', headers: { 'accept-encoding': accepted } })
      expect(answer.headers['content-encoding'], accepted).toBe(encoding)
      expect(unpack(answer.rawPayload).toString(), accepted).toContain('</html>')
      return answer.headers['content-security-policy']
    }),
  )
  expect(new Set(policies).size).toBe(5)
})

test('a link without the hash leads to the same place behind it, its query kept', async () => {
  expect(await locationOf('/sv/invoice/2601/41105?invoiceNumber=26%201')).toBe(
    '/#/sv/invoice/2601/41105?invoiceNumber=26%201',
  )
  expect(await locationOf('/fi/dashboard')).toBe('/#/fi/dashboard')
  expect(await locationOf('/en/')).toBe('/#/en/')
  expect(await locationOf('/nb')).toBe('/#/nb')
  expect(await locationOf('/nb?paymentReference=2601&zip=1')).toBe('/#/nb?paymentReference=2601&zip=1')
})

test('whatever the link says, it stays on this host', async () => {
  const hostile = [
    '/sv//evil.example',
    '/sv/%2F%2Fevil.example',
    '/en/..%2f..%2f/evil.example',
    '/nb/%0d%0aSet-Cookie:a=b',
    '/da/javascript:alert(1)',
  ]
  for (const url of hostile) expect(await locationOf(url), url).toBe(`/#${url}`)
})

test('other first segments and unknown hosts are no links', async () => {
  expect(await locationOf('/xx/dashboard')).toBeUndefined()
  expect(await locationOf('/svx/dashboard')).toBeUndefined()
  expect(await locationOf('/svx')).toBeUndefined()
  expect(await locationOf('//evil.example/sv/')).toBeUndefined()
  const { statusCode } = await app.inject({ url: '/sv/dashboard', headers: { host: 'nobody.test' } })
  expect(statusCode).toBe(500)
})

test.each([
  ['nordklar.test', '/home/sv/fees/?amount=1', '//home.nordklar.test/sv/fees/?amount=1'],
  ['nordklar.test:8443', '/home', '//home.nordklar.test:8443/'],
  ['nordklar.test', '/home?a=1', '//home.nordklar.test/?a=1'],
  ['nordklar.test', '/client/', '//client.nordklar.test/'],
  ['client.nordklar.test', '/home/sv/', '//home.nordklar.test/sv/'],
  ['home.nordklar.test', '/home/sv/', '//home.nordklar.test/sv/'],
  // Whatever follows stays a path of that host.
  ['nordklar.test', '/home//evil.example', '//home.nordklar.test//evil.example'],
  ['nordklar.test', '/home/@evil.example', '//home.nordklar.test/@evil.example'],
])('at %s the path %s leads to %s', async (host, url, target) => {
  const { statusCode, headers } = await app.inject({ url, headers: { host } })
  expect([statusCode, headers.location]).toEqual([302, target])
})

test('the path of a portal that is not served leads nowhere', async () => {
  const { statusCode } = await app.inject({ url: '/support/sv/', headers: { host: 'nordklar.test' } })
  expect(statusCode).toBe(404)
})

test('each portal has a path on a host that all share, and a host of its own', async () => {
  const bodyOf = async (url: string, host = 'localhost') => {
    const { statusCode, body } = await app.inject({ url, headers: { host } })
    return statusCode === 200 ? body : statusCode
  }
  expect(await bodyOf('/home/')).toBe('1 at /home: ')
  expect(await bodyOf('/home/sv/fees?amount=1')).toBe('1 at /home: sv/fees')
  expect(await bodyOf('/', 'home.nordklar.test')).toBe('1 at its host: ')
  expect(await bodyOf('/home/assets/a.js')).toBe('home()')
  expect(await bodyOf('/assets/a.js', 'home.nordklar.test')).toBe('home()')
  expect(await bodyOf('/assets/a.js')).toBe(404)
  expect(await bodyOf('/home/assets/b.js')).toBe(404)
  expect(await bodyOf('/home/no')).toBe(404)
  expect(await bodyOf('/', 'admin.nordklar.test')).toBe(404)
  expect(await bodyOf('/admin/')).toBe(404)
  expect(await bodyOf('/homes/')).toBe(404)
  expect(await locationOf('/home?a=1')).toBe('/home/?a=1')
})

test('a file goes out as its compressed twin to whoever reads that, and is kept for ever', async () => {
  const file = (accepted: string) =>
    app.inject({ url: '/home/assets/a.js', headers: { 'accept-encoding': accepted } })
  const packed = await file('gzip, br')
  expect([packed.headers['content-encoding'], packed.body]).toEqual(['br', 'packed'])
  expect(packed.headers['content-type']).toBe('text/javascript; charset=utf-8')
  expect(packed.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  const refused = await file('br;q=0, *')
  expect([refused.headers['content-encoding'], refused.body]).toEqual([undefined, 'home()'])
  const plain = await file('gzip')
  expect([plain.headers['content-encoding'], plain.body]).toEqual([undefined, 'home()'])
})

test('a portal that is not built stops the start with a sentence', () => {
  const missing = { name: 'home', folder: join(folder, 'none'), answer: () => undefined } as const
  expect(() => servePortals(Fastify(), [missing], () => undefined)).toThrow('The home portal is not built.')
})

test('a browser without JavaScript is told so in every language, and whom to ring', async () => {
  const { body } = await app.inject({ url: '/', headers: { host: 'localhost' } })
  const [, told = ''] = /<noscript>(.*?)<\/noscript>/.exec(body) ?? []
  expect([...told.matchAll(/<p lang="(\w+)">/g)].map(([, language]) => language)).toEqual([
    'sv',
    'en',
    'nb',
    'da',
    'fi',
  ])
  expect(told.match(/JavaScript/g)).toHaveLength(5)
  expect(told.match(/>031-390 06 10</g)).toHaveLength(1)
  expect(told.match(/>\+46 31 390 06 10</g)).toHaveLength(4)
  expect(told).toContain('<h1>&lt;Nordklar &amp; Co&gt;</h1>')
})
