/** Counts a settlement from the entries of the books that it takes up (staff.md 6). Pure: the same books give the same öre again. */
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
  const fees = feeLines(books)
  const vat = vatLines(books, fees)
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

function feeLines(books: SettlementBooks): CountedLine[] {
  const { to, agreements, currency, entries, cases } = books
  const agreed = agreementOn(agreements, to)
  const isPriced = agreed.currency === currency
  const payments = entries.filter(({ kind, heldMinor }) => kind === 'PAYMENT' && heldMinor > 0).length
  return [
    ...commissionLines(books),
    ...one('PAYMENT_PRICE', to, isPriced ? payments * agreed.paymentPriceMinor : 0),
    ...one('CASE_PRICE', to, isPriced ? cases * agreed.casePriceMinor : 0),
    ...books.fees.flatMap((fee) => debtorFeeLines(fee, agreed.vatBp, to)),
  ]
}

/** Of what is the creditor's, each rate rounded once: the operator's own part of what debtors paid bears none. */
function commissionLines({ entries, fees, agreements, to }: SettlementBooks): CountedLine[] {
  const bases = new Map<string, number>()
  const addBase = (kind: 'COMMISSION' | 'COMMISSION_ON_DIRECT', bp: number, minor: number): void => {
    const key = `${kind} ${bp}`
    bases.set(key, (bases.get(key) ?? 0) + minor)
  }
  const rateOf = ({ on, isClaim }: Stage): number => {
    const { claimCommissionBp, invoiceCommissionBp } = agreementOn(agreements, on)
    return isClaim ? claimCommissionBp : invoiceCommissionBp
  }
  for (const { agreed, heldMinor, directMinor } of entries) {
    const bp = rateOf(agreed)
    addBase('COMMISSION', bp, heldMinor)
    addBase('COMMISSION_ON_DIRECT', bp, directMinor)
  }
  for (const fee of fees)
    addBase('COMMISSION', rateOf({ on: to, isClaim: fee.debt.claimId !== null }), 0 - changeOf(fee))
  return [...bases]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([key, baseMinor]) => {
      const [kind = '', bp = ''] = key.split(' ')
      const rateBp = Number(bp)
      const [line] = one(kind as 'COMMISSION', to, partOf(baseMinor, rateBp))
      return line ? [{ ...line, baseMinor, rateBp }] : []
    })
}

function changeOf({ shareMinor, taken }: OperatorsFee): number {
  return shareMinor - taken.reduce((sum, { minor }) => sum + minor, 0)
}

/** What was taken and is not the operator's any more goes back with the VAT that it bore. */
function debtorFeeLines(fee: OperatorsFee, vatBp: number, day: CalendarDate): CountedLine[] {
  const line = (rateBp: number, amountMinor: number): CountedLine[] =>
    one('DEBTOR_FEE', day, amountMinor).map((of) => ({ ...of, debt: fee.debt, rateBp }))
  let left = changeOf(fee)
  if (left >= 0) return line(vatBp, left)
  const lines: CountedLine[] = []
  for (const { vatBp: bore, minor } of fee.taken.toReversed()) {
    const part = Math.min(-left, Math.max(0, minor))
    lines.push(...line(bore, 0 - part))
    left += part
  }
  return [...lines, ...line(vatBp, left)]
}

function vatLines({ to, agreements }: SettlementBooks, fees: readonly CountedLine[]): CountedLine[] {
  const { vatBp } = agreementOn(agreements, to)
  const bases = new Map<number, number>()
  for (const { kind, rateBp, amountMinor } of fees) {
    const rate = kind === 'DEBTOR_FEE' ? (rateBp ?? vatBp) : vatBp
    bases.set(rate, (bases.get(rate) ?? 0) + amountMinor)
  }
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
