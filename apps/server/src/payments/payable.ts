/** What is paid: an invoice or a claim, as the way of a payment through the program needs it. */
import { date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { allocationOrderOf } from '@kvitt/domain/collection/country-params.ts'
import type { Bucket, Debt, Holder, Owed } from '@kvitt/domain/ledger/booking.ts'
import { money, type Currency } from '@kvitt/domain/money.ts'
import {
  findVisibleClaim,
  isClaimPayable,
  lockClaim,
  lockInvoiceAndClaim,
  type ClaimRow,
  type LockedClaim,
} from '../claims/claims.ts'
import type { Context } from '../context.ts'
import {
  findVisibleInvoice,
  isPayable,
  lockInvoiceRow,
  payeeCreditorOf,
  type InvoiceRow,
} from '../invoices/invoices.ts'
import {
  claimDebt,
  findHeir,
  invoiceDebt,
  readPlanOfDebt,
  type PlannedDebt,
} from '../part-payments/part-payments.ts'
import type { Transaction } from '../platform/database/database.ts'
import type { Viewer } from '../sign-in/viewer.ts'
import type { PaymentRow } from './payments.queries.ts'

export type Payable = {
  readonly instanceId: string
  /** Whose buckets the money settles. */
  readonly debt: Debt
  readonly creditorId: string
  readonly debtorId: string
  readonly currency: Currency
  readonly owed: Owed
  /** In which its money settles the buckets. */
  readonly order: readonly Bucket[]
  readonly balanceMinor: number
  readonly dueDate: string
  readonly paymentReference: string
  /** Null: the instance's own account (D-27). */
  readonly paymentAccountId: string | null
  /** Whose agreed account it is paid to; null for a claim, which is paid to the instance. */
  readonly payeeOf: string | null
  readonly isPayable: boolean
  /** The same as a plan would see it. */
  readonly planned: PlannedDebt
}

/** Which one the viewer means, by its number; undefined leaves the choice to the reference. */
export type DebtNumber = { readonly invoice: string | undefined } | { readonly claim: string | undefined }

function owedOn(row: Readonly<Record<`${Bucket}_minor`, number>> & { readonly currency: Currency }): Owed {
  return {
    principal: money(row.principal_minor, row.currency),
    costs: money(row.costs_minor, row.currency),
    interest: money(row.interest_minor, row.currency),
  }
}

function shared(row: InvoiceRow | ClaimRow) {
  return {
    instanceId: row.instance_id,
    creditorId: row.creditor_id,
    debtorId: row.debtor_id,
    currency: row.currency,
    owed: owedOn(row),
    order: allocationOrderOf(row.creditor_country),
    balanceMinor: row.balance_minor,
    dueDate: row.expire_date,
    paymentReference: row.payment_reference,
  }
}

export function payableInvoice(row: InvoiceRow): Payable {
  return {
    ...shared(row),
    debt: { invoiceId: row.id },
    paymentAccountId: row.payment_account_id,
    payeeOf: payeeCreditorOf(row),
    isPayable: isPayable(row),
    planned: invoiceDebt(row),
  }
}

export function payableClaim(row: ClaimRow): Payable {
  return {
    ...shared(row),
    debt: { claimId: row.id },
    paymentAccountId: null,
    payeeOf: null,
    isPayable: isClaimPayable(row),
    planned: claimDebt(row),
  }
}

/** What the viewer wants to pay. Refuses with the one neutral answer when there is none to be seen. */
export async function findPayable(context: Context, viewer: Viewer, wanted: DebtNumber): Promise<Payable> {
  return 'claim' in wanted
    ? payableClaim(await findVisibleClaim(context, viewer, wanted.claim))
    : payableInvoice(await findVisibleInvoice(context, viewer, wanted.invoice))
}

/** The same, locked until the transaction ends, for a new payment. */
export async function lockPayable(tx: Transaction, { instanceId, debt }: Payable): Promise<Payable> {
  return 'claimId' in debt
    ? payableClaim(await lockClaim(tx, { instanceId, claimId: debt.claimId }))
    : payableInvoice(await lockInvoiceRow(tx, instanceId, debt.invoiceId))
}

/**
 * What a payment was started for, locked. An invoice that has joined a claim since is paid by paying the claim; an instalment
 * whose plan has ended, by paying the debt that took over what it owed.
 */
export type LockedDebt =
  | { readonly claim: LockedClaim; readonly invoice?: never }
  | { readonly invoice: InvoiceRow; readonly claim?: never }

export async function lockDebtOf(
  tx: Transaction,
  payment: Pick<PaymentRow, 'id' | 'instance_id' | 'invoice_id' | 'claim_id'>,
): Promise<LockedDebt> {
  const { instance_id: instanceId, invoice_id: invoiceId, claim_id: claimId } = payment
  if (claimId !== null) return { claim: await lockClaim(tx, { instanceId, claimId }) }
  if (invoiceId === null) throw new Error(`payment ${payment.id} is for nothing`)
  const { invoice, claim } = await lockInvoiceAndClaim(tx, { instanceId, invoiceId })
  if (claim) return { claim }
  // Locked after its instalment, as whoever ends a plan does.
  const heir = invoice.balance_minor > 0 ? undefined : await findHeir(tx, instanceId, invoiceId)
  if (!heir) return { invoice }
  return lockDebtOf(tx, {
    ...payment,
    invoice_id: 'invoiceId' in heir ? heir.invoiceId : null,
    claim_id: 'claimId' in heir ? heir.claimId : null,
  })
}

/** The same debt as it is now: something has been booked on it under its locks. */
export async function lockAgain(tx: Transaction, { claim, invoice }: LockedDebt): Promise<LockedDebt> {
  const { instance_id: instanceId, id } = claim ?? invoice
  return claim
    ? { claim: await lockClaim(tx, { instanceId, claimId: id }) }
    : { invoice: await lockInvoiceRow(tx, instanceId, id) }
}

/** Whose debt it is, and from when it can have been paid: a claim's invoices are older than it. */
export function partiesOf({ invoice, claim }: LockedDebt): {
  readonly creditorId: string
  readonly issuedOn: CalendarDate | undefined
} {
  const issued = (claim?.members ?? [invoice]).flatMap((one) => (one ? [one.issue_date] : [])).sort()[0]
  return {
    creditorId: (claim ?? invoice).creditor_id,
    issuedOn: issued === undefined ? undefined : date(issued),
  }
}

/**
 * Had the money come before the day on which the plan began that pays the debt? Then it pays what the plan has not billed yet, and leaves less to
 * bill at the end; what was agreed stays. Not when it is all of that: then a person looks.
 */
export async function cameBeforePlan(
  tx: Transaction,
  { invoice, claim }: LockedDebt,
  { amountMinor, valueOn }: { readonly amountMinor: number; readonly valueOn: CalendarDate },
): Promise<boolean> {
  const { instance_id: instanceId, id, principal_minor: principalMinor } = claim ?? invoice
  if (amountMinor >= principalMinor) return false
  const plan = await readPlanOfDebt(tx, instanceId, id)
  return plan?.status === 'ACTIVE' && valueOn < plan.started_on
}

/** Money that has come: through a gateway, or from a bank's file, which no payment was started for. */
export type Received = Pick<PaymentRow, 'id' | 'instance_id' | 'amount_minor' | 'currency' | 'gateway'> & {
  readonly isFromFile?: true
  /** Who has the account that it came to; left out, the instance. */
  readonly holder?: Holder | null
  /** Which share of a transfer that pays several documents; the first when nothing is said. */
  readonly share?: number
}
