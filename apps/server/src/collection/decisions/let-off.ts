/** What waiving and writing off have in common: whether they may, whether it was done before, and what follows. */
import { createHash } from 'node:crypto'
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { canMoveClaim } from '@kvitt/domain/claims/claim.ts'
import { canMove } from '@kvitt/domain/invoices/invoice.ts'
import type { Debt, Owed, Parties } from '@kvitt/domain/ledger/booking.ts'
import { amountText, money, parseAmount, type Money } from '@kvitt/domain/money.ts'
import { lockClaim, moveClaim, type ClaimKey, type LockedClaim } from '../../claims/claims.ts'
import { lockInvoiceRow, moveInvoice, type InvoiceKey, type InvoiceRow } from '../../invoices/invoices.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { DecisionRefused, refuseAmount, refuseMalformed } from './decision-refused.ts'

/** An invoice that is in no claim, or a claim. */
export type LockedDebt =
  | { readonly invoice: InvoiceRow; readonly claim?: undefined }
  | { readonly claim: LockedClaim; readonly invoice?: undefined }

export type LetOff = {
  readonly on: CalendarDate
  readonly reason: string
  /** Of the debt, as people call it. */
  readonly number: string
  /** Decimal text; null for all of it. */
  readonly amount: string | null
  /** It is no repetition: the caller has a key that says so. */
  readonly isKeyed?: boolean | undefined
}

export const rowOf = ({ claim, invoice }: LockedDebt): InvoiceRow | LockedClaim => claim ?? invoice

export function keyOf({ claim, invoice }: LockedDebt): InvoiceKey | ClaimKey {
  return claim
    ? { instanceId: claim.instance_id, claimId: claim.id }
    : { instanceId: invoice.instance_id, invoiceId: invoice.id }
}

export function debtOf({ claim, invoice }: LockedDebt): Debt {
  return claim ? { claimId: claim.id } : { invoiceId: invoice.id }
}

export function partiesOf(locked: LockedDebt): Parties {
  const { creditor_id: creditorId, debtor_id: debtorId } = rowOf(locked)
  return { ...debtOf(locked), creditorId, debtorId }
}

export function owedOn(locked: LockedDebt): Owed {
  const { principal_minor, costs_minor, interest_minor, currency } = rowOf(locked)
  return {
    principal: money(principal_minor, currency),
    costs: money(costs_minor, currency),
    interest: money(interest_minor, currency),
  }
}

/** As it stands by now. */
export async function lockAgain(tx: Transaction, locked: LockedDebt): Promise<LockedDebt> {
  const key = keyOf(locked)
  return 'claimId' in key
    ? { claim: await lockClaim(tx, key) }
    : { invoice: await lockInvoiceRow(tx, key.instanceId, key.invoiceId) }
}

/** Which statuses may: those from which something less can be owed. What is in a plan is the plan's. */
export function refuseUnlessOwed(locked: LockedDebt, number: string, done: string): void {
  const { invoice, claim } = locked
  const may = claim
    ? canMoveClaim('letOffInPart', claim.status, claim.status)
    : canMove('letOffInPart', invoice.status, invoice.status)
  const { status, is_part_payment: isPlanned } = rowOf(locked)
  if (!may)
    throw new DecisionRefused(
      `${number} is ${status.toLowerCase().replaceAll('_', ' ')}: nothing of it can be ${done}.`,
    )
  if (isPlanned)
    throw new DecisionRefused(
      `What ${number} owes is in a plan: decide about one of its instalments, or when the plan has ended.`,
      'owed_in_plan',
    )
}

/** What is to be let off of what is open, in minor units. Throws DecisionRefused when it does not fit. */
export function amountOf(amount: string | null, open: Money, what: string): Money {
  if (amount === null) return open
  const asked = parseAmount(amount, open.currency)
  if (asked && asked.minor > 0 && asked.minor <= open.minor) return asked
  const refuse = asked ? refuseAmount : refuseMalformed
  throw refuse(
    `Say how much: more than nothing, and no more than the ${amountText(open.minor)} ${open.currency} of ${what}.`,
    open,
  )
}

/**
 * The name of a decision in the causes of its entries. An amount is the same decision again when the same is asked for the same
 * reason, on whatever day: who repeats a command after midnight has decided once. All of it can be let off again when something is owed
 * again.
 */
export function decisionName(
  locked: LockedDebt,
  act: string,
  { reason, amount }: Pick<LetOff, 'reason' | 'amount'>,
): string {
  const { id, currency } = rowOf(locked)
  const minor = amount === null ? undefined : parseAmount(amount, currency)?.minor
  const words = [id, act, reason, minor === undefined ? 'all' : String(minor)]
  return createHash('sha256').update(JSON.stringify(words)).digest('hex').slice(0, 32)
}

/** Something is still owed: everything stays as it is. */
export async function stayOpen(tx: Transaction, { invoice, claim }: LockedDebt): Promise<void> {
  if (claim) await moveClaim(tx, claim, { move: 'letOffInPart', to: claim.status })
  else {
    const { status, status_before_authorization: before } = invoice
    await moveInvoice(tx, invoice, { move: 'letOffInPart', to: status, before })
  }
}
