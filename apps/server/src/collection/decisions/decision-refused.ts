/** Why staff cannot decide something now, for a person to read. Nothing has changed. */
export class DecisionRefused extends Error {
  override name = 'DecisionRefused'
}

/** What an invoice in a claim owes is the claim's: nothing is decided about the invoice alone. */
export function refuseInClaim(invoice: {
  readonly claim_id: string | null
  readonly invoice_number: string
}): void {
  if (invoice.claim_id === null) return
  throw new DecisionRefused(`Invoice ${invoice.invoice_number} is part of a claim: decide about the claim.`)
}
