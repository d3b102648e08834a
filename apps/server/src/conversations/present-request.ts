/** What a request asks for and what was decided about it, as the wire has it. */
import type { PaidHow, RequestOutcome } from '@kvitt/domain/conversations/request.ts'
import { Amount } from '@kvitt/domain/money.ts'

type RequestRow = {
  readonly wished_on: string | null
  readonly wished_minor: number | null
  readonly wished_how: PaidHow | null
  readonly outcome: RequestOutcome | null
  readonly outcome_on: string | null
  readonly outcome_minor: number | null
  readonly by_rule: boolean
  readonly rests: boolean
}

const amountOf = (minor: number | null): Amount | null => (minor === null ? null : new Amount(minor))

export function presentRequest(row: RequestRow) {
  const { wished_on: day, wished_minor: minor, wished_how: how, outcome, rests } = row
  return {
    wish: day === null ? null : { day, amount: amountOf(minor), how },
    outcome:
      outcome === null
        ? null
        : {
            decision: outcome,
            day: row.outcome_on,
            amount: amountOf(row.outcome_minor),
            byRule: row.by_rule,
          },
    rests,
  }
}
