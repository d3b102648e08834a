/** At which hosts an instance answers, and which portal of it (D-15). */
import { beforeAll, expect, test } from 'vitest'
import { buildInstance } from '../testing/build.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { openInstances, portalOfHost } from './instances.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await buildInstance(server.test, { alias: 'berg', domain: 'example.test', isDefault: false })
  await buildInstance(server.test, { alias: 'home', domain: 'example.test', isDefault: false })
})

async function foundAt(host: string): Promise<string | undefined> {
  const instance = await openInstances(server.test.db, server.clock).ofHost(host)
  return instance && `${instance.host} ${portalOfHost(instance, host) ?? 'by path'}`
}

test('a host is an instance and one of its portals; plain hosts have them all', async () => {
  expect(await foundAt('berg.example.test')).toBe('berg.example.test debtor')
  expect(await foundAt('HOME.berg.example.test:8080')).toBe('berg.example.test home')
  expect(await foundAt('admin.berg.example.test')).toBe('berg.example.test admin')
  expect(await foundAt('localhost:8080')).toMatch(/ by path$/)
  expect(await foundAt('127.0.0.1')).toMatch(/ by path$/)
  expect(await foundAt('support.localhost')).toMatch(/ support$/)
})

test('an instance’s own host is never the portal of another', async () => {
  expect(await foundAt('home.example.test')).toBe('home.example.test debtor')
  expect(await foundAt('home.home.example.test')).toBe('home.example.test home')
})

test('other hosts are nobody’s', async () => {
  for (const host of [
    'example.test',
    'shop.berg.example.test',
    'home.support.berg.example.test',
    'homeberg.example.test',
    'home.example.org',
    '',
  ]) {
    expect(await foundAt(host), host).toBeUndefined()
  }
})

test('a portal that is not served is a host that is not there, for calls too', async () => {
  const statusAt = async (host: string) =>
    (await server.product.app.inject({ url: '/api/ping/version', headers: { host } })).statusCode
  expect(await statusAt('berg.example.test')).toBe(200)
  expect(await statusAt('client.berg.example.test')).toBe(404)
})
