/** What an invoice file says, as plain data: the same whatever format the file had. */
import { createHash } from 'node:crypto'
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import type { Currency } from '@kvitt/domain/money.ts'

export type ParsedParty = {
  readonly name: string
  readonly country: string
  /** Registration number as printed. */
  readonly identificationNumber: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly address: string | null
  readonly address2: string | null
  readonly zip: string | null
  readonly city: string | null
}

export type ParsedDebtor = ParsedParty & {
  readonly kind: 'PERSON' | 'COMPANY'
  /** As the login compares it: capitals, no spaces. */
  readonly zip: string
}

export type ParsedAccount = {
  readonly scheme: 'BANKGIRO' | 'PLUSGIRO' | 'IBAN' | 'LOCAL'
  /** As it is shown; null when only the IBAN is. */
  readonly accountNumber: string | null
  readonly iban: string | null
  readonly bic: string | null
  readonly receiverName: string
  /** False when check digits fail or when there are none to tell. */
  readonly isUsable: boolean
  /** Scheme and digits: what makes it the same account. */
  readonly numberKey: string
  /** What makes it the account that it is (account-address.ts); null when its check digits fail. */
  readonly address: string | null
}

export type ParsedAttachment = {
  readonly name: string
  readonly mimeType: string
  readonly content: Buffer
}

/** What was bought, as the column `invoice.rows` keeps it. Amounts are minor units. */
export type ParsedRow = {
  readonly line: string
  readonly name: string
  readonly description: string | null
  readonly quantity: string | null
  readonly unit: string | null
  readonly amountMinor: number
  readonly accountNumber: string | null
  /** Of a row that was written here: without tax, with up to four decimals; its rate; and why there is no tax. */
  readonly unitPrice?: string
  readonly vatPercent?: string
  readonly vatReason?: string | null
}

/** Value added tax at one rate, as the column `invoice.taxes` keeps it. Amounts are minor units. */
export type ParsedTax = {
  /** As people write it, without needless zeros: `25`, `25.5`. */
  readonly percent: string
  readonly baseMinor: number
  readonly taxMinor: number
}

export type ParsedInvoice = {
  readonly document: 'Invoice' | 'CreditNote'
  readonly invoiceNumber: string
  readonly issueDate: CalendarDate
  readonly dueDate: CalendarDate
  readonly currency: Currency
  /** As the document has it: an Invoice may be negative, a CreditNote is not. */
  readonly payableMinor: number
  readonly rows: readonly ParsedRow[]
  /** The tax by rate; empty when the file does not say it plainly. */
  readonly taxes: readonly ParsedTax[]
  readonly creditor: ParsedParty
  readonly debtor: ParsedDebtor
  /** The payment reference as printed. */
  readonly reference: string | null
  readonly account: ParsedAccount | null
  /** Numbers of the invoices that a credit note is about. */
  readonly billingReferences: readonly string[]
  readonly attachments: readonly ParsedAttachment[]
  /** Where electronic invoices reach the debtor, scheme and number: `0007:5599990016`. */
  readonly debtorAddress: string | null
  /** What the creditor calls the debtor. */
  readonly customerNumber: string | null
  /** What is kept but not as the creditor may expect: sentences. */
  readonly warnings: readonly string[]
}

/**
 * SHA-256 of what the file says, whatever its bytes: spaces, prefixes and the order of attributes do not count.
 * Two files of one number are the same invoice when this is equal (D-21). Where the debtor is reached is no part of
 * that: it was not read of the first files, and the same invoice may be sent again to another address. Nor are the customer
 * number and the tax by rate, which were not read of the first files either.
 */
export function contentHash(invoice: ParsedInvoice): Buffer {
  const {
    attachments,
    warnings: _,
    debtorAddress: __,
    customerNumber: ___,
    taxes: ____,
    ...content
  } = invoice
  const digests = attachments.map((a) => [
    a.name,
    a.mimeType,
    createHash('sha256').update(a.content).digest('hex'),
  ])
  // What a debtor is was told by the number alone once. What it is found to be now is not what the file says.
  const kind = content.debtor.identificationNumber ? 'COMPANY' : 'PERSON'
  const said = { ...content, debtor: { ...content.debtor, kind } }
  return createHash('sha256')
    .update(JSON.stringify([1, said, digests]))
    .digest()
}
