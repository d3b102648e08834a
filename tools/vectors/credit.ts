/** Vector files about interest, part payments and their yearly rate. */
import { date } from '@kvitt/domain/calendar.ts'
import { type DayCount, lateInterest } from '@kvitt/domain/collection/interest.ts'
import { type Currency, type Money, amountText, divideRounded, parseAmount } from '@kvitt/domain/money.ts'
import { type CashFlow, effectiveRate, rateText } from '@kvitt/domain/part-payments/apr.ts'
import {
  type Plan,
  annuityPlan,
  estimateAccountPayment,
  interestFreeMonths,
  ongoingPlan,
} from '@kvitt/domain/part-payments/plan.ts'
import type { Check } from './check.ts'

function amountOf(text: string, currency: Currency): Money {
  const amount = parseAmount(text, currency)
  if (!amount) throw new Error(`"${text}" is not an amount`)
  return amount
}

type InterestFile = {
  vectors: {
    id: string
    principal: string
    currency: Currency
    interestFrom: string
    interestTo: string
    dayCount: DayCount
    segments: { from: string; to: string; days: number; ratePercent: string; interestExact: string }[]
    interest: string
  }[]
}

/** The rates of each vector are those of its own segments. */
export function checkLateInterest(file: InterestFile): Check[] {
  return file.vectors.flatMap((row): Check[] => {
    const compute = () =>
      lateInterest({
        principal: amountOf(row.principal, row.currency),
        from: date(row.interestFrom),
        to: date(row.interestTo),
        dayCount: row.dayCount,
        rates: row.segments.map(({ from, ratePercent }) => ({ from: date(from), percent: ratePercent })),
      })
    return [
      { id: row.id, expected: row.interest, actual: () => amountText(compute().interest.minor) },
      {
        id: `${row.id} segments`,
        expected: row.segments.map((part) => [part.from, part.to, part.days, part.interestExact]),
        actual: () =>
          compute().segments.map((part) => [
            part.from,
            part.to,
            part.days,
            millionths(part.numerator, part.denominator * 100n),
          ]),
      },
    ]
  })
}

