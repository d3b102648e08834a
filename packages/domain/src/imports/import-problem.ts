/** Why a row of an import cannot be taken: one closed list. The texts stand in the language files under `import.<code>`. */
import type { ImportColumn } from './import-column.ts'

export const IMPORT_PROBLEMS = [
  /** The row's own fields. */
  'missing', 'column_missing', 'number_unreadable', 'number_doubtful', 'day_unreadable', 'day_doubtful', 'formula',
  'markup', 'text_wrong', 'zip_wrong', 'identification_wrong', 'email_wrong', 'currency_wrong', 'country_wrong',
  'debtor_type_wrong', 'language_wrong', 'type_wrong', 'vat_wrong', 'vat_reason_missing', 'sent_date_wrong',
  'reminder_fee_too_large',
  'row_cut', 'row_long',
  /** The rows of an invoice together. */
  'differs', 'due_before_invoice', 'due_passed', 'total_wrong', 'too_many_rows', 'other_row',
  /** What is here already, and what is another's. */
  'number_taken', 'other_creditor', 'account_unknown', 'credited_unknown', 'credited_unsent', 'credit_too_large',
  'credit_currency', 'credit_waits', 'credit_not_applied',
  /** A file of a document that cannot be read; `detail` says why and where. */
  'document_unreadable',
] as const // biome-ignore format: a list
export type ImportProblemCode = (typeof IMPORT_PROBLEMS)[number]

export type ImportProblem = {
  readonly code: ImportProblemCode
  /** Which field is to be mended; null where it is no single one. */
  readonly field: ImportColumn | null
  /** What the text names. */
  readonly params?: Readonly<Record<string, string>>
  /** What the field may have to be: one proposal, or both readings of what can be read in two ways. */
  readonly mends: readonly string[]
}

export const IMPORT_STATUSES = ['CHECKING', 'READY', 'CONFIRMED', 'UNDONE', 'REFUSED'] as const
export type ImportStatus = (typeof IMPORT_STATUSES)[number]

export const IMPORT_ROW_STATES = ['READY', 'WRONG', 'UNCHANGED'] as const
export type ImportRowState = (typeof IMPORT_ROW_STATES)[number]

export const IMPORT_FORMATS = ['CSV', 'XLSX', 'UBL', 'ZIP'] as const
export type ImportFormat = (typeof IMPORT_FORMATS)[number]
