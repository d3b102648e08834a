/** Whose step a letter is about: the locks under which anything is done to it. */
import type { Debt } from '@kvitt/domain/ledger/booking.ts'
import { lockClaim, lockInvoiceAndClaim, type LockedClaim } from '../claims/claims.ts'
import type { InvoiceRow } from '../invoices/invoices.ts'
import type { Transaction } from '../platform/database/database.ts'
import { readOwnerOfStep } from './unsent-letters.queries.ts'

/** Whose step it is, and where its money is owed: on an invoice, or on the claim that this has joined. */
export type Owner = {
  readonly debt: Debt
  readonly invoice?: InvoiceRow
  readonly claim?: LockedClaim | undefined
}

/** Locks whose step it is. */
export async function lockStepOwner(
  tx: Transaction,
  { instanceId, stepId }: { readonly instanceId: string; readonly stepId: string },
): Promise<Owner> {
  const debt = await readOwnerOfStep(tx, { instanceId, stepId })
  if ('claimId' in debt) return { debt, claim: await lockClaim(tx, { instanceId, ...debt }) }
  return { debt, ...(await lockInvoiceAndClaim(tx, { instanceId, ...debt })) }
}
