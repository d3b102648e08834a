/** Files of invoices that a creditor's staff and programs import. */
import { z } from 'zod'
import { amount, amountIn, clientCall, day, instant, LIST_QUERY, searchBody } from '../contract.ts'
import { sentFile } from '../sent-file.contract.ts'
import { IMPORT_COLUMNS } from './import-column.ts'
import { IMPORT_FORMATS, IMPORT_PROBLEMS, IMPORT_ROW_STATES, IMPORT_STATUSES } from './import-problem.ts'

/** A hundred thousand rows have about 20 MB. */
export const LARGEST_IMPORT_BYTES = 50 * 1024 * 1024

const column = z.enum(IMPORT_COLUMNS)

/** What stands in a list, and first in a detail. rows = ready + wrong + unchanged. */
const listed = {
  id: z.uuid(),
  version: z.number().int(),
  fileName: z.string(),
  format: z.enum(IMPORT_FORMATS),
  status: z.enum(IMPORT_STATUSES),
  /** How much of the work under way is done, in percent; null when nothing is under way. */
  progress: z.number().int().nullable(),
  /** Why the file was refused. */
  refusal: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
  rows: z.number().int(),
  ready: z.number().int(),
  wrong: z.number().int(),
  unchanged: z.number().int(),
  /** Those that the ready rows are, made or to be made; and how many of them are made. */
  invoices: z.number().int(),
  made: z.number().int(),
  /** The credit notes that the ready rows are; and how many of them are applied to what they are about. */
  creditNotes: z.number().int(),
  credited: z.number().int(),
  /** Those made that stay drafts though they were to be approved: their debtors would have too little time. */
  notApproved: z.number().int(),
  /** What the invoices of the ready rows come to, and what of it is not made yet; what credit notes are still to take. */
  sums: z.array(
    z.strictObject({
      currency: z.string(),
      ready: amount,
      toMake: amount,
      invoices: z.number().int(),
      creditNotes: z.number().int(),
      toCredit: amount,
    }),
  ),
  createdAt: instant,
  createdBy: z.string().nullable(),
}

export const officeImport = z.strictObject(listed)

export const officeImportDetail = z.strictObject({
  ...listed,
  /** The names of the file's columns, in their order; empty where it has none. */
  columns: z.array(z.string()),
  /** By our columns: the name of the file's column that has it. */
  mapping: z.partialRecord(column, z.string()),
  /** Those that no row can be taken without, and that no column of the file has. */
  missing: z.array(column),
})
export type OfficeImport = z.output<typeof officeImport>
export type OfficeImportDetail = z.output<typeof officeImportDetail>

export const officeImportRow = z.strictObject({
  /** As the file counts, the row of names included; the documents of an archive are counted from 1. */
  number: z.number().int(),
  version: z.number().int(),
  /** Null while the file is being checked. */
  state: z.enum(IMPORT_ROW_STATES).nullable(),
  invoiceNumber: z.string(),
  /** What the row says, by our columns, with what was mended in it. */
  values: z.partialRecord(column, z.string()),
  problems: z.array(
    z.strictObject({
      field: column.nullable(),
      code: z.enum(IMPORT_PROBLEMS),
      message: z.string(),
      mends: z.array(z.string()),
    }),
  ),
  /** What its invoice is over; at the first of an invoice's rows. */
  total: amount.nullable(),
  currency: z.string().nullable(),
  /** The invoice that it has become. */
  invoiceId: z.uuid().nullable(),
})
export type OfficeImportRow = z.output<typeof officeImportRow>

/** Reads a file of invoices and shows what it would make; CHECKING when that takes longer than ten seconds. */
export const putImport = clientCall({
  name: 'putImport',
  right: 'draft',
  method: 'PUT',
  path: '/imports',
  largestFile: LARGEST_IMPORT_BYTES,
  body: z.object({ file: sentFile }),
  response: officeImportDetail,
  refusals: ['file_rejected', 'file_too_large', 'import_unreadable', 'unsupported_media_type'],
})

export const searchOfficeImports = clientCall({
  name: 'searchOfficeImports',
  right: 'see',
  method: 'POST',
  path: '/imports/search',
  query: z.object(LIST_QUERY),
  body: searchBody,
  response: z.array(officeImport),
  refusals: ['invalid_filter', 'invalid_paging'],
})

export const getOfficeImport = clientCall({
  name: 'officeImport',
  right: 'see',
  path: '/imports/:id',
  response: officeImportDetail,
})

export const listOfficeImportRows = clientCall({
  name: 'officeImportRows',
  right: 'see',
  path: '/imports/:id/rows',
  query: z.object({ limit: LIST_QUERY.limit, page: LIST_QUERY.page, state: z.string().max(40).optional() }),
  response: z.array(officeImportRow),
  refusals: ['invalid_filter', 'invalid_paging'],
})

const text = z.union([z.string().max(2000), z.number()]).nullish()
const fields = Object.fromEntries(IMPORT_COLUMNS.map((name) => [name, text])) as Record<
  (typeof IMPORT_COLUMNS)[number],
  typeof text
>

/**
 * Mends fields of a row: by their names, or in `values` as the row has them; null empties one. What else the row has is
 * ignored. `leaveOut` takes the row out of the import.
 */
export const putOfficeImportRow = clientCall({
  name: 'putOfficeImportRow',
  right: 'draft',
  method: 'PUT',
  path: '/imports/:id/rows/:number',
  body: z.object({
    ...fields,
    values: z.object(fields).nullish(),
    version: z.number().int().nullish(),
    leaveOut: z.boolean().nullish(),
  }),
  response: officeImportRow,
  refusals: ['import_not_open', 'changed_meanwhile'],
})

/** Which column of the file, by its name, has which of ours; null: none. Kept for the creditor's next files. */
export const putOfficeImportMapping = clientCall({
  name: 'putOfficeImportMapping',
  right: 'draft',
  method: 'PUT',
  path: '/imports/:id/mapping',
  body: z.object({
    ...fields,
    mapping: z.object(fields).nullish(),
    version: z.number().int().nullish(),
  }),
  response: officeImportDetail,
  refusals: ['import_not_open', 'changed_meanwhile'],
})

/** Makes the invoices of all rows that are ready, as drafts or approved to be sent. The others wait. */
export const confirmOfficeImport = clientCall({
  name: 'confirmOfficeImport',
  right: 'draft',
  method: 'POST',
  path: '/imports/:id/confirm',
  body: z.strictObject({
    approve: z.boolean(),
    /** The creditor has sent them all: nothing is sent by us, and due dates may have passed. */
    alreadySent: z
      .strictObject({ sentDate: day, remindedOn: day.nullish(), reminderFee: amountIn.nullish() })
      .nullish(),
  }),
  response: officeImportDetail,
  refusals: ['import_not_open', 'import_nothing_ready'],
})

/** Takes back all that it has made, as long as nothing of it was sent; or lets go of what was only looked at. */
export const undoOfficeImport = clientCall({
  name: 'undoOfficeImport',
  right: 'draft',
  method: 'POST',
  path: '/imports/:id/undo',
  response: officeImportDetail,
  refusals: ['import_not_open', 'import_sent'],
})
