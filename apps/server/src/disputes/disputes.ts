/** A debtor objects to an invoice or a claim. Everything stops until the creditor has answered. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { canDisputeClaim } from '@kvitt/domain/claims/claim.ts'
import { LONGEST_REASON } from '@kvitt/domain/disputes/dispute.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { isEmail } from '@kvitt/domain/form/field-rules.ts'
import { saysSomething } from '@kvitt/domain/form/says-something.ts'
import { canDispute } from '@kvitt/domain/invoices/invoice.ts'
import type { Debt } from '@kvitt/domain/ledger/booking.ts'
import { manyLines } from '@kvitt/domain/plain-text.ts'
import {
  aboutDebt,
  findVisibleClaim,
  lockClaim,
  moveClaim,
  readShownClaim,
  type LockedClaim,
} from '../claims/claims.ts'
import type { Context } from '../context.ts'
import { findVisibleInvoice, lockInvoiceRow, moveInvoice } from '../invoices/invoices.ts'
import { queueMail } from '../mail/mail.ts'
import type { Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import type { Viewer } from '../sign-in/viewer.ts'
import { dropLettersOf } from '../unsent-letters/unsent-letters.ts'
import { insertDisputeRow } from './disputes.queries.ts'

export { addDisputeFile, listDisputeFiles } from './dispute-files.ts'
export { receiveFile, tooManyFiles, type ReceivedFile } from './received-file.ts'

export type Objection = {
  readonly debtorEmail?: string | null | undefined
  readonly reason?: string | null | undefined
}

/**
 * M-11: the invoice becomes DISPUTED and what was planned is skipped. Refused when it is not open, owes nothing
 * or is disputed already; twenty at once make one.
 */
export async function disputeInvoice(
  context: Context,
  viewer: Viewer,
  invoiceNumber: string | undefined,
  objection: Objection,
): Promise<Opened> {
  const seen = await findVisibleInvoice(context, viewer, invoiceNumber)
  return openDispute(context, viewer, objection, async (tx) => {
    const invoice = await lockInvoiceRow(tx, seen.instance_id, seen.id)
    if (!canDispute(invoice.status, invoice.balance_minor)) {
      throw new Refusal('dispute_not_allowed', await aboutDebt(tx, invoice))
    }
    await moveInvoice(tx, invoice, { move: 'dispute', to: 'DISPUTED' })
    return { invoiceId: invoice.id }
  })
}

/** The same for a claim (D-13). Its invoices are disputed with it. */
export async function disputeClaim(
  context: Context,
  viewer: Viewer,
  claimNumber: string | undefined,
  objection: Objection,
): Promise<Opened> {
  const seen = await findVisibleClaim(context, viewer, claimNumber)
  return openDispute(context, viewer, objection, async (tx) => {
    const claim = await lockClaim(tx, { instanceId: seen.instance_id, claimId: seen.id })
    if (!canDisputeClaim(claim.status, claim.balance_minor)) {
      throw new Refusal('dispute_not_allowed', await aboutDebt(tx, claim))
    }
    await moveClaim(tx, claim, { move: 'dispute', to: 'DISPUTED' })
    return { claimId: claim.id }
  })
}

type Opened = { readonly id: string; readonly status: 'OPEN' }

/** Checks the words, then moves what is disputed and keeps the dispute in one transaction. */
async function openDispute(
  context: Context,
  viewer: Viewer,
  objection: Objection,
  lockAndMove: (tx: Transaction) => Promise<Debt>,
): Promise<Opened> {
  const email = (objection.debtorEmail ?? '').trim()
  // People read it, and it goes into letters.
  const reason = manyLines(objection.reason ?? '')
  if (!isEmail(email)) throw new Refusal('invalid_email', {}, ['debtorEmail'])
  if (!saysSomething(reason)) throw new Refusal('reason_required', {}, ['reason'])
  if (reason.length > LONGEST_REASON) {
    throw new Refusal('reason_too_long', { most: String(LONGEST_REASON) }, ['reason'])
  }
  const words = { email, reason, to: email }
  const instanceId = viewer.instance.id
  const on = context.clock.today(viewer.instance.timeZone)
  const id = await context.db.transaction(async (tx) =>
    keepDispute(context, tx, { instanceId, debt: await lockAndMove(tx), on, ...words }),
  )
  return { id, status: 'OPEN' }
}

/**
 * An objection that the debtor made to an authority, as if it had been made here. Of a locked claim; does nothing to one that
 * cannot be disputed or is disputed already.
 */
export async function disputeLockedClaim(
  context: Pick<Context, 'clock' | 'config'>,
  tx: Transaction,
  claim: LockedClaim,
  { reason, on }: { readonly reason: string; readonly on: CalendarDate },
): Promise<void> {
  if (!canDisputeClaim(claim.status, claim.balance_minor)) return
  await moveClaim(tx, claim, { move: 'dispute', to: 'DISPUTED' })
  const shown = await readShownClaim(tx, claim.instance_id, claim.id)
  const of = { instanceId: claim.instance_id, debt: { claimId: claim.id } }
  await keepDispute(context, tx, { ...of, on, reason, email: shown?.debtor_email ?? '' })
}

/** Marked line by line: what a stranger has typed reads as theirs, and never as ours. */
function quote(reason: string): string {
  const short = reason.length > LONGEST_REASON ? `${reason.slice(0, LONGEST_REASON)} …` : reason
  const lines = short.split('\n').map((line) => line.trim())
  return lines
    .filter((line) => line !== '')
    .map((line) => `> ${line}`)
    .join('\n')
}

type Kept = {
  readonly instanceId: string
  readonly debt: Debt
  readonly email: string
  readonly reason: string
  readonly on: CalendarDate
  /** Where it is confirmed; the debtor's own address when nobody named one. */
  readonly to?: string
}

async function keepDispute(
  context: Pick<Context, 'clock' | 'config'>,
  tx: Transaction,
  { instanceId, debt, email, reason, on, to }: Kept,
): Promise<string> {
  const id = newId(context.clock.now())
  await insertDisputeRow(tx, { instanceId, id, debt, email, reason, openedOn: on })
  await dropLettersOf(context, tx, { instanceId, debt, on, reason: 'disputed' })
  const news = { cause: `dispute:${id}`, instanceId, debt }
  await queueMail(context, tx, { kind: 'dispute_received', ...news, ...(to === undefined ? {} : { to }) })
  // M-11: the creditor hears of it, in the debtor's own words.
  const params = () => ({ reason: quote(reason) })
  await queueMail(context, tx, { kind: 'dispute_opened', ...news, isToCreditor: true, params })
  return id
}
