/** Files that a debtor sends along with an open dispute: a picture of what is broken, a receipt, a letter. */
import type { BodyOf } from '@kvitt/domain/contract.ts'
import type { DisputeFileAnswer } from '@kvitt/domain/disputes/dispute.contract.ts'
import type { addInvoiceDisputeFile } from '@kvitt/domain/disputes/dispute.contract.ts'
import { MOST_FILES } from '@kvitt/domain/disputes/dispute-file.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { findVisibleClaim } from '../claims/claims.ts'
import type { Context } from '../context.ts'
import { listFilesOfDispute } from '../documents/documents.ts'
import { findVisibleInvoice } from '../invoices/invoices.ts'
import { newId } from '../platform/identity.ts'
import type { Viewer } from '../sign-in/viewer.ts'
import {
  countKeptFiles,
  insertDisputeFileRow,
  lockOpenDispute,
  readOpenDispute,
} from './dispute-files.queries.ts'
import { receiveFile, tooManyFiles, type ReceivedFile } from './received-file.ts'

/** The invoice or the claim that a call means, by its number or by the viewer alone. */
export type DebtNumber = { readonly invoice: string | undefined } | { readonly claim: string | undefined }

type NewFile = BodyOf<typeof addInvoiceDisputeFile>

/** Refuses when the viewer may not see it (both as ever) or when no dispute of it is open. */
async function findOpenDispute(context: Context, viewer: Viewer, number: DebtNumber): Promise<string> {
  const debt =
    'invoice' in number
      ? await findVisibleInvoice(context, viewer, number.invoice)
      : await findVisibleClaim(context, viewer, number.claim)
  const id = await readOpenDispute(context.db, debt.instance_id, debt.id)
  if (id === undefined) throw new Refusal('dispute_not_open')
  return id
}

/** The files of the open dispute. */
export async function listDisputeFiles(
  context: Context,
  viewer: Viewer,
  number: DebtNumber,
): Promise<DisputeFileAnswer[]> {
  return listFilesOfDispute(context, viewer, await findOpenDispute(context, viewer, number))
}

/**
 * Adds a file to the open dispute. It is received (`receive`) only when there is one, and kept only when it still is
 * open then: a dispute that is decided meanwhile gets nothing. The same content again answers what was kept before,
 * with its first name and description. Refuses with `dispute_not_open`, `file_rejected`, `file_too_large`,
 * `too_many_files`, the last also when more are under way at once than a dispute can have.
 */
export async function addDisputeFile(
  context: Context,
  viewer: Viewer,
  number: DebtNumber,
  receive: () => Promise<NewFile>,
): Promise<DisputeFileAnswer> {
  const disputeId = await findOpenDispute(context, viewer, number)
  const keptId = await receiveFile(disputeId, receive, (file) => keepFile(context, viewer, disputeId, file))
  const kept = (await listFilesOfDispute(context, viewer, disputeId)).find(({ id }) => id === keptId)
  if (!kept) throw new Error(`file ${keptId} cannot be seen by who sent it`)
  return kept
}

/** Answers the identifier of the file, new or kept before. */
async function keepFile(
  context: Context,
  viewer: Viewer,
  disputeId: string,
  file: ReceivedFile,
): Promise<string> {
  const { hash } = file
  const instanceId = viewer.instance.id
  const id = newId(context.clock.now())
  return context.db.transaction(async (tx) => {
    if (!(await lockOpenDispute(tx, instanceId, disputeId))) throw new Refusal('dispute_not_open')
    const known = await countKeptFiles(tx, { instanceId, id: disputeId }, { door: viewer.kind, hash })
    if (known.same_id !== null) return known.same_id
    if (known.files >= MOST_FILES) throw tooManyFiles()
    await insertDisputeFileRow(tx, {
      ...file,
      instanceId,
      id,
      disputeId,
      door: viewer.kind,
      addedOn: context.clock.today(viewer.instance.timeZone),
    })
    return id
  })
}
