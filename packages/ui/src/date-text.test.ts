import { expect, test } from 'vitest'
import { formatDay } from './date-text.ts'

const plain = (text: string) => text.replaceAll('\u00a0', ' ')

test('a day in each language', () => {
  expect(plain(formatDay('2026-12-04', 'en'))).toBe('4 December 2026')
  expect(plain(formatDay('2026-12-04', 'sv'))).toBe('4 december 2026')
  expect(plain(formatDay('2026-12-04', 'nb'))).toBe('4. desember 2026')
  expect(plain(formatDay('2026-12-04', 'da'))).toBe('4. december 2026')
  expect(plain(formatDay('2026-12-04', 'fi'))).toBe('4. joulukuuta 2026')
})

test('the other forms', () => {
  expect(plain(formatDay('2026-12-04', 'en', 'weekday'))).toBe('Friday 4 December 2026')
  expect(plain(formatDay('2026-12-04', 'en', 'dayMonth'))).toBe('4 December')
  expect(plain(formatDay('2026-12-04', 'en', 'brief'))).toBe('4 Dec')
  expect(plain(formatDay('2026-10-16', 'en', 'short'))).toBe('16 Oct 2026')
})

test('the day does not move with the time zone of the computer', () => {
  expect(plain(formatDay('2026-01-01', 'sv'))).toBe('1 januari 2026')
  expect(plain(formatDay('2026-12-31', 'sv'))).toBe('31 december 2026')
})