/** A fraction as text with six decimals. */
function millionths(numerator: bigint, denominator: bigint): string {
  const digits = String(divideRounded(numerator * 1_000_000n, denominator, 'half-up')).padStart(7, '0')
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`
}

type Apr = { percent6: string; percent2: string; percent1: string }

type PlanFile = {
  PART_PAYMENT: {
    id: string
    currency: Currency
    input: {
      balance: string
      annuityMonths: number
      priceStartFee: string
      priceAdministrationFee: string
      priceInterest: string
      priceInterestFreeDays: number
    }
    interestFreeMonths: number
    annuityData: {
      annuityAmountExclFee: string
      annuityRetainerFeeAmount: string
      annuityTotalAmount: string
      totalToPay: string
    }
    firstPayment: string
    lastPayment: string
    creditCost: string
    apr: Apr
  }[]
  ONGOING_PAYMENT: {
    id: string
    currency: Currency
    input: { balance: string; months: number; priceStartFee: string; annuityRetainerFeeAmount: string }
    totalToPay: string
    monthlyBaseExclFees: string
    monthlyInclFee: string
    firstPayment: string
    lastPayment: string
    apr: Apr
  }[]
  PART_PAYMENT_ACCOUNT: {
    id: string
    currency: Currency
    input: {
      balance: string
      accountInvoiceInstallmentThreshold: string
      priceInterest: string
      priceAdministrationFee: string
    }
    recommended: { estimate: string }
  }[]
}

function figuresOf(plan: Plan): string[] {
  const amounts = [
    plan.monthlyExclFee,
    plan.monthly,
    plan.totalToPay,
    plan.instalments[0]?.total,
    plan.instalments.at(-1)?.total,
  ]
  return [...amounts.map((amount) => amountText(amount?.minor ?? 0)), ...ratesOf(plan.apr)]
}

function ratesOf(rate: number | undefined): string[] {
  return [6, 2, 1].map((decimals) => (rate === undefined ? 'none' : rateText(rate, decimals)))
}

export function checkPartPayments(file: PlanFile): Check[] {
  return [
    ...file.PART_PAYMENT.flatMap(checkAnnuity),
    ...file.ONGOING_PAYMENT.map(
      ({ id, currency, input, apr, ...row }): Check => ({
        id,
        expected: [
          row.monthlyBaseExclFees,
          row.monthlyInclFee,
          row.totalToPay,
          row.firstPayment,
          row.lastPayment,
          apr.percent6,
          apr.percent2,
          apr.percent1,
        ],
        actual: () =>
          figuresOf(
            ongoingPlan({
              balance: amountOf(input.balance, currency),
              months: input.months,
              startFee: amountOf(input.priceStartFee, currency),
              monthlyFee: amountOf(input.annuityRetainerFeeAmount, currency),
            }),
          ),
      }),
    ),
    ...file.PART_PAYMENT_ACCOUNT.map(
      ({ id, currency, input, recommended }): Check => ({
        id,
        expected: amountText(amountOf(recommended.estimate, currency).minor),
        actual: () =>
          amountText(
            estimateAccountPayment({
              balance: amountOf(input.balance, currency),
              thresholdPercent: input.accountInvoiceInstallmentThreshold,
              percent: input.priceInterest,
              monthlyFee: amountOf(input.priceAdministrationFee, currency),
            }).minor,
          ),
      }),
    ),
  ]
}

function checkAnnuity(row: PlanFile['PART_PAYMENT'][number]): Check[] {
  const { id, currency, input, annuityData, apr } = row
  const terms = () => ({
    balance: amountOf(input.balance, currency),
    months: input.annuityMonths,
    startFee: amountOf(input.priceStartFee, currency),
    monthlyFee: amountOf(input.priceAdministrationFee, currency),
    percent: input.priceInterest,
    interestFreeDays: input.priceInterestFreeDays,
  })
  return [
    {
      id,
      expected: [
        annuityData.annuityAmountExclFee,
        annuityData.annuityTotalAmount,
        annuityData.totalToPay,
        row.firstPayment,
        row.lastPayment,
        apr.percent6,
        apr.percent2,
        apr.percent1,
      ],
      actual: () => figuresOf(annuityPlan(terms())),
    },
    {
      id: `${id} cost`,
      expected: row.creditCost,
      actual: () => amountText(annuityPlan(terms()).creditCost.minor),
    },
    { id: `${id} free months`, expected: row.interestFreeMonths, actual: () => interestFreeMonths(terms()) },
  ]
}

type FlowRow = {
  amount: string
  tYears?: string
  count?: number
  firstTYears?: string
  stepYears?: string
}

type AprFile = {
  vectors: {
    id: string
    flows: FlowRow[] | null
    flowsCompact: FlowRow[] | null
    computed: { aprPercent6: string; aprPercent2: string; aprPercent1: string }
    officialAprPercent: string | null
  }[]
}

/** "3/366+1/12" in years. */
function yearsOf(text: string): number {
  return text
    .split('+')
    .map((part) => part.split('/').map(Number))
    .reduce((total, [top = 0, bottom = 1]) => total + top / bottom, 0)
}

function flowsOf(rows: readonly FlowRow[]): CashFlow[] {
  return rows.flatMap((row) =>
    Array.from({ length: row.count ?? 1 }, (_, index) => ({
      amount: Number(row.amount),
      years: yearsOf(row.tYears ?? row.firstTYears ?? '0') + index * yearsOf(row.stepYears ?? '0'),
    })),
  )
}

/** Our rate against the computed one, and within 0.005 of the official one, which is printed rounded. */
export function checkAprs(file: AprFile): Check[] {
  return file.vectors.flatMap((row): Check[] => {
    const { aprPercent6, aprPercent2, aprPercent1 } = row.computed
    const rate = () => effectiveRate(flowsOf(row.flows ?? row.flowsCompact ?? []))
    const official = row.officialAprPercent
    return [
      { id: row.id, expected: [aprPercent6, aprPercent2, aprPercent1], actual: () => ratesOf(rate()) },
      ...(official === null
        ? []
        : [
            {
              id: `${row.id} official`,
              expected: true,
              actual: () => Math.abs((rate() ?? Number.NaN) - Number(official)) <= 0.005,
            },
          ]),
    ]
  })
}
