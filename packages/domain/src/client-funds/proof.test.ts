/** The equation of client funds from facts whose sums are worked out by hand, day by day. Amounts are in öre. */
import { describe, expect, test } from 'vitest'
import { date } from '../calendar.ts'
import { proveDay, type AccountFacts, type BookTerm, type EnteredLines, type FundsFacts } from './proof.ts'

const [MON, TUE, WED, THU, FRI, SAT] = [23, 24, 25, 26, 27, 28].map((n) => date(`2026-11-${n}`)) as [
  ReturnType<typeof date>, ReturnType<typeof date>, ReturnType<typeof date>,
  ReturnType<typeof date>, ReturnType<typeof date>, ReturnType<typeof date>,
] // biome-ignore format: six days
type Day = typeof MON

const statements = (...of: readonly (readonly [Day, number])[]) => of.map(([day, minor]) => ({ day, minor }))
const account = (
  id: string,
  first: readonly [Day, number],
  ...of: readonly (readonly [Day, number])[]
): AccountFacts => ({
  id,
  first: { from: first[0], openingMinor: first[1] },
  statements: statements(...of),
})
const line = (bankOn: Day, enteredOn: Day, minor: number, accountId: string | null = 'a'): EnteredLines => ({
  accountId,
  bankOn,
  enteredOn,
  minor,
})
const book = (bookedOn: Day, ...terms: readonly (readonly [BookTerm, number])[]): FundsFacts['booked'] =>
  terms.map(([term, minor]) => ({ term, bookedOn, minor }))

/**
 * Monday: 842 is paid through a gateway. On Tuesday the statement of Monday comes: 500 for an invoice, and 70 that nobody knows; the
 * account had 1,000 before. On Wednesday that of Tuesday: the 842 has arrived, and 350 is paid where 300 was owed. Then 70 is ordered
 * back and 50 refunded, and 335 with 65 of fees leaves what is held. Thursday's statement of Wednesday: 335 has left. Friday's of
 * Thursday: the 70 has left, and the bank that the payout went to sends its 335 back.
 */
const WEEK: FundsFacts = {
  accounts: [account('a', [MON, 1000], [MON, 1570], [TUE, 2762], [WED, 2427], [THU, 2692])],
  entered: [line(MON, TUE, 570), line(TUE, WED, 1192), line(WED, THU, -335), line(THU, FRI, -70 + 335)],
  booked: [
    ...book(MON, ['gateways', 842], ['held', 842]),
    ...book(TUE, ['held', 500], ['suspense', 70]),
    ...book(WED, ['gateways', -842], ['held', 300], ['owed', 50]),
    ...book(WED, ['suspense', -70], ['owed', 70], ['held', -400], ['payouts', 335], ['fees', 65]),
    ...book(THU, ['payouts', -335]),
    ...book(FRI, ['owed', -70], ['held', 335]),
  ],
  left: [],
}

const termsOf = (facts: FundsFacts, day: Day): Readonly<Record<string, number | null>> =>
  Object.fromEntries(
    proveDay(facts, day).terms.flatMap(({ term, minor }) => (minor === 0 ? [] : [[term, minor]])),
  )

describe('each day of the week agrees, with these terms', () => {
  test.each<readonly [Day, Record<string, number>, Day | null]>([
    [MON, { bank: 1570, gateways: 842, held: 842, entered_later: 570, before_books: 1000 }, TUE],
    [
      TUE,
      { bank: 2762, gateways: 842, held: 1342, suspense: 70, entered_later: 1192, before_books: 1000 },
      WED,
    ],
    [
      WED,
      { bank: 2427, held: 1242, payouts: 335, owed: 120, fees: 65, entered_later: -335, before_books: 1000 },
      THU,
    ],
    [THU, { bank: 2692, held: 1242, owed: 120, fees: 65, entered_later: 265, before_books: 1000 }, FRI],
  ])('%s', (day, terms, enteredLast) => {
    expect(termsOf(WEEK, day)).toEqual(terms)
    expect(proveDay(WEEK, day)).toMatchObject({
      verdict: 'AGREES',
      differenceMinor: 0,
      since: null,
      changes: [],
      lastCovered: day,
      enteredLast,
    })
  })
})

