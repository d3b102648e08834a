import { expect, test } from 'vitest'
import { date } from '../calendar.ts'
import { closableMonths, lastDayOf, monthAfter, parseMonth, stateOf } from './month-close.ts'

test('months, also over a leap day and a year', () => {
  expect(lastDayOf('2028-02')).toBe('2028-02-29')
  expect(monthAfter('2026-12')).toBe('2027-01')
  expect([parseMonth('2026-13'), parseMonth('2026-1'), parseMonth('2026-11')]).toEqual([
    undefined,
    undefined,
    '2026-11',
  ])
})

test('only the month after the last one is closed next, and not before it is over', () => {
  const of = { firstBooked: date('2026-08-05'), lastClosed: '2026-09' }
  expect(closableMonths({ ...of, today: date('2026-10-31') })).toEqual([])
  expect(closableMonths({ ...of, today: date('2026-11-01') })).toEqual(['2026-10'])
  expect(closableMonths({ ...of, today: date('2027-03-01') })).toEqual(['2026-10'])
})

test('before any is closed, the first that has anything booked; without books none', () => {
  const today = date('2026-11-01')
  expect(closableMonths({ lastClosed: undefined, firstBooked: date('2026-08-05'), today })).toEqual([
    '2026-08',
  ])
  expect(closableMonths({ lastClosed: undefined, firstBooked: undefined, today })).toEqual([])
})

test('what must hold is in the way, what may be is named', () => {
  expect([stateOf('nights', false), stateOf('suspense', false), stateOf('nights', true)]).toEqual([
    'BLOCKS',
    'NAME',
    'OK',
  ])
})
