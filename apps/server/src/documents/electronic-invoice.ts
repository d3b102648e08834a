/**
 * Invoices of ours as files that programs read: UBL 2.1 under the rules of Peppol BIS Billing 3. They ask for what has
 * been invoiced before, or for interest, and so bear no VAT (category O).
 */
import { amountText } from '@kvitt/domain/money.ts'
import { registrationKey } from '@kvitt/domain/people/party-identity.ts'
import type { PayeeRow } from '../creditors/creditors.ts'
import type { InvoiceRow } from '../invoices/invoices.ts'
import type { TradeRow } from './electronic-invoice.queries.ts'

export type ElectronicInvoiceParts = {
  readonly invoice: InvoiceRow
  readonly trade: TradeRow
  readonly payee: PayeeRow
  /** Addresses in the network, such as `0007:5599990016`. */
  readonly from: string
  readonly to: string
  /** What a row is called that has no text. */
  readonly unnamed: string
}

const CUSTOMIZATION = 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0'
const PROFILE = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0'
const NAMESPACE = 'urn:oasis:names:specification:ubl:schema:xsd'
/** Registers of companies by country, as Peppol names them. */
const REGISTERS: Readonly<Record<string, string>> = { SE: '0007', NO: '0192', DK: '0184' }

/** The bytes of the file. The same invoice gives the same bytes. */
export function writeElectronicInvoice(parts: ElectronicInvoiceParts): Uint8Array {
  const { invoice, trade, from, to } = parts
  const xml = [
    element('cbc:CustomizationID', CUSTOMIZATION),
    element('cbc:ProfileID', PROFILE),
    element('cbc:ID', invoice.invoice_number),
    element('cbc:IssueDate', invoice.issue_date),
    element('cbc:DueDate', invoice.expire_date),
    element('cbc:InvoiceTypeCode', '380'),
    element('cbc:DocumentCurrencyCode', invoice.currency),
    element('cbc:BuyerReference', invoice.payment_reference),
    parent('cac:AccountingSupplierParty', party(trade.seller, from)),
    parent('cac:AccountingCustomerParty', party(trade.buyer, to)),
    paymentMeans(parts),
    totals(invoice),
    ...lines(parts),
  ].join('')
  const namespaces = `xmlns="${NAMESPACE}:Invoice-2" xmlns:cac="${NAMESPACE}:CommonAggregateComponents-2" xmlns:cbc="${NAMESPACE}:CommonBasicComponents-2"`
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n<Invoice ${namespaces}>${xml}</Invoice>\n`)
}

function escape(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

/** Left out when there is no text. */
function element(name: string, text: string | null, attributes: Record<string, string> = {}): string {
  if (text === null || text.trim() === '') return ''
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escape(value)}"`)
  return `<${name}${written.join('')}>${escape(text)}</${name}>`
}

function parent(name: string, ...children: readonly string[]): string {
  const inside = children.join('')
  return inside === '' ? '' : `<${name}>${inside}</${name}>`
}

function party(of: TradeRow['seller'], address: string): string {
  const [schemeID, id] = [address.slice(0, 4), address.slice(5)]
  const register = REGISTERS[of.country]
  const number = of.number && register ? registrationKey(of.country, of.number) : of.number
  return parent(
    'cac:Party',
    element('cbc:EndpointID', id, { schemeID }),
    parent('cac:PartyName', element('cbc:Name', of.name)),
    parent(
      'cac:PostalAddress',
      element('cbc:StreetName', of.address),
      element('cbc:AdditionalStreetName', of.address2),
      element('cbc:CityName', of.city),
      element('cbc:PostalZone', of.zip),
      parent('cac:Country', element('cbc:IdentificationCode', of.country)),
    ),
    parent(
      'cac:PartyLegalEntity',
      element('cbc:RegistrationName', of.name),
      element('cbc:CompanyID', number, register ? { schemeID: register } : {}),
    ),
  )
}

function paymentMeans({ invoice, payee }: ElectronicInvoiceParts): string {
  const isGiro = payee.scheme === 'BANKGIRO' || payee.scheme === 'PLUSGIRO'
  const account = isGiro
    ? (payee.account_number ?? '').replace(/\D/g, '')
    : (payee.iban ?? payee.account_number)
  const branch = isGiro ? `SE:${payee.scheme}` : payee.bic
  return parent(
    'cac:PaymentMeans',
    element('cbc:PaymentMeansCode', '30'),
    element('cbc:PaymentID', invoice.payment_reference),
    parent(
      'cac:PayeeFinancialAccount',
      element('cbc:ID', account),
      element('cbc:Name', payee.receiver_name),
      parent('cac:FinancialInstitutionBranch', element('cbc:ID', branch)),
    ),
  )
}

/** "Not subject to VAT", in the form that a line and the sum have in common. */
function taxCategory(name: string, reason = ''): string {
  return parent(
    name,
    element('cbc:ID', 'O'),
    element('cbc:TaxExemptionReason', reason),
    parent('cac:TaxScheme', element('cbc:ID', 'VAT')),
  )
}

function totals({ total_minor: totalMinor, currency }: InvoiceRow): string {
  const amount = (name: string, minor: number): string =>
    element(name, amountText(minor), { currencyID: currency })
  return [
    parent(
      'cac:TaxTotal',
      amount('cbc:TaxAmount', 0),
      parent(
        'cac:TaxSubtotal',
        amount('cbc:TaxableAmount', totalMinor),
        amount('cbc:TaxAmount', 0),
        taxCategory('cac:TaxCategory', 'Not subject to VAT'),
      ),
    ),
    parent(
      'cac:LegalMonetaryTotal',
      amount('cbc:LineExtensionAmount', totalMinor),
      amount('cbc:TaxExclusiveAmount', totalMinor),
      amount('cbc:TaxInclusiveAmount', totalMinor),
      amount('cbc:PayableAmount', totalMinor),
    ),
  ].join('')
}

/** A price is never below zero: what takes away is minus one of it. */
function lines({ invoice, unnamed }: ElectronicInvoiceParts): string[] {
  const named = invoice.rows.map(({ name, amountMinor }) => ({ name, amountMinor }))
  const rest = invoice.total_minor - named.reduce((sum, row) => sum + row.amountMinor, 0)
  const all = rest === 0 && named.length > 0 ? named : [...named, { name: '', amountMinor: rest }]
  return all.map(({ name, amountMinor }, index) =>
    parent(
      'cac:InvoiceLine',
      element('cbc:ID', String(index + 1)),
      element('cbc:InvoicedQuantity', amountMinor < 0 ? '-1' : '1', { unitCode: 'C62' }),
      element('cbc:LineExtensionAmount', amountText(amountMinor), { currencyID: invoice.currency }),
      parent(
        'cac:Item',
        element('cbc:Name', name.trim() === '' ? unnamed : name),
        taxCategory('cac:ClassifiedTaxCategory'),
      ),
      parent(
        'cac:Price',
        element('cbc:PriceAmount', amountText(Math.abs(amountMinor)), { currencyID: invoice.currency }),
      ),
    ),
  )
}
