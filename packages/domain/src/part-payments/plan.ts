/**
 * What a part payment costs, month by month. All arithmetic is exact; each amount is rounded half up once, and
 * the last instalment takes up what rounding left.
 */
import {
  type Money,
  add,
  compare,
  divideRounded,
  fraction,
  money,
  percentOf,
  subtract,
  sum,
  zero,
} from '../money.ts'
import { effectiveRate } from './apr.ts'

export type PlanTerms = {
  readonly balance: Money
  /** How many monthly instalments. */
  readonly months: number
  readonly startFee: Money
  /** The administration fee that comes with every instalment. */
  readonly monthlyFee: Money
}

export type AnnuityTerms = PlanTerms & {
  /** Nominal yearly rate in percent, as text. */
  readonly percent: string
  readonly interestFreeDays: number
}

export type Instalment = {
  readonly month: number
  readonly principal: Money
  readonly interest: Money
  /** The month's fee, and the start fee in the first month. */
  readonly fees: Money
  readonly total: Money
}

export type Plan = {
  /** What an ordinary month pays off, without and with the monthly fee. */
  readonly monthlyExclFee: Money
  readonly monthly: Money
  readonly totalToPay: Money
  /** Everything beyond the balance. */
  readonly creditCost: Money
  readonly instalments: readonly Instalment[]
  /** Effective yearly rate in percent; undefined when no rate solves it. */
  readonly apr: number | undefined
}

function requireTerms({ balance, months }: Pick<PlanTerms, 'balance' | 'months'>): void {
  if (!Number.isSafeInteger(months) || months < 1 || months > 600) {
    throw new RangeError(`a plan cannot run for ${months} months`)
  }
  if (balance.minor <= 0) throw new RangeError('a plan needs a balance to pay off')
}

/** Whole months of 30 days that bear no interest, at most the plan's own. */
export function interestFreeMonths(terms: AnnuityTerms): number {
  return Math.min(terms.months, Math.floor(terms.interestFreeDays / 30))
}

/**
 * Equal instalments with interest inside (PART_PAYMENT). The months without interest pay off the same amount;
 * the start fee bears no interest and is paid with the first instalment.
 */
export function annuityPlan(terms: AnnuityTerms): Plan {
  requireTerms(terms)
  const free = interestFreeMonths(terms)
  const percent = fraction(terms.percent)
  if (percent.numerator < 0n) throw new RangeError('interest cannot be negative')
  // Monthly rate p/q; growth over the months that bear interest is ((q + p) / q) ** bearing.
  const p = percent.numerator
  const q = percent.denominator * 1200n
  const bearing = BigInt(terms.months - free)
  const balance = BigInt(terms.balance.minor)
  const grown = (q + p) ** bearing
  const isFree = p === 0n || bearing === 0n
  const minor = isFree
    ? divideRounded(balance, BigInt(terms.months), 'half-up')
    : divideRounded(balance * grown * p, BigInt(free) * grown * p + (grown - q ** bearing) * q, 'half-up')
  return planOf(terms, money(Number(minor), terms.balance.currency), (left, month) =>
    isFree || month <= free ? 0n : divideRounded(BigInt(left.minor) * p, q, 'half-up'),
  )
}

/** Equal parts of the balance without interest (ONGOING_PAYMENT): balance + start fee + fee x months in all. */
export function ongoingPlan(terms: PlanTerms): Plan {
  requireTerms(terms)
  const minor = divideRounded(BigInt(terms.balance.minor), BigInt(terms.months), 'half-up')
  return planOf(terms, money(Number(minor), terms.balance.currency), () => 0n)
}

/** Instalments that a plan of the debtor's own may have. */
export const LONGEST_CHOSEN = 60

export type ChosenTerms = Omit<AnnuityTerms, 'months'> & {
  /** What an ordinary month pays in all: interest and fee are inside. */
  readonly monthly: Money
  /** Days from the start to the first instalment. */
  readonly firstInDays: number
}

/** A month's interest at most, and of a first time that is shorter only that of its days. */
function chosenInterest(terms: ChosenTerms, left: Money, month: number): Money {
  if (month <= Math.floor(terms.interestFreeDays / 30)) return zero(left.currency)
  const whole = monthlyInterest(left, terms.percent)
  if (month > 1) return whole
  const ofDays = interestOfDays(left, terms.percent, terms.firstInDays)
  return compare(ofDays, whole) < 0 ? ofDays : whole
}

/** How many instalments pay it off; undefined when none of the first LONGEST_CHOSEN is the last. */
function chosenMonths(terms: ChosenTerms): number | undefined {
  const share = subtract(terms.monthly, terms.monthlyFee)
  let left = terms.balance
  for (let month = 1; month <= LONGEST_CHOSEN; month++) {
    const principal = subtract(share, chosenInterest(terms, left, month))
    if (principal.minor <= 0) return undefined
    left = subtract(left, principal)
    // Less than a tenth of an instalment is no month of its own, with a fee of its own.
    const isLittle = month > 1 && left.minor * 10 < terms.monthly.minor
    if (isLittle || left.minor <= 0) return month
  }
  return undefined
}

/**
 * As much a month as the debtor has chosen, and in the last month what is left. Undefined when that never pays it off, or
 * not within LONGEST_CHOSEN months.
 */
export function chosenPlan(terms: ChosenTerms): Plan | undefined {
  const months = chosenMonths(terms)
  return months === undefined ? undefined : grownPlan({ ...terms, months })
}

