import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { servePortal } from './portal.ts'

const folder = mkdtempSync(join(tmpdir(), 'kvitt-portal-'))
let app: FastifyInstance

beforeAll(() => {
  writeFileSync(join(folder, 'index.html'), '<html lang="sv"><!--kvitt:head--><!--kvitt:brand--></html>')
  app = Fastify()
  app.decorateRequest('tenant', undefined)
  app.addHook('onRequest', async (request) => {
    request.tenant = request.headers.host === 'nobody.test' ? undefined : { id: '1', language: 'sv' }
  })
  servePortal(app, folder, () => ({
    name: 'Nordklar',
    shortName: 'Nordklar',
    language: 'sv',
    logo: null,
    favicon: null,
    variables: {},
    answer: {},
  }))
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

async function locationOf(url: string): Promise<string | undefined> {
  const { statusCode, headers } = await app.inject({ url })
  return statusCode === 302 ? String(headers.location) : undefined
}

test('a link without the hash leads to the same place behind it, its query kept', async () => {
  expect(await locationOf('/sv/invoice/2601/41105?invoiceNumber=26%201')).toBe(
    '/#/sv/invoice/2601/41105?invoiceNumber=26%201',
  )
  expect(await locationOf('/fi/dashboard')).toBe('/#/fi/dashboard')
  expect(await locationOf('/en/')).toBe('/#/en/')
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
  expect(await locationOf('//evil.example/sv/')).toBeUndefined()
  const { statusCode } = await app.inject({ url: '/sv/dashboard', headers: { host: 'nobody.test' } })
  expect(statusCode).toBe(500)
})
