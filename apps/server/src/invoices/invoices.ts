/** Invoices as a debtor sees them. */
import { canBePaid } from '@kvitt/domain/invoices/invoice.ts'
import type { ClientAnswer, EventAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import type { Loosen } from '@kvitt/domain/contract.ts'
import type { Context } from '../context.ts'
import { presentClient } from '../creditors/creditors.ts'
import { readInvoiceEvents } from '../ledger/ledger.ts'
import { copyLink } from '../platform/files/file-links.ts'
import { JsonText } from '../platform/http/json.ts'
import { hasPower } from '../sign-in/principal.ts'
import {
  notVisible,
  scopeOfPair,
  sessionOf,
  viewerOf,
  type FirstReader,
  type ListScope,
  type Viewer,
} from '../sign-in/viewer.ts'
import { COPY_PLACE, readInvoiceJson } from './invoice-json.queries.ts'
import {
  hasInvoice,
  readClaimOfPair,
  readVisibleInvoice,
  readVisibleKey,
  type InvoiceKeyRow,
  type InvoiceRow,
} from './invoices.queries.ts'
import { presentEvents, presentFinancialEvents, presentLedgerEvents } from './present-events.ts'
import { readSteps } from './steps.queries.ts'

export { PAYEE_CREDITOR, payeeCreditorOf } from './payee-creditor.ts'
export {
  ApprovalRefused,
  approveInvoice,
  approveLocked,
  archiveInvoice,
  cancelInvoice,
  distributeInvoice,
  distributeLocked,
  type InvoiceKey,
} from './lifecycle.ts'
export { moveInvoice } from './move-invoice.ts'
export { findOfficeInvoice, getOfficeInvoice, officeInvoiceSet } from './office/office-invoices.ts'
export type { OfficeInvoiceKey } from './office/office-invoices.queries.ts'
export { issueReferences } from './references.ts'
export { insertReferenceRows, readReferenceOwners, type ReferenceRow } from './references.queries.ts'
export {
  INVOICE_COLUMNS,
  lockFreeInvoiceRow,
  lockInvoiceRow,
  lockInvoiceRows,
  lockInvoicesOfClaim,
  readClaimIdOf,
  readShownInvoice,
  type InvoiceRow,
} from './invoices.queries.ts'
export {
  presentEvents,
  presentFinancialEvents,
  presentInterest,
  presentLedgerEvents,
  type EventSources,
} from './present-events.ts'
export {
  endOpenDispute,
  endPlannedSteps,
  holdSteps,
  insertStepRow,
  readHeldSteps,
  readSteps,
  releaseStep,
  setPause,
  setResumed,
  setStopReason,
} from './steps.queries.ts'

/**
 * The invoice that the viewer means. Refuses with the one neutral answer when there is none to be seen: an
 * unknown reference, a wrong zip, a hidden state and a negative total cannot be told apart.
 */
export async function findVisibleInvoice(
  context: Context,
  viewer: Viewer,
  invoiceNumber: string | undefined,
): Promise<InvoiceRow> {
  const invoice = await readVisibleInvoice(context.db, viewer, invoiceNumber)
  if (!invoice) throw notVisible(viewer)
  return invoice
}

/** As findVisibleInvoice, of its keys alone. */
async function findVisibleKey(
  context: Context,
  viewer: Viewer,
  invoiceNumber: string | undefined,
): Promise<InvoiceKeyRow> {
  const invoice = await readVisibleKey(context.db, viewer, invoiceNumber)
  if (!invoice) throw notVisible(viewer)
  return invoice
}

/**
 * Whose things the viewer's lists are of. An invoice that the call names has to be visible first, also one that is
 * named by its number alone; a signed-in debtor needs to name none. The pair of a claim opens its debtor's lists as that
 * of an invoice does (D-07).
 */
export async function findListScope(
  context: Context,
  viewer: Viewer,
  invoiceNumber: string | undefined,
): Promise<ListScope> {
  if (viewer.kind === 'debtor' && viewer.selector.by === 'nothing') {
    if (invoiceNumber !== undefined && !(await hasInvoice(context.db, viewer, invoiceNumber))) {
      throw notVisible(viewer)
    }
    return { debtorIds: viewer.session.debtorIds }
  }
  const invoice = await readVisibleKey(context.db, viewer, invoiceNumber)
  if (viewer.kind === 'debtor') {
    if (!invoice) throw notVisible(viewer)
    return { debtorIds: viewer.session.debtorIds }
  }
  const isClaim = !invoice && invoiceNumber === undefined
  const proved = isClaim ? await readClaimOfPair(context.db, viewer) : invoice
  if (!proved) throw notVisible(viewer)
  return scopeOfPair(viewer, proved)
}

/** The invoice as the wire has it. Also the login lookup. */
export async function getInvoice(
  context: Context,
  reader: FirstReader,
  invoiceNumber: string | undefined,
): Promise<JsonText> {
  const today = context.clock.today(reader.instance.timeZone)
  const found = await readInvoiceJson(context.db, reader, { invoiceNumber, today })
  const viewer = viewerOf(reader)
  if (!found) throw notVisible(viewer)
  return withCopyLink(context, viewer, found)
}

/** The database leaves a mark where the signed name of the copy goes: it does not hold the key. */
export function withCopyLink(
  context: Pick<Context, 'fileKey' | 'clock'>,
  viewer: Viewer,
  { id, json }: { readonly id: string; readonly json: string },
): JsonText {
  if (!json.includes(COPY_PLACE)) return new JsonText(json)
  const link = hasPower(viewer, 'documents')
    ? JSON.stringify(copyLink(context, id, sessionOf(viewer)))
    : 'null'
  return new JsonText(json.replaceAll(COPY_PLACE, () => link))
}

/** The sender of the invoice, with the accounts it may be paid to. */
export async function getClient(
  context: Context,
  viewer: Viewer,
  invoiceNumber: string | undefined,
): Promise<ClientAnswer> {
  const invoice = await findVisibleInvoice(context, viewer, invoiceNumber)
  return presentClient(context.db, invoice.instance_id, invoice.creditor_id)
}

/** Steps performed and money moved, merged into one story. */
export async function listEvents(
  context: Context,
  viewer: Viewer,
  invoiceNumber: string | undefined,
): Promise<Loosen<EventAnswer>[]> {
  const invoice = await findVisibleKey(context, viewer, invoiceNumber)
  const [steps, financial] = await Promise.all([
    readSteps(context.db, invoice.instance_id, invoice.id),
    readInvoiceEvents(context.db, invoice.instance_id, invoice.id),
  ])
  return presentEvents({ steps, financial })
}

export async function listFinancialEvents(
  context: Context,
  viewer: Viewer,
  invoiceNumber: string | undefined,
) {
  const invoice = await findVisibleKey(context, viewer, invoiceNumber)
  const financial = await readInvoiceEvents(context.db, invoice.instance_id, invoice.id)
  return presentFinancialEvents({ financial })
}

export async function listLedgerEvents(context: Context, viewer: Viewer, invoiceNumber: string | undefined) {
  const invoice = await findVisibleKey(context, viewer, invoiceNumber)
  return presentLedgerEvents({ steps: await readSteps(context.db, invoice.instance_id, invoice.id) })
}

/** Can anything be paid on it (D-26)? */
export function isPayable(invoice: InvoiceRow): boolean {
  return canBePaid({
    status: invoice.status,
    balanceMinor: invoice.balance_minor,
    isPartPayment: invoice.is_part_payment,
    inClaim: invoice.claim_id !== null,
  })
}
