/** The cast's invoices arrive as any creditor's do: as UBL files. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import type { CastCreditor, CastDebtor, CastInvoice } from './cast.ts'

export type CastFile = {
  readonly invoice: CastInvoice
  readonly creditor: CastCreditor
  readonly debtor: CastDebtor
  readonly issueDate: CalendarDate
  readonly dueDate: CalendarDate
  /** A file that travels inside the invoice: name and CSV text. */
  readonly attachment?: { readonly name: string; readonly text: string }
}

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;')
}

function element(name: string, content: string | null, attributes = ''): string {
  return content === null || content === '' ? '' : `<${name}${attributes}>${content}</${name}>`
}

/** Registers in which companies are found for electronic invoices, by country. */
const REGISTERS: Readonly<Record<string, string>> = { SE: '0007', NO: '0192', FI: '0212' }

function endpoint(debtor: CastDebtor): string {
  const schemeID = REGISTERS[debtor.country]
  if (debtor.kind !== 'COMPANY' || !schemeID || !debtor.identificationNumber) return ''
  const number = debtor.identificationNumber.replace(/[^0-9]/g, '')
  return element('cbc:EndpointID', number, ` schemeID="${schemeID}"`)
}

function party(p: {
  name: string
  country: string
  identificationNumber: string | null
  zip: string
  city: string
  address?: string
  email: string | null
  phone?: string
  endpoint?: string
}): string {
  return `<cac:Party>${p.endpoint ?? ''}${element('cac:PartyName', element('cbc:Name', escaped(p.name)))}<cac:PostalAddress>${element(
    'cbc:StreetName',
    escaped(p.address ?? ''),
  )}<cbc:CityName>${escaped(p.city)}</cbc:CityName><cbc:PostalZone>${escaped(
    p.zip,
  )}</cbc:PostalZone><cac:Country><cbc:IdentificationCode>${p.country}</cbc:IdentificationCode></cac:Country></cac:PostalAddress><cac:PartyLegalEntity><cbc:RegistrationName>${escaped(
    p.name,
  )}</cbc:RegistrationName>${element('cbc:CompanyID', p.identificationNumber)}</cac:PartyLegalEntity><cac:Contact>${element(
    'cbc:Telephone',
    escaped(p.phone ?? ''),
  )}${element('cbc:ElectronicMail', escaped(p.email ?? ''))}</cac:Contact></cac:Party>`
}

function paymentMeans({ creditor, invoice }: CastFile): string {
  const { account } = creditor
  const branch = { BANKGIRO: 'SE:BANKGIRO', PLUSGIRO: 'SE:PLUSGIRO', IBAN: account.bic, LOCAL: '' }[
    account.scheme
  ]
  const number = account.scheme === 'IBAN' ? account.iban : account.accountNumber.replace(/[^0-9]/g, '')
  return `<cac:PaymentMeans><cbc:PaymentMeansCode>30</cbc:PaymentMeansCode><cbc:PaymentID>${
    invoice.paymentReference
  }</cbc:PaymentID><cac:PayeeFinancialAccount><cbc:ID>${number}</cbc:ID><cbc:Name>${escaped(
    account.receiverName,
  )}</cbc:Name>${element(
    'cac:FinancialInstitutionBranch',
    element('cbc:ID', branch),
  )}</cac:PayeeFinancialAccount></cac:PaymentMeans>`
}

function attached(attachment: CastFile['attachment']): string {
  if (!attachment) return ''
  return `<cac:AdditionalDocumentReference><cbc:ID>${escaped(
    attachment.name,
  )}</cbc:ID><cac:Attachment><cbc:EmbeddedDocumentBinaryObject mimeCode="text/csv" filename="${escaped(
    attachment.name,
  )}">${Buffer.from(attachment.text).toString(
    'base64',
  )}</cbc:EmbeddedDocumentBinaryObject></cac:Attachment></cac:AdditionalDocumentReference>`
}

/** One UBL 2.1 document: an Invoice, or a CreditNote when the total is negative or `credits` names an invoice. */
export function castUbl(file: CastFile, credits?: { readonly number: string; readonly of: string }): string {
  const { invoice, creditor, debtor } = file
  const isCredit = credits !== undefined || invoice.total.startsWith('-')
  const root = isCredit ? 'CreditNote' : 'Invoice'
  const amount = invoice.total.replace('-', '')
  const money = (name: string): string => element(name, amount, ` currencyID="${invoice.currency}"`)
  const due = element('cbc:DueDate', file.dueDate)
  return `<?xml version="1.0" encoding="UTF-8"?><${root} xmlns="urn:oasis:names:specification:ubl:schema:xsd:${root}-2" xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2" xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"><cbc:CustomizationID>urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0</cbc:CustomizationID><cbc:ProfileID>urn:fdc:peppol.eu:2017:poacc:billing:01:1.0</cbc:ProfileID><cbc:ID>${
    credits?.number ?? invoice.invoiceNumber
  }</cbc:ID><cbc:IssueDate>${file.issueDate}</cbc:IssueDate>${isCredit ? '' : due}${element(
    `cbc:${root}TypeCode`,
    isCredit ? '381' : '380',
  )}<cbc:DocumentCurrencyCode>${invoice.currency}</cbc:DocumentCurrencyCode>${
    credits
      ? `<cac:BillingReference><cac:InvoiceDocumentReference><cbc:ID>${credits.of}</cbc:ID></cac:InvoiceDocumentReference></cac:BillingReference>`
      : ''
  }${attached(file.attachment)}<cac:AccountingSupplierParty>${party(creditor)}</cac:AccountingSupplierParty><cac:AccountingCustomerParty>${party(
    {
      ...debtor,
      endpoint: endpoint(debtor),
    },
  )}</cac:AccountingCustomerParty>${
    isCredit
      ? paymentMeans(file).replace(
          '<cbc:PaymentID>',
          `<cbc:PaymentDueDate>${file.dueDate}</cbc:PaymentDueDate><cbc:PaymentID>`,
        )
      : paymentMeans(file)
  }<cac:LegalMonetaryTotal>${money('cbc:LineExtensionAmount')}${money('cbc:TaxInclusiveAmount')}${money(
    'cbc:PayableAmount',
  )}</cac:LegalMonetaryTotal><cac:${root}Line><cbc:ID>1</cbc:ID>${element(
    isCredit ? 'cbc:CreditedQuantity' : 'cbc:InvoicedQuantity',
    '1',
    ' unitCode="C62"',
  )}${money('cbc:LineExtensionAmount')}<cac:Item><cbc:Name>${escaped(invoice.text)}</cbc:Name></cac:Item><cac:Price>${money(
    'cbc:PriceAmount',
  )}</cac:Price></cac:${root}Line></${root}>`
}
