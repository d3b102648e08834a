import { describe, expect, test } from 'vitest'
import { addDays, date } from '../calendar.ts'
import {
  interestOn,
  interestToPost,
  isInterestBilled,
  PARTS_OF_MINOR,
  postsInterest,
} from './interest-posting.ts'

const days = (principalMinor: number, from: string, to: string) => ({
  principalMinor,
  from: date(from),
  to: date(to),
})
const owing = (principalMinor: number, from: string, to: string, country = 'SE') => ({
  owed: [days(principalMinor, from, to)],
  fellDueOn: addDays(date(from), -1),
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
    expect(interestToPost(owing(1_575_000, '2012-12-30', '2026-11-20'))).toBeUndefined()
    expect(interestToPost(owing(1_575_000, '2024-06-30', '2024-07-01', 'NO'))).toBeUndefined()
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

describe('interest on what was owed from day to day', () => {
  const sumOf = (...owed: ReturnType<typeof days>[]) =>
    interestOn({ owed, country: 'SE', debtorKind: 'business', fellDueOn: date('2026-01-31') })

  test('is the law’s sum rounded once, however often it is posted', () => {
    // 842,00 at 10 %: 23.07 öre a day, and every posting of three days is 69.2 öre or what was left over more.
    const whole = sumOf(days(84_200, '2026-02-01', '2026-04-01'))?.amountMinor
    let posted = 0
    let restParts = 0
    for (let day = date('2026-02-01'); day < date('2026-04-02'); day = addDays(day, 3)) {
      const part = interestOn({ ...owing(84_200, day, addDays(day, 2)), restParts })
      posted += part?.amountMinor ?? 0
      restParts = part?.restParts ?? 0
    }
    expect(posted).toBe(whole)
    expect(Math.abs(restParts) * 2).toBeLessThanOrEqual(PARTS_OF_MINOR)
  })

  test('what is too little to post is not lost', () => {
    const first = interestToPost(owing(84_200, '2026-02-01', '2026-02-03'))
    expect(first?.amountMinor).toBe(0)
    const rest = { ...owing(84_200, '2026-02-04', '2026-03-02'), restParts: first?.restParts ?? 0 }
    expect(interestToPost(rest)?.amountMinor).toBe(
      interestToPost(owing(84_200, '2026-02-01', '2026-03-02'))?.amountMinor,
    )
  })

  test('a part that was paid bears it until its day', () => {
    const sum = sumOf(
      days(10_000_000, '2026-02-01', '2026-02-10'),
      days(40_000_000, '2026-02-01', '2026-02-06'),
    )
    expect(sum?.amountMinor).toBe(Math.round((10_000_000 * 10 + 40_000_000 * 6) / 3650))
    expect(sum?.segments.map(({ principalMinor, from, to }) => [principalMinor, from, to])).toEqual([
      [50_000_000, '2026-02-01', '2026-02-06'],
      [10_000_000, '2026-02-07', '2026-02-10'],
    ])
  })

  test('the days on which it looked paid cost nothing', () => {
    const sum = sumOf(
      days(50_000_000, '2026-02-01', '2026-02-20'),
      days(40_000_000, '2026-02-01', '2026-02-06'),
      days(-40_000_000, '2026-02-01', '2026-02-15'),
    )
    expect(sum?.segments.map(({ principalMinor, from, to }) => [principalMinor, from, to])).toEqual([
      [50_000_000, '2026-02-01', '2026-02-06'],
      [10_000_000, '2026-02-07', '2026-02-15'],
      [50_000_000, '2026-02-16', '2026-02-20'],
    ])
  })

  test('a day on which less than nothing is left costs nothing', () => {
    expect(
      sumOf(days(10_000, '2026-02-01', '2026-02-20'), days(-20_000, '2026-02-01', '2026-02-20')),
    ).toMatchObject({
      amountMinor: 0,
      restParts: 0,
      segments: [],
    })
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
