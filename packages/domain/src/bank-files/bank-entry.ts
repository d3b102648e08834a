/** What a line of the bank can be beside a debtor's money: the bank's own, or the operator's. */

/**
 * FEE, INTEREST: what the bank takes or gives for the account itself. ADVANCE: the operator's own money, for a creditor whose own does
 * not cover what was taken. FEES_DRAWN: what settlements have left for the operator has gone to it. PAID_BACK: what the bank had paid twice
 * has come back, from whoever got it or from the operator.
 */
export const BANK_ENTRY_KINDS = ['FEE', 'INTEREST', 'ADVANCE', 'FEES_DRAWN', 'PAID_BACK'] as const
export type BankEntryKind = (typeof BANK_ENTRY_KINDS)[number]

export const BANK_COSTS = ['FEE', 'INTEREST'] as const satisfies readonly BankEntryKind[]

/** Which lines can be it: money in, or money out. A bank may take a charge back, and may charge interest. */
const DIRECTIONS: Readonly<Record<BankEntryKind, readonly ('PAYMENT' | 'OUTGOING')[]>> = {
  FEE: ['OUTGOING', 'PAYMENT'],
  INTEREST: ['PAYMENT', 'OUTGOING'],
  ADVANCE: ['PAYMENT'],
  FEES_DRAWN: ['OUTGOING'],
  PAID_BACK: ['PAYMENT'],
}

/**
 * Money in that only a person's word makes the operator's: whoever says that of a stranger's money gives it away. Two say it, whatever the
 * sum.
 */
export function alwaysByTwo(kind: BankEntryKind, line: string): boolean {
  return kind === 'ADVANCE' || kind === 'PAID_BACK' || (kind === 'FEE' && line === 'PAYMENT')
}

export function canBeEntered(kind: BankEntryKind, line: string): boolean {
  return DIRECTIONS[kind].some((direction) => direction === line)
}
