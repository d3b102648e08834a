/** What the terms of the proof of client funds are made of, and the papers that are made of it. */

/** Each leads to the view in which it is worked off. */
export const ITEM_KINDS = [
  'account',
  'payment',
  'creditor',
  'payout',
  'debtor',
  'refund',
  'bank_line',
  'bank_lines',
  'settlement',
  'bank_entry',
  'advance_back',
] as const
export type ItemKind = (typeof ITEM_KINDS)[number]

/** The proof as it is on screen, and what the auditor gets of the same figures. */
export const FUNDS_DOCUMENTS = ['proof', 'confirmation'] as const
export type FundsDocument = (typeof FUNDS_DOCUMENTS)[number]

/** How many of a term are named. */
export const MOST_ITEMS = 20
