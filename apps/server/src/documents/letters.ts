/** Letters drawn as tagged PDFs: the copy of an invoice and the receipt. No file or network is touched. */
import PDFDocument from 'pdfkit'
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { formatIban } from '@kvitt/domain/accounts.ts'
import { amountText } from '@kvitt/domain/money.ts'
import { giroLine, groupInFours } from '@kvitt/domain/references.ts'
import type { InstanceRow } from '../instances/instances.ts'
import type { InvoiceRow } from '../invoices/invoices.ts'
import type { PayeeRow } from '../creditors/creditors.ts'
import { textOf, type Language, type TextKey } from '../platform/texts.ts'
import type { LetterRow } from './documents.queries.ts'

export type Letter = {
  readonly instance: InstanceRow
  readonly language: Language
  readonly invoice: InvoiceRow
  readonly parties: LetterRow
  readonly payee: PayeeRow | undefined
}

export type PaidEvent = { readonly kind: string; readonly date: CalendarDate; readonly amountMinor: number }

const LEFT = 56
const RIGHT = 539
const INK = '#16181d'
const SOFT = '#4a4f57'
const LINE = '#d9dce1'
/** The space below which a new page begins. */
const BOTTOM = 760

/** Characters that the built-in fonts can print; others lose their accents, or become "?". */
const PRINTABLE = /[\u0020-\u007e\u00a0-\u00ff\u2013\u2014\u2018\u2019\u201c\u201d\u2022\u20ac\u2026]/

export function printable(text: string): string {
  return Array.from(text.normalize('NFC'), (c) => {
    if (PRINTABLE.test(c)) return c
    const bare = c.normalize('NFD').replace(/\p{M}/gu, '')
    return PRINTABLE.test(bare) ? bare : '?'
  }).join('')
}

const GROUPS: Record<Language, string> = { sv: '\u00a0', en: '\u00a0', nb: '\u00a0', da: '.', fi: '\u00a0' }

/** 123450 öre as "1 234,50 SEK": groups by language, the currency by its code. */
export function printedAmount(minor: number, currency: string, language: Language): string {
  const [whole = '', decimals = ''] = amountText(Math.abs(minor)).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, GROUPS[language])
  return `${minor < 0 ? '-' : ''}${grouped},${decimals}\u00a0${currency}`
}

/** A page with the pen where the next line goes. */
class Page {
  readonly doc: PDFKit.PDFDocument
  readonly language: Language
  y = 56
  constructor(title: string, letter: Letter) {
    this.language = letter.language
    this.doc = new PDFDocument({
      size: 'A4',
      margins: { top: 56, bottom: 40, left: LEFT, right: 56 },
      tagged: true,
      displayTitle: true,
      lang: letter.language,
      pdfVersion: '1.7',
      info: { Title: title, Author: letter.instance.name, Creator: 'Kvitt', Producer: 'Kvitt' },
    })
  }

  say(key: TextKey, params: Record<string, string | number> = {}): string {
    return textOf(this.language, key, params)
  }

  /** One tagged piece of text at the pen. */
  write(
    tag: string,
    text: string,
    at: {
      x?: number
      width?: number
      size?: number
      bold?: boolean
      soft?: boolean
      align?: 'left' | 'right'
    } = {},
  ): number {
    const { x = LEFT, width = RIGHT - LEFT, size = 10, bold = false, soft = false, align = 'left' } = at
    let height = 0
    this.doc.addStructure(
      this.doc.struct(tag, {}, () => {
        this.doc
          .font(bold ? 'Helvetica-Bold' : 'Helvetica')
          .fontSize(size)
          .fillColor(soft ? SOFT : INK)
        const content = printable(text)
        height = this.doc.heightOfString(content, { width })
        this.doc.text(content, x, this.y, { width, align })
      }),
    )
    return height
  }

  paragraph(text: string, at: Parameters<Page['write']>[2] = {}): void {
    this.y += this.write('P', text, at) + 4
  }

  /** A label to the left and a value to the right, over a hairline. */
  row(label: string, value: string, isTotal = false): void {
    this.makeRoom(26)
    const style = { size: isTotal ? 12 : 10, bold: isTotal }
    const height = this.write('P', label, { ...style, width: 300, soft: !isTotal })
    this.write('P', value, { ...style, x: 330, width: RIGHT - 330, align: 'right' })
    this.y += Math.max(height, 12) + 5
    this.rule(isTotal)
    this.y += 6
  }

  /** A hairline, or under a final total the double rule of bookkeeping. Decoration, so not tagged. */
  rule(isDouble: boolean): void {
    this.doc.markContent('Artifact', { type: 'Layout' })
    this.doc.lineWidth(isDouble ? 1 : 0.5).strokeColor(isDouble ? INK : LINE)
    this.doc
      .moveTo(isDouble ? 420 : LEFT, this.y)
      .lineTo(RIGHT, this.y)
      .stroke()
    if (isDouble)
      this.doc
        .moveTo(420, this.y + 3)
        .lineTo(RIGHT, this.y + 3)
        .stroke()
    this.doc.endMarkedContent()
    if (isDouble) this.y += 4
  }

  makeRoom(height: number): void {
    if (this.y + height <= BOTTOM) return
    this.doc.addPage()
    this.y = 56
  }

  finish(): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = []
      this.doc.on('data', (chunk: Buffer) => chunks.push(chunk))
      this.doc.on('end', () => resolve(Buffer.concat(chunks)))
      this.doc.on('error', reject)
      this.doc.end()
    })
  }
}

