import { describe, expect, test } from 'vitest'
import { date } from '../calendar.ts'
import { dayDoubt, valueDayOf } from './value-day.ts'

describe('money counts from the earliest day that is told', () => {
  test.each([
    ['2026-03-12', '2026-03-10', '2026-03-13', '2026-03-10'],
    ['2026-03-10', '2026-03-12', '2026-03-13', '2026-03-10'],
    ['2026-03-14', null, '2026-03-13', '2026-03-13'],
    [null, null, '2026-03-13', '2026-03-13'],
  ])('%s and %s, booked on %s: %s', (day, value, bookedOn, expected) => {
    const told = [day, value].map((one) => (one === null ? null : date(one)))
    expect(valueDayOf(told, date(bookedOn))).toBe(expected)
  })
})

// Friday the 13th of March 2026 is ten bank days before Friday the 27th; Easter is in April.
describe('a day that a person has to look at', () => {
  test.each([
    ['2026-03-28', '2026-03-27', undefined, 'in_the_future'],
    ['2026-03-27', '2026-03-27', undefined, undefined],
    ['2026-03-13', '2026-03-27', undefined, undefined],
    ['2026-03-12', '2026-03-27', undefined, 'long_before_booking'],
    ['2026-03-20', '2026-03-27', '2026-03-21', 'before_the_document'],
    ['2026-03-21', '2026-03-27', '2026-03-21', undefined],
  ])('told %s, booked %s, issued %s: %s', (toldOn, bookedOn, issuedOn, doubt) => {
    const days = { toldOn: date(toldOn), bookedOn: date(bookedOn) }
    const issued = issuedOn === undefined ? {} : { issuedOn: date(issuedOn) }
    expect(dayDoubt({ ...days, ...issued, country: 'SE' })).toBe(doubt)
  })
})
