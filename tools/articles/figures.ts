/**
 * The figures of law and product that an article has to name, from the domain's own data and rules: what each country charges
 * and when, and the sums of the worked examples.
 */
import { addDays, type CalendarDate, date, daysBetween, laterOf } from '@kvitt/domain/calendar.ts'
import { COUNTRY_PARAMS, type DebtorKind, feeOn, rateOn } from '@kvitt/domain/collection/country-params.ts'
import { lateInterest } from '@kvitt/domain/collection/interest.ts'
import { nextStep, type PerformedStep } from '@kvitt/domain/collection/schedule.ts'
import { amountText, type Currency, money } from '@kvitt/domain/money.ts'
import { annuityPlan } from '@kvitt/domain/part-payments/plan.ts'

/** What a topic has to name, and whether it may name other amounts as well. */
export type Figures = {
  readonly amounts: readonly string[]
  readonly percentages: readonly string[]
  /** Days after the due date on which something happens that costs. */
  readonly days?: readonly number[]
  readonly mayHaveMore: boolean
}

/** The worked example of each country: what a person owes, and when it was due. */
const EXAMPLES: Readonly<Record<string, { readonly country: string; readonly principalMinor: number }>> = {
  'cost-sweden': { country: 'SE', principalMinor: 125_000 },
  'cost-norway': { country: 'NO', principalMinor: 120_000 },
  'cost-denmark': { country: 'DK', principalMinor: 150_000 },
  'cost-finland': { country: 'FI', principalMinor: 78_000 },
}
const EXAMPLE_DUE = date('2026-09-02')
const COUNTRIES = ['SE', 'NO', 'DK', 'FI']

const currencyOf = (country: string) => (COUNTRY_PARAMS[country]?.currency ?? 'EUR') as Currency
const written = (country: string, minor: number) => `${currencyOf(country)} ${amountText(minor)}`

/** The newest day from which the data have a figure, up to today, when that is after the day an article was looked at. */
export function dayOfFigures(checked: CalendarDate, today: string): CalendarDate {
  const begins = [...JSON.stringify(COUNTRY_PARAMS).matchAll(/"from":"(\d{4}-\d{2}-\d{2})"/g)].map(
    ([, day = '']) => day,
  )
  return begins
    .filter((day) => day <= today)
    .reduce<CalendarDate>((newest, day) => laterOf(newest, date(day)), checked)
}

/** A fee in minor units; an Error when none is known, which a person has to look at. */
function fee(
  country: string,
  step: string,
  on: { day: CalendarDate; principalMinor?: number; number?: number; kind?: DebtorKind },
): number {
  const found = feeOn({
    country,
    step,
    debtorKind: on.kind ?? 'consumer',
    principalMinor: on.principalMinor ?? 1,
    date: on.day,
    number: on.number ?? 1,
    reminderFeeAgreed: true,
  })
  if (!found) throw new Error(`no fee is known for ${step} in ${country} on ${on.day}`)
  return found.amountMinor
}

function rate(country: string, kind: DebtorKind, day: CalendarDate): string {
  const found = rateOn(country, kind, day)
  if (!found) throw new Error(`no rate is known in ${country} on ${day}`)
  return String(Number(found.percent))
}

/** The steps of a person's unpaid invoice until it is collected, each with its day after the due date. */
function stepsOf(
  country: string,
): { readonly type: string; readonly number: number; readonly day: number }[] {
  const terms = {
    country,
    debtorKind: 'consumer' as const,
    dueDate: EXAMPLE_DUE,
    sentDate: addDays(EXAMPLE_DUE, -30),
    scheduleFrom: EXAMPLE_DUE,
    reminderFeeAgreed: true,
  }
  const performed: (PerformedStep & { number: number })[] = []
  for (let step = nextStep(terms, performed); step; step = nextStep(terms, performed)) {
    performed.push({ type: step.type, number: step.number, performedDate: step.plannedDate })
  }
  return performed.map(({ type, number, performedDate }) => ({
    type,
    number,
    day: daysBetween(EXAMPLE_DUE, performedDate),
  }))
}

function interest(
  country: string,
  principalMinor: number,
  span: { from: CalendarDate; days: number; kind?: DebtorKind },
): number {
  const rates = [{ from: span.from, percent: rate(country, span.kind ?? 'consumer', span.from) }]
  const principal = money(principalMinor, currencyOf(country))
  return lateInterest({ principal, from: addDays(span.from, 1), to: addDays(span.from, span.days), rates })
    .interest.minor
}

