/** What the staff of a creditor open of its invoices and claims: the same files that the debtor gets, under names of their own. */
import type { DisputeFileAnswer } from '@kvitt/domain/disputes/dispute.contract.ts'
import type { DocumentAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import { demandName, readShownClaim } from '../claims/claims.ts'
import type { Context } from '../context.ts'
import { readShownInvoice } from '../invoices/invoices.ts'
import { makeLink } from '../platform/files/file-links.ts'
import { rightsOf, sessionOf, type ClientPrincipal } from '../staff/staff.ts'
import { readFilesOfDispute } from './dispute-files.queries.ts'
import { isOfProtected } from './documents.queries.ts'
import { presentDisputeFile, presentDocuments, type LinkMaker } from './present-documents.ts'

/** A name opens its file for as long as the session that it was made for, or the key, may make calls. */
function makerOf(staff: ClientPrincipal): LinkMaker {
  return { session: sessionOf(staff), isForStaff: true }
}

/** Papers say where their receiver lives: those of a person with a protected identity are for whoever may see that (M-36). */
async function isHiddenFrom({ db }: Context, staff: ClientPrincipal, debtId: string): Promise<boolean> {
  return !rightsOf(staff).includes('see_protected') && isOfProtected(db, staff.instance.id, debtId)
}

/** All files of a dispute, the oldest first. The caller has looked whose it is. */
export async function listFilesForStaff(
  context: Context,
  staff: ClientPrincipal,
  disputeId: string,
): Promise<DisputeFileAnswer[]> {
  const rows = await readFilesOfDispute(context.db, staff, disputeId)
  return rows.map((row) => presentDisputeFile(context, makerOf(staff), row))
}

/** An invoice's documents; none before it was sent, and none of a protected person's to whoever may not see them. The caller has looked whose it is. */
export async function listDocumentsForStaff(
  context: Context,
  staff: ClientPrincipal,
  invoiceId: string,
): Promise<DocumentAnswer[]> {
  if (await isHiddenFrom(context, staff, invoiceId)) return []
  const invoice = await readShownInvoice(context.db, staff.instance.id, invoiceId)
  return invoice ? presentDocuments(context, staff.instance, { invoice, maker: makerOf(staff) }) : []
}

/** The newest demand of a claim, if one was sent. The caller has looked whose it is. */
export async function listDemandsForStaff(
  context: Context,
  staff: ClientPrincipal,
  claimId: string,
): Promise<DocumentAnswer[]> {
  if (await isHiddenFrom(context, staff, claimId)) return []
  const claim = await readShownClaim(context.db, staff.instance.id, claimId)
  if (!claim || claim.demands === 0) return []
  return [
    {
      type: 'COLLECTION_CLAIM',
      topic: 'COLLECTION',
      fileName: makeLink(context, { ...makerOf(staff), kind: 'k', id: claimId }, 'pdf'),
      fileNameRaw: demandName(staff.instance.language, claim),
    },
  ]
}
