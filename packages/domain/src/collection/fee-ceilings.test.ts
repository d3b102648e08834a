/** What the law of each country lets a debtor be charged, worked out from its own figures. Amounts in minor units. */
import { describe, expect, test } from 'vitest'
import { date } from '../calendar.ts'
import { ALLOCATION_ORDER } from '../ledger/booking.ts'
import {
  allocationOrderOf,
  COUNTING_STEPS,
  COUNTRY_PARAMS,
  feeOn,
  type DebtorKind,
} from './country-params.ts'

type Row = readonly [
  step: string,
  number: number,
  principal: number,
  charged: number,
  fee: number,
  why: string,
]

/** What the row's step costs. */
const feeOf = (
  country: string,
  debtorKind: DebtorKind,
  day: string,
  [step, number, principalMinor, chargedMinor]: Row,
): number | undefined => {
  const asked = { country, debtorKind, step, number, principalMinor, chargedMinor, date: date(day) }
  return feeOn({ ...asked, reminderFeeAgreed: true })?.amountMinor
}

// Lag 1981:739: 60 for a reminder that was agreed, 180 for a demand, 450 for a company's late payment.
describe('Sweden, a person', () => {
  test.each<Row>([
    ['REMINDER', 1, 100_000, 0, 6000, '60, once'],
    ['REMINDER', 2, 100_000, 6000, 0, 'no second fee'],
    ['COLLECTION_CLAIM', 1, 100_000, 6000, 18_000, '180 beside the reminder'],
    ['DELAYED_PENALTY_FEE', 1, 100_000, 0, 0, 'never from a person'],
  ])('%s %i on %i after %i costs %i: %s', (...row) =>
    expect(feeOf('SE', 'consumer', '2026-03-01', row)).toBe(row[4]),
  )
})

describe('Sweden, a company', () => {
  test.each<Row>([
    ['DELAYED_PENALTY_FEE', 1, 100_000, 0, 45_000, '450'],
    ['DELAYED_PENALTY_FEE', 1, 100_000, 6000, 39_000, '450 in place of the 60 charged before: 450 - 60'],
    ['DELAYED_PENALTY_FEE', 1, 100_000, 45_000, 0, 'once'],
    ['REMINDER', 1, 100_000, 45_000, 0, '450 stands for the 60'],
    ['COLLECTION_CLAIM', 1, 100_000, 45_000, 0, '450 stands for the 180'],
  ])('%s %i on %i after %i costs %i: %s', (...row) =>
    expect(feeOf('SE', 'business', '2026-03-01', row)).toBe(row[4]),
  )
})

// Inkassosats 700: 1/20 = 35 for a reminder and for a warning, at most two such fees. The light fee by the table of 2020-10-01.
describe('Norway, a person', () => {
  test.each<Row>([
    ['REMINDER', 1, 300_000, 0, 3500, '700 / 20'],
    ['COLLECTION_NOTIFICATION', 1, 300_000, 3500, 3500, '700 / 20, the second and last'],
    ['REMINDER', 2, 300_000, 7000, 0, 'two fees at most'],
    ['COLLECTION_NOTIFICATION', 2, 300_000, 7000, 0, 'two fees at most'],
    ['COLLECTION_CLAIM', 1, 50_000, 7000, 17_500, 'up to 500: 175'],
    ['COLLECTION_CLAIM', 1, 50_001, 7000, 24_500, 'up to 1 000: 245'],
    ['COLLECTION_CLAIM', 1, 100_001, 7000, 28_000, 'up to 2 500: 280'],
    ['COLLECTION_CLAIM', 1, 250_001, 7000, 56_000, 'up to 10 000: 560'],
    ['COLLECTION_CLAIM', 1, 1_000_001, 7000, 112_000, 'up to 50 000: 1 120'],
    ['COLLECTION_CLAIM', 1, 5_000_001, 7000, 252_000, 'up to 250 000: 2 520'],
    ['COLLECTION_CLAIM', 1, 25_000_001, 7000, 504_000, 'above: 5 040'],
    ['COLLECTION_CLAIM', 2, 300_000, 63_000, 56_000, 'the heavy fee is double: 560 more'],
    ['COLLECTION_CLAIM', 3, 300_000, 119_000, 0, 'and no more than double'],
  ])('%s %i on %i after %i costs %i: %s', (...row) =>
    expect(feeOf('NO', 'consumer', '2025-03-01', row)).toBe(row[4]),
  )
})

// Standardkompensasjon 470 in the first half of 2025. It comes off the fee of the table.
describe('Norway, a company', () => {
  test.each<Row>([
    ['DELAYED_PENALTY_FEE', 1, 300_000, 0, 47_000, '470'],
    ['DELAYED_PENALTY_FEE', 2, 300_000, 47_000, 0, 'once'],
    ['COLLECTION_CLAIM', 1, 300_000, 47_000, 9000, '560 - 470'],
    ['COLLECTION_CLAIM', 2, 300_000, 56_000, 56_000, '1 120 - 470 - 90'],
    [
      'COLLECTION_CLAIM',
      1,
      300_000,
      94_000,
      0,
      'two invoices in one claim: 560 - 2 x 470 is less than nothing',
    ],
    ['COLLECTION_CLAIM', 2, 300_000, 94_000, 18_000, '1 120 - 940'],
  ])('%s %i on %i after %i costs %i: %s', (...row) =>
    expect(feeOf('NO', 'business', '2025-03-01', row)).toBe(row[4]),
  )
})

