/**
 * What the law lets a creditor ask for, read from the dated figures of the countries and nothing else of the product: the
 * rate of a day, and the most that a letter may cost.
 */
import { readFileSync } from 'node:fs'
import type { Day, DocumentFact } from './facts.ts'

type Kind = DocumentFact['debtorKind']
type Band = { readonly upToMinor: number | null; readonly feeMinor: number }
type FeeRow = { readonly from: string | null; readonly bands: readonly Band[]; readonly assumed?: boolean }
type Fee = {
  readonly rows: readonly FeeRow[]
  readonly needsAgreement?: boolean
  readonly lessCharged?: boolean
  readonly halfYearly?: boolean
  readonly atMost?: number
  readonly again?: { readonly times: number; readonly over: number }
}
type RateRow = { readonly from: string; readonly assumed?: boolean } & Readonly<Record<Kind, string>>
type Country = {
  readonly currency: string
  readonly rates: { readonly rows: readonly RateRow[] }
  readonly costCap?: Readonly<Partial<Record<Kind, readonly FeeRow[]>>>
  readonly fees: Readonly<Record<Kind, Readonly<Record<string, Fee>>>>
}

const FIGURES = new URL('../../../../../packages/domain/src/collection/country-params.json', import.meta.url)
const COUNTRIES = JSON.parse(readFileSync(FIGURES, 'utf8')) as Readonly<Record<string, Country>>

const DAY_MS = 86_400_000

const numbers = new Map<Day, number>()
const days = new Map<number, Day>()

/** Days since 1970. */
export function numberOf(day: Day): number {
  const known = numbers.get(day) ?? Date.parse(`${day}T00:00:00Z`) / DAY_MS
  numbers.set(day, known)
  return known
}

function dayOf(number: number): Day {
  const known = days.get(number) ?? new Date(number * DAY_MS).toISOString().slice(0, 10)
  days.set(number, known)
  return known
}

export const addDays = (day: Day, days: number): Day => dayOf(numberOf(day) + days)

function countryOf(code: string): Country {
  const found = COUNTRIES[code]
  if (!found) throw new Error(`no figures for ${code}`)
  return found
}

/** A figure of one half-year says nothing of the next, unless somebody has assumed that it goes on. */
function holdsOn(row: { readonly from: string; readonly assumed?: boolean }, day: Day): boolean {
  const month = (of: string): number => Number(of.slice(0, 4)) * 12 + Number(of.slice(5, 7))
  return row.assumed === true || month(day) < month(row.from) + 6
}

/** Lov 1244/2012, and act 32/2013 between companies: 8 points for what fell due from these days on; 7 of older debts, on every day. */
const RAISED_ON: Readonly<Record<string, Day>> = { DK: '2013-03-01', FI: '2013-03-16' }

/** Hundredths of a percent a year, and the last day of the half-year, until which it cannot change. */
function rateOn(country: string, kind: Kind, day: Day): { readonly hundredths: number; readonly until: Day } {
  const row = countryOf(country).rates.rows.findLast(({ from }) => from <= day)
  if (!row || !holdsOn(row, day)) throw new Error(`no rate in ${country} for ${day}`)
  const [whole = '0', part = ''] = row[kind].split('.')
  const until = `${day.slice(0, 4)}-${day.slice(5, 7) < '07' ? '06-30' : '12-31'}`
  return { hundredths: Number(whole) * 100 + Number(part.padEnd(2, '0')), until }
}

/** Interest is counted in these parts of a minor unit: hundredths of a percent, 365 days also in a leap year. */
export const PARTS = 3_650_000n

export type Span = { readonly minor: number; readonly from: Day; readonly to: Day }

/** Interest on a principal that fell due on `dueOn`, from its first to its last day, both counted, in PARTS. Not rounded. */
export function interestParts(
  { country, debtorKind, dueOn }: Pick<DocumentFact, 'country' | 'debtorKind' | 'dueOn'>,
  { minor, from, to }: Span,
): bigint {
  const isOlder = dueOn < (RAISED_ON[country] ?? '') && (country === 'DK' || debtorKind === 'business')
  let parts = 0n
  for (let day = from; day <= to; ) {
    const { hundredths, until } = rateOn(country, debtorKind, day)
    const last = until < to ? until : to
    parts +=
      BigInt(minor) * BigInt(hundredths - (isOlder ? 100 : 0)) * BigInt(numberOf(last) - numberOf(day) + 1)
    day = addDays(last, 1)
  }
  return parts
}