function openPage(letter: Letter, heading: TextKey): Page {
  const title = `${textOf(letter.language, heading)} ${letter.invoice.invoice_number}`
  const page = new Page(title, letter)
  page.write('P', letter.instance.name, { bold: true, size: 11, width: 250 })
  page.write('P', `${page.say('document.company_number')} ${letter.instance.identification_number}`, {
    x: 330,
    width: RIGHT - 330,
    align: 'right',
    size: 9,
    soft: true,
  })
  page.y += 44
  page.y += page.write('H1', title, { size: 22, bold: true }) + 6
  return page
}

function parties(page: Page, { parties: p, instance, invoice }: Letter): void {
  const block = (label: TextKey, lines: (string | null)[], x: number): number => {
    const start = page.y
    page.y += page.write('P', page.say(label), { x, width: 220, size: 9, soft: true }) + 2
    for (const line of lines.filter((l): l is string => l !== null && l.trim() !== '')) {
      page.y += page.write('P', line, { x, width: 220 }) + 1
    }
    const end = page.y
    page.y = start
    return end
  }
  page.y += 10
  const left = block(
    'document.from',
    [
      p.creditor_name,
      p.creditor_number,
      p.creditor_address,
      [p.creditor_zip, p.creditor_city].filter(Boolean).join(' '),
    ],
    LEFT,
  )
  const right = block(
    'document.to',
    [p.debtor_name, p.debtor_address, [p.debtor_zip, p.debtor_city].filter(Boolean).join(' ')],
    310,
  )
  page.y = Math.max(left, right) + 14
  page.row(page.say('document.invoice_number'), invoice.invoice_number)
  page.row(page.say('document.reference'), groupInFours(invoice.payment_reference))
  page.row(page.say('document.invoice_date'), invoice.issue_date)
  page.row(page.say('document.due_date'), invoice.expire_date)
  page.y += 8
  page.paragraph(page.say('document.handled_by', { name: instance.name, creditor: p.creditor_name }), {
    soft: true,
  })
}

function articleRows(page: Page, { invoice, language }: Letter): void {
  if (invoice.rows.length === 0) return
  page.makeRoom(60)
  page.y += 10
  page.y += page.write('H2', page.say('document.description'), { size: 13, bold: true }) + 6
  for (const row of invoice.rows) {
    const quantity = row.quantity
      ? `  ·  ${page.say('document.quantity')} ${row.quantity}${row.unit ? ` ${row.unit}` : ''}`
      : ''
    page.row(`${row.name}${quantity}`, printedAmount(row.amountMinor, invoice.currency, language))
  }
  // Rows are without tax, and a file may have charges for the whole invoice: what is missing up to its total.
  const rest = invoice.total_minor - invoice.rows.reduce((sum, row) => sum + row.amountMinor, 0)
  if (rest !== 0)
    page.row(page.say('document.vat_and_charges'), printedAmount(rest, invoice.currency, language))
}

function payTo(page: Page, letter: Letter): void {
  const { invoice, payee } = letter
  if (!payee || invoice.total_minor <= 0) return
  page.makeRoom(120)
  page.y += 12
  page.y += page.write('H2', page.say('document.pay_to'), { size: 13, bold: true }) + 6
  page.row(page.say('document.to'), payee.receiver_name)
  const label =
    payee.scheme === 'BANKGIRO'
      ? 'document.bankgiro'
      : payee.scheme === 'PLUSGIRO'
        ? 'document.plusgiro'
        : 'document.account'
  if (payee.account_number) page.row(page.say(label), payee.account_number)
  if (payee.iban) page.row('IBAN', formatIban(payee.iban))
  if (payee.bic) page.row('BIC', payee.bic)
  const line =
    invoice.currency === 'SEK' && payee.account_number
      ? giroLine({
          amountMinor: invoice.total_minor,
          account: payee.account_number,
          reference: invoice.payment_reference,
        })
      : undefined
  if (line) {
    page.y += 8
    page.doc.addStructure(
      page.doc.struct('P', { alt: `OCR ${groupInFours(invoice.payment_reference)}` }, () => {
        page.doc.font('Courier').fontSize(9.5).fillColor(INK).text(line, LEFT, page.y, { lineBreak: false })
      }),
    )
    page.y += 18
  }
}

/** The copy of an invoice: parties, what was bought, what to pay and where. */
export function drawInvoiceCopy(letter: Letter): Promise<Uint8Array> {
  const { invoice, language } = letter
  const page = openPage(letter, 'document.invoice')
  parties(page, letter)
  articleRows(page, letter)
  page.y += 10
  page.row(
    page.say('document.invoice_amount'),
    printedAmount(invoice.total_minor, invoice.currency, language),
    true,
  )
  payTo(page, letter)
  return page.finish()
}

const EVENT_TEXTS: Readonly<Record<string, TextKey>> = {
  INVOICE: 'document.invoice_amount',
  PAYMENT: 'document.paid_on',
  CREDIT_INVOICE: 'document.credited_on',
}

/** The receipt: what was owed, what was paid and when, down to zero. */
export function drawReceipt(letter: Letter, events: readonly PaidEvent[]): Promise<Uint8Array> {
  const { invoice, language } = letter
  const page = openPage(letter, 'document.receipt')
  const isPaid = events.some((e) => e.kind === 'PAYMENT')
  page.paragraph(page.say(isPaid ? 'document.receipt_text' : 'document.credited_text'), { size: 11 })
  parties(page, letter)
  articleRows(page, letter)
  page.y += 10
  for (const event of events) {
    const label = page.say(EVENT_TEXTS[event.kind] ?? 'document.costs')
    const text = event.kind === 'INVOICE' ? label : `${label} ${event.date}`
    page.row(text, printedAmount(event.amountMinor, invoice.currency, language))
  }
  page.row(
    page.say('document.to_pay'),
    printedAmount(invoice.balance_minor, invoice.currency, language),
    true,
  )
  return page.finish()
}
