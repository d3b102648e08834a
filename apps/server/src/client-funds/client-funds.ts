/** The proof of client funds, day by day: what it is counted from, and what each term is made of. */
import { parseDate, type CalendarDate } from '@kvitt/domain/calendar.ts'
import {
  beforeBooks,
  enteredBefore,
  enteredLater,
  hasBegun,
  proveDay,
  type AccountFacts,
  type DayProof,
  type EnteredLines,
  type FundsFacts,
  type ProofTerm,
} from '@kvitt/domain/client-funds/proof.ts'
import { MOST_ITEMS } from '@kvitt/domain/client-funds/proof-item.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Currency } from '@kvitt/domain/money.ts'
import type { Context } from '../context.ts'
import type { Connection } from '../platform/database/database.ts'
import { inOneSnapshot } from '../platform/database/within.ts'
import type { OperatorMember } from '../staff/staff.ts'
import {
  readBelowZero,
  readBookedDays,
  readEnteredDays,
  readFundsAccounts,
  readMoved,
  readSaidLeft,
  readStatementDays,
  readWaitingLines,
  type BelowZeroRow,
  type FundsAccountRow,
  type StatementDayRow,
} from './client-funds.queries.ts'
import { readItems, type ItemRow } from './items.queries.ts'

export type { MovedTerm } from './client-funds.queries.ts'

type Reading = Pick<Context, 'db' | 'clock'>

export type ProvenDay = {
  readonly day: CalendarDate
  readonly latest: CalendarDate | null
  readonly proofs: readonly {
    readonly currency: Currency
    readonly proof: DayProof
    /** Of a file whose balances are known by now: until they are entered the proof may differ. */
    readonly waitingLines: number
  }[]
  readonly accounts: ReadonlyMap<string, FundsAccountRow>
  readonly belowZero: readonly BelowZeroRow[]
}

/** What the proofs of an instance are counted from, by currency. */
async function readFacts(
  { db }: { readonly db: Connection },
  instanceId: string,
): Promise<Map<Currency, FundsFacts>> {
  const [statements, entered, booked, left] = await Promise.all([
    readStatementDays(db, instanceId),
    readEnteredDays(db, instanceId),
    readBookedDays(db, instanceId),
    readSaidLeft(db, instanceId),
  ])
  const currencies = [
    ...new Set([...statements, ...entered, ...booked].map(({ currency }) => currency)),
  ].toSorted()
  return new Map(
    currencies.map((currency) => {
      const own = <Row extends { readonly currency: Currency }>(rows: readonly Row[]): Row[] =>
        rows.filter((row) => row.currency === currency)
      const days = own(statements)
      const ids = [...days, ...own(entered)].flatMap(({ accountId }) =>
        accountId === null ? [] : [accountId],
      )
      const accounts = [...new Set(ids)].map((id) => {
        const its = days.filter(({ accountId }) => accountId === id)
        const [first] = its
        return {
          id,
          statements: its,
          ...firstOf(first),
        }
      })
      return [currency, { accounts, entered: own(entered), booked: own(booked), left: own(left) }]
    }),
  )
}

function firstOf(first: StatementDayRow | undefined): Pick<AccountFacts, 'first'> {
  if (first === undefined || first.openingMinor === null || first.from === null) return {}
  return { first: { openingMinor: first.openingMinor, from: first.from } }
}

/**
 * The day that is meant; without one the last that a statement tells of, else today. Refuses `day_out_of_reach` for a day to come,
 * `invalid_request` for what is none.
 */
function chooseDay(
  facts: ReadonlyMap<Currency, FundsFacts>,
  { wanted, today }: { readonly wanted: string | undefined; readonly today: CalendarDate },
): { readonly day: CalendarDate; readonly latest: CalendarDate | null } {
  const all = [...facts.values()]
  const latest = all
    .flatMap(({ accounts }) => accounts.flatMap(({ statements }) => statements))
    .reduce<CalendarDate | null>(
      (last, { day }) => (day <= today && (last === null || day > last) ? day : last),
      null,
    )
  if (wanted === undefined) return { day: latest ?? today, latest }
  const day = parseDate(wanted)
  if (!day) throw new Refusal('invalid_request', {}, ['day'])
  const from = all
    .flatMap(({ booked, entered }) => [
      ...booked.map(({ bookedOn }) => bookedOn),
      ...entered.map(({ bankOn }) => bankOn),
    ])
    .reduce((first, one) => (one < first ? one : first), today)
  if (day > today) throw new Refusal('day_out_of_reach', { from, to: today }, ['day'])
  return { day, latest }
}

