/** Counts a settlement from the entries of the books that it takes up. Pure: the same books give the same öre again. */
import type { CalendarDate } from '../calendar.ts'
import { divideRounded } from '../money.ts'
import { agreementOn, type Agreement } from './agreement.ts'
import type { SettlementLineKind } from './settlement.ts'

/** Money of the creditor that moved, or a court's cost. */
export type SettlementEntry = {
  readonly kind: string
  readonly cause: string
  readonly agreed: Stage
  readonly bookedOn: CalendarDate
  readonly debt: DebtName
  /** What we hold more for the creditor, and what it got more on an account of its own, in minor units. */
  readonly heldMinor: number
  readonly directMinor: number
  /** Of a COURT_FEE: what it cost. */
  readonly costMinor: number
}

/** The day whose agreement holds, and which of its commissions: of what takes an entry back, those of that entry. */
export type Stage = { readonly on: CalendarDate; readonly isClaim: boolean }

export type DebtName = { readonly invoiceId: string | null; readonly claimId: string | null }

/** What the operator has got of a debt's charges by now, and what settlements before have taken of it, by the rate of its VAT. */
export type OperatorsFee = {
  readonly debt: DebtName
  readonly shareMinor: number
  readonly taken: readonly { readonly vatBp: number; readonly minor: number }[]
  /** By how much each entry of this settlement changed it. What these do not explain counts as of the last day. */
  readonly changes: readonly { readonly agreed: Stage; readonly minor: number }[]
}

export type SettlementBooks = {
  readonly currency: string
  /** The period's last day. */
  readonly to: CalendarDate
  /** In the order of their days. */
  readonly agreements: readonly Agreement[]
  readonly entries: readonly SettlementEntry[]
  readonly fees: readonly OperatorsFee[]
  /** Claims that were opened. */
  readonly cases: number
  /** Carried out of the settlement before: below zero when the creditor owed. */
  readonly carriedMinor: number
}

/** What is not an entry of the books. `amountMinor` is positive for what is taken off. */
export type CountedLine = {
  readonly kind: SettlementLineKind
  readonly day: CalendarDate
  readonly debt: DebtName
  readonly baseMinor: number | null
  readonly rateBp: number | null
  readonly amountMinor: number
}

export type CountedSettlement = {
  readonly collectedMinor: number
  readonly feesMinor: number
  readonly vatMinor: number
  readonly correctionsMinor: number
  readonly paidOutMinor: number
  readonly lines: readonly CountedLine[]
}

/**
 * What an entry that moved money held for the creditor is in a settlement. What a payment brought too much was never the creditor's:
 * it makes less of what was collected.
 */
export function entryKind(kind: string, cause: string): SettlementLineKind {
  if (kind === 'PAYMENT' || cause.startsWith('refund:payment:')) return 'COLLECTED'
  if (cause.startsWith('holder:')) return 'PAID_TO_CREDITOR'
  if (cause.startsWith('credit-used:')) return 'CREDIT_USED'
  if (/^(reversal|moved|known|repeated):/.test(cause)) return 'REVERSED'
  return kind === 'REFUND' ? 'REFUNDED' : 'CORRECTED'
}

const NO_DEBT: DebtName = { invoiceId: null, claimId: null }

export function countSettlement(books: SettlementBooks): CountedSettlement {
  const { entries, to, carriedMinor } = books
  const held = (isOf: (kind: SettlementLineKind) => boolean): number =>
    entries.reduce(
      (sum, { kind, cause, heldMinor }) => sum + (isOf(entryKind(kind, cause)) ? heldMinor : 0),
      0,
    )
  const collectedMinor = held((kind) => kind === 'COLLECTED')
  const takenBackMinor = 0 - held((kind) => kind !== 'COLLECTED')
  const charged = feeLines(books)
  const fees = charged.map(({ line }) => line)
  const vat = vatLines(to, charged)
  const outlays = outlayLines(books)
  const feesMinor = sumOf(fees)
  const vatMinor = sumOf(vat)
  const leftMinor = collectedMinor - feesMinor - vatMinor - takenBackMinor - sumOf(outlays) + carriedMinor
  const paidOutMinor = leftMinor >= leastPayout(books) ? leftMinor : 0
  const carried = [
    ...one('CARRIED_IN', to, 0 - carriedMinor),
    ...one('CARRIED_OUT', to, leftMinor - paidOutMinor),
  ]
  return {
    collectedMinor,
    feesMinor,
    vatMinor,
    correctionsMinor: takenBackMinor + sumOf(outlays) + sumOf(carried),
    paidOutMinor,
    lines: [...fees, ...vat, ...outlays, ...carried],
  }
}

function leastPayout({ agreements, to, currency }: SettlementBooks): number {
  const agreed = agreementOn(agreements, to)
  return agreed.currency === currency ? Math.max(0, agreed.smallestPayoutMinor) : 0
}

function one(kind: SettlementLineKind, day: CalendarDate, amountMinor: number): CountedLine[] {
  if (amountMinor === 0) return []
  return [{ kind, day, debt: NO_DEBT, baseMinor: null, rateBp: null, amountMinor }]
}

function sumOf(lines: readonly CountedLine[]): number {
  return lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0)
}

function partOf(baseMinor: number, bp: number): number {
  return Number(divideRounded(BigInt(baseMinor) * BigInt(bp), 10_000n, 'half-up'))
}

/** What the operator takes, and the rate of its VAT: that of the agreed day of the entry that it is for. */
type Fee = { readonly line: CountedLine; readonly vatBp: number }

