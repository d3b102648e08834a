import { describe, expect, test } from 'vitest'
import { date } from '../calendar.ts'
import { interestToPost, isInterestBilled, postsInterest } from './interest-posting.ts'

const owing = (principalMinor: number, from: string, to: string, country = 'SE') => ({
  principalMinor,
  from: date(from),
  to: date(to),
  country,
  debtorKind: 'business' as const,
})

describe('interest to post', () => {
  test.each([
    ['nine days at 10 %', owing(1_575_000, '2026-11-12', '2026-11-20'), 3884],
    ['thirty days at 12 %', owing(899_000, '2026-10-22', '2026-11-20', 'NO'), 8867],
    ['under one krona', owing(39_900, '2026-11-09', '2026-11-15'), 0],
    ['exactly one krona', owing(365_000, '2026-02-01', '2026-02-01'), 100],
    ['one öre less', owing(363_000, '2026-02-01', '2026-02-01'), 0],
    ['no day', owing(1_575_000, '2026-11-21', '2026-11-20'), 0],
    ['nothing owed', owing(0, '2026-01-01', '2026-11-20'), 0],
    ['a country without rates', owing(1_575_000, '2020-01-01', '2026-11-20', 'IE'), 0],
  ])('%s', (_name, debt, expected) => {
    expect(interestToPost(debt)?.amountMinor).toBe(expected)
  })

  test('a day without a known rate stops it', () => {
    expect(interestToPost(owing(1_575_000, '2022-06-30', '2026-11-20'))).toBeUndefined()
    expect(interestToPost(owing(1_575_000, '2023-06-30', '2023-07-01', 'FI'))).toBeUndefined()
  })

  test('says when a rate is assumed, and shows how it was counted', () => {
    const over = interestToPost(owing(1_575_000, '2026-06-22', '2026-07-01'))
    expect(over?.assumed).toBe(true)
    expect(over?.segments.map(({ days, percent }) => [days, percent])).toEqual([
      [9, '10.00'],
      [1, '10.00'],
    ])
    expect(interestToPost(owing(1_575_000, '2026-06-22', '2026-06-30'))?.assumed).toBe(false)
  })
})

test('posted with what costs or hands over, not with a notice', () => {
  expect(postsInterest('REMINDER')).toBe(true)
  expect(postsInterest('COLLECTION')).toBe(true)
  expect(postsInterest('EXPIRED')).toBe(false)
  expect(postsInterest('WATCH')).toBe(false)
})

test('billed afterwards from 100, in euro from 10', () => {
  expect(isInterestBilled(9999, 'SEK')).toBe(false)
  expect(isInterestBilled(10_000, 'SEK')).toBe(true)
  expect(isInterestBilled(999, 'EUR')).toBe(false)
  expect(isInterestBilled(1000, 'EUR')).toBe(true)
})
