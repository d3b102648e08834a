/** The invoice or the claim that a debtor asks about: found for who may see it, then locked and looked at. */
import type { ErrorParams } from '@kvitt/domain/errors.ts'
import { isOpenClaim } from '@kvitt/domain/claims/claim.ts'
import { canBeAskedAbout } from '@kvitt/domain/invoices/invoice.ts'
import type { Debt } from '@kvitt/domain/ledger/booking.ts'
import { aboutDebt, findVisibleClaim, lockClaim, type ClaimRow } from '../claims/claims.ts'
import type { Context } from '../context.ts'
import { findVisibleInvoice, lockInvoiceRow, type InvoiceRow } from '../invoices/invoices.ts'
import type { Transaction } from '../platform/database/database.ts'
import type { LockedDebt as Locked } from '../payments/payments.ts'
import type { Viewer } from '../sign-in/viewer.ts'
import type { Reader } from './conversations.queries.ts'

/** The invoice or the claim that a call means, by its number or by the viewer alone. */
export type DebtNumber = { readonly invoice: string | undefined } | { readonly claim: string | undefined }

/** The debt as it is, locked or not. */
export type AskedDebt =
  | { readonly claim: ClaimRow; readonly invoice?: never }
  | { readonly invoice: InvoiceRow; readonly claim?: never }

/** Refuses with the one neutral answer when there is none to be seen. */
export async function findDebt(
  context: Context,
  viewer: Viewer,
  number: DebtNumber,
): Promise<{ readonly debt: Debt; readonly reader: Reader; readonly asked: AskedDebt }> {
  const door = viewer.kind
  if ('claim' in number) {
    const claim = await findVisibleClaim(context, viewer, number.claim)
    const { instance_id: instanceId, id: claimId } = claim
    return { debt: { claimId }, reader: { instanceId, debtId: claimId, door }, asked: { claim } }
  }
  const invoice = await findVisibleInvoice(context, viewer, number.invoice)
  const { instance_id: instanceId, id: invoiceId } = invoice
  return { debt: { invoiceId }, reader: { instanceId, debtId: invoiceId, door }, asked: { invoice } }
}

/** A debt that stays locked: whether it is over or asked for in a claim, and what a refusal says about it. */
export type LockedDebt = {
  readonly isOver: boolean
  readonly isInClaim: boolean
  readonly about: ErrorParams
  readonly locked: Locked
}

export async function lockDebt(tx: Transaction, instanceId: string, debt: Debt): Promise<LockedDebt> {
  if ('claimId' in debt) {
    const claim = await lockClaim(tx, { instanceId, claimId: debt.claimId })
    return {
      isOver: !isOpenClaim(claim.status),
      isInClaim: false,
      about: await aboutDebt(tx, claim),
      locked: { claim },
    }
  }
  const invoice = await lockInvoiceRow(tx, instanceId, debt.invoiceId)
  const { status } = invoice
  return {
    isOver: !canBeAskedAbout(status),
    isInClaim: invoice.claim_id !== null,
    about: await aboutDebt(tx, invoice),
    locked: { invoice },
  }
}