/** Whole minor units, half a unit up. */
export function rounded(parts: bigint): number {
  const twice = 2n * parts + PARTS
  const floor = twice >= 0n ? twice / (2n * PARTS) : -((-twice + 2n * PARTS - 1n) / (2n * PARTS))
  return Number(floor)
}

const rowOf = (rows: readonly FeeRow[] | undefined, on: Day): FeeRow | undefined =>
  rows?.findLast(({ from }) => from === null || from <= on)

function bandOf(row: FeeRow | undefined, minor: number): number | undefined {
  return row?.bands.find(({ upToMinor }) => upToMinor === null || minor <= upToMinor)?.feeMinor
}

/** How soon after the last day to pay a letter may cost something, and how long after the one before it. */
const EARLIEST: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  // inkassoloven, its regulation: fourteen days after the due date.
  NO: { REMINDER: 14, COLLECTION_NOTIFICATION: 14 },
  FI: { REMINDER: 14 },
}
/** renteloven § 9 b. */
const DANISH_GAP = 10
/** The Norwegian heavy fee: the light one once more. */
const NORWEGIAN_HEAVY_AFTER = 43
/** lag 1981:739 4 a §: with late interest at the earliest, and thirty days after the invoice was sent. */
const SWEDISH_COMPENSATION_AFTER = 30

export type Letter = {
  readonly terms: Pick<DocumentFact, 'country' | 'debtorKind' | 'sentOn' | 'dueOn' | 'isFeeAgreed'>
  readonly type: string
  readonly number: number
  readonly on: Day
  /** What of the principal is owed on that day. */
  readonly principalMinor: number
  /** All costs charged on the debt and not taken back, open or paid; of a claim, its documents' too. */
  readonly chargedMinor: number
  /** The last letter of the same type that cost something. */
  readonly before?: Day | undefined
}

/** Minor units that the letter may cost on top of what has been charged. */
export function feeOf(letter: Letter): number {
  const { terms, type, on, number, principalMinor, chargedMinor } = letter
  const country = countryOf(terms.country)
  const fee = country.fees[terms.debtorKind][type]
  if (!fee || (fee.needsAgreement && !terms.isFeeAgreed) || isTooSoon(letter)) return 0
  const row = rowOf(fee.rows, on)
  const isKnown = row && (!fee.halfYearly || row.from === null || holdsOn({ ...row, from: row.from }, on))
  const first = isKnown ? bandOf(row, principalMinor) : undefined
  if (first === undefined) throw new Error(`no figure for ${type} in ${terms.country} on ${on}`)
  const tariffs: number[] = Array.from({ length: fee.atMost ?? 1 }, () => first)
  if (fee.again) tariffs.push(Math.floor((first * fee.again.times) / fee.again.over))
  const own = tariffs[number - 1] ?? 0
  if (fee.lessCharged) {
    // Late payment compensation and the costs of collection take each other's place.
    const all = tariffs.slice(0, number).reduce((sum, tariff) => sum + tariff, 0)
    return Math.min(own, Math.max(0, all - chargedMinor))
  }
  const cap = bandOf(rowOf(country.costCap?.[terms.debtorKind], on), principalMinor)
  return cap === undefined ? own : Math.min(own, Math.max(0, cap - chargedMinor))
}

function isTooSoon({ terms, type, on, before, number }: Letter): boolean {
  const { country, dueOn, sentOn } = terms
  if (on <= dueOn) return true
  if (country === 'SE' && type === 'DELAYED_PENALTY_FEE')
    return on < addDays(sentOn, SWEDISH_COMPENSATION_AFTER)
  if (country === 'DK' && type === 'REMINDER' && before) return on < addDays(before, DANISH_GAP)
  if (country === 'NO' && type === 'COLLECTION_CLAIM' && number === 2 && before)
    return on < addDays(before, NORWEGIAN_HEAVY_AFTER)
  return on < addDays(dueOn, EARLIEST[country]?.[type] ?? 1)
}

/** What the law allows for a reminder, agreed or not: the measure of a small rest. */
export function reminderFeeOf(terms: Letter['terms'], on: Day): number {
  return bandOf(rowOf(countryOf(terms.country).fees[terms.debtorKind]['REMINDER']?.rows, on), 0) ?? 0
}

export const currencyOf = (country: string): string => countryOf(country).currency
