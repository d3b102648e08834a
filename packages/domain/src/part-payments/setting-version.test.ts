import { expect, test } from 'vitest'
import { date } from '../calendar.ts'
import {
  isSameOffer,
  isStartDay,
  readWritten,
  versionStates,
  writtenOf,
  type WrittenSetting,
} from './setting-version.ts'

const WRITTEN: WrittenSetting = {
  code: 'PLAN_12', variant: 'PART_PAYMENT', currency: 'SEK', months: 12, startFee: '195', monthlyFee: '29.5', percent: '14.5', interestFreeDays: 30,
  termsDays: 14, thresholdPercent: null, addToExisting: false, legalVisible: true, termsVisible: false, smallestBalance: '300.00',
  isOffered: true, from: '2027-01-01',
} // biome-ignore format: in the order of the type

test('what is written is read to the öre, and written back with two decimals', () => {
  const terms = readWritten(WRITTEN)
  expect(terms).toMatchObject({
    startFeeMinor: 19_500,
    monthlyFeeMinor: 2_950,
    percent: '14.50',
    smallestBalanceMinor: 30_000,
  })
  if ('field' in terms) throw new Error(terms.field)
  const back = writtenOf(terms, WRITTEN)
  expect(back).toEqual({ ...WRITTEN, startFee: '195.00', monthlyFee: '29.50', percent: '14.50' })
  expect(isSameOffer(back, { ...back, from: '2027-02-01' })).toBe(true)
  expect(isSameOffer(back, { ...back, monthlyFee: '29.51' })).toBe(false)
  expect(isSameOffer({ ...back, isOffered: false }, { ...back, isOffered: false, monthlyFee: '1.00' })).toBe(
    true,
  )
})

test.each([
  [{ code: 'a' }, 'code'],
  [{ code: 'A'.repeat(41) }, 'code'],
  [{ months: 121 }, 'months'],
  [{ months: 1.5 }, 'months'],
  [{ months: null }, 'months'],
  [{ startFee: '100000' }, 'startFee'],
  [{ startFee: '' }, 'startFee'],
  [{ monthlyFee: '-0.01' }, 'monthlyFee'],
  [{ percent: '0.001' }, 'percent'],
  [{ percent: '-1' }, 'percent'],
  [{ termsDays: 0 }, 'termsDays'],
  [{ thresholdPercent: '10' }, 'thresholdPercent'],
  [{ variant: 'PART_PAYMENT_ACCOUNT', months: null }, 'thresholdPercent'],
  [{ variant: 'PART_PAYMENT_ACCOUNT', months: null, thresholdPercent: '0.99' }, 'thresholdPercent'],
  [{ variant: 'PART_PAYMENT_ACCOUNT', thresholdPercent: '10' }, 'months'],
  [{ variant: 'ONGOING_PAYMENT' }, 'percent'],
  [{ variant: 'ONGOING_PAYMENT', percent: '0' }, 'interestFreeDays'],
  [{ smallestBalance: '0' }, 'smallestBalance'],
  [{ currency: 'sek' }, 'currency'],
] as const)('%o cannot stand', (wish, field) => {
  expect(readWritten({ ...WRITTEN, ...wish })).toEqual({ field })
})

test('a version begins today at the earliest and within a year', () => {
  const today = date('2026-11-28')
  expect(['2026-11-27', '2026-11-28', '2027-11-29', '2027-11-30', '2026-13-01', ''].map((day) => isStartDay(day, today))).toEqual([
    false, true, true, false, false, false,
  ]) // biome-ignore format: one a day
})

test('of versions the newest that has begun holds, and of one day the last', () => {
  const at = (from: string, isOffered = true) => ({ from, isOffered })
  const rows = [
    at('2020-01-01'),
    at('2026-06-01'),
    at('2026-11-28'),
    at('2026-11-28', false),
    at('2027-01-01'),
    at('2027-01-01'),
  ]
  expect(versionStates(rows, date('2026-11-28'))).toEqual([
    'PAST',
    'PAST',
    'REPLACED',
    'ENDED',
    'REPLACED',
    'COMING',
  ])
  expect(versionStates(rows, date('2026-11-27'))).toEqual([
    'PAST',
    'IN_FORCE',
    'REPLACED',
    'COMING',
    'REPLACED',
    'COMING',
  ])
})
