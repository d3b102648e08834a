import { describe, expect, test } from 'vitest'
import { addDays, date, type CalendarDate } from '../calendar.ts'
import { ALLOCATION_ORDER } from './booking.ts'
import type { StoryEvent } from './debt-story.ts'
import { restate, type StoryTerms } from './restate.ts'

const DUE = date('2026-03-10')
const after = (days: number): CalendarDate => addDays(DUE, days)

const event = (kind: string, cause: string, more: Partial<StoryEvent>): StoryEvent => ({
  kind,
  cause,
  invoiceId: 'i',
  principalMinor: 0,
  costsMinor: 0,
  interestMinor: 0,
  creditedMinor: 0,
  takenBackMinor: 0,
  waivedMinor: 0,
  isOfStep: false,
  isCharge: false,
  bookedOn: DUE,
  valueOn: more.bookedOn ?? DUE,
  stepId: null,
  stepType: null,
  periods: null,
  ...more,
})

const invoice = event('INVOICE', 'invoice:i', { principalMinor: 1_000_000, bookedOn: after(-30) })
const ofStep = {
  isOfStep: true,
  isCharge: true,
  stepId: 's',
  stepType: 'REMINDER',
  bookedOn: after(7),
} as const
// 10 000.00 for seven days at 10 %: 19.18.
const reminder = [
  event('INTEREST', 'interest:s', {
    ...ofStep,
    interestMinor: 1918,
    periods: [
      {
        principalMinor: 1_000_000,
        percent: '10.00',
        from: after(1),
        to: after(7),
        days: 7,
        amountMinor: 1918,
      },
    ],
  }),
  event('REMINDER', 'step:s', { ...ofStep, costsMinor: 6000 }),
]
const paid = (name: string, minor: number, days: { value: number; booked: number }): StoryEvent =>
  event('PAYMENT', `payment:${name}`, {
    principalMinor: -minor,
    bookedOn: after(days.booked),
    valueOn: after(days.value),
  })

const TERMS: StoryTerms = {
  currency: 'SEK',
  order: ALLOCATION_ORDER,
  openingParts: 0,
  interestFreeMinor: 0,
  feeOf: () => 6000,
  reminderFeeOf: () => 6000,
}
const told = (events: readonly StoryEvent[], amountMinor: number, value: number) =>
  restate(events, { amountMinor, valueOn: after(value) }, TERMS)

const FEE = { cause: 'step:s', costsMinor: 6000, interestMinor: 0 }
const interest = (interestMinor: number) => ({ cause: 'interest:s', costsMinor: 0, interestMinor })

