/** Documents: what can be downloaded, and the downloads themselves. */
import type { Power } from '@kvitt/domain/contract.ts'
import type { DisputeFileAnswer } from '@kvitt/domain/disputes/dispute.contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { DocumentAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import { demandName, readMembers, readShownClaim } from '../claims/claims.ts'
import type { Context } from '../context.ts'
import { readPayee } from '../creditors/creditors.ts'
import type { Instance } from '../instances/instances.ts'
import { findVisibleInvoice, readShownInvoice } from '../invoices/invoices.ts'
import { portalUrlOf } from '../mail/mail.ts'
import { claimDebt, findPlanFigures, invoiceDebt } from '../part-payments/part-payments.ts'
import { readLink, type FileLink } from '../platform/files/file-links.ts'
import type { FileAnswer, SlicedFile } from '../platform/http/send-file.ts'
import { textOf } from '../platform/texts.ts'
import { isStillOpen } from '../sign-in/sessions.ts'
import { sessionOf, type Viewer } from '../sign-in/viewer.ts'
import { hasOperatorRight, isStaffIn } from '../staff/staff.ts'
import { demandInterest } from './demand-interest.ts'
import { requesterOf, drawOnce } from './drawings.ts'
import { readClaimParties, readDemand } from './demand.queries.ts'
import {
  readDisputeFilesOfDebt,
  readFilesOfDispute,
  readShownDisputeFile,
  readSlices,
} from './dispute-files.queries.ts'
import {
  isOfProtected,
  readParties,
  readPublicFile,
  readShownDocument,
  type PaperFor,
  type StoredFile,
} from './documents.queries.ts'
import { fileNamePart, letterOf, openInvoiceCopy, openPayments, type TitledFile } from './invoice-letters.ts'
import { REMINDER_TITLES } from './letters.ts'
import { presentDisputeFile, presentDocuments, reminderName } from './present-documents.ts'
import { readReminder } from './reminders.queries.ts'
import { drawReminder, openReminder } from './reminders.ts'

export { drawLetter } from './drawings.ts'
export type { FundsPaper } from './papers/funds-paper.ts'
export type { SettlementStatement } from './papers/settlement-statement.ts'
export type { DrawnParty } from './papers/vat-invoice-paper.ts'
export { getReceipt, openElectronicInvoice, openInvoiceCopy, type TitledFile } from './invoice-letters.ts'
export { listDemandsForStaff, listDocumentsForStaff, listFilesForStaff } from './staff-documents.ts'

/**
 * An invoice's documents, each with a name below `storage/` that opens it for two hours. What the debtor has sent
 * along with disputes comes last, as a type of its own.
 */
export async function listDocuments(
  context: Context,
  viewer: Viewer,
  invoiceNumber: string | undefined,
): Promise<DocumentAnswer[]> {
  const invoice = await findVisibleInvoice(context, viewer, invoiceNumber)
  const maker = { session: sessionOf(viewer) }
  const all = [
    ...(await presentDocuments(context, viewer.instance, { invoice, maker })),
    ...(await readDisputeFilesOfDebt(context.db, viewer, invoice.id)).map((row) => {
      const { type, topic, fileName, fileNameRaw } = presentDisputeFile(context, maker, row)
      return { type, topic, fileName, fileNameRaw }
    }),
  ]
  if (all.length === 0) throw new Refusal('document_not_found')
  return all
}

/** The files of a dispute that the viewer may see, the oldest first. */
export async function listFilesOfDispute(
  context: Context,
  viewer: Viewer,
  disputeId: string,
): Promise<DisputeFileAnswer[]> {
  const rows = await readFilesOfDispute(context.db, viewer, disputeId)
  return rows.map((row) => presentDisputeFile(context, { session: sessionOf(viewer) }, row))
}

/** A file of a dispute, to be saved: nothing that somebody has sent is shown in place. */
async function openDisputeFile(context: Context, instance: Instance, id: string): Promise<SlicedFile> {
  const file = await readShownDisputeFile(context.db, instance.id, id)
  if (!file) throw new Refusal('not_found')
  const { name, size, mime_type: mimeType } = file
  return { slices: readSlices(context.db, instance.id, { id, size }), size, mimeType, name }
}

