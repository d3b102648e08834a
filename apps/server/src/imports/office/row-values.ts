/** What one row of a table says, field by field: what can be read of it, and what is wrong with it. */
import { oneLine } from '@kvitt/domain/plain-text.ts'
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { isCountryCode } from '@kvitt/domain/form/country-codes.ts'
import { isEmail } from '@kvitt/domain/form/field-rules.ts'
import { IMPORT_COLUMNS, type ImportColumn, type ImportMapping } from '@kvitt/domain/imports/import-column.ts'
import type { ImportProblem, ImportProblemCode } from '@kvitt/domain/imports/import-problem.ts'
import {
  NO_EVIDENCE,
  readDay,
  readNumber,
  type ColumnEvidence,
  type Reading,
} from '@kvitt/domain/imports/read-cell.ts'
import { CURRENCIES, isCurrency } from '@kvitt/domain/money.ts'
import { isIdentificationNumberValid, isPersonalNumber } from '@kvitt/domain/people/identification-number.ts'
import { isZipValid } from '@kvitt/domain/people/zip.ts'
import type { ImportRow } from './import-rows.queries.ts'

/** What is read of every row of a file: where our columns stand in it, and whose it is. */
export type Sheet = {
  readonly columns: readonly (ColumnEvidence & { readonly name: string })[]
  readonly mapping: ImportMapping
  /** Of the creditor; what says nothing is of this country. */
  readonly country: string
  readonly today: CalendarDate
}

export type Values = Readonly<Partial<Record<ImportColumn, string>>>

/** The texts of a row by our columns, those that somebody has mended as they are now. */
export function textsOf(
  row: Pick<ImportRow, 'cells' | 'edits'>,
  { mapping }: Pick<Sheet, 'mapping'>,
): Values {
  const texts: Partial<Record<ImportColumn, string>> = {}
  for (const column of IMPORT_COLUMNS) {
    const place = mapping[column]
    const cell = place === undefined ? undefined : row.cells[place]
    const text = row.edits?.[column] ?? (cell === undefined ? undefined : String(cell))
    if (text !== undefined) texts[column] = oneLine(text)
  }
  return texts
}

/** The fields of a row as they are kept, and the problems of those that cannot be. */
export type ReadRow = { readonly values: Values; readonly problems: readonly ImportProblem[] }

const TEXTS: Readonly<Partial<Record<ImportColumn, number>>> = {
  invoice_number: 60, reference: 60, debtor_name: 200, debtor_id: 40, email: 254, phone: 40, address: 200, zip: 40,
  city: 100, credited_invoice: 60, customer_number: 60, description: 300, vat_reason: 200,
} // biome-ignore format: a table

const MANDATORY: readonly ImportColumn[] = [
  'invoice_number', 'invoice_date', 'due_date', 'currency', 'debtor_name', 'address', 'zip', 'city', 'description',
  'quantity', 'unit_price', 'vat_percent',
] // biome-ignore format: a list

