/** What a plan pays: an invoice or a claim, as the way of a plan through the program needs it. */
import { isOpenClaim } from '@kvitt/domain/claims/claim.ts'
import type { ErrorCode } from '@kvitt/domain/errors.ts'
import { allocationOrderOf } from '@kvitt/domain/collection/country-params.ts'
import type { Bucket, Debt, Owed } from '@kvitt/domain/ledger/booking.ts'
import { money, type Currency } from '@kvitt/domain/money.ts'
import { whyNoClaimPlan, whyNoPlan, type SharedFacts } from '@kvitt/domain/part-payments/offer.ts'
import {
  findVisibleClaim,
  lockClaim,
  moveClaim,
  stopLockedClaim,
  type ClaimRow,
  type LockedClaim,
} from '../claims/claims.ts'
import type { Context } from '../context.ts'
import {
  findVisibleInvoice,
  lockInvoiceRow,
  lockInvoiceRows,
  moveInvoice,
  setStopReason,
  type InvoiceRow,
} from '../invoices/invoices.ts'
import type { Transaction } from '../platform/database/database.ts'
import type { Viewer } from '../sign-in/viewer.ts'
import { readMembersOf } from './plans.queries.ts'

/** `open`: it can be billed. `resting`: paused, disputed, or signed for. `stopped`: over, and not paid. */
export type DebtState = 'open' | 'resting' | 'over' | 'stopped'

type Shared = {
  readonly id: string
  readonly instanceId: string
  readonly debt: Debt
  readonly creditorId: string
  readonly debtorId: string
  readonly currency: Currency
  readonly balanceMinor: number
  readonly owed: Owed
  /** In which a payment settles the buckets. */
  readonly order: readonly Bucket[]
  readonly reference: string
  /** What the debtor knows it by. */
  readonly number: string
  readonly state: DebtState
  readonly isPartPayment: boolean
}

export type PlannedDebt = Shared &
  (
    | { readonly invoice: InvoiceRow; readonly claim?: undefined }
    | { readonly claim: ClaimRow & Partial<Pick<LockedClaim, 'members'>>; readonly invoice?: undefined }
  )

function shared(row: InvoiceRow | ClaimRow) {
  return {
    id: row.id,
    instanceId: row.instance_id,
    creditorId: row.creditor_id,
    debtorId: row.debtor_id,
    currency: row.currency,
    reference: row.payment_reference,
    balanceMinor: row.balance_minor,
    owed: {
      principal: money(row.principal_minor, row.currency),
      costs: money(row.costs_minor, row.currency),
      interest: money(row.interest_minor, row.currency),
    },
    isPartPayment: row.is_part_payment,
    order: allocationOrderOf(row.creditor_country),
  }
}

function stateOfInvoice({ status }: InvoiceRow): DebtState {
  if (status === 'ACTIVATED') return 'open'
  if (status === 'STOPPED') return 'stopped'
  return status === 'CLOSED' || status === 'ARCHIVED' ? 'over' : 'resting'
}

function stateOfClaim({ status }: ClaimRow): DebtState {
  if (status === 'OPEN' || status === 'RESUME') return 'open'
  if (isOpenClaim(status)) return 'resting'
  return status === 'STOPPED' ? 'stopped' : 'over'
}

export function invoiceDebt(invoice: InvoiceRow): PlannedDebt {
  const debt = { invoiceId: invoice.id }
  return {
    ...shared(invoice),
    debt,
    number: invoice.invoice_number,
    state: stateOfInvoice(invoice),
    invoice,
  }
}

export function claimDebt(claim: ClaimRow | LockedClaim): PlannedDebt {
  const debt = { claimId: claim.id }
  return { ...shared(claim), debt, number: claim.claim_number, state: stateOfClaim(claim), claim }
}

/** Which one the viewer means, by its number; undefined leaves the choice to the reference. */
export type WantedDebt = { readonly invoice: string | undefined } | { readonly claim: string | undefined }

