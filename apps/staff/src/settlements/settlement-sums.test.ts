import { expect, test } from 'vitest'
import { carriedOf, effectOf, partsOf } from './settlement-sums.ts'

test('what is taken off stands with a minus, and what comes back by a correction with a plus', () => {
  expect(partsOf({ collected: 400, fees: 52, vat: 13, corrections: -20.5 })).toEqual([
    { part: 'collected', minor: 40_000 },
    { part: 'fees', minor: -5_200 },
    { part: 'vat', minor: -1_300 },
    { part: 'corrections', minor: 2_050 },
  ])
})

test('a line adds what was collected, and takes off the rest', () => {
  expect(effectOf({ kind: 'COLLECTED', amount: 550 })).toBe(55_000)
  expect(effectOf({ kind: 'COLLECTED', amount: -150 })).toBe(-15_000)
  expect(effectOf({ kind: 'COMMISSION', amount: 50 })).toBe(-5_000)
  expect(effectOf({ kind: 'CARRIED_IN', amount: -12.34 })).toBe(1_234)
})

test.each([
  ['too little', [{ kind: 'CARRIED_OUT', amount: 45 }], { why: 'small', minor: 4_500 }],
  ['more was taken off than came', [{ kind: 'CARRIED_OUT', amount: -12.5 }], { why: 'owed', minor: -1_250 }],
  ['nothing left', [{ kind: 'CARRIED_IN', amount: 45 }], { why: 'nothing', minor: 0 }],
] as const)('carried: %s', (_name, lines, carried) => {
  expect(carriedOf(lines)).toEqual(carried)
})
