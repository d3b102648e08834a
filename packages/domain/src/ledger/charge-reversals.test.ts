import { describe, expect, test } from 'vitest'
import { chargesToReverse, interestToReverse, type DebtEvent } from './charge-reversals.ts'

const event = (more: Partial<DebtEvent>): DebtEvent => ({
  kind: 'x',
  cause: 'x',
  invoiceId: 'a',
  principalMinor: 0,
  costsMinor: 0,
  interestMinor: 0,
  creditedMinor: 0,
  takenBackMinor: 0,
  waivedMinor: 0,
  isCharge: false,
  isOfStep: false,
  ...more,
})
const owed = (principalMinor: number, invoiceId = 'a') => event({ principalMinor, invoiceId })
const fee = (costsMinor: number, cause = 'step:1') => event({ costsMinor, cause, isCharge: true })
const interest = (interestMinor: number) =>
  event({ interestMinor, cause: 'interest:1', invoiceId: null, isCharge: true })
const credited = (minor: number, invoiceId = 'a') =>
  event({ principalMinor: -minor, creditedMinor: minor, invoiceId })

describe('charges without ground', () => {
  test.each([
    ['all credited', [owed(1000), fee(60)], 1000, ['step:1']],
    ['an öre is left', [owed(1000), fee(60)], 999, []],
    ['in two credits', [owed(1000), fee(60), credited(400)], 600, ['step:1']],
    ['a credit before it is none of its ground', [owed(1000), credited(400), fee(60)], 600, ['step:1']],
    ['paid before it', [owed(1000), owed(-400), fee(60)], 600, ['step:1']],
    ['paid after it', [owed(1000), fee(60), owed(-400)], 600, []],
    [
      'what looked paid when it came was owed all the time',
      [
        owed(1000),
        { ...owed(-800), cause: 'payment:1' },
        fee(60),
        { ...owed(800), cause: 'reversal:payment:1' },
      ],
      600,
      [],
    ],
    [
      'also when it was paid on the invoice, before that joined the claim',
      [owed(600), fee(60), { ...owed(400), cause: 'reversal:payment:1' }],
      600,
      [],
    ],
    [
      'what came and was taken back meanwhile makes no difference',
      [
        owed(1000),
        fee(60),
        { ...owed(-800), cause: 'payment:1' },
        { ...owed(800), cause: 'reversal:payment:1' },
      ],
      1000,
      ['step:1'],
    ],
    ['nothing was owed', [owed(1000), credited(1000), fee(60)], 0, []],
    ['taken back already', [owed(1000), { ...fee(60), takenBackMinor: 60 }], 1000, []],
    ['a later one only', [owed(1000), fee(60), owed(-400), fee(5, 'step:2')], 600, ['step:2']],
  ])('%s', (_name, events, credit, expected) => {
    expect(chargesToReverse(events, credit).map(({ cause }) => cause)).toEqual(expected)
  })

  test('the rest of what has been taken back in part', () => {
    expect(chargesToReverse([owed(1000), { ...interest(101), takenBackMinor: 51 }], 1000)).toEqual([
      { cause: 'interest:1', costsMinor: 0, interestMinor: 50 },
    ])
  })
})

describe("a claim's interest for one of its invoices", () => {
  const events = [owed(1000), owed(2000, 'b'), interest(100), fee(180)]

  test('is its part by principal, and no fee', () => {
    expect(interestToReverse(events, { invoiceId: 'a', creditMinor: 1000 })).toEqual([
      { cause: 'interest:1:a', costsMinor: 0, interestMinor: 33 },
    ])
    expect(interestToReverse(events, { invoiceId: 'b', creditMinor: 2000 })).toMatchObject([
      { interestMinor: 67 },
    ])
  })

  test('none while some of its principal stands', () => {
    expect(interestToReverse(events, { invoiceId: 'b', creditMinor: 1000 })).toEqual([])
    const half = [...events, credited(1000, 'b')]
    expect(interestToReverse(half, { invoiceId: 'b', creditMinor: 1000 })).toHaveLength(1)
    expect(interestToReverse(half, { invoiceId: 'a', creditMinor: 999 })).toEqual([])
  })

  test('never more than all of it, when the claim was paid in part', () => {
    const paid = [owed(1000), owed(-400), interest(100)]
    expect(interestToReverse(paid, { invoiceId: 'a', creditMinor: 1000 })).toMatchObject([
      { interestMinor: 100 },
    ])
  })

  describe('and a payment that was taken back', () => {
    const back = (minor: number, invoiceId: string | null) =>
      event({ principalMinor: minor, invoiceId, cause: 'reversal:payment:1' })
    const partOf = (events: readonly DebtEvent[], creditMinor: number) =>
      interestToReverse(events, { invoiceId: 'a', creditMinor }).map((lost) => lost.interestMinor)

    test('what looked paid when the interest came was owed all the time', () => {
      const payment = event({ principalMinor: -2500, invoiceId: null, cause: 'payment:1' })
      const events = [owed(1000), owed(2000, 'b'), payment, interest(100), back(2500, null)]
      expect(partOf(events, 500)).toEqual([])
      expect(partOf(events, 1000)).toEqual([33])
    })

    test('also when it was paid on the invoice, before that joined the claim', () => {
      const later = [owed(600), owed(2000, 'b'), interest(100), back(400, 'a')]
      expect(partOf(later, 600)).toEqual([])
      expect(partOf(later, 1000)).toEqual([33])
      const before = [owed(600), owed(2000, 'b'), back(400, 'a'), interest(100)]
      expect(partOf(before, 600)).toEqual([])
      expect(partOf(before, 1000)).toEqual([33])
    })
  })
})
