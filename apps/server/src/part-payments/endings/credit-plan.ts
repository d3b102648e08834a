/** A credit note over more than a plan has still to bill. */
import { addDays, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { DAYS_AFTER_DEFAULT } from '@kvitt/domain/part-payments/part-payment.ts'
import { lockClaim, type Credited, type LockedClaim } from '../../claims/claims.ts'
import { lockInvoiceRow, readClaimIdOf, type InvoiceRow } from '../../invoices/invoices.ts'
import { postBookings } from '../../ledger/ledger.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { lockWhole, movePlan, release, takeBack, type EndContext } from './end-plan.ts'
import { readPlanOfDebt } from '../plans.queries.ts'
import { feesBack } from './withdraw-plan.ts'

type ClaimKey = { readonly instanceId: string; readonly claimId: string }

/**
 * Locks the running plan of an invoice, or of the claim that it is in, with everything of it, for whoever will lock the invoice
 * and may end the plan: instalments come before the plan, and the plan before what it pays.
 */
export async function lockRunningPlan(
  tx: Transaction,
  { instanceId, invoiceId }: { readonly instanceId: string; readonly invoiceId: string },
): Promise<void> {
  await lockPlanOfDebt(tx, instanceId, invoiceId)
  const claimId = await readClaimIdOf(tx, instanceId, invoiceId)
  if (claimId !== null) await lockPlanOfDebt(tx, instanceId, claimId)
}

/** As lockRunningPlan, of a claim. */
export function lockRunningClaimPlan(tx: Transaction, { instanceId, claimId }: ClaimKey): Promise<void> {
  return lockPlanOfDebt(tx, instanceId, claimId)
}

async function lockPlanOfDebt(tx: Transaction, instanceId: string, debtId: string): Promise<void> {
  const plan = await readPlanOfDebt(tx, instanceId, debtId)
  if (plan?.status === 'ACTIVE') await lockWhole(tx, { instanceId, planId: plan.id })
}

/**
 * Ends the plan of an invoice that is credited by more than is left on it, so that the credit reaches what is billed
 * as well: unpaid instalments go back to the invoice, and the plan's fees are taken back with them. A smaller credit
 * only leaves less to bill. Answers the invoice as it is then, locked. Under lockRunningPlan.
 */
export async function endPlanForCredit(
  context: Pick<EndContext, 'clock'>,
  tx: Transaction,
  invoice: InvoiceRow,
  { creditMinor, on }: { readonly creditMinor: number; readonly on: CalendarDate },
): Promise<InvoiceRow> {
  if (!invoice.is_part_payment || creditMinor <= invoice.balance_minor) return invoice
  const { instance_id: instanceId, id } = invoice
  return (await endPlan(context, tx, { instanceId, debtId: id, on }))
    ? lockInvoiceRow(tx, instanceId, id)
    : invoice
}

/** As endPlanForCredit, of an invoice or of the claim that holds what it owed. */
export async function endAnyPlanForCredit(
  context: Pick<EndContext, 'clock'>,
  tx: Transaction,
  { invoice, claim }: Credited,
  { creditMinor, on }: { readonly creditMinor: number; readonly on: CalendarDate },
): Promise<Credited> {
  if (!claim) return { claim, invoice: await endPlanForCredit(context, tx, invoice, { creditMinor, on }) }
  const now = await endClaimPlanForCredit(context, tx, claim, { takenMinor: creditMinor, on })
  return { claim: now, invoice: now.members.find(({ id }) => id === invoice.id) ?? invoice }
}

/** As endPlanForCredit, of a claim from which `takenMinor` will go, fees and interest included. Under lockRunningClaimPlan. */
export async function endClaimPlanForCredit(
  context: Pick<EndContext, 'clock'>,
  tx: Transaction,
  claim: LockedClaim,
  { takenMinor, on }: { readonly takenMinor: number | 'all'; readonly on: CalendarDate },
): Promise<LockedClaim> {
  if (!claim.is_part_payment || (takenMinor !== 'all' && takenMinor <= claim.balance_minor)) return claim
  const { instance_id: instanceId, id: claimId } = claim
  return (await endPlan(context, tx, { instanceId, debtId: claimId, on }))
    ? lockClaim(tx, { instanceId, claimId })
    : claim
}

/** Answers false when the debt has no plan. */
async function endPlan(
  context: Pick<EndContext, 'clock'>,
  tx: Transaction,
  {
    instanceId,
    debtId,
    on,
  }: { readonly instanceId: string; readonly debtId: string; readonly on: CalendarDate },
): Promise<boolean> {
  const plan = await readPlanOfDebt(tx, instanceId, debtId)
  if (!plan) return false
  const locked = await lockWhole(tx, { instanceId, planId: plan.id })
  await movePlan(tx, locked.plan, { move: 'stop', status: 'STOPPED', on })
  await postBookings(tx, instanceId, await feesBack(context, tx, locked, on), context.clock)
  await takeBack(context, tx, locked, on)
  await release(tx, locked, addDays(on, DAYS_AFTER_DEFAULT))
  return true
}
