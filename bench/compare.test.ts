import { expect, test } from 'vitest'
import { findWorse, haveNone } from './compare.ts'
import type { Result } from './run.ts'

const figure = (name: string, value: number, unit: string, ratio: number | null = null): Result => ({
  name,
  value,
  unit,
  floor: ratio === null ? null : value / ratio,
  ratio,
})
const worse = (now: Result, ...before: Result[]): string[] =>
  findWorse(
    [now],
    before.map((one) => [one]),
  ).map(({ name, by }) => `${name} ${Math.round(by * 100)} %`)

test.each([
  ['a time', figure('night', 106, 's'), figure('night', 100, 's'), ['night 6 %']],
  ['a time that is 5 % longer', figure('night', 105, 's'), figure('night', 100, 's'), []],
  ['a shorter time', figure('night', 50, 's'), figure('night', 100, 's'), []],
  ['a rate', figure('reads', 94, 'requests/s'), figure('reads', 100, 'requests/s'), ['reads 6 %']],
  ['a higher rate', figure('reads', 150, '/s'), figure('reads', 100, '/s'), []],
  ['a score', figure('screen', 90, 'of 100'), figure('screen', 100, 'of 100'), ['screen 10 %']],
  ['a figure that is new', figure('new', 999, 's'), figure('old', 1, 's'), []],
  ['a figure that was nothing', figure('blocked', 9, 'ms'), figure('blocked', 0, 'ms'), []],
])('%s', (_what, now, before, found) => expect(worse(now, before)).toEqual(found))

test('a slower machine is none: the ratio to what it does in the same run is compared', () => {
  const before = figure('reads', 10_000, 'requests/s', 0.64)
  expect(worse(figure('reads', 3_000, 'requests/s', 0.63), before)).toEqual([])
  expect(worse(figure('reads', 11_000, 'requests/s', 0.55), before)).toEqual(['reads 14 %'])
})

test('a run whose names are all new is compared with nothing, and says so', () => {
  const before = [[figure('old', 1, 's'), figure('night', 100, 's')]]
  expect(haveNone([figure('new', 1, 's'), figure('newer', 1, 's')], before)).toBe(true)
  expect(haveNone([figure('new', 1, 's'), figure('night', 100, 's')], before)).toBe(false)
  expect(haveNone([], before)).toBe(true)
})

test('what the runs before differ by is no fault', () => {
  const runs = [90, 100, 110].map((value) => figure('import', value, 'invoices/s'))
  // 5 % and half of the 20 between the best and the worst.
  expect(worse(figure('import', 86, 'invoices/s'), ...runs)).toEqual([])
  expect(worse(figure('import', 84, 'invoices/s'), ...runs)).toEqual(['import 16 %'])
})