test('a day without a statement is not proved: what the books have is said, and the last day that has one', () => {
  const proof = proveDay(WEEK, FRI)
  expect(proof).toMatchObject({
    verdict: 'NO_STATEMENT',
    differenceMinor: null,
    lastCovered: THU,
    enteredLast: null,
  })
  expect(termsOf(WEEK, FRI)).toEqual({ bank: null, held: 1577, owed: 50, fees: 65, before_books: 1000 })
  expect(proveDay(WEEK, date('2026-11-22')).lastCovered).toBeNull()
})

const without = (gone: EnteredLines, booked: FundsFacts['booked']): FundsFacts => ({
  ...WEEK,
  entered: WEEK.entered.filter(({ bankOn }) => bankOn !== gone.bankOn),
  booked: [...WEEK.booked, ...booked.map((one) => ({ ...one, minor: -one.minor }))],
})

describe('a fault is found, with its amount and its day', () => {
  test('a line that never came into the books, since its day at the bank', () => {
    // The file of Tuesday: 842 did not leave the gateway, and 350 is on nobody's account.
    const facts = without(line(TUE, WED, 1192), book(WED, ['gateways', -842], ['held', 300], ['owed', 50]))
    expect(proveDay(facts, MON).verdict).toBe('AGREES')
    for (const day of [TUE, WED, THU])
      expect(proveDay(facts, day)).toMatchObject({
        verdict: 'DIFFERS',
        differenceMinor: 1192,
        since: TUE,
        changes: [{ day: TUE, minor: 1192 }],
        accounts: [{ id: 'a', differenceMinor: 1192, since: TUE }],
      })
  })
  test('an entry of the books that no bank told of, and another amount at the bank later', () => {
    const facts = {
      ...WEEK,
      booked: [...WEEK.booked, ...book(TUE, ['held', 100])],
      accounts: [account('a', [MON, 1000], [MON, 1570], [TUE, 2762], [WED, 2427], [THU, 2699])],
    }
    expect(proveDay(facts, WED)).toMatchObject({
      differenceMinor: -100,
      since: TUE,
      accounts: [{ differenceMinor: 0 }],
    })
    expect(proveDay(facts, THU)).toMatchObject({
      differenceMinor: -93,
      since: TUE,
      changes: [
        { day: THU, minor: 7 },
        { day: TUE, minor: -100 },
      ],
      accounts: [{ differenceMinor: 7, since: THU }],
    })
  })
  test('one that was mended and came back is dated from its last beginning', () => {
    const facts = {
      ...WEEK,
      booked: [
        ...WEEK.booked,
        ...book(MON, ['held', 5]),
        ...book(TUE, ['held', -5]),
        ...book(THU, ['held', 9]),
      ],
    }
    expect(proveDay(facts, MON)).toMatchObject({ differenceMinor: -5, since: MON })
    expect(proveDay(facts, WED).verdict).toBe('AGREES')
    expect(proveDay(facts, THU)).toMatchObject({ differenceMinor: -9, since: THU })
  })
})