/** The bands of a fee that grows with what is owed: where each ends, and what it costs. */
function bandsOf(country: string, step: string, day: CalendarDate): { limits: number[]; fees: number[] } {
  const rows = COUNTRY_PARAMS[country]?.fees.consumer[step]?.rows ?? []
  const row = rows.findLast(({ from }) => from === null || from <= day)
  const limits = (row?.bands ?? []).flatMap(({ upToMinor }) => upToMinor ?? [])
  const top = (limits.at(-1) ?? 0) + 1
  return {
    limits,
    fees: [...limits, top].map((principalMinor) => fee(country, step, { day, principalMinor })),
  }
}

/** All that the article about a country's costs names, and nothing else: what has another amount is wrong or old. */
function costsOf(country: string, principalMinor: number, day: CalendarDate): Figures {
  const steps = stepsOf(country)
  const collected = steps.find(({ type }) => type === 'COLLECTION')?.day ?? 0
  const demand = bandsOf(country, 'COLLECTION_CLAIM', day)
  const charged = [
    ...steps.map(({ type, number }) => fee(country, type, { day, principalMinor, number })),
    fee(country, 'COLLECTION_CLAIM', { day, principalMinor }),
  ]
  const late = interest(country, principalMinor, { from: EXAMPLE_DUE, days: collected })
  const total = principalMinor + late + charged.reduce((sum, one) => sum + one, 0)
  const second = fee(country, 'COLLECTION_CLAIM', { day, principalMinor, number: 2 })
  const court = country === 'SE' ? [fee(country, 'BAILIFF_PAYMENT_INJUCTION', { day, principalMinor })] : []
  const caps = COUNTRY_PARAMS[country]?.costCap?.consumer?.[0]?.bands.map(({ feeMinor }) => feeMinor) ?? []
  const amounts = [
    ...demand.limits,
    ...demand.fees,
    ...charged,
    ...court,
    ...caps,
    principalMinor,
    late,
    total,
    second,
  ]
  return {
    amounts: [...new Set(amounts.filter((minor) => minor > 0))].map((minor) => written(country, minor)),
    percentages: [rate(country, 'consumer', day)],
    days: steps.flatMap((step) => (step.type === 'REMINDER' || step.type === 'COLLECTION' ? step.day : [])),
    mayHaveMore: false,
  }
}

/** Companies: the compensation and the rate of each country. */
function companyFigures(day: CalendarDate): Figures {
  return {
    amounts: COUNTRIES.map((country) =>
      written(
        country,
        fee(country, 'DELAYED_PENALTY_FEE', { day, kind: 'business', principalMinor: 100_000 }),
      ),
    ),
    percentages: COUNTRIES.map((country) => rate(country, 'business', day)),
    mayHaveMore: true,
  }
}

/** 4,999.00 in six parts with a start fee of 95.00 and 29.00 a month, no interest. */
function planFigures(): Figures {
  const plan = annuityPlan({
    balance: money(499_900, 'SEK'),
    months: 6,
    startFee: money(9500, 'SEK'),
    monthlyFee: money(2900, 'SEK'),
    percent: '0',
    interestFreeDays: 0,
  })
  const sums = [
    499_900,
    9500,
    2900,
    plan.monthly.minor,
    plan.instalments[0]?.total.minor ?? 0,
    plan.totalToPay.minor,
  ]
  return {
    amounts: sums.map((minor) => written('SE', minor)),
    percentages: [(plan.apr ?? 0).toFixed(1)],
    mayHaveMore: false,
  }
}

/** 798.00 with thirty days more: the interest that would have run. */
function respiteFigures(day: CalendarDate): Figures {
  const late = interest('SE', 79_800, { from: EXAMPLE_DUE, days: 30 })
  return {
    amounts: [79_800, late].map((minor) => written('SE', minor)),
    percentages: [rate('SE', 'consumer', day)],
    mayHaveMore: false,
  }
}

/** Has the domain figures that an article of this topic has to name? */
export function hasFigures(topic: string): boolean {
  return Object.hasOwn(EXAMPLES, topic) || ['company', 'part-payment', 'more-time'].includes(topic)
}

/** What the domain says that an article of this topic has to name on a day; undefined where it says nothing. */
export function figuresOf(topic: string, day: CalendarDate): Figures | undefined {
  const example = EXAMPLES[topic]
  if (example) return costsOf(example.country, example.principalMinor, day)
  if (topic === 'company') return companyFigures(day)
  if (topic === 'part-payment') return planFigures()
  return topic === 'more-time' ? respiteFigures(day) : undefined
}
