import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openDatabaseLine, type DatabaseLine } from '../../testing/database-line.ts'
import { startTestServer } from '../../testing/start-test-server.ts'

let line: DatabaseLine | undefined
const server = await startTestServer({
  through: async (address) => (line = await openDatabaseLine(address)).address,
})
const ready = async (): Promise<number> => (await server.call('GET', '/readyz')).status

test('one lost answer takes nobody out of service, three in a row do, and one that comes brings it back', async () => {
  expect(await ready()).toBe(200)
  line?.silenceNew()
  line?.silence()
  const began = performance.now()
  // However many ask meanwhile, it is one answer that is lost.
  expect(await Promise.all(Array.from({ length: 6 }, ready))).toEqual(Array.from({ length: 6 }, () => 200))
  expect(await ready()).toBe(200)
  const third = await server.call('GET', '/readyz')
  expect([third.status, third.headers.get('retry-after')]).toEqual([503, '5'])
  expect(performance.now() - began).toBeLessThan(8_000)
  expect((await server.call('GET', '/livez')).status).toBe(200)
  line?.heal()
  await expect.poll(ready, { timeout: 12_000, interval: 200 }).toBe(200)
}, 40_000)

test('T-DRAIN: who is asked to go says so, and still answers', async () => {
  expect(await ready()).toBe(200)
  server.product.drain()
  await sleep(10)
  expect(await ready()).toBe(503)
  expect((await server.call('GET', '/livez')).status).toBe(200)
  expect((await server.call('GET', '/api/docs')).status).toBe(200)
})
