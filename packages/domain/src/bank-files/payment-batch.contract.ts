/** Files of payments from banks, as an operator's people hand them in and look at them. */
import { z } from 'zod'
import { adminCall, amount, day, instant, LIST_QUERY, searchBody } from '../contract.ts'
import { sentFile } from '../sent-file.contract.ts'
import {
  BANK_FILE_FORMATS,
  BANK_LINE_KINDS,
  BANK_LINE_STATUSES,
  BANK_MATCHES,
  SUSPENSE_REASONS,
} from './bank-desk.ts'

/** A hundred thousand payments have about 8 MB as BgMax, and 30 MB as camt. */
export const LARGEST_BANK_FILE_BYTES = 50 * 1024 * 1024

/** What was in the file, and where it is: amount = booked + suspense + unplaced, to the öre. What left an account counts below zero. */
const sums = {
  amount,
  booked: amount,
  suspense: amount,
  /** What no run has come to yet. */
  unplaced: amount,
}

/** Lines that another file had told of before are that file's, and not counted here. */
const listed = {
  id: z.uuid(),
  version: z.number().int(),
  name: z.string(),
  format: z.enum(BANK_FILE_FORMATS),
  receivedAt: instant,
  /** Null for what a command took in. */
  createdBy: z.string().nullable(),
  /** As the bank names them. */
  accounts: z.array(z.string()),
  /** How many lines there are, and how many of them are in each place. */
  payments: z.number().int(),
  counts: z.strictObject({
    booked: z.number().int(),
    suspense: z.number().int(),
    unplaced: z.number().int(),
  }),
  /** Null when the file has none or several; then the sums of each stand in `sums` alone, and are zero here. */
  currency: z.string().nullable(),
  ...sums,
  sums: z.array(z.strictObject({ currency: z.string(), ...sums })),
}

export const paymentBatch = z.strictObject(listed)
export type PaymentBatch = z.output<typeof paymentBatch>

/** What money was booked on. */
export const bookedOn = z.strictObject({
  type: z.enum(['invoices', 'collection-batches']),
  id: z.uuid(),
  number: z.string(),
  amount,
})

export const paymentBatchLine = z.strictObject({
  id: z.uuid(),
  number: z.number().int(),
  kind: z.enum(BANK_LINE_KINDS),
  status: z.enum(BANK_LINE_STATUSES),
  /** Below zero for what left the account or was taken back. */
  amount,
  currency: z.string(),
  bankDate: day,
  account: z.string(),
  references: z.array(z.string()),
  payer: z.string().nullable(),
  message: z.string().nullable(),
  /** Why it is where it is; `reason` when it waits in suspense. */
  match: z.enum(BANK_MATCHES),
  reason: z.enum(SUSPENSE_REASONS).nullable(),
  on: z.array(bookedOn),
})
export type PaymentBatchLine = z.output<typeof paymentBatchLine>

/** Takes a file in, as `npm run import-payments` does. The same file again changes nothing, and says so. */
export const putPaymentBatch = adminCall({
  name: 'putPaymentBatch',
  right: 'bank_files',
  method: 'PUT',
  path: '/payment-batches',
  largestFile: LARGEST_BANK_FILE_BYTES,
  body: z.object({ file: sentFile }),
  response: z.strictObject({ ...listed, duplicate: z.boolean() }),
  refusals: ['file_rejected', 'file_too_large', 'bank_file_unreadable', 'unsupported_media_type'],
})

export const searchPaymentBatches = adminCall({
  name: 'searchPaymentBatches',
  right: 'see',
  method: 'POST',
  path: '/payment-batches/search',
  query: z.object(LIST_QUERY),
  body: searchBody,
  response: z.array(paymentBatch),
  refusals: ['invalid_filter', 'invalid_paging'],
})

/** With its first thousand lines; the call below has all of them. */
export const getPaymentBatch = adminCall({
  name: 'paymentBatch',
  right: 'see',
  path: '/payment-batches/:id',
  response: z.strictObject({ ...listed, lines: z.array(paymentBatchLine) }),
})

export const listPaymentBatchLines = adminCall({
  name: 'paymentBatchLines',
  right: 'see',
  path: '/payment-batches/:id/lines',
  query: z.object({ limit: LIST_QUERY.limit, page: LIST_QUERY.page, status: z.string().max(200).optional() }),
  response: z.array(paymentBatchLine),
  refusals: ['invalid_filter', 'invalid_paging'],
})
