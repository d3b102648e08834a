/**
 * The proof of client funds, per currency and day: what stands at the bank and is on its way there is what is owed to
 * somebody. The books count by the day on which they were written, which is never back-dated; the bank's statement by its own days. What
 * lies between the two is a term with a name, so that nothing is left over.
 */
import { addDays, type CalendarDate } from '../calendar.ts'

/** Counted from the books alone, by the day of booking. */
export const BOOK_TERMS = [
  'gateways',
  'bank_fees',
  'paid_twice',
  'held',
  'advances',
  'payouts',
  'owed',
  'suspense',
  'fees',
  'bank_interest',
] as const
export type BookTerm = (typeof BOOK_TERMS)[number]

/** Of the books, and told only while there is any. */
const RARE_TERMS: readonly BookTerm[] = ['bank_fees', 'paid_twice', 'advances', 'bank_interest']
/** What the operator owes the account, for its bank's charges and for what left twice, is ours to have, though it is not there. */
const HAVE_TERMS: readonly string[] = ['bank', 'gateways', 'bank_fees', 'paid_twice']

/**
 * What lies between the bank's days and the books': lines of the day or before that were entered later; lines of a later day that are
 * entered already; what a person has said to have left and no statement shows; what stood on an account before its first statement, of
 * which the books do not know whose it is.
 */
const BETWEEN_TERMS = ['entered_later', 'entered_before', 'said_left', 'before_books'] as const

export const PROOF_TERMS = ['bank', ...BOOK_TERMS, ...BETWEEN_TERMS] as const
export type ProofTerm = (typeof PROOF_TERMS)[number]

export const PROOF_SIDES = ['HAVE', 'OWE'] as const
/** Left and right of the equation. */
export const sideOf = (term: ProofTerm): (typeof PROOF_SIDES)[number] =>
  HAVE_TERMS.includes(term) ? 'HAVE' : 'OWE'

export const PROOF_VERDICTS = ['AGREES', 'DIFFERS', 'NO_STATEMENT'] as const
export type ProofVerdict = (typeof PROOF_VERDICTS)[number]

export type Amounted = { readonly minor: number }

export type AccountFacts = {
  readonly id: string
  /** What stood on it at the end of a day, by the bank: one for each day, in order. */
  readonly statements: readonly (Amounted & { readonly day: CalendarDate })[]
  /** Of the first statement: what it begins with, and the first day that it tells of. Absent when none has come. */
  readonly first?: { readonly openingMinor: number; readonly from: CalendarDate }
}

/** Lines of a bank together: of a day of the bank, taken into the books on another. */
export type EnteredLines = Amounted & {
  readonly accountId: string | null
  readonly bankOn: CalendarDate
  readonly enteredOn: CalendarDate
}

/** All of one currency. Amounts are as their term counts: positive is money that we have, or that we owe. */
export type FundsFacts = {
  readonly accounts: readonly AccountFacts[]
  readonly entered: readonly EnteredLines[]
  readonly booked: readonly (Amounted & { readonly term: BookTerm; readonly bookedOn: CalendarDate })[]
  /** What a person has said to have left the bank, and the day on which a statement's line took the place of that. */
  readonly left: readonly (Amounted & { readonly on: CalendarDate; readonly toldOn: CalendarDate | null })[]
}

export type AccountProof = {
  readonly id: string
  /** Null where no statement ends on the day. */
  readonly minor: number | null
  /** The last day on or before it on which one does. */
  readonly statementOn: CalendarDate | null
  /** Between that statement and the lines that are in the books. */
  readonly differenceMinor: number | null
  readonly since: CalendarDate | null
}

export type DayProof = {
  readonly verdict: ProofVerdict
  /** What we have less what we owe; null without a statement of the day. */
  readonly differenceMinor: number | null
  /** The first day of those without a break that did not agree. */
  readonly since: CalendarDate | null
  /** On which days the difference changed and by how much, the newest first. */
  readonly changes: readonly (Amounted & { readonly day: CalendarDate })[]
  /** The last day on or before it of which each account has a statement. */
  readonly lastCovered: CalendarDate | null
  /** The last day on which something of this day was entered; null when all of it was there. */
  readonly enteredLast: CalendarDate | null
  readonly terms: readonly { readonly term: ProofTerm; readonly minor: number | null }[]
  readonly accounts: readonly AccountProof[]
}

type Dated = Amounted & { readonly day: CalendarDate }

const sumOf = (amounts: readonly Amounted[]): number => amounts.reduce((sum, { minor }) => sum + minor, 0)

const MOST_CHANGES = 10

