import { expect, test } from 'vitest'
import { readFilter } from './status-filter.ts'

const STATUSES = ['ACTIVATED', 'PAUSED', 'CLOSED'] as const

test.each([
  ['ACTIVATED', ['ACTIVATED']],
  ['PAUSED[OR]ACTIVATED', ['ACTIVATED', 'PAUSED']],
  ['CLOSED[OR]CLOSED', ['CLOSED']],
])('%s', (text, values) => {
  expect(readFilter(text, STATUSES)).toEqual(values)
})

test.each([
  '',
  '[OR]',
  'ACTIVATED[OR]',
  '[OR]ACTIVATED',
  'ACTIVATED[OR][OR]PAUSED',
  'ACTIVATED[AND]PAUSED',
  'activated',
  'OPEN',
  "ACTIVATED' or 1=1",
  'ACTIVATED[OR]ARCHIVED',
  Array.from({ length: 10_000 }, () => 'ACTIVATED').join('[OR]'),
])('sqli.filters: %j is refused', (text) => {
  expect(readFilter(text.slice(0, 100_000), STATUSES)).toBeUndefined()
})
