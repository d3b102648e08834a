/** The columns of a table of invoices, and by which of its own names a file's column is known. */

/** What an invoice says once: the rows of one invoice say the same. */
export const INVOICE_COLUMNS = [
  'invoice_number', 'invoice_date', 'due_date', 'currency', 'reference', 'debtor_type', 'debtor_name', 'debtor_id',
  'email', 'phone', 'address', 'zip', 'city', 'country', 'type', 'credited_invoice', 'customer_number', 'language',
  'sent_date',
] as const // biome-ignore format: a list

/** What each row says of what was bought. */
export const ROW_COLUMNS = ['description', 'quantity', 'unit_price', 'vat_percent', 'vat_reason'] as const

export const IMPORT_COLUMNS = [...INVOICE_COLUMNS, ...ROW_COLUMNS] as const
export type ImportColumn = (typeof IMPORT_COLUMNS)[number]

/** Without a column for each of these no row can be taken. */
export const NEEDED_COLUMNS: readonly ImportColumn[] = [
  'invoice_number', 'invoice_date', 'due_date', 'currency', 'debtor_name', 'address', 'zip', 'city', 'description',
  'quantity', 'unit_price', 'vat_percent',
] // biome-ignore format: a list

/** Which column of a file, counted from 0, has which of ours. */
export type ImportMapping = Readonly<Partial<Record<ImportColumn, number>>>

export function isImportColumn(text: string): text is ImportColumn {
  return (IMPORT_COLUMNS as readonly string[]).includes(text)
}

/** What bookkeeping programs of the four countries call them, as nameKey writes it. */
const KNOWN_AS: Readonly<Record<ImportColumn, string>> = {
  invoice_number: 'invoiceno invoicenr invoiceid fakturanr fakturanummer fakturano faktura bilagsnr laskunro laskunnumero laskunumero laskunro',
  invoice_date: 'invoicedate issuedate fakturadatum fakturadato fakturadag laskunpvm laskupvm laskunpaivays paivays datum dato date',
  due_date: 'duedate expiredate paymentdue forfallodatum forfallodag forfaller forfallsdato forfall forfaldsdato forfald betalingsfrist erapaiva erapvm',
  currency: 'currencycode valuta valutakod valutakode valuutta',
  reference: 'paymentreference ocr ocrnr ocrnummer referens referensnummer kid kidnr kidnummer referanse reference betalingsid fik viite viitenumero',
  debtor_type: 'customertype kundtyp kundetype asiakastyyppi',
  debtor_name: 'customername customer debtor name kund kundnamn kunde kundenavn navn namn mottagare modtager mottaker asiakas asiakkaannimi nimi',
  debtor_id: 'customerid identificationnumber orgnr orgnrpnr organisationsnummer organisasjonsnummer personnummer personnr fodselsnummer cvr cpr cvrnr cprnr ytunnus henkilotunnus hetu orgnummer',
  email: 'emailaddress epost epostadress epostadresse mail mailadresse sahkoposti',
  phone: 'telephone mobile telefon telefonnummer mobil mobilnummer tlf puhelin puhelinnumero',
  address: 'street streetaddress adress gatuadress gata adresse gateadresse gadeadresse vej osoite katuosoite lahiosoite',
  zip: 'zipcode postcode postalcode postnr postnummer postinro postinumero',
  city: 'town ort postort stad poststed by bynavn kaupunki postitoimipaikka',
  country: 'countrycode land landkod landkode landekode maa maakoodi',
  type: 'documenttype invoicetype dokumenttyp dokumenttype fakturatyp fakturatype laskutyyppi',
  credited_invoice: 'creditedinvoicenumber krediteradfaktura kreditererfaktura kreditertfaktura krediteretfaktura hyvitettylasku',
  customer_number: 'customerno customernr kundnr kundnummer kundenr kundenummer asiakasnro asiakasnumero',
  language: 'lang sprak sprog kieli',
  sent_date: 'sentdate sent skickad skickaddatum utskicksdatum sendt sendtdato lahetyspaiva lahetetty',
  description: 'text rowtext item article product benamning beskrivning artikel radtext produkt beskrivelse vare tekst kuvaus tuote selite',
  quantity: 'qty count antal antall maara kpl',
  unit_price: 'price priceexvat apris pris enhetspris stykpris stkpris enhedspris hinta yksikkohinta ahinta',
  vat_percent: 'vat vatrate tax taxrate moms momssats momsprocent momspct mva mvasats mvaprosent alv alvprosentti alvprocent mvaprocent alvkanta',
  vat_reason: 'vatexemption taxreason momsskal momsbefrielse mvafritak momsfritagelse alvperuste',
} // biome-ignore format: a table

/** A name without what people write differently: capitals, accents, spaces and signs. */
export function nameKey(name: string): string {
  return name
    .toLowerCase()
    .replace(/æ/g, 'ae')
    .replace(/ø/g, 'o')
    .normalize('NFD')
    .replace(/[^a-z0-9%]/g, '')
    .replace(/%/g, 'procent')
    .slice(0, 100)
}

const BY_NAME: ReadonlyMap<string, ImportColumn> = new Map(
  IMPORT_COLUMNS.flatMap((column): [string, ImportColumn][] => [
    [nameKey(column), column],
    ...KNOWN_AS[column].split(' ').map((name): [string, ImportColumn] => [name, column]),
  ]),
)

/**
 * Which column of a file has which of ours, by its names in the first row. What the creditor has said of a name comes first;
 * null: of a name it said that we have no use for it. Of two columns of one name the first is taken.
 */
export function proposeMapping(
  names: readonly string[],
  kept: ReadonlyMap<string, ImportColumn | null>,
): ImportMapping {
  const mapping: Partial<Record<ImportColumn, number>> = {}
  const keys = names.map(nameKey)
  for (const isKept of [true, false]) {
    for (const [index, key] of keys.entries()) {
      if (isKept !== kept.has(key)) continue
      const column = isKept ? kept.get(key) : BY_NAME.get(key)
      if (column && mapping[column] === undefined) mapping[column] = index
    }
  }
  return mapping
}

/** Those that no row can be taken without, and that no column of the file has. */
export function missingColumns(mapping: ImportMapping): ImportColumn[] {
  return NEEDED_COLUMNS.filter((column) => mapping[column] === undefined)
}
