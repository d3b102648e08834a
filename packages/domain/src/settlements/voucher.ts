/** A settlement in the creditor's own books: what each of its lines moves there, and what is paid out. Pure, and it counts nothing anew. */
import type { CalendarDate } from '../calendar.ts'
import type { AccountRole } from './account-plan.ts'
import { LINE_PARTS, type SettlementLineKind } from './settlement.ts'

/** What a line did to the parts of the debt that it is about, in minor units; zero of what is no entry of the books. */
export type DebtParts = {
  readonly principalMinor: number
  readonly costsMinor: number
  readonly interestMinor: number
}

export type VoucherLine = DebtParts & {
  readonly kind: SettlementLineKind
  readonly date: CalendarDate
  /** What it adds to the payout; below zero it is taken off. */
  readonly effectMinor: number
}

export type VoucherPosting<Line> = {
  readonly role: AccountRole
  /** Debit above zero. */
  readonly minor: number
  /** Undefined of the payout. */
  readonly line: Line | undefined
}

/** What a line adds to the payout: what was collected, less all else. `minor` as the line has it, where deductions are positive. */
export function effectOfLine(kind: SettlementLineKind, minor: number): number {
  return LINE_PARTS[kind] === 'collected' ? minor : 0 - minor
}

const ROLES: Readonly<Partial<Record<SettlementLineKind, AccountRole>>> = {
  COMMISSION: 'fees',
  COMMISSION_ON_DIRECT: 'fees',
  PAYMENT_PRICE: 'fees',
  CASE_PRICE: 'fees',
  DEBTOR_FEE: 'fees',
  VAT: 'vat',
  COURT_OUTLAY: 'outlay',
  CARRIED_IN: 'carried',
  CARRIED_OUT: 'carried',
  // The money came to an account of the creditor's own.
  PAID_TO_CREDITOR: 'bank',
}

/** Every posting of the voucher, which together come to nothing: what the lines come to is what is paid out. */
export function voucherOf<Line extends VoucherLine>(lines: readonly Line[]): VoucherPosting<Line>[] {
  const postings = lines.flatMap((line) => postingsOf(line))
  const paidOutMinor = 0 - postings.reduce((sum, { minor }) => sum + minor, 0)
  return paidOutMinor === 0
    ? postings
    : [...postings, { role: 'payout', minor: paidOutMinor, line: undefined }]
}

function postingsOf<Line extends VoucherLine>(line: Line): VoucherPosting<Line>[] {
  const { kind, effectMinor, principalMinor, costsMinor, interestMinor } = line
  const restMinor = effectMinor - principalMinor - costsMinor - interestMinor
  const parts: readonly (readonly [AccountRole, number])[] = [
    ['receivable', principalMinor],
    ['costs', costsMinor],
    ['interest', interestMinor],
    // What paid no debt is owed back.
    [ROLES[kind] ?? 'owedBack', restMinor],
  ]
  return parts.filter(([, minor]) => minor !== 0).map(([role, minor]) => ({ role, minor: 0 - minor, line }))
}
