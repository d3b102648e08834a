/** What a month comes to, from the books and the bank as they stand now. Nothing is kept here. */
import type { DayProof } from '@kvitt/domain/client-funds/proof.ts'
import {
  firstDayOf,
  lastDayOf,
  stateOf,
  type CheckState,
  type CloseCheck,
  type Month,
} from '@kvitt/domain/month-close/month-close.ts'
import { proveWithin } from '../client-funds/client-funds.ts'
import type { Context } from '../context.ts'
import type { Connection } from '../platform/database/database.ts'
import { sumUpWithin, type OwedSum } from '../receivables/receivables.ts'
import type { OperatorMember } from '../staff/staff.ts'
import {
  readDone,
  readInvoiced,
  readSettled,
  readWaitingCount,
  type InvoicedRow,
  type SettledRow,
} from './month-close.queries.ts'

/** As it is kept when the month is closed, and read back: amounts in minor units. */
export type MonthReport = {
  readonly month: Month
  readonly day: string
  readonly checks: readonly {
    readonly check: CloseCheck
    readonly state: CheckState
    readonly count: number
  }[]
  readonly currencies: readonly CurrencyReport[]
}

export type CurrencyReport = {
  readonly currency: string
  readonly funds: Pick<DayProof, 'verdict' | 'differenceMinor' | 'terms'> | null
  readonly heldMinor: number
  readonly receivables: OwedSum
  readonly settlements: SettledRow
  readonly vatInvoices: Omit<InvoicedRow, 'first' | 'last'> & {
    readonly first: number | null
    readonly last: number | null
  }
  readonly suspense: { readonly count: number; readonly minor: number }
}

const NOTHING_OWED = {
  count: 0,
  principalMinor: 0,
  costsMinor: 0,
  interestMinor: 0,
  totalMinor: 0,
  ages: [],
  keptMinor: 0,
} as const
const NOTHING_SETTLED = {
  count: 0,
  collectedMinor: 0,
  feesMinor: 0,
  vatMinor: 0,
  correctionsMinor: 0,
  paidOutMinor: 0,
  toApprove: 0,
  toPay: 0,
} as const
const NOTHING_INVOICED = { count: 0, first: null, last: null, feesMinor: 0, vatMinor: 0 } as const

type Instance = OperatorMember['instance']
type Reading = { readonly db: Connection; readonly clock: Context['clock'] }

/** Read at one moment: the caller's. */
export async function reportMonth(
  { db, clock }: Reading,
  instance: Instance,
  month: Month,
): Promise<MonthReport> {
  const [from, to] = [firstDayOf(month), lastDayOf(month)]
  const { id: instanceId } = instance
  const proven = await proveWithin({ db, clock }, instance, to)
  const owed = await sumUpWithin(db, { instanceId, creditorId: null, day: to })
  const settled = await readSettled(db, instanceId, { from, to })
  const invoiced = await readInvoiced(db, instanceId, { from, to })
  const waiting = await readWaitingCount(db, instanceId)
  const done = await readDone(db, instanceId, to)
  const of = <Row extends { readonly currency: string }>(rows: readonly Row[], currency: string) =>
    rows.find((row) => row.currency === currency)
  const currencies = [
    ...new Set([...proven.proofs, ...owed, ...settled, ...invoiced].map(({ currency }) => currency)),
  ]
    .toSorted((one, other) => (one < other ? -1 : 1))
    .map((currency): CurrencyReport => {
      const proof = of(proven.proofs, currency)?.proof
      const termOf = (term: string): number => proof?.terms.find((one) => one.term === term)?.minor ?? 0
      return {
        currency,
        funds: proof
          ? { verdict: proof.verdict, differenceMinor: proof.differenceMinor, terms: proof.terms }
          : null,
        heldMinor: termOf('held'),
        receivables: of(owed, currency) ?? { currency, ...NOTHING_OWED },
        settlements: of(settled, currency) ?? { currency, ...NOTHING_SETTLED },
        vatInvoices: of(invoiced, currency) ?? { currency, ...NOTHING_INVOICED },
        suspense: { count: of(waiting, currency)?.count ?? 0, minor: termOf('suspense') },
      }
    })
  return {
    month,
    day: to,
    checks: checksOf({ currencies, done, to, belowZero: proven.belowZero.length }),
    currencies,
  }
}

type Facts = {
  readonly currencies: readonly CurrencyReport[]
  readonly done: Awaited<ReturnType<typeof readDone>>
  readonly to: string
  readonly belowZero: number
}

/** Each point with how many things stand against it. */
function checksOf({ currencies, done, to, belowZero }: Facts): MonthReport['checks'] {
  const count = (isSo: (of: CurrencyReport) => boolean): number => currencies.filter(isSo).length
  const sum = (of: (currency: CurrencyReport) => number): number =>
    currencies.reduce((all, one) => all + of(one), 0)
  const against: Readonly<Record<CloseCheck, number>> = {
    nights: done.night !== null && done.night >= to ? 0 : 1,
    // The run of a day makes what had ended the day before.
    settlements: (done.settled !== null && done.settled > to ? 0 : 1) + done.counting,
    receivables: count(({ receivables: { totalMinor, keptMinor } }) => totalMinor !== keptMinor),
    funds_differ: count(({ funds }) => funds?.verdict === 'DIFFERS'),
    funds_unproved: count(({ funds }) => funds?.verdict === 'NO_STATEMENT'),
    below_zero: belowZero,
    suspense: count(({ suspense }) => suspense.minor !== 0),
    not_approved: sum(({ settlements }) => settlements.toApprove),
    not_paid: sum(({ settlements }) => settlements.toPay),
  }
  return (Object.keys(against) as CloseCheck[]).map((check) => ({
    check,
    state: stateOf(check, against[check] === 0),
    count: against[check],
  }))
}