/** What the changes up to a day come to, for each of `days`, which are in order. */
function sumsAt(changes: readonly Dated[], days: readonly CalendarDate[]): number[] {
  const inOrder = changes.toSorted((a, b) => (a.day < b.day ? -1 : 1))
  let at = 0
  let sum = 0
  return days.map((day) => {
    for (let next = inOrder[at]; next !== undefined && next.day <= day; next = inOrder[at]) {
      sum += next.minor
      at += 1
    }
    return sum
  })
}

/** The differences of days in order, told from the last of them: since when, and by which steps. */
function history(differences: readonly Dated[]): Pick<DayProof, 'since' | 'changes'> {
  const agreed = differences.findLastIndex(({ minor }) => minor === 0)
  const changes = differences
    .map(({ day, minor }, index) => ({ day, minor: minor - (differences[index - 1]?.minor ?? 0) }))
    .filter(({ minor }) => minor !== 0)
  return {
    since: differences[agreed + 1]?.day ?? null,
    changes: changes.toReversed().slice(0, MOST_CHANGES),
  }
}

/** What stood on the account before the first statement, less what the books know of that time. */
function broughtIn({ id, first }: AccountFacts, entered: readonly EnteredLines[]): number {
  if (first === undefined) return 0
  const known = entered.filter(({ accountId, bankOn }) => accountId === id && bankOn < first.from)
  return first.openingMinor - sumOf(known)
}

/** Each statement of an account against what the books have of its lines. */
function proveAccount(
  account: AccountFacts,
  { entered, until }: { readonly entered: readonly EnteredLines[]; readonly until: CalendarDate },
): AccountProof {
  const statements = account.statements.filter(({ day }) => day <= until)
  const last = statements.at(-1)
  const own = entered.filter(({ accountId }) => accountId === account.id)
  const days = statements.map(({ day }) => day)
  const lines = sumsAt(
    own.map(({ bankOn: day, minor }) => ({ day, minor })),
    days,
  )
  const brought = broughtIn(account, entered)
  const differences = statements.map(({ day, minor }, at) => ({
    day,
    minor: minor - brought - (lines[at] ?? 0),
  }))
  return {
    id: account.id,
    minor: last?.day === until ? last.minor : null,
    statementOn: last?.day ?? null,
    differenceMinor: differences.at(-1)?.minor ?? null,
    since: history(differences).since,
  }
}

/** Days without a statement, while others have theirs, after which an account that was told empty is one that was closed. */
const CLOSED_AFTER_DAYS = 10

/** From when on an account counts as empty: it was told so last, and nothing has been told of it for days since. */
function closedFrom(
  { id, statements }: AccountFacts,
  { accounts, entered }: FundsFacts,
): CalendarDate | undefined {
  const last = statements.at(-1)
  if (last?.minor !== 0) return undefined
  const isTold = entered.some(({ accountId, bankOn }) => accountId === id && bankOn > last.day)
  const told = addDays(last.day, CLOSED_AFTER_DAYS)
  const isPast = accounts.some((other) => (other.statements.at(-1)?.day ?? '') >= told)
  return isPast && !isTold ? addDays(last.day, 1) : undefined
}

/** The days up to one on which every account that has anything by then has a statement, with what stood on all of them. */
function coveredDays(facts: FundsFacts, until: CalendarDate): Dated[] {
  const { accounts, entered } = facts
  const closed = accounts.map((account) => closedFrom(account, facts) ?? '9999')
  const begins = accounts.map(({ id, statements }) => {
    const days = entered.filter(({ accountId }) => accountId === id).map(({ bankOn }) => bankOn)
    return [...days, ...statements.slice(0, 1).map(({ day }) => day)].reduce<CalendarDate | undefined>(
      (first, day) => (first === undefined || day < first ? day : first),
      undefined,
    )
  })
  const balances = accounts.map(({ statements }) => new Map(statements.map(({ day, minor }) => [day, minor])))
  const days = [...new Set(accounts.flatMap(({ statements }) => statements.map(({ day }) => day)))]
  return days
    .filter((day) => day <= until)
    .toSorted()
    .flatMap((day) => {
      const present = balances.filter(
        (_, at) => (begins[at] ?? '9999') <= day && day < (closed[at] ?? '9999'),
      )
      const minors = present.map((balance) => balance.get(day))
      return minors.includes(undefined) ? [] : [{ day, minor: sumOf(minors.map((minor = 0) => ({ minor }))) }]
    })
}

