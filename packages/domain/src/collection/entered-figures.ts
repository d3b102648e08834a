/**
 * Figures that the people of a provider have entered, beside those that the product knows: which of them holds on a day, and which may
 * be entered at all.
 *
 * Of two rows the later one holds. Of one day: what the product has confirmed, then what was entered, then what is only assumed; of
 * two that were entered for one day the later entry, which corrects the other. So nobody changes by an entry what the product has
 * confirmed, and a later version of the product that confirms a figure has the last word. What an entry replaces was assumed to go on,
 * and so is the entry: in a demo only, as any assumption.
 */
import { addDays, type CalendarDate, date, parseDocumentDay } from '../calendar.ts'
import type { ErrorCode } from '../errors.ts'
import { amountText, parseAmount } from '../money.ts'
import { COUNTRY_PARAMS, hundredthsOf, paramsOf, type DebtorKind, type Figures } from './country-params.ts'
import type { CountryParams, CreditCapRow, FeeParams, FeeRow, RateRow } from './figure-rows.ts'
import { halfYearOf } from './half-years.ts'

/** `upTo` null has no upper limit. Amounts as decimal text, in the country's currency. */
export type FigureBand = { readonly upTo: string | null; readonly amount: string }
/** A rate as it is published, before the law's margin; what a consumer credit may cost; amounts by what is owed. */
export type FigureValue =
  | { readonly percent: string }
  | { readonly percent: string; readonly isOverReference: boolean; readonly costAtMostCredit: boolean }
  | { readonly bands: readonly FigureBand[] }

/** `figure` as figuresOf names it. */
export type EnteredFigure = {
  readonly country: string
  readonly figure: string
  readonly from: string
  readonly value: FigureValue
  readonly source: string
}

export const REFERENCE_RATE = 'reference_rate'
export const CREDIT_CAP = 'credit_cap'
const KINDS: readonly DebtorKind[] = ['consumer', 'business']

/** The countries whose figures are known here. */
export const FIGURE_COUNTRIES: readonly string[] = Object.keys(COUNTRY_PARAMS)

/** All figures of a country: its rate, the ceiling of a consumer credit, those of all costs, and each fee. */
export function figuresOf(country: string): string[] {
  const found = paramsOf(country)
  if (!found) return []
  const caps = KINDS.filter((kind) => found.costCap?.[kind]).map((kind) => `cost_cap.${kind}`)
  const fees = KINDS.flatMap((kind) => Object.keys(found.fees[kind]).map((step) => feeName(kind, step)))
  return [REFERENCE_RATE, CREDIT_CAP, ...caps, ...fees]
}

/** What the fee of a step is called. */
export function feeName(kind: DebtorKind, step: string): string {
  return `fee.${kind}.${step}`
}

type Part = { readonly kind: DebtorKind; readonly step: string | undefined }

function partOf(figure: string): Part {
  const [, kind, step] = figure.split('.')
  return { kind: kind === 'business' ? 'business' : 'consumer', step }
}

function feeOf(found: CountryParams, figure: string): FeeParams | undefined {
  const { kind, step } = partOf(figure)
  return step === undefined ? undefined : found.fees[kind][step]
}

/** Finland limits other costs by the day and the year beside the rate (kuluttajansuojalaki 7:17 a), Denmark the yearly cost in all. */
const CLOSED_CAPS = ['FI', 'DK']

/** Is its law more than a row can say? Then nobody enters it, and consumers there get only what costs nothing. */
export const isClosed = (country: string, figure: string): boolean =>
  figure === CREDIT_CAP && CLOSED_CAPS.includes(country)

/** Is it set anew each half-year? Then a row says nothing about the half-year after. */
export function isHalfYearly(country: string, figure: string): boolean {
  const found = paramsOf(country)
  return figure === REFERENCE_RATE || (found !== undefined && feeOf(found, figure)?.halfYearly === true)
}

type Dated = { readonly from: string | null; readonly assumed?: boolean | undefined }

/** Rows of the product and of a provider, in order. */
function merged<Row extends Dated>(
  known: readonly Row[],
  entered: readonly Row[],
  { isHalfYearly: isSetAnew }: { readonly isHalfYearly: boolean },
): Row[] {
  const confirmed = new Set(known.filter(({ assumed }) => assumed !== true).map(({ from }) => from))
  const last = new Map(entered.filter(({ from }) => !confirmed.has(from)).map((row) => [row.from, row]))
  const rows = inOrder([...known.filter(({ from }) => !last.has(from)), ...last.values()])
  if (!isSetAnew) return rows
  const goingOn = [...last.values()].flatMap((row) => {
    const next = nextHalf(row.from ?? '')
    const isTaken = rows.some(({ from }) => from === next)
    const before = known.findLast(({ from }) => from === null || from <= next)
    return isTaken || before?.assumed !== true ? [] : [{ ...row, from: next, assumed: true }]
  })
  return inOrder([...rows, ...goingOn])
}

