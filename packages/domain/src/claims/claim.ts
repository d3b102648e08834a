/** A claim: unpaid invoices collected together. Its states, the moves between them, and what is asked of it. */

export const CLAIM_STATUSES = ['OPEN', 'RESUME', 'PAUSED', 'DISPUTED', 'CLOSED', 'STOPPED'] as const
export type ClaimStatus = (typeof CLAIM_STATUSES)[number]

/**
 * What can happen to a claim, and from where to where. RESUME behaves as OPEN; the name tells that collection
 * went on after a pause, an objection or a payment that came back.
 */
export const CLAIM_MOVES = {
  /** Respite, or the debtor asked for debt advice. */
  pause: [
    ['OPEN', 'PAUSED'],
    ['RESUME', 'PAUSED'],
  ],
  resume: [['PAUSED', 'RESUME']],
  dispute: [
    ['OPEN', 'DISPUTED'],
    ['RESUME', 'DISPUTED'],
    ['PAUSED', 'DISPUTED'],
  ],
  /** The creditor has answered that the debt stands. */
  rejectDispute: [['DISPUTED', 'RESUME']],
  /** The creditor has given in: what is left is taken back. */
  upholdDispute: [['DISPUTED', 'CLOSED']],
  /** The creditor has given in in part: the rest is due anew. */
  upholdInPart: [['DISPUTED', 'RESUME']],
  paidInPart: [
    ['OPEN', 'OPEN'],
    ['RESUME', 'RESUME'],
    ['PAUSED', 'PAUSED'],
    ['DISPUTED', 'DISPUTED'],
    ['STOPPED', 'STOPPED'],
  ],
  paidInFull: [
    ['OPEN', 'CLOSED'],
    ['RESUME', 'CLOSED'],
    ['PAUSED', 'CLOSED'],
    ['DISPUTED', 'CLOSED'],
    ['STOPPED', 'CLOSED'],
  ],
  /** Money for what is already settled: the surplus waits as credit. */
  overpaid: [['CLOSED', 'CLOSED']],
  /** A credit note about one of its invoices. */
  credited: [
    ['OPEN', 'OPEN'],
    ['RESUME', 'RESUME'],
    ['PAUSED', 'PAUSED'],
    ['DISPUTED', 'DISPUTED'],
  ],
  creditedInFull: [
    ['OPEN', 'CLOSED'],
    ['RESUME', 'CLOSED'],
    ['PAUSED', 'CLOSED'],
    ['DISPUTED', 'CLOSED'],
  ],
  /** Something of it is waived or written off, and the rest is owed (M-27, M-28). */
  letOffInPart: [
    ['OPEN', 'OPEN'],
    ['RESUME', 'RESUME'],
    ['PAUSED', 'PAUSED'],
    ['DISPUTED', 'DISPUTED'],
    ['STOPPED', 'STOPPED'],
  ],
  /** Fees or interest were all that was left. */
  waivedInFull: [
    ['OPEN', 'CLOSED'],
    ['RESUME', 'CLOSED'],
    ['PAUSED', 'CLOSED'],
    ['DISPUTED', 'CLOSED'],
  ],
  /** It ends without payment, and nothing is left in the books either. */
  writtenOff: [
    ['OPEN', 'STOPPED'],
    ['RESUME', 'STOPPED'],
    ['PAUSED', 'STOPPED'],
    ['DISPUTED', 'STOPPED'],
    ['STOPPED', 'STOPPED'],
  ],
  /** Withdrawn, too old, insolvent. */
  stop: [
    ['OPEN', 'STOPPED'],
    ['RESUME', 'STOPPED'],
    ['PAUSED', 'STOPPED'],
    ['DISPUTED', 'STOPPED'],
  ],
  /** The payment that closed it was taken back; or one of what had been paid before the rest was written off. */
  reverse: [
    ['CLOSED', 'RESUME'],
    ['STOPPED', 'RESUME'],
  ],
} as const satisfies Record<string, readonly (readonly [ClaimStatus, ClaimStatus])[]>

export type ClaimMove = keyof typeof CLAIM_MOVES

/** May `move` take a claim from `from` to `to`? */
export function canMoveClaim(move: ClaimMove, from: ClaimStatus, to: ClaimStatus): boolean {
  return CLAIM_MOVES[move].some(([a, b]) => a === from && b === to)
}

/** CLOSED and STOPPED count as closed, everything else as open (specification section 4). */
export function isOpenClaim(status: ClaimStatus): boolean {
  return status !== 'CLOSED' && status !== 'STOPPED'
}

/** May it be disputed? Open, owing, and not disputed already (D-13: the rules of an invoice). */
export function canDisputeClaim(status: ClaimStatus, balanceMinor: number): boolean {
  return isOpenClaim(status) && status !== 'DISPUTED' && balanceMinor > 0
}

/** Can anything be paid on it? Open, owing, and not behind a plan; a disputed claim may be paid (D-26). */
export function canPayClaim(claim: {
  readonly status: ClaimStatus
  readonly balanceMinor: number
  readonly isPartPayment: boolean
}): boolean {
  return isOpenClaim(claim.status) && claim.balanceMinor > 0 && !claim.isPartPayment
}
