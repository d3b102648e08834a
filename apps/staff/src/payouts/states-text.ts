import { t } from '../text.ts'
import type { PayoutFile } from './payout-calls.ts'

const STATES = ['sent', 'accepted', 'paid', 'refused', 'returned', 'notExecuted', 'paidTwice'] as const

/** How many of a file's payouts are where; states that none is in are left out. */
export const statesText = ({ states }: PayoutFile): string =>
  STATES.filter((state) => states[state] > 0)
    .map((state) => t(`payout.states.${state}`, { n: states[state] }))
    .join(', ')