/** Refuses with the one neutral answer when there is none to be seen. */
export async function findVisibleDebt(
  context: Context,
  viewer: Viewer,
  wanted: WantedDebt,
): Promise<PlannedDebt> {
  return 'claim' in wanted
    ? claimDebt(await findVisibleClaim(context, viewer, wanted.claim))
    : invoiceDebt(await findVisibleInvoice(context, viewer, wanted.invoice))
}

/** What these plans pay, locked, each plan's in the order in which it is paid off. */
export async function lockMembersOf(
  tx: Transaction,
  instanceId: string,
  planIds: readonly string[],
): Promise<Map<string, PlannedDebt[]>> {
  const members = await readMembersOf(tx, instanceId, planIds)
  const ids = members.flatMap(({ debt }) => ('invoiceId' in debt ? [debt.invoiceId] : []))
  const invoices = ids.length > 0 ? await lockInvoiceRows(tx, instanceId, ids) : []
  const byId = new Map(invoices.map((row) => [row.id, invoiceDebt(row)]))
  const of = new Map<string, PlannedDebt[]>(planIds.map((id) => [id, []]))
  for (const { planId, debt } of members) {
    const planned = 'invoiceId' in debt ? byId.get(debt.invoiceId) : undefined
    of.get(planId)?.push(planned ?? (await lockPlannedDebt(tx, instanceId, debt)))
  }
  return of
}

/** As lockMembersOf, for one plan. */
export async function lockMembers(
  tx: Transaction,
  plan: { readonly instance_id: string; readonly id: string },
): Promise<PlannedDebt[]> {
  return (await lockMembersOf(tx, plan.instance_id, [plan.id])).get(plan.id) ?? []
}

export async function lockPlannedDebt(tx: Transaction, instanceId: string, debt: Debt): Promise<PlannedDebt> {
  return 'claimId' in debt
    ? claimDebt(await lockClaim(tx, { instanceId, claimId: debt.claimId }))
    : invoiceDebt(await lockInvoiceRow(tx, instanceId, debt.invoiceId))
}

/** Why it can be offered nothing, if a rule says so. */
export function whyNoOffer({ invoice, claim }: PlannedDebt, facts: SharedFacts): ErrorCode | undefined {
  if (claim) return whyNoClaimPlan({ ...facts, status: claim.status })
  return whyNoPlan({
    ...facts,
    type: invoice.type,
    status: invoice.status,
    inClaim: invoice.claim_id !== null,
  })
}

/** A plan wakes up what was paused: it goes on by the plan's own days. */
export async function wakeUp(tx: Transaction, { invoice }: PlannedDebt): Promise<void> {
  if (invoice?.status === 'PAUSED') await moveInvoice(tx, invoice, { move: 'resume', to: 'ACTIVATED' })
}

/** Everything of it is paid. Nothing happens to what is over already. */
export async function closePaid(tx: Transaction, planned: PlannedDebt): Promise<void> {
  const { invoice, claim, state, instanceId } = planned
  if (state === 'over' || state === 'stopped') return
  if (invoice) await moveInvoice(tx, invoice, { move: 'paidInFull', to: 'CLOSED' })
  else {
    const locked = await lockClaim(tx, { instanceId, claimId: claim.id })
    await moveClaim(tx, locked, { move: 'paidInFull', to: 'CLOSED' })
  }
}

/** All of it was billed and something of that will not be paid: it ends for the same reason. As closePaid. */
export async function stopUnpaid(tx: Transaction, planned: PlannedDebt, reason: string): Promise<void> {
  const { invoice, claim, state, instanceId } = planned
  if (state === 'over' || state === 'stopped') return
  if (invoice) {
    await setStopReason(tx, { instanceId, invoiceId: invoice.id }, reason)
    await moveInvoice(tx, invoice, { move: 'stop', to: 'STOPPED' })
  } else await stopLockedClaim(tx, await lockClaim(tx, { instanceId, claimId: claim.id }), reason)
}