const inOrder = <Row extends Dated>(rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) => ((a.from ?? '') < (b.from ?? '') ? -1 : 1))

const nextHalf = (from: string): CalendarDate => addDays(halfYearOf(date(from)).to, 1)

/** The figures of a provider: what the product knows, and what was entered there, in the order of its entry. */
export function figuresWith(entered: readonly EnteredFigure[]): Figures {
  if (entered.length === 0) return COUNTRY_PARAMS
  const countries = Object.entries(COUNTRY_PARAMS).map(([country, known]) => {
    const own = entered.filter((one) => one.country === country)
    return [country, own.length === 0 ? known : paramsWith(known, own)] as const
  })
  return Object.fromEntries(countries)
}

function paramsWith(known: CountryParams, own: readonly EnteredFigure[]): CountryParams {
  const of = (figure: string): readonly EnteredFigure[] => own.filter((one) => one.figure === figure)
  const { rates, creditCaps, costCap, fees } = known
  const rateRows = of(REFERENCE_RATE).map((one) => rateRow(known, one))
  const caps = merged<CreditCapRow>(creditCaps ?? [], of(CREDIT_CAP).map(capRow), { isHalfYearly: false })
  const feesOf = (kind: DebtorKind) =>
    Object.fromEntries(
      Object.entries(fees[kind]).map(([step, fee]) => {
        const rows = of(feeName(kind, step)).map(feeRow)
        const asked = { isHalfYearly: fee?.halfYearly === true }
        return [step, fee && { ...fee, rows: merged(fee.rows, rows, asked) }]
      }),
    )
  const capsOf = (kind: DebtorKind) =>
    costCap?.[kind] && {
      [kind]: merged(costCap[kind], of(`cost_cap.${kind}`).map(feeRow), { isHalfYearly: false }),
    }
  return {
    ...known,
    rates: { ...rates, rows: merged<RateRow>(rates.rows, rateRows, { isHalfYearly: true }) },
    ...(caps.length > 0 ? { creditCaps: caps } : {}),
    ...(costCap ? { costCap: { ...capsOf('consumer'), ...capsOf('business') } } : {}),
    fees: { consumer: feesOf('consumer'), business: feesOf('business') },
  }
}

/** The yearly late interest of a published rate, with the law's margin. */
export function lateRateOf(country: string, kind: DebtorKind, percent: string): string {
  const margin = paramsOf(country)?.rates.margin[kind] ?? '0'
  return amountText(hundredthsOf(percent) + hundredthsOf(margin))
}

/** The yearly late interest that debts of each kind may bear by a published rate, older debts by their own law. */
export function ratesOfFigure(country: string, percent: string): Readonly<Record<DebtorKind, string[]>> {
  const older = paramsOf(country)?.rates.olderDebts
  const of = (kind: DebtorKind): string[] => {
    const late = lateRateOf(country, kind, percent)
    return older ? [late, amountText(hundredthsOf(late) - hundredthsOf(older.less[kind]))] : [late]
  }
  return { consumer: of('consumer'), business: of('business') }
}

/** Whose debts a figure concerns; undefined where it is for all, as rates are. */
export function kindOfFigure(figure: string): DebtorKind | undefined {
  if (figure === CREDIT_CAP) return 'consumer'
  return figure === REFERENCE_RATE ? undefined : partOf(figure).kind
}

/** Whose fee of which step a figure is; undefined for every other figure. */
export function stepOfFigure(
  figure: string,
): { readonly kind: DebtorKind; readonly step: string } | undefined {
  const { kind, step } = partOf(figure)
  return step === undefined ? undefined : { kind, step }
}

function rateRow({ rates: { margin } }: CountryParams, { from, value, source }: EnteredFigure): RateRow {
  const percent = hundredthsOf('percent' in value ? value.percent : '0')
  const late = (kind: DebtorKind): string => amountText(percent + hundredthsOf(margin[kind]))
  return { from, consumer: late('consumer'), business: late('business'), source }
}

function capRow({ from, value, source }: EnteredFigure): CreditCapRow {
  const cap = 'isOverReference' in value ? value : undefined
  const percent = cap?.percent ?? '0'
  const highest = cap?.isOverReference === true ? { overReference: percent } : { percent }
  return { source, from, ...highest, costAtMostCredit: cap?.costAtMostCredit ?? true }
}

function feeRow({ from, value, source }: EnteredFigure): FeeRow {
  const bands = 'bands' in value ? value.bands : []
  return {
    from,
    source,
    bands: bands.map(({ upTo, amount }) => ({
      upToMinor: upTo === null ? null : minorOf(upTo),
      feeMinor: minorOf(amount),
    })),
  }
}

