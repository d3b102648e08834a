import { expect, test } from 'vitest'
import { date } from '../calendar.ts'
import { COUNTRY_PARAMS } from './country-params.ts'
import { earliestReminder, mostForReminder, type EarlierReminder } from './earlier-reminder.ts'

const reminded: EarlierReminder = {
  country: 'SE',
  currency: 'SEK',
  debtorKind: 'consumer',
  principalMinor: 84_200,
  dueDate: date('2026-11-01'),
  remindedOn: date('2026-11-15'),
  isAgreed: true,
  isLive: true,
  figures: COUNTRY_PARAMS,
}

// Lag (1981:739) om ersättning för inkassokostnader m.m.: 60 kronor, when it was agreed. Inkassoloven and renteloven: 100 kroner in Denmark.
test.each([
  [{}, 6000],
  [{ isAgreed: false }, 0],
  [{ currency: 'EUR' }, 0],
  [{ country: 'DK', currency: 'DKK', isAgreed: false }, 10_000],
  [{ country: 'DE', currency: 'EUR' }, 0],
  // Nobody reminds of what is not late, nor in Denmark on the last day to pay.
  [{ dueDate: date('2026-12-24') }, 0],
  [{ dueDate: date('2026-11-14') }, 6000],
  [{ dueDate: date('2026-11-15') }, 0],
  [{ country: 'DK', currency: 'DKK', isAgreed: false, dueDate: date('2026-11-15') }, 0],
  // Inkassoforskriften § 1-2 and perintälaki 10 a §: a reminder costs something from 14 days after the due date.
  [{ country: 'NO', currency: 'NOK', dueDate: date('2026-11-02') }, 0],
  [{ country: 'FI', currency: 'EUR', dueDate: date('2026-11-01') }, 500],
  [{ country: 'FI', currency: 'EUR', dueDate: date('2026-11-02') }, 0],
] as const)('%j: at most %i', (wishes, most) => {
  expect(mostForReminder({ ...reminded, ...wishes })).toBe(most)
})

test.each([
  ['SE', '2026-12-25'],
  ['NO', '2027-01-07'],
  ['DK', '2026-12-25'],
  ['FI', '2027-01-07'],
  ['DE', '2026-12-25'],
])('in %s what was due on 24 December is reminded of from %s', (country, earliest) => {
  for (const kind of ['consumer', 'business'] as const)
    expect(earliestReminder(country, kind, date('2026-12-24'))).toBe(earliest)
})
