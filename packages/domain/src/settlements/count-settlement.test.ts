/** Settlements worked by hand. Amounts are öre. */
import { describe, expect, test } from 'vitest'
import { date } from '../calendar.ts'
import { agreementOn, type Agreement } from './agreement.ts'
import { countSettlement, entryKind, type SettlementBooks, type SettlementEntry } from './count-settlement.ts'

const AGREED: Agreement = {
  from: '2026-01-01',
  invoiceCommissionBp: 800,
  claimCommissionBp: 1200,
  currency: 'SEK',
  paymentPriceMinor: 200,
  casePriceMinor: 4_500,
  vatBp: 2500,
  period: 'WEEK',
  smallestPayoutMinor: 10_000,
}
const ON_INVOICE = { invoiceId: 'i', claimId: null }
const ON_CLAIM = { invoiceId: null, claimId: 'c' }

function entry(of: Partial<SettlementEntry>): SettlementEntry {
  const day = date('2026-11-04')
  const none = { heldMinor: 0, directMinor: 0, costMinor: 0 }
  const debt = of.debt ?? ON_INVOICE
  return {
    kind: 'PAYMENT',
    cause: 'payment:1',
    agreed: { on: day, isClaim: debt.claimId !== null },
    bookedOn: day,
    debt,
    ...none,
    ...of,
  }
}

function count(books: Partial<SettlementBooks>) {
  const none = { agreements: [AGREED], entries: [], fees: [], cases: 0, carriedMinor: 0 }
  const counted = countSettlement({ currency: 'SEK', to: date('2026-11-08'), ...none, ...books })
  const { collectedMinor, feesMinor, vatMinor, correctionsMinor, paidOutMinor } = counted
  expect(collectedMinor - feesMinor - vatMinor - correctionsMinor).toBe(paidOutMinor)
  return { ...counted, kinds: counted.lines.map(({ kind, amountMinor }) => [kind, amountMinor]) }
}

