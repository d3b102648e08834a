/** A dispute as a creditor's staff sees it. */

/** STOPPED: what was disputed has ended without payment before anybody answered. */
export const OFFICE_DISPUTE_STATUSES = [
  'OPEN',
  'UPHELD',
  'UPHELD_PART',
  'REJECTED',
  'PAID',
  'STOPPED',
] as const
export type OfficeDisputeStatus = (typeof OFFICE_DISPUTE_STATUSES)[number]

export const DISPUTE_DECISIONS = ['UPHOLD', 'UPHOLD_PART', 'REJECT'] as const
export type DisputeDecision = (typeof DISPUTE_DECISIONS)[number]
