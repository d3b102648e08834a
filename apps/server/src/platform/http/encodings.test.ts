import { expect, test } from 'vitest'
import { encodingFor } from './encodings.ts'

test.each([
  ['br', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['GZIP;q=0.5', 'gzip'],
  ['x-gzip', 'gzip'],
  ['br;q=0', undefined],
  ['br;q=0, gzip;q=1.0', 'gzip'],
  ['br ; q=0.000,gzip ; q=0', undefined],
  ['br;q=0.001', 'br'],
  ['*', 'br'],
  ['*;q=0', undefined],
  ['br;q=0, *', 'gzip'],
  ['gzip;q=0, *;q=0.1', 'br'],
  ['identity', undefined],
  ['brotli, bro, x-br', undefined],
  ['br;q=zero', undefined],
  ['', undefined],
  [undefined, undefined],
])('RFC 9110, 12.5.3: who accepts %j is sent %s', (accepted, encoding) => {
  expect(encodingFor(accepted, ['br', 'gzip'])).toBe(encoding)
})

test('what there is not is not chosen', () => {
  expect(encodingFor('br, gzip', ['gzip'])).toBe('gzip')
  expect(encodingFor('br', ['gzip'])).toBeUndefined()
})
