/** How a way to log in or to pay stands at a provider. */

/**
 * `READY`: it needs nothing more. `TRIED`: the counterparty knows what is shown to it. `NOT_TRIED`: it is offered, and nobody has asked the
 * counterparty. `SHARED`: the settings of the process hold, and nobody can ask here. `EXPIRED`, `UNREADABLE`: its certificate. `MISSING`: it is chosen or
 * could be, and nothing is entered. `NO_ACCOUNT`: only where a creditor has an account of its own. `OFF`: the provider has not chosen it.
 */
export const WAY_STATES = [
  'READY',
  'TRIED',
  'NOT_TRIED',
  'SHARED',
  'EXPIRED',
  'UNREADABLE',
  'MISSING',
  'NO_ACCOUNT',
  'OFF',
] as const
export type WayState = (typeof WAY_STATES)[number]
