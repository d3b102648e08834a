import { expect, test } from 'vitest'
import { date } from '../calendar.ts'
import { mostForReminder, type EarlierReminder } from './earlier-reminder.ts'

const reminded: EarlierReminder = {
  country: 'SE',
  currency: 'SEK',
  debtorKind: 'consumer',
  principalMinor: 84_200,
  remindedOn: date('2026-11-15'),
  isAgreed: true,
  isLive: true,
}

// Lag (1981:739) om ersättning för inkassokostnader m.m.: 60 kronor, when it was agreed. Inkassoloven and renteloven: 100 kroner in Denmark.
test.each([
  [{}, 6000],
  [{ isAgreed: false }, 0],
  [{ currency: 'EUR' }, 0],
  [{ country: 'DK', currency: 'DKK', isAgreed: false }, 10_000],
  [{ country: 'DE', currency: 'EUR' }, 0],
] as const)('%j: at most %i', (wishes, most) => {
  expect(mostForReminder({ ...reminded, ...wishes })).toBe(most)
})
