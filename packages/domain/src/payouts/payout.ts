/** One row of a file to the bank, a settlement's payout or money that goes back, from the file to the bank's word about it. */

/** What leaves in a file: settlements to creditors, or what goes back to those who paid. */
export const PAYOUT_FILE_KINDS = ['PAYOUT', 'REFUND'] as const
export type PayoutFileKind = (typeof PAYOUT_FILE_KINDS)[number]

export const PAYOUT_STATUSES = [
  'SENT',
  'ACCEPTED',
  'PAID',
  'REFUSED',
  'RETURNED',
  'NOT_EXECUTED',
  'PAID_TWICE',
] as const
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number]

/**
 * The bank may tell that it has paid before it tells that it will. What it has paid it refuses no more, but the
 * bank of whoever was paid may send it back. Two people say that it was not executed; what the bank tells after that counts for more.
 * PAID_TWICE: it was debited after that, and what it paid had gone another way.
 */
const PAYOUT_MOVES: Readonly<Record<PayoutStatus, readonly PayoutStatus[]>> = {
  SENT: ['ACCEPTED', 'PAID', 'REFUSED', 'NOT_EXECUTED'],
  ACCEPTED: ['PAID', 'REFUSED', 'NOT_EXECUTED'],
  PAID: ['RETURNED'],
  REFUSED: [],
  RETURNED: [],
  NOT_EXECUTED: ['ACCEPTED', 'REFUSED', 'PAID_TWICE'],
  PAID_TWICE: [],
}

export function canMovePayout(from: PayoutStatus, to: PayoutStatus): boolean {
  return PAYOUT_MOVES[from].includes(to)
}

/** It says that the order is well formed, or fits the customer: not that it is executed. */
export const isOnlyWellFormed = (code: string | undefined): boolean => code === 'ACTC' || code === 'ACCP'

/** What a pain.002 says of an order; undefined for what is not decided yet, or what the single orders say. */
export function verdictOf(code: string | undefined): 'ACCEPTED' | 'REFUSED' | undefined {
  // Rejected, cancelled, blocked: it will not be paid.
  if (['RJCT', 'CANC', 'BLCK'].includes(code ?? '')) return 'REFUSED'
  const isTaken = ['ACTC', 'ACCP', 'ACSP', 'ACSC', 'ACWC', 'ACWP', 'ACFC'].includes(code ?? '')
  return isTaken ? 'ACCEPTED' : undefined
}
