/** An invoice that somebody writes instead of sending a file: kept as a file would be (D-21), as a draft. */
import type { Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { describeFile, type DraftTerms, type ImportRun } from './import-run.ts'
import { readCreditorIdentity, takeNextNumber } from './drafts.queries.ts'
import type { ParsedInvoice } from './parsed-invoice.ts'
import { writeInvoices } from './write-invoices.ts'

type DraftToStore = {
  readonly instanceId: string
  readonly creditorId: string
  readonly invoice: ParsedInvoice
  readonly terms: DraftTerms
}

/**
 * Keeps a draft, and finds or makes its debtor by what identifies it. Answers its identifier; undefined when the creditor has
 * an invoice of that number already. Throws OvertakenError when another import is faster: then nothing may be kept.
 */
export async function storeDraft(
  tx: Transaction,
  run: Pick<ImportRun, 'clock' | 'today'>,
  { instanceId, creditorId, invoice, terms }: DraftToStore,
): Promise<string | undefined> {
  const identity = await readCreditorIdentity(tx, instanceId, creditorId)
  const id = newId(run.clock.now())
  const file = { ...describeFile('draft', invoice, identity), id, terms }
  const whole: ImportRun = { ...run, instanceId, options: { as: 'draft', creditorId } }
  const [result] = await writeInvoices(tx, whole, [file])
  return result?.outcome === 'created' ? id : undefined
}

/**
 * The next number of the creditor's own series. Whoever else takes one waits until the transaction ends, so that a number is
 * never left out; one that an imported document has already is passed over.
 */
export async function readNextNumber(
  tx: Transaction,
  of: { readonly instanceId: string; readonly creditorId: string; readonly kind: 'INVOICE' | 'CREDIT_NOTE' },
): Promise<string> {
  for (;;) {
    const { number, isTaken } = await takeNextNumber(tx, of)
    if (!isTaken) return number
  }
}
