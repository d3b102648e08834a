/**
 * Reads one UBL 2.1 Invoice or CreditNote, as Peppol BIS Billing 3 profiles it, alone or in its envelope.
 * Which element becomes which field: the mapping of EN 16931 in the Peppol rules.
 */
import { CURRENCIES, isCurrency, type Currency } from '@kvitt/domain/money.ts'
import { isZipValid } from '@kvitt/domain/people/zip.ts'
import { ImportRefusal } from './import-refusal.ts'
import type { ParsedInvoice, ParsedRow } from './parsed-invoice.ts'
import { ElementReader, placeOf, type ReadElement } from './read-elements.ts'
import { readAttachments } from './ubl-attachments.ts'
import { amountOf, childrenOf, codeOf, dateOf, find, findOnly, quoted, textOf } from './ubl-fields.ts'
import { readCreditor, readCustomerNumber, readDebtor, readDebtorAddress } from './ubl-parties.ts'
import { readDueDate, readPaymentMeans } from './ubl-payment.ts'
import { readTaxes } from './ubl-taxes.ts'

const MOST_ROWS = 10_000

/**
 * What the file says. Throws ImportRefusal when it is not an invoice that we can take: not XML, not UBL, hostile,
 * too large, or without what an invoice needs. Reads no further than it has to.
 */
export async function parseInvoice(chunks: AsyncIterable<Uint8Array>): Promise<ParsedInvoice> {
  const reader = new ElementReader()
  for await (const chunk of chunks) reader.write(chunk)
  return readInvoice(reader.end())
}

function need<Value>(value: Value | null | undefined, name: string, document: ReadElement): Value {
  if (value === null || value === undefined) {
    throw new ImportRefusal(`${name} is missing; an invoice has to have it.`, placeOf(document))
  }
  return value
}

function readCurrency(document: ReadElement): Currency {
  const element = need(findOnly(document, 'DocumentCurrencyCode'), 'DocumentCurrencyCode', document)
  const code = element.text.trim()
  if (!isCurrency(code)) {
    throw new ImportRefusal(
      `The currency ${quoted(code)} is not one that books are kept in (${CURRENCIES.join(', ')}).`,
      placeOf(element),
    )
  }
  return code
}

function readPayable(document: ReadElement, currency: Currency): number {
  const element = findOnly(document, 'LegalMonetaryTotal', 'PayableAmount')
  if (!element || element.text.trim() === '') {
    throw new ImportRefusal(
      'There is no amount to pay (LegalMonetaryTotal/PayableAmount).',
      placeOf(findOnly(document, 'LegalMonetaryTotal') ?? document),
    )
  }
  const minor = amountOf(element, currency)
  if (document.name === 'CreditNote' && minor < 0) {
    throw new ImportRefusal(
      'A credit note cannot have a negative amount. Send an invoice for what the debtor owes.',
      placeOf(element),
    )
  }
  return minor
}

function readRows(document: ReadElement, currency: Currency): ParsedRow[] {
  const [name, quantityName] =
    document.name === 'Invoice' ? ['InvoiceLine', 'InvoicedQuantity'] : ['CreditNoteLine', 'CreditedQuantity']
  const lines = childrenOf(document, name)
  if (lines.length > MOST_ROWS) {
    throw new ImportRefusal(`There are more than ${MOST_ROWS} rows.`, placeOf(lines[MOST_ROWS] ?? document))
  }
  return lines.map((line, index) => {
    const quantity = find(line, quantityName)
    const unit = quantity?.attributes['unitCode']
    const amount = need(find(line, 'LineExtensionAmount'), `${name}/LineExtensionAmount`, line)
    return {
      line: textOf(find(line, 'ID'), 50) ?? String(index + 1),
      name: textOf(find(line, 'Item', 'Name'), 200) ?? '',
      description: textOf(find(line, 'Item', 'Description'), 2000),
      quantity: textOf(quantity, 40),
      unit: (typeof unit === 'object' ? unit.value.slice(0, 10) : unit) ?? null,
      amountMinor: amountOf(amount, currency),
      accountNumber: textOf(find(line, 'AccountingCost'), 100),
    }
  })
}

/** Exported for the tests of single rules; everybody else reads files with parseInvoice. */
export function readInvoice(document: ReadElement): ParsedInvoice {
  const invoiceNumber = need(codeOf(findOnly(document, 'ID'), 100), 'The invoice number (ID)', document)
  const issueDate = need(dateOf(findOnly(document, 'IssueDate')), 'IssueDate', document)
  const currency = readCurrency(document)
  const creditor = readCreditor(document)
  const debtor = readDebtor(document)
  const payableMinor = readPayable(document, currency)
  const dueDate = readDueDate(document, issueDate)
  const payment = readPaymentMeans(document, creditor)
  const { attachments, warnings } = readAttachments(document)
  const printedZip = find(document, 'AccountingCustomerParty', 'Party', 'PostalAddress', 'PostalZone')
  const zipWarning = isZipValid(debtor.country, printedZip?.text ?? '')
    ? []
    : [
        `The postal code ${quoted(printedZip?.text ?? '')} is unusual for ${debtor.country}; the debtor signs in with it as it is.`,
      ]
  return {
    document: document.name === 'CreditNote' ? 'CreditNote' : 'Invoice',
    invoiceNumber,
    issueDate,
    dueDate,
    currency,
    payableMinor,
    rows: readRows(document, currency),
    taxes: readTaxes(document, currency),
    creditor,
    debtor,
    reference: payment.reference,
    account: payment.account,
    billingReferences: childrenOf(document, 'BillingReference')
      .map((b) => codeOf(find(b, 'InvoiceDocumentReference', 'ID'), 100))
      .filter((number) => number !== null),
    attachments,
    debtorAddress: readDebtorAddress(document),
    customerNumber: readCustomerNumber(document),
    warnings: [...zipWarning, ...payment.warnings, ...warnings],
  }
}
