import { expect, test } from 'vitest'
import { date } from '../calendar.ts'
import { isWaitedFor, untoldSpans, type DaySpan } from './told-days.ts'

const span = (first: string, last = first): DaySpan => ({ first: date(first), last: date(last) })

// 2026-11-20 is a Friday; 2026-12-24 to 26 are closed in Sweden, 2026-12-27 is a Sunday.
test.each<[string, DaySpan[], DaySpan[]]>([
  ['nothing is missing', [], []],
  ['a bank day', [span('2026-11-20')], [span('2026-11-20')]],
  ['a weekend is never missing', [span('2026-11-21', '2026-11-22')], []],
  ['nor is Christmas', [span('2026-12-24', '2026-12-27')], []],
  [
    'the days before and after a weekend are one span',
    [span('2026-11-20', '2026-11-23')],
    [span('2026-11-20', '2026-11-23')],
  ],
  [
    'also when the weekend itself is told',
    [span('2026-11-20'), span('2026-11-23')],
    [span('2026-11-20', '2026-11-23')],
  ],
  ['it begins and ends on bank days', [span('2026-11-21', '2026-11-29')], [span('2026-11-23', '2026-11-27')]],
  [
    'a told bank day between makes two',
    [span('2026-11-16'), span('2026-11-18', '2026-11-19')],
    [span('2026-11-16'), span('2026-11-18', '2026-11-19')],
  ],
])('%s', (_, gaps, spans) => {
  expect(untoldSpans('SE', gaps)).toEqual(spans)
})

test.each<[string, number, string, boolean]>([
  ['the night after it', 3, '2026-11-17', true],
  ['the third bank day after it', 3, '2026-11-19', true],
  ['after the limit', 3, '2026-11-20', false],
  ['with no patience', 0, '2026-11-17', false],
  ['over a weekend', 5, '2026-11-23', true],
  ['after a weekend and the limit', 5, '2026-11-24', false],
])('a Monday is waited for: %s', (_, waitDays, day, isWaiting) => {
  expect(isWaitedFor('SE', span('2026-11-16', '2026-11-19'), { day: date(day), waitDays })).toBe(isWaiting)
})