describe('a settlement', () => {
  // 1,000.00 on an invoice, of it a fee of 60.00 that the operator keeps; 500.00 on a new claim, of it 180.00; 200.00 paid to the
  // creditor itself. 8 % of 940.00, 12 % of 320.00, 8 % of 200.00, two payments of 2.00, one case of 45.00; 25 % of 418.60.
  test('commission, prices and fees, with VAT, are taken off what came', () => {
    const counted = count({
      entries: [
        entry({ heldMinor: 100_000 }),
        entry({ heldMinor: 50_000, debt: ON_CLAIM, cause: 'payment:2' }),
        entry({ directMinor: 20_000, cause: 'payment:3' }),
      ],
      fees: [
        { debt: ON_INVOICE, shareMinor: 6_000, taken: [], changes: [] },
        { debt: ON_CLAIM, shareMinor: 18_000, taken: [], changes: [] },
      ],
      cases: 1,
    })
    expect(counted).toMatchObject({ collectedMinor: 150_000, feesMinor: 41_860, vatMinor: 10_465 })
    expect(counted).toMatchObject({ correctionsMinor: 0, paidOutMinor: 97_675 })
    expect(counted.kinds).toEqual([
      ['COMMISSION', 3_840],
      ['COMMISSION', 7_520],
      ['COMMISSION_ON_DIRECT', 1_600],
      ['PAYMENT_PRICE', 400],
      ['CASE_PRICE', 4_500],
      ['DEBTOR_FEE', 6_000],
      ['DEBTOR_FEE', 18_000],
      ['VAT', 10_465],
    ])
  })

  // 900.00 of 1,000.00 was owed: 100.00 goes back to the debtor and was never the creditor's. 8 % of 900.00 and 2.00: 74.00.
  test('what a payment brought too much is not collected', () => {
    const counted = count({
      entries: [
        entry({ heldMinor: 100_000 }),
        entry({ kind: 'REFUND', cause: 'refund:payment:1', heldMinor: -10_000 }),
      ],
    })
    expect(counted).toMatchObject({ collectedMinor: 90_000, feesMinor: 7_400, correctionsMinor: 0 })
    expect(counted.paidOutMinor).toBe(90_000 - 7_400 - 1_850)
  })

  // The fee of 60.00 was settled with 25 % VAT, then its letter turned out never to have left. It is paid back with its VAT, although
  // no VAT is agreed any more, and 8 % of the 60.00, which is the creditor's now, is commission.
  test('a fee that is taken back later goes back with the VAT that it bore', () => {
    const counted = count({
      agreements: [AGREED, { ...AGREED, from: '2026-11-01', vatBp: 0 }],
      fees: [{ debt: ON_INVOICE, shareMinor: 0, taken: [{ vatBp: 2500, minor: 6_000 }], changes: [] }],
    })
    expect(counted.kinds).toEqual([
      ['COMMISSION', 480],
      ['DEBTOR_FEE', -6_000],
      ['VAT', -1_500],
      ['CARRIED_OUT', 7_020],
    ])
    expect(counted).toMatchObject({ collectedMinor: 0, feesMinor: -5_520, vatMinor: -1_500, paidOutMinor: 0 })
  })

  // A payment of October, when 5 % was agreed, did not come after all: 1,000.00 and 50.00 with 12.50 VAT go back. -937.50 is left.
  test('a payment that is taken back takes its commission along, and what is below zero is carried', () => {
    const counted = count({
      agreements: [
        { ...AGREED, invoiceCommissionBp: 500 },
        { ...AGREED, from: '2026-11-01' },
      ],
      entries: [
        entry({
          kind: 'REVERSAL',
          cause: 'reversal:payment:1',
          agreed: { on: date('2026-10-20'), isClaim: false },
          heldMinor: -100_000,
        }),
      ],
    })
    expect(counted).toMatchObject({ feesMinor: -5_000, vatMinor: -1_250, paidOutMinor: 0 })
    expect(counted.correctionsMinor).toBe(100_000 - 93_750)
    expect(counted.kinds.at(-1)).toEqual(['CARRIED_OUT', -93_750])
    const next = count({ entries: [entry({ heldMinor: 200_000 })], carriedMinor: -93_750 })
    // 2,000.00 less 160.00 and 2.00, 40.50 VAT, and 937.50.
    expect(next).toMatchObject({ correctionsMinor: 93_750, paidOutMinor: 200_000 - 16_200 - 4_050 - 93_750 })
  })

  // 400.00 came in October on an invoice at 2 %: 8.00 and 2.00 VAT were taken, and go back, although it is on a claim at 12 % by now.
  test('what is taken back on a claim goes back at the rate of the invoice that it was paid on', () => {
    const counted = count({
      agreements: [{ ...AGREED, invoiceCommissionBp: 200 }],
      entries: [
        entry({
          kind: 'REVERSAL',
          cause: 'reversal:payment:1',
          agreed: { on: date('2026-10-20'), isClaim: false },
          debt: ON_CLAIM,
          heldMinor: -40_000,
        }),
      ],
    })
    expect(counted).toMatchObject({ feesMinor: -800, vatMinor: -200 })
  })

  // 1,000.00 came in October at 8 % with 25 % VAT; no VAT is agreed from November on. 80.00 go back with 20.00, and 2.00 more are
  // taken for a payment of November, without VAT, with 8 % of 100.00.
  test('commission that goes back takes the VAT along that it bore', () => {
    const counted = count({
      agreements: [AGREED, { ...AGREED, from: '2026-11-01', vatBp: 0 }],
      entries: [
        entry({
          kind: 'REVERSAL',
          cause: 'reversal:payment:1',
          agreed: { on: date('2026-10-20'), isClaim: false },
          heldMinor: -100_000,
        }),
        entry({ cause: 'payment:2', heldMinor: 10_000 }),
      ],
    })
    expect(counted).toMatchObject({ feesMinor: -8_000 + 800 + 200, vatMinor: -2_000 })
  })

  // 1,060.00 came on the 5th, when 10 % was agreed; 60.00 of it is the operator's. Nothing is agreed from the 16th on.
  test('the operator’s part of a payment bears no commission at the rate of that payment', () => {
    const agreed = { on: date('2026-11-05'), isClaim: false }
    const counted = count({
      to: date('2026-11-30'),
      agreements: [
        { ...AGREED, invoiceCommissionBp: 1_000, paymentPriceMinor: 0 },
        { ...AGREED, from: '2026-11-16', invoiceCommissionBp: 0, vatBp: 0 },
      ],
      entries: [entry({ agreed, heldMinor: 106_000 })],
      fees: [{ debt: ON_INVOICE, shareMinor: 6_000, taken: [], changes: [{ agreed, minor: 6_000 }] }],
    })
    expect(counted.kinds).toEqual([
      ['COMMISSION', 10_000],
      ['DEBTOR_FEE', 6_000],
      ['VAT', 4_000],
    ])
  })

  // The payment of October with its fee of 60.00 did not come after all, and another one of November, without VAT, paid the fee.
  test('a fee that is paid anew bears the VAT of the new payment, and gives back that of the old', () => {
    const october = { on: date('2026-10-20'), isClaim: false }
    const november = { on: date('2026-11-04'), isClaim: false }
    const none = { ...AGREED, invoiceCommissionBp: 0 }
    const counted = count({
      agreements: [none, { ...none, from: '2026-11-01', vatBp: 0 }],
      fees: [
        {
          debt: ON_INVOICE,
          shareMinor: 6_000,
          taken: [{ vatBp: 2500, minor: 6_000 }],
          changes: [
            { agreed: october, minor: -6_000 },
            { agreed: november, minor: 6_000 },
          ],
        },
      ],
    })
    expect(counted).toMatchObject({ feesMinor: 0, vatMinor: -1_500 })
  })

  // 100.00 less 8.00, 2.00 and 2.50 VAT is 87.50: below 100.00. Then 20.00 less 1.60, 2.00 and 0.90: 15.50, with 87.50 it is 103.00.
  test('what is below the smallest payout is carried until it is enough', () => {
    const first = count({ entries: [entry({ heldMinor: 10_000 })] })
    expect(first).toMatchObject({ correctionsMinor: 8_750, paidOutMinor: 0 })
    const second = count({ entries: [entry({ heldMinor: 2_000 })], carriedMinor: 8_750 })
    expect(second).toMatchObject({ correctionsMinor: -8_750, paidOutMinor: 10_300 })
    expect(second.kinds.at(-1)).toEqual(['CARRIED_IN', -8_750])
  })

  test('money on the creditor’s own account alone leaves its commission owed', () => {
    const counted = count({ entries: [entry({ directMinor: 100_000 })] })
    expect(counted).toMatchObject({ collectedMinor: 0, feesMinor: 8_000, vatMinor: 2_000, paidOutMinor: 0 })
    expect(counted.correctionsMinor).toBe(-10_000)
  })

  test('what a court costs is at cost, without VAT', () => {
    const counted = count({
      entries: [
        entry({ heldMinor: 100_000 }),
        entry({ kind: 'COURT_FEE', cause: 'step:1', debt: ON_CLAIM, costMinor: 30_000 }),
      ],
    })
    expect(counted).toMatchObject({
      correctionsMinor: 30_000,
      paidOutMinor: 100_000 - 8_200 - 2_050 - 30_000,
    })
  })

  test('without an agreement nothing is taken', () => {
    const counted = count({ agreements: [], entries: [entry({ heldMinor: 1 })], cases: 3 })
    expect(counted).toMatchObject({
      collectedMinor: 1,
      feesMinor: 0,
      vatMinor: 0,
      paidOutMinor: 1,
      lines: [],
    })
  })

  test('another currency than the agreement’s bears commission alone', () => {
    const counted = count({ currency: 'EUR', entries: [entry({ heldMinor: 1_000 })], cases: 1 })
    expect(counted.kinds).toEqual([
      ['COMMISSION', 80],
      ['VAT', 20],
    ])
    expect(counted.paidOutMinor).toBe(900)
  })

  // 0.31 × 8 % = 0.0248, twice: once rounded on 0.62 it is 0.05, and 25 % of 0.05 is 0.0125.
  test('a rate is rounded once, half an öre up', () => {
    const entries = [entry({ heldMinor: 31 }), entry({ heldMinor: 31, cause: 'payment:2' })]
    const agreements = [{ ...AGREED, paymentPriceMinor: 0, smallestPayoutMinor: 0 }]
    expect(count({ agreements, entries })).toMatchObject({ feesMinor: 5, vatMinor: 1, paidOutMinor: 56 })
  })
})

