/**
 * What the rounds of a row of a file are called in the causes of the books. SQL has the same as back_in_round and again_in_round (0405), and
 * a test holds them together.
 */
import type { PayoutRow } from './payouts.queries.ts'

type Round = Pick<PayoutRow, 'id' | 'round'>

/** What came back in a round: refused, sent back, or not executed. It comes back once in each. */
export const backInRound = ({ id, round }: Round): string =>
  round === 1 ? id : round === 2 ? `${id}:again` : `${id}:again:${round}`

/** What begins a round after the first: the bank tells of a row that two people had said was not executed. */
export const againInRound = ({ id, round }: Round): string => (round === 2 ? id : `${id}:${round}`)