describe('what a reminder charged', () => {
  test.each<[string, number, number, object[]]>([
    ['all was there on the due day', 1_000_000, 0, [FEE, interest(1918)]],
    ['all was there on the day of the reminder', 1_000_000, 7, [FEE, interest(1918)]],
    ['all but a rest that is written off', 998_000, 3, [FEE, interest(1918)]],
    // What is left of the interest is 10 000.00 for three days and 90.00 for four.
    ['all but too little for a fee', 991_000, 3, [FEE, interest(1918 - 832)]],
    // 10 000.00 for three days, 4 000.00 for four: 12.60.
    ['a part', 600_000, 3, [interest(1918 - 1260)]],
    ['all, on the day after', 1_000_000, 8, []],
  ])('%s', (_, amountMinor, value, backs) => {
    const found = told([invoice, ...reminder], amountMinor, value)?.backs ?? []
    expect(new Set(found)).toEqual(new Set(backs))
  })

  test('what was charged after it and has been paid since is not left open', () => {
    const since = paid('b', 0, { value: 8, booked: 8 })
    const fee = { ...since, principalMinor: 0, costsMinor: -6000 }
    const found = told([invoice, ...reminder, fee], 400_000, 7)
    expect(found?.backs).toEqual([])
    expect(found?.coming).toEqual({
      wasMinor: 1_000_000,
      isMinor: 600_000,
      openCostsMinor: 0,
      openInterestMinor: 1918,
    })
  })

  test('with what a claim began with it is enough to post: it is not taken back', () => {
    const little = reminder.map((one) =>
      one.interestMinor > 0
        ? {
            ...one,
            interestMinor: 141,
            periods: [{ ...(one.periods?.[0] as object), principalMinor: 30_000 }],
          }
        : one,
    ) as StoryEvent[]
    const coming = { amountMinor: 600_000, valueOn: after(8) }
    // 300.00 for seven days: 0.575. The invoice had left 0.83 over when it joined.
    const begun = restate([invoice, ...little], coming, { ...TERMS, openingParts: 83 * 365_000_000 })
    expect(begun?.backs).toEqual([])
    expect(restate([invoice, ...little], coming, TERMS)?.backs).toEqual([interest(141)])
  })

  test('told of on that very day, after the reminder: the books know the order', () => {
    const events = [invoice, ...reminder, paid('a', 500_000, { value: 7, booked: 7 })]
    expect(told(events, 500_000, 8)?.backs).toEqual([])
  })

  test('two parts that were told of one after the other, in either order', () => {
    const [a, b] = [paid('a', 400_000, { value: 2, booked: 9 }), paid('b', 600_000, { value: 5, booked: 9 })]
    const first = told([invoice, ...reminder, a], 600_000, 5)
    const second = told([invoice, ...reminder, b], 400_000, 2)
    expect(new Set(first?.backs)).toEqual(new Set([FEE, interest(1918)]))
    expect(second?.backs).toEqual(first?.backs)
    expect(first?.unposted).toEqual(['s'])
    expect(first?.coming).toMatchObject({ wasMinor: 600_000, isMinor: 0 })
    expect(second?.payments.get('payment:b')).toEqual({ wasMinor: 600_000, isMinor: 0, valueOn: after(5) })
  })

  test('what was credited before it bears nothing for the days before the credit either', () => {
    const credit = event('CREDIT_INVOICE', 'credit:c', {
      principalMinor: -500_000,
      creditedMinor: 500_000,
      bookedOn: after(6),
    })
    const [posted, fee] = reminder.map((one) => ({ ...one, principalMinor: 0 }))
    // 5 000.00 for seven days at 10 %: 9.59. With 2 000.00 there on the third: three days of 5 000.00 (4.11), four of 3 000.00 (3.29).
    const half = {
      ...posted,
      interestMinor: 959,
      periods: (posted?.periods ?? []).map((one) => ({ ...one, principalMinor: 500_000, amountMinor: 959 })),
    } as StoryEvent
    const restated = told([invoice, credit, half, fee as StoryEvent], 200_000, 3)
    expect(restated?.backs).toEqual([interest(959 - 740)])
  })

  test('a credit that was heard of before takes it back when nothing else was its ground', () => {
    const credit = event('CREDIT_INVOICE', 'credit:c', {
      principalMinor: -400_000,
      creditedMinor: 400_000,
      bookedOn: after(8),
    })
    // 6 000.00 had come before the reminder: it asked for the 4 000.00 that were credited since, and for nothing else.
    const all = told([invoice, ...reminder, credit], 600_000, 5)
    expect(all?.backs).toEqual([interest(1918), FEE])
    expect(all?.coming).toMatchObject({ isMinor: 400_000, openCostsMinor: 0, openInterestMinor: 0 })
    // Of 5 000.00 that it asked for, 1 000.00 are owed still.
    const some = told([invoice, ...reminder, credit], 500_000, 5)
    expect(some?.backs.map(({ cause }) => cause)).toEqual(['interest:s'])
    expect(some?.coming.openCostsMinor).toBe(6000)
    // Made before the reminder, a credit says nothing of it.
    const earlier = { ...credit, bookedOn: after(6), valueOn: after(6) }
    expect(told([invoice, earlier, ...reminder], 100_000, 5)?.coming.openCostsMinor).toBe(6000)
  })

  test('taken back before: it is not taken back again', () => {
    const gone = reminder.map((one) => ({ ...one, takenBackMinor: one.costsMinor + one.interestMinor }))
    expect(told([invoice, ...gone], 1_000_000, 0)?.backs).toEqual([])
  })

  test('days of a posting that went, and that a later one has counted, are counted once', () => {
    const posting = (stepId: string, minor: number, [from, to]: readonly [number, number], base: number) =>
      event('INTEREST', `interest:${stepId}`, {
        ...ofStep,
        stepId,
        interestMinor: minor,
        bookedOn: after(to),
        periods: [
          {
            principalMinor: base,
            percent: '10.00',
            from: after(from),
            to: after(to),
            days: to - from + 1,
            amountMinor: minor,
          },
        ],
      })
    const events = [
      invoice,
      { ...posting('a', 274, [1, 1], 1_000_000), takenBackMinor: 274 },
      paid('half', 500_000, { value: 0, booked: 3 }),
      posting('b', 959, [1, 7], 500_000),
      posting('c', 548, [8, 11], 500_000),
    ]
    // It pays the 9.59 first.
    const found = told(events, 300_959, 9)
    // Nine days of 5 000.00 and two of 2 000.00 come to 13.42 and 170/365 of an öre; 9.59 and 5.48 were posted.
    expect(found?.backs).toEqual([{ cause: 'interest:c', costsMinor: 0, interestMinor: 959 + 548 - 1342 }])
    expect(found?.restParts).toBe(170_000_000)
  })

  test('a payment that was taken back was never there', () => {
    const back = event('REVERSAL', 'reversal:payment:a', { principalMinor: 600_000, bookedOn: after(9) })
    const events = [invoice, ...reminder, paid('a', 600_000, { value: 3, booked: 8 }), back]
    const found = told(events, 400_000, 3)
    expect(found?.backs).toEqual([interest(1918 - 1479)])
    // But until then it looked as if it had paid.
    const looked = { wasMinor: 1_000_000, isMinor: 400_000, valueOn: after(3), until: after(9) }
    expect([...(found?.lookedPaid ?? [])]).toEqual([['payment:a', looked]])
    expect(found?.coming).toMatchObject({ wasMinor: 1_000_000, isMinor: 600_000 })
  })
})