/** The proof of each currency at the end of a day; without one, of the last day that a statement tells of. */
export function proveClientFunds(
  { db: all, clock }: Reading,
  principal: OperatorMember,
  wanted: string | undefined,
): Promise<ProvenDay> {
  // A line that is entered between two of the reads would be a difference that there is not.
  return inOneSnapshot(all, (db) => proveWithin({ db, clock }, principal.instance, wanted))
}

/** The same where the caller keeps the books still meanwhile. */
export async function proveWithin(
  { db, clock }: { readonly db: Connection; readonly clock: Reading['clock'] },
  { id: instanceId, timeZone }: OperatorMember['instance'],
  wanted: string | undefined,
): Promise<ProvenDay> {
  const [facts, accounts, waiting] = await Promise.all([
    readFacts({ db }, instanceId),
    readFundsAccounts(db, instanceId),
    readWaitingLines(db, instanceId),
  ])
  const { day, latest } = chooseDay(facts, { wanted, today: clock.today(timeZone) })
  return {
    day,
    latest,
    proofs: [...facts]
      .filter(([, of]) => hasBegun(of, day))
      .map(([currency, of]) => ({
        currency,
        proof: proveDay(of, day),
        waitingLines: waiting.find((row) => row.currency === currency)?.count ?? 0,
      })),
    accounts: new Map(accounts.map((account) => [account.id, account])),
    belowZero: await readBelowZero(db, instanceId, day),
  }
}

/** What the bank accounts and each term moved within these days, as the ledger signs it: they come to zero. */
export function termsMoved(
  db: Connection,
  instanceId: string,
  within: { readonly currency: string; readonly from: string; readonly to: string },
): ReturnType<typeof readMoved> {
  return readMoved(db, instanceId, within)
}

const byDay = (lines: readonly EnteredLines[], sign: 1 | -1): ItemRow[] =>
  lines.map(({ bankOn, enteredOn, minor }) => ({
    kind: 'bank_lines',
    id: null,
    name: null,
    day: bankOn,
    enteredOn,
    minor: sign * minor,
  }))

/** What a term is made of: the largest, and what is left of it. */
export async function listItems(
  context: Reading,
  principal: OperatorMember,
  wanted: { readonly day?: string | undefined; readonly currency: Currency; readonly term: ProofTerm },
): Promise<{ readonly items: readonly ItemRow[]; readonly restMinor: number }> {
  const { id: instanceId } = principal.instance
  const { currency, term } = wanted
  const [facts, accounts] = await Promise.all([
    readFacts(context, instanceId),
    readFundsAccounts(context.db, instanceId),
  ])
  const today = context.clock.today(principal.instance.timeZone)
  const { day } = chooseDay(facts, { wanted: wanted.day, today })
  const of = facts.get(currency)
  if (!of) return { items: [], restMinor: 0 }
  const proof = proveDay(of, day)
  const total = proof.terms.find((one) => one.term === term)?.minor ?? 0
  const ofAccount = ({ id, minor }: { readonly id: string; readonly minor: number }): ItemRow => {
    const number = accounts.find((account) => account.id === id)?.number ?? null
    return { kind: 'account', id: null, name: number, day: null, enteredOn: null, minor }
  }
  const counted: Readonly<Partial<Record<ProofTerm, () => ItemRow[]>>> = {
    bank: () => proof.accounts.flatMap(({ id, minor }) => (minor === null ? [] : [ofAccount({ id, minor })])),
    entered_later: () => byDay(enteredLater(of.entered, day), 1),
    entered_before: () => byDay(enteredBefore(of.entered, day), -1),
    before_books: () => beforeBooks(of, day).map(ofAccount),
  }
  const items = (counted[term]?.() ?? (await readItems(context.db, { instanceId, currency, day, term })))
    .toSorted((a, b) => Math.abs(b.minor) - Math.abs(a.minor))
    .slice(0, MOST_ITEMS)
  return { items, restMinor: total - items.reduce((sum, { minor }) => sum + minor, 0) }
}