test.each([
  ['PAYMENT', 'payment:1:2', 'COLLECTED'],
  ['REFUND', 'refund:payment:1', 'COLLECTED'],
  ['REVERSAL', 'reversal:payment:1', 'REVERSED'],
  ['REFUND', 'reversal:refund:payment:1', 'REVERSED'],
  ['REVERSAL', 'holder:payment:1', 'PAID_TO_CREDITOR'],
  ['REVERSAL', 'holder:refund:payment:1', 'PAID_TO_CREDITOR'],
  ['REFUND', 'refund:dispute-fees:1', 'REFUNDED'],
  ['REVERSAL', 'credit-used:payment:1:2', 'CREDIT_USED'],
])('%s by %s is %s', (kind, cause, expected) => {
  expect(entryKind(kind, cause)).toBe(expected)
})

test('the agreement of a day: of two about one day the later word', () => {
  const agreements = [AGREED, { ...AGREED, vatBp: 0 }, { ...AGREED, from: '2026-06-01', vatBp: 1 }]
  expect(agreementOn(agreements, '2025-12-31').vatBp).toBe(0)
  expect(agreementOn(agreements, '2025-12-31').period).toBe('MONTH')
  expect(agreementOn(agreements, '2026-05-31').vatBp).toBe(0)
  expect(agreementOn(agreements, '2026-06-01').vatBp).toBe(1)
})
