/** How one transfer is shared out over several documents that its reference names (D-22). */

import type { Holder } from '../ledger/booking.ts'

/** As many documents as one transfer may pay. */
export const MOST_SHARES = 50

/** What the books call a share of money that came: the first as the money itself, the others with their number. */
export function shareCause(paymentId: string, share: number): string {
  return share === 1 ? `payment:${paymentId}` : `payment:${paymentId}:${share}`
}

/**
 * The identifier of a share: that of the money for the first, one of its own (a UUID of version 8, which nothing else
 * has) for each of the others.
 */
export function shareId(paymentId: string, share: number): string {
  if (share === 1) return paymentId
  return `${paymentId.slice(0, 14)}8${paymentId.slice(15, 34)}${share.toString(16).padStart(2, '0')}`
}

/** All that the books may call the shares of it. */
export function shareCauses(paymentId: string): string[] {
  return Array.from({ length: MOST_SHARES }, (_, index) => shareCause(paymentId, index + 1))
}

/**
 * Minor units of `amountMinor` for each of `owedMinor`, in their order: each gets what it is owed while there is money,
 * and what is left at the end is the first's, as too much. The sum is the amount, whatever is owed.
 */
export function allocateToDebts(amountMinor: number, owedMinor: readonly number[]): number[] {
  let left = amountMinor
  const shares = owedMinor.map((owed) => {
    const share = Math.min(left, Math.max(owed, 0))
    left -= share
    return share
  })
  return shares.map((share, index) => (index === 0 ? share + left : share))
}

/** The identifier of the share that the books call so; undefined for the cause of anything else. */
export function shareOfCause(cause: string): string | undefined {
  const [, paymentId, share] = /^payment:([0-9a-f-]{36})(?::(\d+))?$/.exec(cause) ?? []
  return paymentId === undefined ? undefined : shareId(paymentId, Number(share ?? 1))
}

/**
 * What the books call it that a credit settles what is owed again: of the cause `about`, by its `holder`, after the share `takenId` was
 * taken back. What a payment brought too much may be used more than once.
 */
export function creditUsedCause(about: string, holder: Holder, takenId: string): string {
  const used = `credit-used:${holder === 'CREDITOR' ? 'creditor:' : ''}${about}`
  return about.startsWith('payment:') ? `${used}:${takenId}` : used
}

/** The cause of the payment whose credit an entry of this cause has used; undefined for the cause of anything else. */
export function paymentOfCreditUsed(cause: string): string | undefined {
  return /^credit-used:(?:creditor:)?(payment:[0-9a-f-]{36}(?::\d+)?):[0-9a-f-]{36}$/.exec(cause)?.[1]
}
