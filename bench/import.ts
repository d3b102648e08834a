/** How many invoices a second an import takes in, from files on disk to postings in the ledger. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { luhnDigit } from '@kvitt/domain/references.ts'
import { importFile } from '../apps/server/src/imports/import-files.ts'
import { importInvoices, type ImportContext } from '../apps/server/src/imports/imports.ts'

export type BenchResult = {
  readonly name: string
  readonly value: number
  readonly unit: string
  readonly floor: number
  readonly ratio: number
}

/** Invoices a second that an import has to reach on two cores. */
const FLOOR_PER_SECOND = 2_000

const NAMESPACE = 'urn:oasis:names:specification:ubl:schema:xsd'

function party(role: string, { name, id, zip }: { name: string; id?: string; zip: string }): string {
  const company = id ? `<cbc:CompanyID schemeID="0007">${id}</cbc:CompanyID>` : ''
  return `<cac:${role}><cac:Party><cac:PartyName><cbc:Name>${name}</cbc:Name></cac:PartyName><cac:PostalAddress>
    <cbc:StreetName>Exempelgatan 4</cbc:StreetName><cbc:CityName>Stockholm</cbc:CityName>
    <cbc:PostalZone>${zip}</cbc:PostalZone>
    <cac:Country><cbc:IdentificationCode>SE</cbc:IdentificationCode></cac:Country></cac:PostalAddress>
    <cac:PartyLegalEntity><cbc:RegistrationName>${name}</cbc:RegistrationName>${company}</cac:PartyLegalEntity>
  </cac:Party></cac:${role}>`
}

function row(line: number): string {
  return `<cac:InvoiceLine><cbc:ID>${line}</cbc:ID><cbc:InvoicedQuantity unitCode="KWH">412</cbc:InvoicedQuantity>
    <cbc:LineExtensionAmount currencyID="SEK">336.80</cbc:LineExtensionAmount>
    <cac:Item><cbc:Description>Elhandel oktober, mätare ${line}</cbc:Description><cbc:Name>Elhandel</cbc:Name>
      <cac:ClassifiedTaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>25</cbc:Percent>
        <cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:ClassifiedTaxCategory></cac:Item>
    <cac:Price><cbc:PriceAmount currencyID="SEK">0.8175</cbc:PriceAmount></cac:Price></cac:InvoiceLine>`
}

/** An invoice of one creditor to a debtor of its own, with a reference of its own, two rows and a bankgiro. */
function invoiceText(number: number): string {
  const base = `70${String(number).padStart(8, '0')}`
  return `<?xml version="1.0" encoding="UTF-8"?>
<Invoice xmlns="${NAMESPACE}:Invoice-2" xmlns:cac="${NAMESPACE}:CommonAggregateComponents-2"
  xmlns:cbc="${NAMESPACE}:CommonBasicComponents-2">
  <cbc:CustomizationID>urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0</cbc:CustomizationID>
  <cbc:ProfileID>urn:fdc:peppol.eu:2017:poacc:billing:01:1.0</cbc:ProfileID>
  <cbc:ID>B-${number}</cbc:ID><cbc:IssueDate>2026-11-02</cbc:IssueDate><cbc:DueDate>2026-12-02</cbc:DueDate>
  <cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode><cbc:DocumentCurrencyCode>SEK</cbc:DocumentCurrencyCode>
  ${party('AccountingSupplierParty', { name: 'Fjällström Demo Energi AB', id: '5599990024', zip: '111 22' })}
  ${party('AccountingCustomerParty', { name: `Prov Provsson ${number}`, zip: '114 18' })}
  <cac:PaymentMeans><cbc:PaymentMeansCode>30</cbc:PaymentMeansCode>
    <cbc:PaymentID>${base}${luhnDigit(base)}</cbc:PaymentID>
    <cac:PayeeFinancialAccount><cbc:ID>99900227</cbc:ID><cac:FinancialInstitutionBranch>
      <cbc:ID>SE:BANKGIRO</cbc:ID></cac:FinancialInstitutionBranch></cac:PayeeFinancialAccount></cac:PaymentMeans>
  <cac:TaxTotal><cbc:TaxAmount currencyID="SEK">168.40</cbc:TaxAmount></cac:TaxTotal>
  <cac:LegalMonetaryTotal><cbc:LineExtensionAmount currencyID="SEK">673.60</cbc:LineExtensionAmount>
    <cbc:TaxExclusiveAmount currencyID="SEK">673.60</cbc:TaxExclusiveAmount>
    <cbc:TaxInclusiveAmount currencyID="SEK">842.00</cbc:TaxInclusiveAmount>
    <cbc:PayableAmount currencyID="SEK">842.00</cbc:PayableAmount></cac:LegalMonetaryTotal>
  ${row(1)}${row(2)}
</Invoice>
`
}

/**
 * Writes `files` invoice files below `folder`, imports them into the instance, and removes them. Each becomes an
 * invoice with a debtor, a reference and two postings of its own. Throws when one was not created.
 */
export async function benchImport(
  context: ImportContext,
  instance: { id: string; timeZone: string },
  { folder, files = 10_000 }: { folder: string; files?: number },
): Promise<BenchResult[]> {
  const below = join(folder, 'invoices')
  mkdirSync(below, { recursive: true })
  const paths = Array.from({ length: files }, (_, index) => join(below, `${index}.xml`))
  paths.forEach((path, index) => writeFileSync(path, invoiceText(index)))
  try {
    const start = performance.now()
    for await (const result of importInvoices(context, instance, paths.map(importFile), {
      as: 'distributed',
    })) {
      if (result.outcome !== 'created') throw new Error(result.reason ?? `${result.file} was not created`)
    }
    const value = Math.round((files * 1000) / (performance.now() - start))
    const ratio = Number((value / FLOOR_PER_SECOND).toFixed(2))
    return [{ name: 'import', value, unit: 'invoices/s', floor: FLOOR_PER_SECOND, ratio }]
  } finally {
    rmSync(below, { recursive: true, force: true })
  }
}