/** All that moves the difference besides the statements, each on its day. */
function movesOf({ accounts, entered, booked, left }: FundsFacts): Dated[] {
  return [
    ...booked.map(({ term, bookedOn: day, minor }) => ({
      day,
      minor: sideOf(term) === 'HAVE' ? minor : -minor,
    })),
    ...entered.flatMap(({ bankOn, enteredOn, minor }) => [
      { day: bankOn, minor: -minor },
      { day: enteredOn, minor },
    ]),
    ...left.flatMap(({ on, toldOn, minor }) => [
      { day: on, minor: -minor },
      ...(toldOn === null ? [] : [{ day: toldOn, minor }]),
    ]),
    ...accounts.flatMap((account) =>
      account.statements.slice(0, 1).map(({ day }) => ({ day, minor: 0 - broughtIn(account, entered) })),
    ),
  ]
}

/** Lines that the books took in after the day that the bank tells of, as seen at the end of `day`. */
export const enteredLater = (entered: readonly EnteredLines[], day: CalendarDate): EnteredLines[] =>
  entered.filter(({ bankOn, enteredOn }) => bankOn <= day && day < enteredOn)

/** Lines that the books had taken in before the day that the bank tells of. */
export const enteredBefore = (entered: readonly EnteredLines[], day: CalendarDate): EnteredLines[] =>
  entered.filter(({ bankOn, enteredOn }) => enteredOn <= day && day < bankOn)

/** What stood on each account before its first statement, of those whose first has come by `day`. */
export const beforeBooks = (facts: FundsFacts, day: CalendarDate): (Amounted & { readonly id: string })[] =>
  facts.accounts
    .filter(({ statements: [first] }) => first !== undefined && first.day <= day)
    .map((account) => ({ id: account.id, minor: broughtIn(account, facts.entered) }))
    .filter(({ minor }) => minor !== 0)

/** Whether anything was booked or told of by then: before that there is nothing to prove. */
export const hasBegun = ({ accounts, entered, booked }: FundsFacts, day: CalendarDate): boolean =>
  booked.some(({ bookedOn }) => bookedOn <= day) ||
  entered.some(({ bankOn }) => bankOn <= day) ||
  accounts.some(({ statements: [first] }) => first !== undefined && first.day <= day)

/**
 * The equation at the end of a day: each term, whether it comes out even, and since when it does not. The answer for a day that is over
 * changes only by lines of the bank that are entered after it, which `enteredLast` says.
 */
export function proveDay(facts: FundsFacts, day: CalendarDate): DayProof {
  const { accounts, entered, booked, left } = facts
  const covered = coveredDays(facts, day)
  const moves = sumsAt(
    movesOf(facts),
    covered.map((one) => one.day),
  )
  const differences = covered.map((one, at) => ({ day: one.day, minor: one.minor + (moves[at] ?? 0) }))
  const bank = covered.at(-1)?.day === day ? (covered.at(-1)?.minor ?? null) : null
  const later = enteredLater(entered, day)
  const between: Readonly<Record<(typeof BETWEEN_TERMS)[number], number>> = {
    entered_later: sumOf(later),
    entered_before: 0 - sumOf(enteredBefore(entered, day)),
    said_left: sumOf(left.filter(({ on, toldOn }) => on <= day && (toldOn === null || day < toldOn))),
    before_books: sumOf(beforeBooks(facts, day)),
  }
  const terms: DayProof['terms'] = [
    { term: 'bank', minor: bank },
    ...BOOK_TERMS.map((term) => ({
      term,
      minor: sumOf(booked.filter((one) => one.term === term && one.bookedOn <= day)),
    })).filter(({ term, minor }) => minor !== 0 || !RARE_TERMS.includes(term)),
    ...BETWEEN_TERMS.map((term) => ({ term, minor: between[term] })).filter(({ minor }) => minor !== 0),
  ]
  const differenceMinor =
    bank === null
      ? null
      : terms.reduce((sum, { term, minor }) => sum + (sideOf(term) === 'HAVE' ? 1 : -1) * (minor ?? 0), 0)
  const isEven = differenceMinor === 0
  return {
    verdict: differenceMinor === null ? 'NO_STATEMENT' : isEven ? 'AGREES' : 'DIFFERS',
    differenceMinor,
    ...(differenceMinor === null || isEven ? { since: null, changes: [] } : history(differences)),
    lastCovered: covered.at(-1)?.day ?? null,
    enteredLast: later.reduce<CalendarDate | null>(
      (last, { enteredOn }) => (last === null || enteredOn > last ? enteredOn : last),
      null,
    ),
    terms,
    accounts: accounts.map((account) => proveAccount(account, { entered, until: day })),
  }
}
