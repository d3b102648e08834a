/** A debtor's objection: what it has to contain. Its e-mail address is checked as in every form. */

/** Characters that a reason may have. */
export const LONGEST_REASON = 4000
