import { expect, test } from 'vitest'
import { DEMO_GUESS_SETTINGS, limitsOf, type GuessSettings } from './guess-limits.ts'

test('what an instance does not set is as documented', () => {
  expect(limitsOf({})).toEqual([5, 20, 50, 30, 200, 60])
  expect(limitsOf({ zipPerHour: 7 })).toEqual([5, 20, 7, 30, 200, 60])
  expect(limitsOf(DEMO_GUESS_SETTINGS)).toEqual([5, 20, 50, null, null, null])
})

test('a setting that makes no sense opens nothing', () => {
  const broken = { referencePerDay: -1, referencePerMonth: 'all', zipPerHour: 1.5, networkPerHour: 1e12 }
  expect(limitsOf(broken as unknown as GuessSettings)).toEqual([5, 20, 50, 30, 200, 60])
})
