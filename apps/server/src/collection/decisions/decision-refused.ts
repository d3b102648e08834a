import type { ErrorCode, ErrorParams } from '@kvitt/domain/errors.ts'
import { amountText, type Money } from '@kvitt/domain/money.ts'

/** Why staff cannot decide something now, for a person to read. Nothing has changed. */
export class DecisionRefused extends Error {
  override name = 'DecisionRefused'
  /** What a program is told instead of the sentence. */
  readonly code: ErrorCode
  readonly params: ErrorParams

  constructor(message: string, code: ErrorCode = 'act_not_open', params: ErrorParams = {}) {
    super(message)
    this.code = code
    this.params = params
  }
}

/** What an invoice in a claim owes is the claim's: nothing is decided about the invoice alone. */
export function refuseInClaim(invoice: {
  readonly claim_id: string | null
  readonly invoice_number: string
}): void {
  if (invoice.claim_id === null) return
  throw new DecisionRefused(
    `Invoice ${invoice.invoice_number} is part of a claim: decide about the claim.`,
    'in_claim',
    { claimId: invoice.claim_id },
  )
}

/** An amount that is nothing, or more than there is. */
export function refuseAmount(message: string, most: Money): DecisionRefused {
  return new DecisionRefused(message, 'amount_too_large', {
    amount: amountText(most.minor),
    currency: most.currency,
  })
}

/** As refuseAmount, of what is no amount. */
export const refuseMalformed = (message: string): DecisionRefused =>
  new DecisionRefused(message, 'amount_malformed')