describe('between the days of the bank and of the books', () => {
  test('a line that was entered before the day that the bank tells of', () => {
    const facts: FundsFacts = {
      accounts: [account('a', [MON, 0], [MON, 0], [TUE, 0], [WED, 40])],
      entered: [line(WED, TUE, 40)],
      booked: book(TUE, ['held', 40]),
      left: [],
    }
    expect(termsOf(facts, TUE)).toEqual({ held: 40, entered_before: -40 })
    expect([TUE, WED].map((day) => proveDay(facts, day).verdict)).toEqual(['AGREES', 'AGREES'])
  })
  test('what a person has said to have left, until a statement tells of it', () => {
    const facts: FundsFacts = {
      accounts: [account('a', [MON, 0], [MON, 90], [TUE, 90], [WED, 60])],
      entered: [line(MON, MON, 90), line(WED, THU, -30)],
      booked: [...book(MON, ['held', 60], ['owed', 30]), ...book(TUE, ['owed', -30])],
      left: [{ on: TUE, toldOn: THU, minor: 30 }],
    }
    expect(termsOf(facts, TUE)).toEqual({ bank: 90, held: 60, said_left: 30 })
    expect(termsOf(facts, WED)).toEqual({ bank: 60, held: 60, said_left: 30, entered_later: -30 })
    expect([MON, TUE, WED].map((day) => proveDay(facts, day).verdict)).toEqual(['AGREES', 'AGREES', 'AGREES'])
  })
  test('lines from before the first statement are in what it begins with', () => {
    const facts: FundsFacts = {
      accounts: [account('a', [WED, 500], [WED, 520])],
      entered: [line(MON, MON, 450), line(WED, WED, 20)],
      booked: [...book(MON, ['held', 450]), ...book(WED, ['held', 20])],
      left: [],
    }
    expect(proveDay(facts, TUE).verdict).toBe('NO_STATEMENT')
    expect(termsOf(facts, WED)).toEqual({ bank: 520, held: 470, before_books: 50 })
    expect(proveDay(facts, WED).verdict).toBe('AGREES')
  })
})

test('of several accounts each has to have a statement, from the day on which it has anything', () => {
  const facts: FundsFacts = {
    accounts: [
      account('a', [MON, 0], [MON, 10], [TUE, 10], [THU, 10]),
      account('b', [TUE, 0], [TUE, 5], [WED, 5], [THU, 6]),
    ],
    entered: [line(MON, MON, 10), line(TUE, TUE, 5, 'b'), line(THU, THU, 1, 'b')],
    booked: [...book(MON, ['held', 10]), ...book(TUE, ['held', 5]), ...book(THU, ['held', 1])],
    left: [],
  }
  const of = (day: Day) => proveDay(facts, day)
  expect([MON, TUE, WED, THU].map((day) => of(day).verdict)).toEqual([
    'AGREES',
    'AGREES',
    'NO_STATEMENT',
    'AGREES',
  ])
  expect(of(WED)).toMatchObject({
    lastCovered: TUE,
    accounts: [
      { id: 'a', minor: null, statementOn: TUE, differenceMinor: 0 },
      { id: 'b', minor: 5, statementOn: WED, differenceMinor: 0 },
    ],
  })
  expect(of(SAT)).toMatchObject({ verdict: 'NO_STATEMENT', lastCovered: THU })
})

describe('an account that the bank told empty and tells nothing of any more', () => {
  const december = (n: number) => date(`2026-12-${String(n).padStart(2, '0')}`)
  const moved = (lastMinor: number, until: Day): FundsFacts => ({
    accounts: [
      account('a', [MON, 100], [MON, 100], [TUE, lastMinor]),
      account('b', [TUE, 0], [TUE, 100 - lastMinor], [until, 100 - lastMinor]),
    ],
    entered: [line(TUE, TUE, lastMinor - 100), line(TUE, TUE, 100 - lastMinor, 'b')],
    booked: [],
    left: [],
  })

  test('was closed: what is on the others is all there is', () => {
    const facts = moved(0, december(4))
    expect(proveDay(facts, december(4))).toMatchObject({ verdict: 'AGREES', lastCovered: december(4) })
    expect(proveDay(facts, TUE).verdict).toBe('AGREES')
  })

  test('is waited for while others have been told of for less than ten days since', () => {
    expect(proveDay(moved(0, december(3)), december(3)).verdict).toBe('NO_STATEMENT')
  })

  test('is waited for when something stood on it, or a line has come since', () => {
    expect(proveDay(moved(40, december(4)), december(4)).verdict).toBe('NO_STATEMENT')
    const facts = moved(0, december(4))
    const more = { ...facts, entered: [...facts.entered, line(THU, THU, 5)] }
    expect(proveDay(more, december(4)).verdict).toBe('NO_STATEMENT')
  })
})
