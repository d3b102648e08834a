/** Files that a debtor sends along with an open dispute: a picture of what is broken, a receipt, a letter. */
import { createHash } from 'node:crypto'
import type { BodyOf } from '@kvitt/domain/contract.ts'
import type { DisputeFileAnswer } from '@kvitt/domain/disputes/dispute.contract.ts'
import type { addInvoiceDisputeFile } from '@kvitt/domain/disputes/dispute.contract.ts'
import {
  LARGEST_FILE,
  MOST_FILES,
  readFileType,
  safeFileName,
  type FileFault,
  type FileType,
} from '@kvitt/domain/disputes/dispute-file.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { oneLine } from '@kvitt/domain/plain-text.ts'
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
  const keptId = await oneOfFew(disputeId, async () => {
    const { file, description } = await receive()
    return inTurn(async () => {
      const content = await file.read()
      return keepFile(context, viewer, {
        disputeId,
        content,
        name: file.name,
        type: typeOf(content),
        description: oneLine(description ?? '') || null,
      })
    })
  })
  const kept = (await listFilesOfDispute(context, viewer, disputeId)).find(({ id }) => id === keptId)
  if (!kept) throw new Error(`file ${keptId} cannot be seen by who sent it`)
  return kept
}

/** What is to be kept, whole in the memory. */
type Kept = {
  readonly disputeId: string
  readonly content: Uint8Array
  readonly name: string
  readonly type: FileType
  readonly description: string | null
}

/** Answers the identifier of the file, new or kept before. */
async function keepFile(context: Context, viewer: Viewer, kept: Kept): Promise<string> {
  const { disputeId, content, type } = kept
  const instanceId = viewer.instance.id
  const hash = createHash('sha256').update(content).digest()
  const id = newId(context.clock.now())
  return context.db.transaction(async (tx) => {
    if (!(await lockOpenDispute(tx, instanceId, disputeId))) throw new Refusal('dispute_not_open')
    const known = await countKeptFiles(tx, { instanceId, id: disputeId }, { door: viewer.kind, hash })
    if (known.same_id !== null) return known.same_id
    if (known.files >= MOST_FILES) throw tooMany()
    await insertDisputeFileRow(tx, {
      instanceId,
      id,
      disputeId,
      door: viewer.kind,
      name: safeFileName(kept.name, type),
      description: kept.description,
      mimeType: type,
      content,
      hash,
      addedOn: context.clock.today(viewer.instance.timeZone),
    })
    return id
  })
}

function typeOf(content: Uint8Array): FileType {
  const read = readFileType(content)
  if ('type' in read) return read.type
  throw refusalOf(read.fault)
}

function refusalOf(fault: FileFault): Refusal {
  if (fault === 'large') {
    return new Refusal('file_too_large', { most: String(LARGEST_FILE / 1024 / 1024) }, ['file'])
  }
  return new Refusal('file_rejected', { why: fault }, ['file'])
}

const tooMany = (): Refusal => new Refusal('too_many_files', { most: String(MOST_FILES) }, ['file'])

const underWay = new Map<string, number>()

/** One dispute does not fill the disk with what arrives slowly: as many at once as it can have, in each process. */
async function oneOfFew<Result>(disputeId: string, work: () => Promise<Result>): Promise<Result> {
  const count = (more: 1 | -1): void => {
    const now = (underWay.get(disputeId) ?? 0) + more
    if (now === 0) underWay.delete(disputeId)
    else underWay.set(disputeId, now)
  }
  if ((underWay.get(disputeId) ?? 0) >= MOST_FILES) throw tooMany()
  count(1)
  try {
    return await work()
  } finally {
    count(-1)
  }
}

let last: Promise<unknown> = Promise.resolve()

/** One after the other: only one file of this process is whole in the memory, however many have arrived. */
function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const mine = last.then(work)
  last = mine.catch(() => undefined)
  return mine
}
