import { expect, test } from 'vitest'
import { phoneAbroad } from './phone.ts'

test.each([
  ['031-390 06 10', 'SE', '+46 31 390 06 10'],
  ['22 33 44 55', 'NO', '+47 22 33 44 55'],
  ['02800', 'NO', '+47 02800'],
  ['+46 (0)31-390 06 10', 'SE', '+46 31-390 06 10'],
  ['33 12 34 56', 'DK', '+45 33 12 34 56'],
  ['09 123 4567', 'FI', '+358 9 123 4567'],
  ['+46 31 390 06 10', 'SE', '+46 31 390 06 10'],
  ['0046 31 390 06 10', 'SE', '+46 31 390 06 10'],
  ['555 0100', 'EU', '555 0100'],
])('%s of %s is rung from abroad as %s', (text, country, abroad) => {
  expect(phoneAbroad(text, country)).toBe(abroad)
})