test('a story that holds something else is a person’s', () => {
  expect(told([invoice, event('REVERSAL', 'upheld:x', {})], 1_000_000, 0)).toBeUndefined()
  const old = reminder.map((one) => ({ ...one, periods: null }))
  expect(told([invoice, ...old], 1_000_000, 0)).toBeUndefined()
})

describe('what a person had let the debtor off', () => {
  const waived = (charge: string, minor: number, bucket: 'costsMinor' | 'interestMinor') => [
    event('REVERSAL', `waived:x-1:${charge}`, { [bucket]: -minor, bookedOn: after(10) }),
  ]
  const charged = (lost: { fee?: number; interest?: number }) =>
    reminder.map((one) => {
      const minor = one.cause === 'step:s' ? (lost.fee ?? 0) : (lost.interest ?? 0)
      return { ...one, takenBackMinor: minor, waivedMinor: minor }
    })

  test('a fee that was waived and has no ground any more is not taken back again', () => {
    const found = told(
      [invoice, ...charged({ fee: 6000 }), ...waived('step:s', 6000, 'costsMinor')],
      1_000_000,
      0,
    )
    expect(found?.backs).toEqual([interest(1918)])
  })

  test('of a fee that was waived in part the rest is taken back', () => {
    const found = told(
      [invoice, ...charged({ fee: 2000 }), ...waived('step:s', 2000, 'costsMinor')],
      1_000_000,
      0,
    )
    expect(new Set(found?.backs)).toEqual(new Set([{ ...FEE, costsMinor: 4000 }, interest(1918)]))
  })

  test('what loses its ground of interest is first what was waived', () => {
    // Of 19.18 there are 12.60 left to charge; 10.00 was waived, and 9.18 stands.
    const events = [invoice, ...charged({ interest: 1000 }), ...waived('interest:s', 1000, 'interestMinor')]
    expect(told(events, 600_000, 3)?.backs).toEqual([])
  })

  test.each<[string, number, number, number, object[]]>([
    // 12.60 are right. Of 19.18 the first 6.58 that fall are those that were waived.
    ['a part stands', 600_000, 3, 1000, []],
    ['less of it stands than is right', 600_000, 3, 1918, []],
    ['more of it stands than is right', 600_000, 3, 500, [interest(1418 - 1260)]],
    // The reminder would not have been sent; 8.22 for three days would not be billed by themselves.
    ['all was there before the reminder', 1_000_000, 3, 1000, [FEE, interest(918)]],
    ['all was there in time', 1_000_000, 0, 1000, [FEE, interest(918)]],
    ['too little was left for a fee', 991_000, 3, 1000, [FEE, interest(918 - 832)]],
    // 121.00 for seven days: 0.23.
    ['so little was owed that it would not have been posted', 987_900, 0, 1000, [interest(918 - 23)]],
  ])('interest that was waived in part stays posted: %s', (_, minor, value, waivedMinor, backs) => {
    const events = [
      invoice,
      ...charged({ interest: waivedMinor }),
      ...waived('interest:s', waivedMinor, 'interestMinor'),
    ]
    const found = told(events, minor, value)
    expect(found?.backs).toEqual(backs)
    // Its days are never counted again: what was waived of them would come back.
    expect(found?.unposted).toEqual([])
  })

  test('interest that would be billed by itself is owed without its reminder too, less what was waived', () => {
    // 1 000 000.00 for three days of seven at 10 %: 821.92 of 1 917.81.
    const big = charged({ interest: 120_000 }).map((one) => ({
      ...one,
      interestMinor: one.interestMinor && 191_781,
      periods: one.periods && one.periods.map((of) => ({ ...of, principalMinor: 100_000_000 })),
    }))
    const events = [
      { ...invoice, principalMinor: 100_000_000 },
      ...big,
      ...waived('interest:s', 120_000, 'interestMinor'),
    ]
    expect(told(events, 100_000_000, 3)?.backs).toEqual([FEE])
    const less = [
      { ...invoice, principalMinor: 100_000_000 },
      ...big.map((one) => ({
        ...one,
        ...(one.interestMinor ? { takenBackMinor: 60_000, waivedMinor: 60_000 } : {}),
      })),
      ...waived('interest:s', 60_000, 'interestMinor'),
    ]
    expect(told(less, 100_000_000, 3)).toMatchObject({
      unposted: [],
      backs: [FEE, interest(131_781 - 82_192)],
    })
  })

  test('days up to which all interest was waived are never counted again', () => {
    const events = [invoice, ...charged({ interest: 1918 }), ...waived('interest:s', 1918, 'interestMinor')]
    const coming = { amountMinor: 1_000_000, valueOn: after(0) }
    const found = restate(events, coming, { ...TERMS, interestWaivedTo: after(10) })
    expect(found).toMatchObject({ unposted: [], restParts: 0, backs: [FEE] })
  })

  test('a waiver of what was charged elsewhere, and what was written off, is as it stood', () => {
    const elsewhere = event('REVERSAL', 'waived:x-1:step:member', { costsMinor: -6000, bookedOn: after(10) })
    const moved = event('TRANSFER_TO_CLAIM', 'claim:k', { costsMinor: 6000, principalMinor: 1_000_000 })
    const written = event('WRITE_OFF', 'written-off:x-1', { principalMinor: -400_000, bookedOn: after(11) })
    const found = told([moved, elsewhere, written], 100_000, 12)
    expect(found?.coming).toMatchObject({ wasMinor: 600_000, isMinor: 500_000, openCostsMinor: 0 })
  })

  test('a waived fee counts as charged where the law has a ceiling', () => {
    const asked: number[] = []
    const feeOf: StoryTerms['feeOf'] = (_, { chargedMinor }) => {
      asked.push(chargedMinor)
      return 6000
    }
    const second = { ...ofStep, stepId: 't', bookedOn: after(20) }
    const events = [
      invoice,
      ...charged({ fee: 6000 }),
      ...waived('step:s', 6000, 'costsMinor'),
      event('REMINDER', 'step:t', { ...second, costsMinor: 6000 }),
    ]
    restate(events, { amountMinor: 100_000, valueOn: after(15) }, { ...TERMS, feeOf })
    expect(asked).toEqual([0, 6000])
  })
})