/** The letter of a reminder by its step, drawn if nobody has opened it before. */
async function reminderFile(
  context: Context,
  instance: Instance,
  { stepId, paper }: { readonly stepId: string; readonly paper: PaperFor },
): Promise<StoredFile | undefined> {
  const row = await readReminder(context.db, instance.id, stepId)
  const invoice = row && (await readShownInvoice(context.db, instance.id, row.invoice_id))
  if (!row || !invoice) return undefined
  const letter = await letterOf(context, instance, { invoice, paper })
  const named = { row, name: reminderName(instance, invoice, row) }
  // What is kept is shown to others, who are not told where the guardian lives.
  if (letter.parties.is_to_guardian) return drawReminder(context, letter, named)
  return (await readShownDocument(context.db, instance.id, stepId)) ?? openReminder(context, letter, named)
}

const POWER_OF: Readonly<Record<FileLink['kind'], Power>> = {
  c: 'documents',
  d: 'documents',
  f: 'disputes',
  k: 'documents',
  p: 'documents',
  s: 'plans',
  t: 'plans',
}

/**
 * Would whom the name was made for be given it today? A session that has ended would not, nor one that may less by now; and of a person
 * with a protected identity only themselves, and staff who may see where they live. What the person has sent is no paper of ours.
 */
async function mayStillOpen(
  context: Context,
  { id: instanceId, row }: Instance,
  { kind, session, isForStaff, id }: FileLink,
): Promise<boolean> {
  const ofSession = { instanceId, id: session ?? '' }
  if (isForStaff) {
    if (!(await isStaffIn(context, ofSession))) return false
    const isHidden = kind !== 'f' && (await isOfProtected(context.db, instanceId, id))
    return !isHidden || hasOperatorRight(context, ofSession, 'see_protected')
  }
  if (session !== undefined) return isStillOpen(context, ofSession)
  const isKept = row.public_session_policy.includes(POWER_OF[kind])
  return (
    row.logins.includes('PAYMENT_REFERENCE') && !isKept && !(await isOfProtected(context.db, instanceId, id))
  )
}

/** Opens a name below `storage/`: branding for anyone, else by a good link. All that is not to be had is one `not_found`. */
export async function openFile(
  context: Context,
  instance: Instance,
  name: string,
): Promise<FileAnswer | SlicedFile> {
  const link = readLink(context, name)
  if (link && !(await mayStillOpen(context, instance, link))) throw new Refusal('not_found')
  if (link?.kind === 'd') {
    const file =
      (await readShownDocument(context.db, instance.id, link.id)) ??
      (await reminderFile(context, instance, { stepId: link.id, paper: 'shown' }))
    if (!file) throw new Refusal('not_found')
    return { bytes: file.content, mimeType: file.mime_type, name: file.name_raw, isPublic: false }
  }
  if (link?.kind === 'c') {
    const copy = await openInvoiceCopy(context, instance, { invoiceId: link.id, paper: 'shown' })
    if (!copy) throw new Refusal('not_found')
    return { bytes: copy.content, mimeType: copy.mime_type, name: copy.name_raw, isPublic: false }
  }
  if (link?.kind === 'p') {
    const payments = await openPayments(context, instance, link.id)
    if (!payments) throw new Refusal('not_found')
    return payments
  }
  if (link?.kind === 'f') return openDisputeFile(context, instance, link.id)
  if (link?.kind === 'k') return openDemand(context, instance, { claimId: link.id, paper: 'shown' })
  if (link?.second) return openPlanDocument(context, instance, { ...link, second: link.second })
  const file = /^[a-z0-9-]{1,80}\.(svg|png|jpg|webp|avif|ico)$/.test(name)
    ? await readPublicFile(context.db, instance.id, name)
    : undefined
  if (!file) throw new Refusal('not_found')
  return { bytes: file.content, mimeType: file.mime_type, name, isPublic: true }
}

