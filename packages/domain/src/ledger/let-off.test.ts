import { describe, expect, test } from 'vitest'
import { money } from '../money.ts'
import { bookWaiver, bookWrittenOff, waivedChargeOf, waivedParts, waiverCause } from './let-off.ts'

const sek = (minor: number) => money(minor, 'SEK')
const parties = { invoiceId: 'i', creditorId: 'c', debtorId: 'd' }
const byKind = (lines: ReturnType<typeof bookWaiver>) =>
  Object.fromEntries(lines.map(({ account, amount }) => [account.kind, amount.minor]))

describe('what is waived of which charge', () => {
  const charges = [
    { cause: 'step:1', minor: 6000 },
    { cause: 'step:2', minor: 18_000 },
  ]

  test.each([
    ['a part: of the newest', 5000, [['step:2', 5000]]],
    [
      'more than the newest: the rest of the one before',
      20_000,
      [
        ['step:2', 18_000],
        ['step:1', 2000],
      ],
    ],
    [
      'all',
      24_000,
      [
        ['step:2', 18_000],
        ['step:1', 6000],
      ],
    ],
    // A plan's fee that came back with its instalment.
    [
      'more than was charged here',
      25_000,
      [
        ['step:2', 18_000],
        ['step:1', 6000],
        [undefined, 1000],
      ],
    ],
    ['nothing', 0, []],
  ] as const)('%s', (_, minor, parts) => {
    expect(waivedParts(minor, charges)).toEqual(parts.map(([cause, part]) => ({ cause, minor: part })))
  })

  test('a charge that was taken back wholly is passed over', () => {
    expect(
      waivedParts(100, [
        { cause: 'step:1', minor: 100 },
        { cause: 'step:2', minor: 0 },
      ]),
    ).toEqual([{ cause: 'step:1', minor: 100 }])
  })

  test('the cause of an entry tells its charge', () => {
    expect(waivedChargeOf(waiverCause('abc-1', 'step:s'))).toBe('step:s')
    expect(waivedChargeOf(waiverCause('abc-1', undefined))).toBeUndefined()
    expect(waivedChargeOf('step:s')).toBeUndefined()
  })
})

test('a waiver is given up at the creditor’s cost, out of its own bucket', () => {
  expect(byKind(bookWaiver(parties, 'interest', sek(150)))).toEqual({
    interest: -150,
    claims_on_debtors: 150,
  })
  expect(byKind(bookWaiver(parties, 'costs', sek(60)))).toEqual({ costs: -60, claims_on_debtors: 60 })
})

test.each([
  [50, { costs: -50, claims_on_debtors: 50 }],
  [70, { costs: -60, interest: -10, claims_on_debtors: 70 }],
  [500, { costs: -60, interest: -15, principal: -425, claims_on_debtors: 500 }],
])('%i is written off of fees first, then of interest, and last of what was bought', (minor, lines) => {
  const owed = { principal: sek(1000), costs: sek(60), interest: sek(15) }
  expect(byKind(bookWrittenOff(parties, sek(minor), owed))).toEqual(lines)
})
