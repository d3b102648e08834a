/** What a letter about an invoice is drawn from. */
import type { PayeeRow } from '../creditors/creditors.ts'
import type { InstanceRow } from '../instances/instances.ts'
import type { InvoiceRow } from '../invoices/invoices.ts'
import type { Language } from '../platform/texts.ts'
import type { LetterRow, TaxRow } from './documents.queries.ts'

export type Letter = {
  readonly instance: InstanceRow
  /** Where its portal is. */
  readonly portalUrl: string
  readonly language: Language
  readonly invoice: InvoiceRow
  readonly parties: LetterRow
  readonly taxes: readonly TaxRow[]
  readonly payee: PayeeRow | undefined
}