/** The invoice or claim of a plan's document, with its parties. */
async function findPlanned(context: Context, instance: Instance, id: string) {
  const invoice = await readShownInvoice(context.db, instance.id, id)
  if (invoice) {
    return { planned: invoiceDebt(invoice), parties: await readParties(context.db, instance.id, id) }
  }
  const claim = await readShownClaim(context.db, instance.id, id)
  return claim && { planned: claimDebt(claim), parties: await readClaimParties(context.db, instance.id, id) }
}

/** Terms or credit information of a plan: what the instance has uploaded, else drawn with the plan's figures. */
async function openPlanDocument(
  context: Context,
  instance: Instance,
  link: FileLink & { readonly second: string },
): Promise<FileAnswer> {
  const isTerms = link.kind === 't'
  const uploaded = isTerms ? instance.row.terms_name : instance.row.sekki_name
  const shown = await findPlanned(context, instance, link.id)
  const today = context.clock.today(instance.timeZone)
  const question = { settingId: link.second, today }
  const figures = shown && (await findPlanFigures(context.db, shown.planned, question))
  if (figures && !isTerms && !figures.isConsumer) throw new Refusal('not_found')
  const file = uploaded ? await readPublicFile(context.db, instance.id, uploaded) : undefined
  if (file) return { bytes: file.content, mimeType: file.mime_type, name: file.name_raw, isPublic: false }
  if (!shown || !figures) throw new Refusal('not_found')
  const { number } = shown.planned
  const portalUrl = portalUrlOf(context.config, instance.row)
  const { language } = instance
  const letter = { instance: instance.row, portalUrl, language, number, parties: shown.parties }
  const requester = requesterOf({ instance_id: instance.id, debtor_id: shown.planned.debtorId })
  const bytes = await drawOnce({ kind: isTerms ? 'terms' : 'secci', requester }, letter, figures)
  const title = textOf(language, isTerms ? 'plan.terms' : 'plan.secci')
  const name = `${title} ${fileNamePart(number)}.pdf`
  return { bytes, mimeType: 'application/pdf', name, isPublic: false }
}

/** What a step sends on paper, as it goes into the envelope: a reminder, or a demand of its claim. Undefined: nothing. */
export async function openStepLetter(
  context: Context,
  instance: Instance,
  step: { readonly stepId: string; readonly claimId: string | undefined },
): Promise<TitledFile | undefined> {
  const { language } = instance
  if (step.claimId === undefined) {
    const row = await readReminder(context.db, instance.id, step.stepId)
    const file = row && (await reminderFile(context, instance, { stepId: row.id, paper: 'sent' }))
    return file && { ...file, title: textOf(language, REMINDER_TITLES[row.type]) }
  }
  const { stepId, claimId } = step
  const { bytes, name, mimeType } = await openDemand(context, instance, { claimId, stepId, paper: 'sent' })
  const content = Buffer.from(bytes)
  return { content, name_raw: name ?? '', mime_type: mimeType, title: textOf(language, 'document.demand') }
}

/** The demand of a step, or the newest of a claim, as it was when it was sent. */
async function openDemand(
  context: Context,
  instance: Instance,
  of: { readonly claimId: string; readonly stepId?: string; readonly paper: PaperFor },
): Promise<FileAnswer> {
  const { claimId } = of
  const claim = await readShownClaim(context.db, instance.id, claimId)
  const demand = claim && (await readDemand(context.db, instance.id, of))
  if (!demand) throw new Refusal('not_found')
  const [parties, members, payee] = await Promise.all([
    readClaimParties(context.db, instance.id, claimId, of.paper),
    readMembers(context.db, instance.id, claimId),
    readPayee(context.db, instance.id, { paymentAccountId: null, currency: claim.currency, payeeOf: null }),
  ])
  const { row, language } = instance
  const interest = await demandInterest(context, instance.id, { claim, demand, members })
  const portalUrl = portalUrlOf(context.config, row)
  const letter = { instance: row, portalUrl, language, claim, demand, members, parties, payee, interest }
  const bytes = await drawOnce({ kind: 'demand', requester: requesterOf(claim) }, letter)
  return { bytes, mimeType: 'application/pdf', name: demandName(language, claim), isPublic: false }
}