/** Of any currency: all have two decimals here. Throws on what readFigure did not let in. */
function minorOf(amount: string): number {
  const read = parseAmount(amount, 'SEK')
  if (!read) throw new RangeError(`"${amount}" is no amount`)
  return read.minor
}

/** A row as people read it. Until the next one, of half-years until the end of its own. */
export type FigureRow = {
  /** Null: as long as the product knows. */
  readonly from: string | null
  readonly value: FigureValue
  readonly source: string
  /** Only taken to be so: none where debts are real. */
  readonly isAssumed: boolean
}

/** The rows of a figure, in order, by what is given: the product's own, or those of a provider. */
export function rowsOf(country: string, figure: string, figures: Figures = COUNTRY_PARAMS): FigureRow[] {
  const found = paramsOf(country, figures)
  if (!found) return []
  if (figure === CREDIT_CAP) return (found.creditCaps ?? []).map(capAsRead)
  if (figure === REFERENCE_RATE) {
    const { rows, source, margin } = found.rates
    return rows.map(({ from, consumer, assumed = false, source: own = source }) => {
      const percent = amountText(hundredthsOf(consumer) - hundredthsOf(margin.consumer))
      return { from, value: { percent }, source: own, isAssumed: assumed }
    })
  }
  const rows = figure.startsWith('cost_cap.')
    ? found.costCap?.[partOf(figure).kind]
    : feeOf(found, figure)?.rows
  return (rows ?? []).map(feeAsRead)
}

function capAsRead({ from, source, percent, overReference, costAtMostCredit }: CreditCapRow): FigureRow {
  const isOverReference = overReference !== undefined
  const value = {
    percent: amountText(hundredthsOf(overReference ?? percent ?? '0')),
    isOverReference,
    costAtMostCredit,
  }
  return { from, value, source, isAssumed: false }
}

function feeAsRead({ from, bands, source, assumed = false }: FeeRow): FigureRow {
  const read = bands.map(({ upToMinor, feeMinor }) => ({
    upTo: upToMinor === null ? null : amountText(upToMinor),
    amount: amountText(feeMinor),
  }))
  return {
    from,
    value: { bands: read },
    source,
    isAssumed: assumed || bands.some((band) => band.assumed === true),
  }
}

/** The row in force on a day; assumed ones among them. */
export function rowOn(
  country: string,
  figure: string,
  { day, figures }: { readonly day: CalendarDate; readonly figures: Figures },
): FigureRow | undefined {
  const row = rowsOf(country, figure, figures).findLast(({ from }) => from === null || from <= day)
  if (!row || row.isAssumed || row.from === null || !isHalfYearly(country, figure)) return row
  return halfYearOf(date(row.from)).name === halfYearOf(day).name ? row : undefined
}

export type NewFigure = Omit<EnteredFigure, 'source'>

/** An entry this far ahead is a slip of the hand. */
const FARTHEST_DAYS = 366

/**
 * Why it may not be entered, by what was entered before: `figure_unknown`, `figure_closed`, `figure_day_wrong`, `figure_confirmed` or `figure_same`;
 * undefined when it may. Whether debts have been charged by another value is a question to the books.
 */
export function whyNotFigure(
  { country, figure, from, value }: NewFigure,
  { today, figures }: { readonly today: CalendarDate; readonly figures: Figures },
): ErrorCode | undefined {
  if (!figuresOf(country).includes(figure)) return 'figure_unknown'
  if (isClosed(country, figure)) return 'figure_closed'
  const day = parseDocumentDay(from)
  const isSetAnew = isHalfYearly(country, figure)
  if (!day || day > addDays(today, FARTHEST_DAYS)) return 'figure_day_wrong'
  if (isSetAnew && halfYearOf(day).from !== day) return 'figure_day_wrong'
  // What was charged today was measured by the ceiling that was known.
  if (figure.startsWith('cost_cap.') && day <= today) return 'figure_day_wrong'
  const own = rowOn(country, figure, { day, figures: COUNTRY_PARAMS })
  const isFixed = own !== undefined && !own.isAssumed
  if (isFixed && (isSetAnew || own.from === day)) return 'figure_confirmed'
  if (isFixed && day < today) return 'figure_confirmed'
  const now = rowOn(country, figure, { day, figures })
  return now && !now.isAssumed && isSameValue(now.value, value) ? 'figure_same' : undefined
}

/** Whatever the order in which its parts are written. */
export function isSameValue(a: FigureValue, b: FigureValue): boolean {
  const textOf = (value: FigureValue): string => {
    if ('bands' in value) return value.bands.map(({ upTo, amount }) => `${upTo}:${amount}`).join(' ')
    const cap = 'isOverReference' in value ? [value.isOverReference, value.costAtMostCredit] : []
    return [value.percent, ...cap].join(' ')
  }
  return textOf(a) === textOf(b)
}
