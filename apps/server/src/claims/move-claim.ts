/** The one way a claim changes its status, with what that means for its schedule and its invoices. */
import { canMoveClaim, isOpenClaim, type ClaimMove, type ClaimStatus } from '@kvitt/domain/claims/claim.ts'
import type { InvoiceMove, InvoiceStatus } from '@kvitt/domain/invoices/invoice.ts'
import {
  endPlannedSteps,
  lockFreeInvoiceRow,
  lockInvoicesOfClaim,
  moveInvoice,
  readClaimIdOf,
  setStopReason,
  type InvoiceKey,
  type InvoiceRow,
} from '../invoices/invoices.ts'
import type { Transaction } from '../platform/database/database.ts'
import { lockClaimRow, moveClaimRow, setClaimStopReason, type ClaimRow } from './claims.queries.ts'

export type ClaimKey = { readonly instanceId: string; readonly claimId: string }

export type LockedClaim = ClaimRow & { readonly members: readonly InvoiceRow[] }

/** The claim and its invoices, locked in the order that everybody keeps: invoices, claim, payments. */
export async function lockClaim(tx: Transaction, key: ClaimKey): Promise<LockedClaim> {
  const members = await lockInvoicesOfClaim(tx, key.instanceId, key.claimId)
  return { ...(await lockClaimRow(tx, key.instanceId, key.claimId)), members }
}

/**
 * An invoice locked, and with it the claim that it is in. Whoever locked it first and the others of its claim
 * afterwards would stand against everybody who locks the claim.
 */
export async function lockInvoiceAndClaim(
  tx: Transaction,
  { instanceId, invoiceId }: InvoiceKey,
): Promise<{ readonly invoice: InvoiceRow; readonly claim: LockedClaim | undefined }> {
  // One that joins while we wait stays locked before the others of its claim: a deadlock is retried.
  const free = await lockFreeInvoiceRow(tx, instanceId, invoiceId)
  if (free) return { invoice: free, claim: undefined }
  const claimId = await readClaimIdOf(tx, instanceId, invoiceId)
  if (claimId === null) throw new Error(`invoice ${invoiceId} does not exist`)
  const claim = await lockClaim(tx, { instanceId, claimId })
  const invoice = claim.members.find(({ id }) => id === invoiceId)
  if (!invoice) throw new Error(`invoice ${invoiceId} is not in its claim`)
  return { invoice, claim }
}

/** What the end of a claim, or its coming back, is for its invoices. */
const OF_MEMBERS: Readonly<Partial<Record<ClaimMove, { move: InvoiceMove; to: InvoiceStatus }>>> = {
  paidInFull: { move: 'paidInFull', to: 'CLOSED' },
  creditedInFull: { move: 'creditedInFull', to: 'CLOSED' },
  upholdDispute: { move: 'creditedInFull', to: 'CLOSED' },
  stop: { move: 'stop', to: 'STOPPED' },
  waivedInFull: { move: 'waivedInFull', to: 'CLOSED' },
  writtenOff: { move: 'writtenOff', to: 'STOPPED' },
  reverse: { move: 'reverse', to: 'ACTIVATED' },
}

/**
 * Moves a locked claim along the table of moves. A move that the table does not have is a bug: it throws and the
 * transaction is lost. When the case is over nothing planned remains; when it is disputed nothing planned happens.
 */
export async function moveClaim(
  tx: Transaction,
  claim: LockedClaim,
  { move, to }: { readonly move: ClaimMove; readonly to: ClaimStatus },
): Promise<void> {
  if (!canMoveClaim(move, claim.status, to)) {
    throw new Error(`a claim cannot go from ${claim.status} to ${to} by ${move}`)
  }
  const moved = await moveClaimRow(
    tx,
    { instanceId: claim.instance_id, id: claim.id },
    { from: claim.status, to },
  )
  if (!moved) throw new Error(`claim ${claim.id} was not ${claim.status} under its own lock`)
  const key = { instanceId: claim.instance_id, claimId: claim.id }
  if (!isOpenClaim(to) && to !== claim.status) await endPlannedSteps(tx, key, 'CANCELLED')
  if (to === 'DISPUTED' && to !== claim.status) await endPlannedSteps(tx, key, 'SKIPPED')
  const ofMembers = OF_MEMBERS[move]
  if (!ofMembers) return
  for (const member of claim.members.filter((m) => m.status !== 'ARCHIVED')) {
    await moveInvoice(tx, member, ofMembers)
  }
}

/** The case of a locked claim ends without payment, with the reason: what is left stays in the books, or was written off. */
export async function stopLockedClaim(
  tx: Transaction,
  claim: LockedClaim,
  reason: string,
  move: 'stop' | 'writtenOff' = 'stop',
): Promise<void> {
  const { instance_id: instanceId, id: claimId } = claim
  await setClaimStopReason(tx, { instanceId, claimId }, reason)
  for (const { id } of claim.members) await setStopReason(tx, { instanceId, invoiceId: id }, reason)
  await moveClaim(tx, claim, { move, to: 'STOPPED' })
}