/** The same in as many months as were agreed: whatever the balance has grown by since is paid in the last. */
export function grownPlan(terms: ChosenTerms & Pick<AnnuityTerms, 'months'>): Plan {
  const share = subtract(terms.monthly, terms.monthlyFee)
  const interestOf = (left: Money, month: number) => BigInt(chosenInterest(terms, left, month).minor)
  return planOf(terms, share, interestOf, terms.firstInDays / 365)
}

function planOf(
  terms: PlanTerms,
  monthlyExclFee: Money,
  interestOf: (left: Money, month: number) => bigint,
  firstInYears?: number,
): Plan {
  const { balance, months, startFee, monthlyFee } = terms
  const currency = balance.currency
  const instalments: Instalment[] = []
  let left = balance
  for (let month = 1; month <= months; month++) {
    const interest = money(Number(interestOf(left, month)), currency)
    const ordinary = subtract(monthlyExclFee, interest)
    const isLast = month === months || ordinary.minor > left.minor
    const principal = isLast ? left : ordinary
    const fees = add(monthlyFee, month === 1 ? startFee : zero(currency))
    instalments.push({ month, principal, interest, fees, total: sum([principal, interest, fees], currency) })
    left = subtract(left, principal)
  }
  return totalsOf(terms, { monthlyExclFee, instalments }, firstInYears)
}

function totalsOf(
  { balance, monthlyFee }: Pick<PlanTerms, 'balance' | 'monthlyFee'>,
  { monthlyExclFee, instalments }: Pick<Plan, 'monthlyExclFee' | 'instalments'>,
  firstInYears = 1 / 12,
): Plan {
  const { currency } = balance
  const totals = instalments.map((instalment) => instalment.total)
  const totalToPay = sum(totals, currency)
  const flows = totals.map((total, index) => ({ years: firstInYears + index / 12, amount: -total.minor }))
  return {
    monthlyExclFee,
    monthly: add(monthlyExclFee, monthlyFee),
    totalToPay,
    creditCost: subtract(totalToPay, balance),
    instalments,
    // Asked for only where it is shown: whether a plan is allowed is asked of a thousand balances.
    get apr() {
      return effectiveRate([{ years: 0, amount: balance.minor }, ...flows])
    },
  }
}

/** Months after which an account is paid off whatever its threshold; the last one takes the rest. */
const LONGEST_ACCOUNT = 120

export type AccountTerms = Omit<AnnuityTerms, 'months'> & {
  /** What is paid off a month, in percent of the balance with which the account began. */
  readonly thresholdPercent: string
}

/**
 * A part payment account (PART_PAYMENT_ACCOUNT): each month the threshold's share of the opening balance, the
 * month's interest on what is left, and the fee, rounded to a whole unit of the currency. With a threshold of
 * 10 % the first month is exactly what estimateAccountPayment says.
 */
export function accountPlan(terms: AccountTerms): Plan {
  const { balance, startFee, monthlyFee } = terms
  requireTerms({ ...terms, months: 1 })
  const { currency } = balance
  const share = percentOf(balance, terms.thresholdPercent, 'half-up')
  const free = Math.floor(terms.interestFreeDays / 30)
  const instalments: Instalment[] = []
  for (let left = balance, month = 1; left.minor > 0; month++) {
    const interest = month <= free ? zero(currency) : monthlyInterest(left, terms.percent)
    const extra = add(interest, monthlyFee)
    const rounded = money(Math.floor((share.minor + extra.minor + 50) / 100) * 100, currency)
    const wanted = Math.max(1, subtract(rounded, extra).minor)
    // Less than half an instalment is no month of its own, with a fee of its own.
    const isLast =
      (left.minor - wanted) * 2 < share.minor || wanted >= left.minor || month === LONGEST_ACCOUNT
    const principal = isLast ? left : money(wanted, currency)
    const fees = add(monthlyFee, month === 1 ? startFee : zero(currency))
    instalments.push({ month, principal, interest, fees, total: sum([principal, interest, fees], currency) })
    left = subtract(left, principal)
  }
  const first = instalments[0]
  const monthly = first ? subtract(first.total, startFee) : zero(currency)
  return totalsOf(terms, { monthlyExclFee: subtract(monthly, monthlyFee), instalments })
}

/** One month's interest on `left` at a nominal yearly rate, half up. */
export function monthlyInterest(left: Money, percent: string): Money {
  const rate = fraction(percent)
  const minor = divideRounded(BigInt(left.minor) * rate.numerator, rate.denominator * 1200n, 'half-up')
  return money(Number(minor), left.currency)
}

/** Interest on `left` for so many days of a year of 365, half up. */
export function interestOfDays(left: Money, percent: string, days: number): Money {
  const rate = fraction(percent)
  const numerator = BigInt(left.minor) * rate.numerator * BigInt(days)
  return money(Number(divideRounded(numerator, rate.denominator * 36_500n, 'half-up')), left.currency)
}

/**
 * The estimated monthly payment of a part payment account (specification section 9): the instalment threshold in
 * percent of the balance, times 1 and ten times the monthly rate, plus the fee, to a whole unit of the currency.
 */
export function estimateAccountPayment(account: {
  readonly balance: Money
  readonly thresholdPercent: string
  readonly percent: string
  readonly monthlyFee: Money
}): Money {
  const threshold = fraction(account.thresholdPercent)
  const rate = fraction(account.percent)
  const denominator = threshold.denominator * 100n * rate.denominator * 1200n
  const share = rate.denominator * 1200n + rate.numerator * 10n
  const numerator =
    BigInt(account.balance.minor) * threshold.numerator * share +
    BigInt(account.monthlyFee.minor) * denominator
  const units = divideRounded(numerator, denominator * 100n, 'half-up')
  return money(Number(units) * 100, account.balance.currency)
}