// Renteloven § 9 b: three reminders of 100, and 100 for asking another to collect. Bekendtgørelse 601/2002: 310, once.
describe('Denmark', () => {
  test.each<Row>([
    ['REMINDER', 1, 100_000, 0, 10_000, 'the first'],
    ['REMINDER', 2, 100_000, 10_000, 10_000, 'the second'],
    ['REMINDER', 3, 100_000, 20_000, 10_000, 'the third'],
    ['REMINDER', 4, 100_000, 30_000, 0, 'no fourth'],
    ['COLLECTION_CLAIM', 1, 100_000, 30_000, 10_000, 'beside the reminders'],
    ['COLLECTION_CLAIM', 2, 100_000, 40_000, 0, 'once'],
    ['DELAYED_PENALTY_FEE', 1, 100_000, 0, 0, 'never from a person'],
  ])('a person: %s %i on %i after %i costs %i: %s', (...row) =>
    expect(feeOf('DK', 'consumer', '2024-03-01', row)).toBe(row[4]),
  )

  test.each<Row>([
    ['DELAYED_PENALTY_FEE', 1, 100_000, 0, 31_000, '310'],
    ['DELAYED_PENALTY_FEE', 2, 100_000, 31_000, 0, 'once'],
    ['COLLECTION_CLAIM', 1, 100_000, 31_000, 0, '310 is more than 100'],
  ])('a company: %s %i on %i after %i costs %i: %s', (...row) =>
    expect(feeOf('DK', 'business', '2024-03-01', row)).toBe(row[4]),
  )
})

// Perintälaki: 5 for a reminder, 14 / 24 / 50 for a demand, half of it for a second one, 60 / 120 / 210 in all.
describe('Finland, a person', () => {
  test.each<Row>([
    ['REMINDER', 1, 10_000, 0, 500, '5'],
    ['COLLECTION_CLAIM', 1, 10_000, 500, 1400, 'up to 100: 14'],
    ['COLLECTION_CLAIM', 2, 10_000, 1900, 700, 'half of 14'],
    ['COLLECTION_CLAIM', 1, 10_001, 500, 2400, 'up to 1 000: 24'],
    ['COLLECTION_CLAIM', 1, 100_001, 500, 5000, 'above: 50'],
    ['COLLECTION_CLAIM', 1, 10_000, 5000, 1000, 'up to 100 all costs are 60: 60 - 50'],
    ['COLLECTION_CLAIM', 2, 10_000, 6000, 0, '60 - 60'],
    ['COLLECTION_CLAIM', 1, 10_001, 11_000, 1000, 'up to 1 000 all costs are 120: 120 - 110'],
    ['COLLECTION_CLAIM', 1, 100_001, 20_500, 500, 'above all costs are 210: 210 - 205'],
    ['REMINDER', 1, 10_000, 6100, 0, 'never less than nothing'],
  ])('%s %i on %i after %i costs %i: %s', (...row) =>
    expect(feeOf('FI', 'consumer', '2026-03-01', row)).toBe(row[4]),
  )
})

// Act 299/2022: 40 standard compensation, 50 / 70 / 90 / 110 for a demand, half of it for a second one, no ceiling for all.
describe('Finland, a company', () => {
  test.each<Row>([
    ['DELAYED_PENALTY_FEE', 1, 50_000, 0, 4000, '40'],
    ['COLLECTION_CLAIM', 1, 50_000, 4000, 1000, 'up to 500: 50 - 40'],
    ['COLLECTION_CLAIM', 2, 50_000, 5000, 2500, '50 + 25 - 50'],
    ['COLLECTION_CLAIM', 1, 250_000, 4000, 3000, 'up to 2 500: 70 - 40'],
    ['COLLECTION_CLAIM', 1, 1_000_000, 4000, 5000, 'up to 10 000: 90 - 40'],
    ['COLLECTION_CLAIM', 1, 1_000_001, 4000, 7000, 'above: 110 - 40'],
    ['COLLECTION_CLAIM', 1, 1_000_001, 12_000, 0, 'three invoices in one claim: 110 - 3 x 40'],
  ])('%s %i on %i after %i costs %i: %s', (...row) =>
    expect(feeOf('FI', 'business', '2026-03-01', row)).toBe(row[4]),
  )
})

test('what was charged is looked up for every fee that depends on it', () => {
  const counting = COUNTING_STEPS.map(({ country, debtorKind, step }) => `${country} ${debtorKind} ${step}`)
  expect(counting.sort()).toEqual([
    'DK business COLLECTION_CLAIM',
    'FI business COLLECTION_CLAIM',
    'FI consumer BAILIFF_PAYMENT_INJUCTION',
    'FI consumer COLLECTION_CLAIM',
    'FI consumer REMINDER',
    'NO business COLLECTION_CLAIM',
    'SE business DELAYED_PENALTY_FEE',
  ])
})

test('a payment settles costs, interest and principal in the order of the country', () => {
  for (const [country, { allocationOrder }] of Object.entries(COUNTRY_PARAMS)) {
    expect([...allocationOrder].sort(), country).toEqual(['costs', 'interest', 'principal'])
    expect(allocationOrderOf(country)).toEqual(allocationOrder)
  }
  // Costs in date order, then interest, then principal, where nothing else is known.
  expect(allocationOrderOf('SE')).toEqual(['costs', 'interest', 'principal'])
  expect(allocationOrderOf('DE')).toEqual(ALLOCATION_ORDER)
})
