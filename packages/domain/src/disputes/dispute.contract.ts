/** The calls that dispute an invoice (specification section 7) or a claim, and send files along. */
import { z } from 'zod'
import { claimCall, day, invoiceCall } from '../contract.ts'
import { sentFile } from '../sent-file.contract.ts'
import { FILE_TYPES, LARGEST_FILE, LONGEST_DESCRIPTION } from './dispute-file.ts'

const objection = {
  power: 'disputes',
  method: 'POST',
  path: '/dispute',
  status: 201,
  // Both are needed: what is missing is refused as what is wrong with it, for the form to say so.
  body: z.object({ debtorEmail: z.string().max(1000).nullish(), reason: z.string().max(200_000).nullish() }),
  response: z.strictObject({ id: z.uuid(), status: z.literal('OPEN') }),
  refusals: ['invalid_request', 'invalid_email', 'reason_required', 'reason_too_long', 'dispute_not_allowed'],
} as const

export const disputeInvoice = invoiceCall({ name: 'disputeInvoice', ...objection })

/** The same for a claim (D-13). */
export const disputeClaim = claimCall({ name: 'disputeClaim', ...objection })

/** What a debtor has sent along with an objection, as a document of its own type. */
export const disputeFileAnswer = z.strictObject({
  id: z.uuid(),
  type: z.literal('DISPUTE_FILE'),
  topic: z.literal('CONNECTED_FILE'),
  /** A name below `storage/` that opens the file for a short time. */
  fileName: z.string(),
  /** What its sender called it, made safe. */
  fileNameRaw: z.string(),
  mimeType: z.enum(FILE_TYPES),
  /** Bytes. */
  size: z.int(),
  description: z.string().nullable(),
  /** The day on which it came. */
  date: day,
})
export type DisputeFileAnswer = z.output<typeof disputeFileAnswer>

/** Only while the dispute is open. The same file again is the same answer, and nothing is kept twice. */
const newFile = {
  power: 'disputes',
  method: 'PUT',
  path: '/dispute/files',
  status: 201,
  largestFile: LARGEST_FILE,
  body: z.object({ file: sentFile, description: z.string().max(LONGEST_DESCRIPTION).optional() }),
  response: disputeFileAnswer,
  refusals: ['dispute_not_open', 'file_rejected', 'file_too_large', 'too_many_files'],
} as const

const files = {
  power: 'disputes',
  path: '/dispute/files',
  response: z.array(disputeFileAnswer),
  refusals: ['dispute_not_open'],
} as const

export const addInvoiceDisputeFile = invoiceCall({ name: 'addInvoiceDisputeFile', ...newFile })
export const addClaimDisputeFile = claimCall({ name: 'addClaimDisputeFile', ...newFile })
/** The files of the open dispute, the oldest first. */
export const listInvoiceDisputeFiles = invoiceCall({ name: 'invoiceDisputeFiles', ...files })
export const listClaimDisputeFiles = claimCall({ name: 'claimDisputeFiles', ...files })
