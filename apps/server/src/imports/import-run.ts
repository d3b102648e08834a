/** What all steps of one import call share. */
import { createHash } from 'node:crypto'
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import type { Context } from '../context.ts'
import { contentHash, type ParsedInvoice } from './parsed-invoice.ts'
import type { Clock } from '../platform/clock.ts'
import { creditorIdentity, debtorIdentity } from '@kvitt/domain/people/party-identity.ts'

export type ImportContext = Pick<Context, 'db' | 'clock' | 'log'>

export type ImportOptions = {
  /** `distributed`: already sent by the creditor, owed from now on. `draft`: to be approved and sent by us. */
  readonly as: 'distributed' | 'draft'
  /** The only creditor whose files are taken. */
  readonly creditorId?: string | undefined
  /** No payee account is made of what a file prints: a file of a creditor's own staff says nothing of whom debtors pay. */
  readonly hasKnownAccounts?: boolean
}

/** What its creditor has done with an invoice before: sent it, and perhaps reminded of it. */
export type AlreadySent = {
  readonly sentDate: string
  readonly remindedOn: string | null
  readonly reminderFeeMinor: number
}

/** What a draft has besides what a file would say. */
export type DraftTerms = {
  readonly distribution: string | null
  readonly language: string | null
  readonly customerNumber: string | null
  readonly alreadySent: AlreadySent | null
}

export type ImportResult = {
  readonly file: string
  readonly outcome: 'created' | 'unchanged' | 'refused'
  readonly invoiceNumber: string | null
  readonly paymentReference: string | null
  readonly zip: string | null
  /** Why it was refused, for a person to read. */
  readonly reason: string | null
  /** What a person should know though it was taken. */
  readonly warnings: readonly string[]
}

export type ImportRun = {
  readonly instanceId: string
  readonly options: ImportOptions
  readonly clock: Clock
  /** The instance's business day: what is owed is posted on it. */
  readonly today: CalendarDate
}

/** A file that could be read, with what its parts are recognised by. */
export type ReadFile = {
  readonly file: string
  readonly invoice: ParsedInvoice
  readonly hash: Buffer
  readonly type: 'INVOICE' | 'CREDIT_INVOICE'
  readonly creditorIdentity: string
  readonly debtorIdentity: string
  /** What makes two files the same document (D-21). */
  readonly documentKey: string
  /** The identifier that its invoice gets. */
  readonly id?: string
  readonly terms?: DraftTerms
  /** Of a draft that is approved as it is kept: the day on which it is sent (M-02). */
  readonly sendDate?: CalendarDate
}

/** Names and streets may be longer than an index takes: what is not a number is kept as `{kind}:{SHA-256}`. */
function hashedIdentity(identity: string): string {
  const [kind, ...parts] = identity.split('\n')
  return parts.length === 0 ? identity : `${kind}:${createHash('sha256').update(identity).digest('hex')}`
}

/** `creditor`: the identity of the one who is known to send it; else the file says it. */
export function describeFile(
  file: string,
  invoice: ParsedInvoice,
  creditor: string = creditorIdentity(invoice.creditor),
): ReadFile {
  // A credit note, or an invoice over less than nothing.
  const isCrediting = invoice.document === 'CreditNote' || invoice.payableMinor < 0
  const type = isCrediting ? 'CREDIT_INVOICE' : 'INVOICE'
  const documentKey = `${creditor}|${type}|${invoice.invoiceNumber}`
  return {
    file,
    invoice,
    hash: contentHash(invoice),
    type,
    creditorIdentity: creditor,
    debtorIdentity: hashedIdentity(
      debtorIdentity(invoice.debtor, {
        creditor,
        customerNumber: invoice.customerNumber,
        document: documentKey,
      }),
    ),
    documentKey,
  }
}

export function refusedResult(file: string, reason: string, invoiceNumber: string | null): ImportResult {
  return {
    file,
    outcome: 'refused',
    invoiceNumber,
    paymentReference: null,
    zip: null,
    reason,
    warnings: [],
  }
}

/** The answer for a document that is here already: unchanged when it says the same, else refused. */
export function compareWithHeld(
  { file, invoice, hash, type }: ReadFile,
  held: { content_hash: Uint8Array | null; payment_reference: string; zip: string },
): ImportResult {
  if (held.content_hash === null || !hash.equals(held.content_hash)) {
    const called = type === 'CREDIT_INVOICE' ? 'credit note' : 'invoice'
    return refusedResult(
      file,
      `${file}: ${invoice.creditor.name} already has ${called} ${invoice.invoiceNumber} with another content. ` +
        'An issued document is never changed: send a credit note and a new number.',
      invoice.invoiceNumber,
    )
  }
  return {
    file,
    outcome: 'unchanged',
    invoiceNumber: invoice.invoiceNumber,
    paymentReference: held.payment_reference,
    zip: held.zip,
    reason: null,
    warnings: [],
  }
}

/** A sentence when the file is not from the only creditor that may import here, else undefined. */
export function refuseOtherCreditor(
  { file, invoice }: ReadFile,
  creditorId: string | undefined,
  options: ImportOptions,
): ImportResult | undefined {
  if (options.creditorId === undefined || options.creditorId === creditorId) return undefined
  return refusedResult(
    file,
    `${file}: The file is from ${invoice.creditor.name}, not from the creditor that it is imported for.`,
    invoice.invoiceNumber,
  )
}
