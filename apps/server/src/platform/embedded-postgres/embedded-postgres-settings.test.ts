import { totalmem } from 'node:os'
import { expect, test } from 'vitest'
import { availableMemory, memorySettings } from './embedded-postgres-settings.ts'

const GIGABYTE = 1024 ** 3

test.each([
  [GIGABYTE / 4, '64MB', '256MB'],
  [GIGABYTE, '128MB', '512MB'],
  [4 * GIGABYTE, '512MB', '2048MB'],
  [16 * GIGABYTE, '2048MB', '8192MB'],
  [64 * GIGABYTE, '2048MB', '32768MB'],
])('of %d bytes the database keeps %s', (bytes, cache, guess) => {
  expect(memorySettings(bytes)).toEqual({ shared_buffers: cache, effective_cache_size: guess })
})

test('no more than the machine has', () => {
  expect(availableMemory()).toBeGreaterThan(0)
  expect(availableMemory()).toBeLessThanOrEqual(totalmem())
})
