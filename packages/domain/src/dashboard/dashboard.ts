/** What an operator looks at first, by its codes. */

/**
 * How money came: through a gateway, by a line of the bank's file on an account that the operator holds, or to the creditor's own
 * account. OTHER: by a gateway that is not offered any more.
 */
export const MONEY_METHODS = ['DIRECT_BANK', 'SWISH', 'BANK_FILE', 'CREDITOR_ACCOUNT', 'OTHER'] as const
export type MoneyMethod = (typeof MONEY_METHODS)[number]

/**
 * How far invoices came that were sent in a period: each is also of the stages before, but for one filed without a reminder.
 * `filed`: lies at an authority; an application that was rejected or withdrawn, also as nobody had made it, does not.
 */
export const STAGES = ['sent', 'reminded', 'claimed', 'filed'] as const
export type Stage = (typeof STAGES)[number]

/**
 * Work that does not go on by itself. MESSAGES_LATE should have left, PAYMENTS_UNCLEAR have an end that is not known,
 * BANK_LINES_WAITING are kept and in no books yet.
 */
export const STUCK_KINDS = [
  'MESSAGES_DEAD',
  'MESSAGES_LATE',
  'RUNS_FAILED',
  'PAYMENTS_UNCLEAR',
  'BANK_LINES_WAITING',
  'WEBHOOKS_OFF',
] as const
export type StuckKind = (typeof STUCK_KINDS)[number]

export const COUNTERPARTIES = ['BANK', 'DIRECT_BANK', 'SWISH', 'BANKID', 'EMAIL', 'SMS', 'LETTER'] as const
export type Counterparty = (typeof COUNTERPARTIES)[number]

/**
 * OK: what was asked of it in the last day went through. LATE: something of it is not answered yet. FAILING: something was refused for
 * good and nothing went through after it. QUIET: nothing was asked of it in the last day.
 */
export const HEALTH_STATES = ['OK', 'LATE', 'FAILING', 'QUIET'] as const
export type HealthState = (typeof HEALTH_STATES)[number]
