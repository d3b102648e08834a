import fc from 'fast-check'
import { expect, test } from 'vitest'
import { money } from '../money.ts'
import { annuityPlan } from './plan.ts'
import { instalmentsToBill } from './to-bill.ts'

const sek = (minor: number) => money(minor, 'SEK')
const planned = annuityPlan({
  balance: sek(600_000),
  months: 12,
  startFee: sek(0),
  monthlyFee: sek(0),
  percent: '19.90',
  interestFreeDays: 0,
}).instalments.map(({ principal, interest }) => ({
  principal_minor: principal.minor,
  interest_minor: interest.minor,
}))
const toBill = (left: number, of = planned) => instalmentsToBill(of, { left: sek(left), percent: '19.90' })

test('as planned while nothing else reduced the balance', () => {
  expect(toBill(600_000)).toEqual(planned)
})

test('nothing when nothing is left', () => {
  expect(toBill(0)).toEqual([])
})

test('fewer, with less interest, after a credit; the last takes what is left', () => {
  const rest = toBill(300_000)
  expect(rest.length).toBeLessThan(planned.length)
  expect(rest[0]).toEqual({ principal_minor: planned[0]?.principal_minor, interest_minor: 4_975 })
  expect(toBill(700_000).at(-1)?.principal_minor).toBe((planned.at(-1)?.principal_minor ?? 0) + 100_000)
})

test('all of what is left, and never more', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2_000_000 }), fc.integer({ min: 1, max: 12 }), (left, months) => {
      const billed = toBill(left, planned.slice(0, months))
      expect(billed.reduce((all, { principal_minor: minor }) => all + minor, 0)).toBe(left)
    }),
  )
})
