import { expect, test } from 'vitest'
import { partsOf } from './explained.ts'

const line = (
  type: string,
  amounts: { principal?: number; costs?: number; interest?: number },
  rate?: string,
) => ({
  date: '2026-11-16',
  valueDate: '2026-11-16',
  type: type.split(' ')[0] ?? '',
  subType: type.split(' ')[1] ?? null,
  step: null,
  principal: 0,
  costs: 0,
  interest: 0,
  ...amounts,
  periods:
    rate === undefined
      ? []
      : [
          {
            rate,
            from: '2026-11-16',
            to: '2026-11-16',
            days: 1,
            principal: 15_750,
            amount: amounts.interest ?? 0,
          },
        ],
})

test('the parts come to the balance, each kind once, interest with all its days', () => {
  const parts = partsOf([
    line('INVOICE', { principal: 15_750 }),
    line('INTEREST', { interest: 4.32 }, '10.00'),
    line('DELAYED_PENALTY_FEE', { costs: 450 }),
    line('INTEREST', { interest: 25.89 }, '10.00'),
    line('REVERSAL WAIVED', { costs: -10 }),
    line('REVERSAL', { costs: -5 }),
    line('PAYMENT', { principal: -100, costs: -435, interest: -30.21 }),
  ])
  expect(parts.map(({ type, subType, minor, count }) => [subType ?? type, minor, count])).toEqual([
    ['INVOICE', 1_575_000, 1],
    ['INTEREST', 3021, 2],
    ['DELAYED_PENALTY_FEE', 45_000, 1],
    ['WAIVED', -1000, 1],
    ['REVERSAL', -500, 1],
    ['PAYMENT', -56_521, 1],
  ])
  expect(parts.reduce((sum, { minor }) => sum + minor, 0)).toBe(1_565_000)
  expect(parts[1]?.periods).toHaveLength(2)
})