/** A spreadsheet would execute it. Numbers and telephone numbers begin with a sign as well. */
const FORMULA = /^[=@\t\r]|^[+-](?![\d\s(])/
const MARKUP = /<\s*[a-z!/?]|javascript:/i
const CREDIT = /^(credit_?note|credit_?invoice|credit|kredit.*|38[01]|hyvitys.*)$/i

const LANGUAGES = ['sv', 'en', 'nb', 'da', 'fi']
const COUNTRY_NAMES: Readonly<Record<string, string>> = {
  sverige: 'SE', sweden: 'SE', ruotsi: 'SE', swe: 'SE', norge: 'NO', norway: 'NO', norja: 'NO', nor: 'NO',
  danmark: 'DK', denmark: 'DK', tanska: 'DK', dnk: 'DK', finland: 'FI', suomi: 'FI', fin: 'FI',
} // biome-ignore format: a table

/** Reads one row. Never throws: what cannot be read is a problem of its field. */
export function readRow(row: Pick<ImportRow, 'cells' | 'edits'>, sheet: Sheet): ReadRow {
  return new RowReader(row, sheet).read()
}

class RowReader {
  readonly #row: Pick<ImportRow, 'cells' | 'edits'>
  readonly #sheet: Sheet
  readonly #texts: Values
  readonly #values: Partial<Record<ImportColumn, string>> = {}
  readonly #problems: ImportProblem[] = []

  constructor(row: Pick<ImportRow, 'cells' | 'edits'>, sheet: Sheet) {
    this.#row = row
    this.#sheet = sheet
    this.#texts = textsOf(row, sheet)
  }

  read(): ReadRow {
    this.#shape()
    for (const column of MANDATORY) if (this.#said(column) === '') this.#missing(column)
    for (const [column, most] of Object.entries(TEXTS)) this.#text(column as ImportColumn, most)
    for (const column of ['invoice_date', 'due_date', 'sent_date'] as const) this.#day(column)
    for (const column of ['quantity', 'unit_price'] as const) this.#number(column)
    this.#vat()
    this.#codes()
    this.#debtor()
    return { values: this.#values, problems: this.#problems }
  }

  #said(column: ImportColumn): string {
    const text = this.#texts[column] ?? ''
    // A dash alone is how people leave a field out.
    return /^[-–—]$/.test(text) ? '' : text
  }

  #evidence(column: ImportColumn): ColumnEvidence {
    // What a person writes in place of the cell is written by this person's habit, not by the column's.
    const place = this.#row.edits?.[column] === undefined ? this.#sheet.mapping[column] : undefined
    return (place === undefined ? undefined : this.#sheet.columns[place]) ?? NO_EVIDENCE
  }

  /** A workbook's numbers are numbers: only texts can be read in two ways. */
  #decimal(column: ImportColumn, text: string): Reading {
    const place = this.#row.edits?.[column] === undefined ? this.#sheet.mapping[column] : undefined
    const cell = place === undefined ? undefined : this.#row.cells[place]
    if (typeof cell === 'number') return { value: String(Math.round(cell * 1e6) / 1e6) }
    return readNumber(text, this.#evidence(column))
  }

  #wrong(
    column: ImportColumn | null,
    code: ImportProblemCode,
    more: { readonly mends?: readonly string[]; readonly params?: Readonly<Record<string, string>> } = {},
  ): void {
    if (column !== null && this.#problems.some(({ field }) => field === column)) return
    const { mends = [], params } = more
    this.#problems.push({ code, field: column, mends, ...(params ? { params } : {}) })
  }

  #missing(column: ImportColumn): void {
    const isMapped = this.#sheet.mapping[column] !== undefined || this.#row.edits?.[column] !== undefined
    this.#wrong(column, isMapped ? 'missing' : 'column_missing')
  }

  /** Too few cells are a row that was cut off, too many one in which a separator was meant as a text. */
  #shape(): void {
    const { cells, edits } = this.#row
    if (edits !== null) return
    const most = this.#sheet.columns.length
    if (cells.length < most) this.#wrong(null, 'row_cut')
    else if (cells.slice(most).some((cell) => String(cell).trim() !== '')) this.#wrong(null, 'row_long')
  }

  #text(column: ImportColumn, most: number): void {
    const text = this.#said(column)
    if (text === '') return
    if (FORMULA.test(text)) {
      this.#wrong(column, 'formula', {
        mends: [text.replace(/^[=@+\-\s]+/, '')].filter((mend) => mend !== ''),
      })
    } else if (MARKUP.test(text)) {
      this.#wrong(column, 'markup', {
        mends: [text.replace(/<[^>]*>?/g, ' ').trim()].filter((mend) => mend !== ''),
      })
    } else if (text.length > most || /\p{Cc}/u.test(text)) {
      this.#wrong(column, 'text_wrong')
    } else {
      this.#values[column] = text
    }
  }

  #take(
    column: ImportColumn,
    reading: Reading,
    codes: readonly [ImportProblemCode, ImportProblemCode],
    mends: readonly string[],
  ): void {
    const [unreadable, doubtful] = codes
    if (reading === undefined) this.#wrong(column, unreadable, { mends })
    else if ('value' in reading) this.#values[column] = reading.value
    else this.#wrong(column, doubtful, { mends: reading.readings })
  }

  #day(column: ImportColumn): void {
    const text = this.#said(column)
    if (text === '') return
    const reading = readDay(text, this.#evidence(column), this.#sheet.country)
    this.#take(column, reading, ['day_unreadable', 'day_doubtful'], [])
  }

  #number(column: ImportColumn): void {
    const text = this.#said(column)
    if (text === '') return
    const evidence = this.#evidence(column)
    // Letters that look like digits, and the name of a currency, are what people write in numbers.
    const mended = text
      .replace(/[oO]/g, '0')
      .replace(/[lI]/g, '1')
      .replace(/\s*(kr\.?|SEK|NOK|DKK|EUR|€|st|kpl|stk)\.?\s*/gi, '')
    const mend = readNumber(mended, evidence)
    this.#take(
      column,
      this.#decimal(column, text),
      ['number_unreadable', 'number_doubtful'],
      mend && 'value' in mend ? [mend.value] : [],
    )
    const value = this.#values[column]?.replace(/(\.\d{4})0+$/, '$1')
    if (value === undefined) return
    this.#values[column] = value
    if (!/^-?\d{1,9}(\.\d{1,4})?$/.test(value) || (column === 'quantity' && Number(value) === 0)) {
      delete this.#values[column]
      this.#wrong(column, 'number_unreadable')
    }
  }

  #vat(): void {
    const text = this.#said('vat_percent').replace(/\s*%$/, '')
    if (text === '') return
    const read = this.#decimal('vat_percent', text)
    const value = read && 'value' in read ? read.value.replace(/(\.\d)0+$/, '$1') : undefined
    const share = value === undefined ? 0 : Number(value)
    // A workbook keeps 10 % as 0.1, and no rate of tax is below one per cent.
    const isShare = share > 0 && share < 1
    if (value !== undefined && !isShare && /^(100|\d{1,2})(\.\d)?$/.test(value)) {
      this.#values.vat_percent = value
      if (share === 0 && this.#said('vat_reason') === '') this.#wrong('vat_reason', 'vat_reason_missing')
      return
    }
    this.#wrong('vat_percent', 'vat_wrong', { mends: isShare ? [String(Math.round(share * 1000) / 10)] : [] })
  }

  #codes(): void {
    const currency = this.#said('currency')
    if (isCurrency(currency.toUpperCase())) this.#values.currency = currency.toUpperCase()
    else if (currency !== '')
      this.#wrong('currency', 'currency_wrong', { mends: currencyOf(this.#sheet.country) })
    const type = this.#said('type')
    if (CREDIT.test(type)) this.#values.type = 'CREDIT_NOTE'
    else if (/^(invoice|faktura|lasku|debet|380)?$/i.test(type)) this.#values.type = 'INVOICE'
    else this.#wrong('type', 'type_wrong', { mends: ['INVOICE'] })
    if (this.#values.type === 'CREDIT_NOTE' && this.#said('credited_invoice') === '')
      this.#missing('credited_invoice')
    const language = this.#said('language')
      .toLowerCase()
      .replace(/^(no|nn)$/, 'nb')
      .replace(/^se$/, 'sv')
      .replace(/^dk$/, 'da')
    if (LANGUAGES.includes(language)) this.#values.language = language
    else if (language !== '') this.#wrong('language', 'language_wrong')
  }

  #debtor(): void {
    const { country: home, today } = this.#sheet
    const said = this.#said('country')
    const known = COUNTRY_NAMES[said.toLowerCase()]
    const country = said === '' ? home : (known ?? said.toUpperCase())
    if (!isCountryCode(country)) this.#wrong('country', 'country_wrong', { mends: [home] })
    else this.#values.country = country
    const number = this.#values.debtor_id
    if (number !== undefined && !isIdentificationNumberValid(country, number, today)) {
      const digits = number.replace(/[^\dA-Za-z+-]/g, '')
      this.#wrong('debtor_id', 'identification_wrong', {
        mends: digits !== number && isIdentificationNumberValid(country, digits, today) ? [digits] : [],
      })
    }
    this.#kind(country, number)
    const { zip, email } = this.#values
    if (zip !== undefined && !isZipValid(country, zip)) {
      this.#wrong('zip', 'zip_wrong', { params: { country }, mends: zipMends(country, zip) })
    }
    if (email !== undefined && !isEmail(email)) {
      const mend = email.replace(/\s+/g, '').replace(/[,;]/g, '.').replace(/\.+$/, '')
      this.#wrong('email', 'email_wrong', { mends: isEmail(mend) ? [mend] : [] })
    }
  }

  #kind(country: string, number: string | undefined): void {
    const type = this.#said('debtor_type')
    if (/^(company|organi[sz]ation|f[öo]retag|bedrift|virksomhed|firma|yritys|b2b|c)$/i.test(type))
      this.#values.debtor_type = 'COMPANY'
    else if (/^(person|private|privat(person)?|konsument|forbruker|henkil[öo]|yksityinen|b2c|p)$/i.test(type))
      this.#values.debtor_type = 'PERSON'
    else if (type !== '') this.#wrong('debtor_type', 'debtor_type_wrong', { mends: ['PERSON'] })
    else
      this.#values.debtor_type =
        number !== undefined && !isPersonalNumber(country, number) ? 'COMPANY' : 'PERSON'
  }
}

/** What a spreadsheet does to postal codes is that it takes them for numbers: zeros in front are gone. */
function zipMends(country: string, zip: string): string[] {
  const digits = zip.replace(/\D/g, '')
  const padded = digits.padStart(country === 'SE' || country === 'FI' ? 5 : 4, '0')
  return [digits, padded].filter((mend) => mend !== zip && isZipValid(country, mend)).slice(0, 1)
}

function currencyOf(country: string): string[] {
  const own = { SE: 'SEK', NO: 'NOK', DK: 'DKK', FI: 'EUR' }[country]
  return CURRENCIES.filter((currency) => currency === own)
}
