/**
 * What is read of an XML document, and the elements of a UBL document that we read. Everything else is checked to be
 * XML and skipped.
 */

/** What is read below an element; an empty shape is an element read for its text. */
export type Shape = ReadonlyMap<string, Shape>

/** A kind of document: its root elements, and what a refusal calls it. */
export type Vocabulary = {
  /** By `{namespace}name`. */
  readonly documents: ReadonlyMap<string, Shape>
  readonly namespaces: ReadonlySet<string>
  readonly envelope: string | undefined
  /** The one element whose text may be long. */
  readonly attachment: string | undefined
  /** Left out: as many as an invoice may have. */
  readonly mostElements?: number
  /** What should have come instead of another document, to the end of the sentence. */
  readonly wanted: string
}

type Outline = { readonly [element: string]: Outline }

export function shape(outline: Outline): Shape {
  return new Map(Object.entries(outline).map(([name, children]) => [name, shape(children)]))
}

/** An element that is read for its text. */
export const TEXT = {}
const text = TEXT

const party = {
  EndpointID: text,
  PartyIdentification: { ID: text },
  PartyName: { Name: text },
  PostalAddress: {
    StreetName: text,
    AdditionalStreetName: text,
    CityName: text,
    PostalZone: text,
    Country: { IdentificationCode: text },
  },
  PartyTaxScheme: { CompanyID: text, TaxScheme: { ID: text } },
  PartyLegalEntity: { RegistrationName: text, CompanyID: text },
  Contact: { Telephone: text, ElectronicMail: text },
}

const line = {
  ID: text,
  LineExtensionAmount: text,
  AccountingCost: text,
  Item: { Name: text, Description: text },
}

const document = {
  ID: text,
  IssueDate: text,
  DocumentCurrencyCode: text,
  BillingReference: { InvoiceDocumentReference: { ID: text } },
  AdditionalDocumentReference: { ID: text, Attachment: { EmbeddedDocumentBinaryObject: text } },
  AccountingSupplierParty: { Party: party },
  AccountingCustomerParty: { SupplierAssignedAccountID: text, Party: party },
  PayeeParty: { PartyName: { Name: text } },
  PaymentMeans: {
    PaymentMeansCode: text,
    PaymentDueDate: text,
    PaymentID: text,
    PayeeFinancialAccount: { ID: text, Name: text, FinancialInstitutionBranch: { ID: text } },
  },
  PaymentTerms: { Note: text, PaymentDueDate: text, SettlementPeriod: { EndDate: text } },
  TaxTotal: { TaxSubtotal: { TaxableAmount: text, TaxAmount: text, TaxCategory: { Percent: text } } },
  LegalMonetaryTotal: { PayableAmount: text },
}

const INVOICE = shape({ ...document, DueDate: text, InvoiceLine: { ...line, InvoicedQuantity: text } })
const CREDIT_NOTE = shape({ ...document, CreditNoteLine: { ...line, CreditedQuantity: text } })

const ATTACHMENT_ELEMENT = 'EmbeddedDocumentBinaryObject'

const NAMESPACE = 'urn:oasis:names:specification:ubl:schema:xsd:'
const PART_NAMESPACES: ReadonlySet<string> = new Set([
  `${NAMESPACE}CommonAggregateComponents-2`,
  `${NAMESPACE}CommonBasicComponents-2`,
])

/** Documents by `{namespace}name`. */
const DOCUMENTS: ReadonlyMap<string, Shape> = new Map([
  [`{${NAMESPACE}Invoice-2}Invoice`, INVOICE],
  [`{${NAMESPACE}CreditNote-2}CreditNote`, CREDIT_NOTE],
])

/** The Peppol envelope that a document may come in. */
const ENVELOPE =
  '{http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader}StandardBusinessDocument'

export const UBL: Vocabulary = {
  documents: DOCUMENTS,
  namespaces: PART_NAMESPACES,
  envelope: ENVELOPE,
  attachment: ATTACHMENT_ELEMENT,
  wanted: 'a UBL 2.1 Invoice or CreditNote. Export the invoice as Peppol BIS Billing 3.',
}
