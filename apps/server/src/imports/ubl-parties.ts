/** The parties of a UBL document. */
import { isPersonalNumber } from '@kvitt/domain/people/identification-number.ts'
import { normaliseZip } from '@kvitt/domain/references.ts'
import { oneLine } from '@kvitt/domain/plain-text.ts'
import { ImportRefusal } from './import-refusal.ts'
import type { ParsedDebtor, ParsedParty } from './parsed-invoice.ts'
import { placeOf, type ReadElement } from './read-elements.ts'
import { childrenOf, codeOf, find, findOnly, textOf } from './ubl-fields.ts'

const LONGEST_NAME = 200

/** The registration number of the legal entity, else of the VAT registration. */
function registrationNumber(party: ReadElement): string | null {
  const legal = codeOf(find(party, 'PartyLegalEntity', 'CompanyID'), 50)
  return legal || vatNumber(party)
}

function vatNumber(party: ReadElement): string | null {
  const vat = childrenOf(party, 'PartyTaxScheme').find(
    (scheme) => find(scheme, 'TaxScheme', 'ID')?.text.trim() === 'VAT',
  )
  return codeOf(find(vat, 'CompanyID'), 50)
}

function emailOf(element: ReadElement | undefined): string | null {
  const text = textOf(element, 254)
  return text !== null && /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/.test(text) ? text : null
}

function readParty(
  document: ReadElement,
  role: string,
  called: string,
): { party: ParsedParty; element: ReadElement } {
  const element = findOnly(document, role, 'Party')
  if (!element) throw new ImportRefusal(`The document names no ${called} (${role}).`, placeOf(document))
  const name =
    textOf(find(element, 'PartyName', 'Name'), LONGEST_NAME) ??
    textOf(find(element, 'PartyLegalEntity', 'RegistrationName'), LONGEST_NAME)
  if (!name)
    throw new ImportRefusal(`The ${called} has no name (PartyName or RegistrationName).`, placeOf(element))
  const address = find(element, 'PostalAddress')
  const countryElement = find(address, 'Country', 'IdentificationCode')
  const country = countryElement?.text.trim().toUpperCase() ?? ''
  if (!/^[A-Z]{2}$/.test(country)) {
    throw new ImportRefusal(
      `The ${called} has no country. Country/IdentificationCode has to have two letters, such as SE.`,
      placeOf(countryElement ?? address ?? element),
    )
  }
  const party = {
    name,
    country,
    identificationNumber: registrationNumber(element),
    email: emailOf(find(element, 'Contact', 'ElectronicMail')),
    phone: textOf(find(element, 'Contact', 'Telephone'), 50),
    address: textOf(find(address, 'StreetName'), LONGEST_NAME),
    address2: textOf(find(address, 'AdditionalStreetName'), LONGEST_NAME),
    zip: codeOf(find(address, 'PostalZone'), 20),
    city: textOf(find(address, 'CityName'), 100),
  }
  return { party, element }
}

/**
 * The debtor's address in the network, when its scheme is one of registers (four digits). Other schemes, such as EM for
 * an e-mail address, lead to no access point.
 */
export function readDebtorAddress(document: ReadElement): string | null {
  const endpoint = find(document, 'AccountingCustomerParty', 'Party', 'EndpointID')
  const scheme = endpoint?.attributes['schemeID']
  const address = `${typeof scheme === 'object' ? scheme.value.trim() : scheme}:${endpoint?.text.trim()}`
  return /^\d{4}:[0-9A-Za-z._:-]{1,50}$/.test(address) ? address : null
}

/**
 * The customer number: what the supplier calls the account, else the buyer identifier of Peppol (BT-46) with its scheme
 * when it has one.
 */
export function readCustomerNumber(document: ReadElement): string | null {
  const customer = find(document, 'AccountingCustomerParty')
  const account = textOf(find(customer, 'SupplierAssignedAccountID'), LONGEST_NAME)
  if (account !== null) return account
  const identifier = find(customer, 'Party', 'PartyIdentification', 'ID')
  const number = textOf(identifier, LONGEST_NAME)
  const attribute = identifier?.attributes['schemeID']
  const scheme = oneLine((typeof attribute === 'object' ? attribute.value : attribute) ?? '')
  return number === null || scheme === '' ? number : `${scheme}:${number}`
}

export function readCreditor(document: ReadElement): ParsedParty {
  return readParty(document, 'AccountingSupplierParty', 'creditor').party
}

/** The debtor, who cannot sign in without a postal code. */
export function readDebtor(document: ReadElement): ParsedDebtor {
  const { party, element } = readParty(document, 'AccountingCustomerParty', 'debtor')
  const zip = normaliseZip(party.zip ?? '')
  if (zip === '') {
    throw new ImportRefusal(
      'The debtor has no postal code (PostalZone), which is needed to open the invoice.',
      placeOf(find(element, 'PostalAddress') ?? element),
    )
  }
  return { ...party, zip, kind: kindOf(party, element) }
}

/**
 * Whoever has no number, or the number of a person, is a consumer. One who trades under a personal number is registered
 * for VAT, which the document then says.
 */
function kindOf({ country, identificationNumber }: ParsedParty, element: ReadElement): ParsedDebtor['kind'] {
  if (identificationNumber === null) return 'PERSON'
  const isTrader = vatNumber(element) !== null || !isPersonalNumber(country, identificationNumber)
  return isTrader ? 'COMPANY' : 'PERSON'
}