function feeLines(books: SettlementBooks): Fee[] {
  const { to, agreements, currency, cases } = books
  const { vatBp, casePriceMinor, currency: priced } = agreementOn(agreements, to)
  return [
    ...commissionLines(books),
    ...paymentPrices(books),
    ...one('CASE_PRICE', to, priced === currency ? cases * casePriceMinor : 0).map((line) => ({
      line,
      vatBp,
    })),
    ...books.fees.flatMap((fee) => debtorFeeLines(fee, books)),
  ]
}

/** Each at the price of its day. */
function paymentPrices({ to, agreements, currency, entries }: SettlementBooks): Fee[] {
  const prices = new Map<number, number>()
  for (const { kind, agreed, heldMinor } of entries) {
    const { paymentPriceMinor, vatBp, currency: priced } = agreementOn(agreements, agreed.on)
    if (kind === 'PAYMENT' && heldMinor > 0 && priced === currency) addTo(prices, vatBp, paymentPriceMinor)
  }
  return [...prices].flatMap(([vatBp, minor]) =>
    one('PAYMENT_PRICE', to, minor).map((line) => ({ line, vatBp })),
  )
}

function addTo<Key>(sums: Map<Key, number>, key: Key, minor: number): void {
  sums.set(key, (sums.get(key) ?? 0) + minor)
}

/** Of what is the creditor's, each rate rounded once: the operator's own part of what debtors paid bears none. */
function commissionLines({ entries, fees, agreements, to }: SettlementBooks): Fee[] {
  const bases = new Map<string, number>()
  const addBase = (
    kind: 'COMMISSION' | 'COMMISSION_ON_DIRECT',
    { on, isClaim }: Stage,
    minor: number,
  ): void => {
    const { claimCommissionBp, invoiceCommissionBp, vatBp } = agreementOn(agreements, on)
    addTo(bases, `${kind} ${isClaim ? claimCommissionBp : invoiceCommissionBp} ${vatBp}`, minor)
  }
  for (const { agreed, heldMinor, directMinor } of entries) {
    addBase('COMMISSION', agreed, heldMinor)
    addBase('COMMISSION_ON_DIRECT', agreed, directMinor)
  }
  for (const fee of fees)
    for (const { agreed, minor } of changesOf(fee, to)) addBase('COMMISSION', agreed, 0 - minor)
  return [...bases]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([key, baseMinor]) => {
      const [kind = '', bp = '', vat = ''] = key.split(' ')
      const rateBp = Number(bp)
      return one(kind as 'COMMISSION', to, partOf(baseMinor, rateBp)).map((line) => ({
        line: { ...line, baseMinor, rateBp },
        vatBp: Number(vat),
      }))
    })
}

/** By how much the operator's part changed in all since it was last taken. */
function changesOf(
  { debt, shareMinor, taken, changes }: OperatorsFee,
  to: CalendarDate,
): OperatorsFee['changes'] {
  const total = (of: readonly { readonly minor: number }[]): number =>
    of.reduce((sum, { minor }) => sum + minor, 0)
  const agreed = { on: to, isClaim: debt.claimId !== null }
  return [...changes, { agreed, minor: shareMinor - total(taken) - total(changes) }]
}

/** What was taken and is not the operator's any more goes back with the VAT that it bore. */
function debtorFeeLines(fee: OperatorsFee, { to, agreements }: SettlementBooks): Fee[] {
  const changes = new Map<number, number>()
  for (const { agreed, minor } of changesOf(fee, to))
    addTo(changes, agreementOn(agreements, agreed.on).vatBp, minor)
  const bore = new Map<number, number>()
  for (const { vatBp, minor } of [
    ...fee.taken,
    ...[...changes].map(([vatBp, minor]) => ({ vatBp, minor: Math.max(0, minor) })),
  ])
    addTo(bore, vatBp, minor)
  const amounts = new Map<number, number>()
  for (const [vatBp, minor] of changes)
    if (minor > 0) addTo(amounts, vatBp, minor)
    else addGivenBack(amounts, bore, { vatBp, minor: -minor })
  return [...amounts].flatMap(([vatBp, minor]) =>
    one('DEBTOR_FEE', to, minor).map((line) => ({ line: { ...line, debt: fee.debt, rateBp: vatBp }, vatBp })),
  )
}

/** What bore this rate first, then the latest of the others. */
function addGivenBack(
  amounts: Map<number, number>,
  bore: Map<number, number>,
  { vatBp, minor }: { readonly vatBp: number; readonly minor: number },
): void {
  let left = minor
  for (const rate of [vatBp, ...[...bore.keys()].toReversed()]) {
    const part = Math.min(left, Math.max(0, bore.get(rate) ?? 0))
    addTo(bore, rate, 0 - part)
    addTo(amounts, rate, 0 - part)
    left -= part
  }
  addTo(amounts, vatBp, 0 - left)
}

/** Of all that bears a rate, rounded once. */
function vatLines(to: CalendarDate, fees: readonly Fee[]): CountedLine[] {
  const bases = new Map<number, number>()
  for (const { line, vatBp } of fees) addTo(bases, vatBp, line.amountMinor)
  return [...bases]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([rateBp, baseMinor]) =>
      one('VAT', to, partOf(baseMinor, rateBp)).map((line) => ({ ...line, baseMinor, rateBp })),
    )
}

/** What courts and authorities cost is the creditor's at cost, when it is booked. What its debtors pay of it is the creditor's. */
function outlayLines({ entries }: SettlementBooks): CountedLine[] {
  return entries
    .filter(({ kind }) => kind === 'COURT_FEE')
    .flatMap(({ bookedOn, debt, costMinor }) =>
      one('COURT_OUTLAY', bookedOn, costMinor).map((line) => ({ ...line, debt })),
    )
}
