/** Letters drawn as tagged PDFs: the copy of an invoice and its reminders. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { formatIban } from '@kvitt/domain/accounts.ts'
import { groupZip } from '@kvitt/domain/people/zip.ts'
import { giroLine, groupInFours } from '@kvitt/domain/references.ts'
import type { InterestLine } from '../ledger/ledger.ts'
import type { PayeeRow } from '../creditors/creditors.ts'
import { textOf, type Language, type TextKey } from '../platform/texts.ts'
import type { LetterRow } from './documents.queries.ts'
import type { Letter } from './letter.ts'
import { INK, LEFT, Page, printedAmount, RIGHT, type PageInfo } from '../platform/files/pdf-page.ts'
import { drawPaymentCode, type Asked } from './payment-code.ts'

/** Who sends a letter; `portalUrl` where it goes to a debtor. */
type Sender = Pick<Letter, 'instance'> & { readonly portalUrl?: string }

/** An address as people type it. */
function typedAddress(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname.replace(/\/$/, '')}`
}

/** The head: who writes, and how they are reached, so that it can be compared with what the homepage says. */
export function writeSender(page: Page, { instance, portalUrl }: Sender): void {
  const { name, identification_number: number, postal_address: address, phone, email } = instance
  const top = page.y
  page.y += page.write('P', name, { bold: true, size: 11, width: 250 })
  if (address !== null) page.y += page.write('P', address, { size: 9, soft: true, width: 250 })
  const leftEnd = page.y
  page.y = top
  const site = portalUrl === undefined ? [] : [typedAddress(portalUrl)]
  for (const line of [`${page.say('document.company_number')} ${number}`, phone, email, ...site])
    page.y += page.write('P', line, { x: 330, width: RIGHT - 330, align: 'right', size: 9, soft: true })
  page.y = Math.max(page.y, leftEnd) + 12
}

/** How whoever doubts the letter finds out. */
export function genuine(page: Page, { portalUrl }: Pick<Letter, 'portalUrl'>): void {
  page.paragraph(page.say('document.genuine', { site: typedAddress(`${portalUrl}home`) }), { soft: true })
}

/** A first page: who writes, and what it is. */
export async function openPage(info: PageInfo & Sender, title: string): Promise<Page> {
  const page = await Page.open(title, info)
  writeSender(page, info)
  page.y += page.write('H1', title, { size: 22, bold: true }) + 6
  return page
}

/** Zip and town as an address has them; empty without either. */
export function placeOf(country: string, zip: string | null, city: string | null): string {
  return [zip && groupZip(country, zip), city].filter(Boolean).join(' ')
}

/** Sender and receiver side by side. */
export function fromAndTo(page: Page, p: LetterRow): void {
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
  const creditorPlace = placeOf(p.creditor_country, p.creditor_zip, p.creditor_city)
  const debtorPlace = placeOf(p.debtor_country, p.debtor_zip, p.debtor_city)
  const left = block(
    'document.from',
    [p.creditor_name, p.creditor_number, p.creditor_address, creditorPlace],
    LEFT,
  )
  const right = block('document.to', [p.debtor_name, p.debtor_address, debtorPlace], 310)
  page.y = Math.max(left, right) + 14
}

export function openInvoicePage(letter: Letter & Pick<PageInfo, 'datedOn'>, heading: TextKey): Promise<Page> {
  return openPage(letter, `${textOf(letter.language, heading)} ${letter.invoice.invoice_number}`)
}

export function parties(page: Page, letter: Letter): void {
  const { parties: p, instance, invoice } = letter
  fromAndTo(page, p)
  page.row(page.say('document.invoice_number'), invoice.invoice_number)
  page.row(page.say('document.reference'), groupInFours(invoice.payment_reference))
  page.row(page.say('document.invoice_date'), invoice.issue_date)
  page.row(page.say('document.due_date'), invoice.expire_date)
  page.y += 8
  page.paragraph(page.say('document.handled_by', { name: instance.name, creditor: p.creditor_name }), {
    soft: true,
  })
  genuine(page, letter)
}

/** Signs of the units that invoices name by a code (UNECE Recommendation 20). */
const UNIT_SIGNS: Readonly<Record<string, string>> = {
  HUR: 'h',
  KGM: 'kg',
  KMT: 'km',
  KWH: 'kWh',
  LTR: 'l',
  MTK: 'm²',
  MTQ: 'm³',
  MTR: 'm',
  P1: '%',
}

/** What a person can read: a code without a sign, such as C62 for pieces, says nothing. */
function signOf(unit: string | null): string {
  if (unit === null) return ''
  return UNIT_SIGNS[unit] ?? (/^[A-Z0-9]{1,3}$/.test(unit) ? '' : unit)
}

export function articleRows(page: Page, { invoice, language, taxes }: Letter): void {
  if (invoice.rows.length === 0) return
  page.makeRoom(60)
  page.y += 10
  page.y += page.write('H2', page.say('document.description'), { size: 13, bold: true }) + 6
  for (const row of invoice.rows) {
    const quantity = row.quantity
      ? `  ·  ${page.say('document.quantity')} ${[row.quantity, signOf(row.unit)].filter(Boolean).join(' ')}`
      : ''
    page.row(`${row.name}${quantity}`, printedAmount(row.amountMinor, invoice.currency, language))
  }
  for (const { percent, baseMinor, taxMinor } of taxes) {
    const base = printedAmount(baseMinor, invoice.currency, language)
    const rate = language === 'en' ? percent : percent.replace('.', ',')
    page.row(
      page.say('document.vat', { percent: rate, base }),
      printedAmount(taxMinor, invoice.currency, language),
    )
  }
  // Rows are without tax, and a file may have charges for the whole invoice: what is missing up to its total.
  const told = [...invoice.rows.map((row) => row.amountMinor), ...taxes.map((tax) => tax.taxMinor)]
  const rest = invoice.total_minor - told.reduce((sum, minor) => sum + minor, 0)
  const label = taxes.length > 0 ? 'document.charges' : 'document.vat_and_charges'
  if (rest !== 0) page.row(page.say(label), printedAmount(rest, invoice.currency, language))
}

/** Whom to pay, and the account in each of its forms. */
export function payeeRows(page: Page, payee: PayeeRow): void {
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
}

function payTo(page: Page, letter: Letter, asked: Asked): void {
  const { invoice, payee } = letter
  const { amountMinor } = asked
  if (!payee || amountMinor <= 0) return
  page.makeRoom(120)
  page.y += 12
  page.y += page.write('H2', page.say('document.pay_to'), { size: 13, bold: true }) + 6
  payeeRows(page, payee)
  const line =
    invoice.currency === 'SEK' && payee.account_number
      ? giroLine({
          amountMinor,
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
  drawPaymentCode(page, letter, asked)
}

/** The copy of an invoice: parties, what was bought, what to pay and where. */
export async function drawInvoiceCopy(letter: Letter): Promise<Uint8Array> {
  const { invoice, language } = letter
  const page = await openInvoicePage({ ...letter, datedOn: invoice.issue_date }, 'document.invoice')
  parties(page, letter)
  articleRows(page, letter)
  page.y += 10
  page.row(
    page.say('document.invoice_amount'),
    printedAmount(invoice.total_minor, invoice.currency, language),
    true,
  )
  payTo(page, letter, { amountMinor: invoice.total_minor, dueDate: invoice.expire_date })
  return page.finish()
}

/** What a reminder asks for, as it stood in the books when it was sent. */
export type Reminder = {
  readonly type: 'REMINDER' | 'COLLECTION_NOTIFICATION'
  readonly sentOn: CalendarDate
  readonly lastPayDate: CalendarDate | undefined
  readonly principalMinor: number
  readonly costsMinor: number
  /** Each posting of interest, with what it was on, its rates and days. */
  readonly interest: readonly InterestLine[]
}

export const REMINDER_TITLES = {
  REMINDER: 'document.reminder',
  COLLECTION_NOTIFICATION: 'document.collection_notice',
} as const satisfies Record<Reminder['type'], TextKey>

/** Since when, at which rate and on what a posting of interest ran. */
export function periodsOf(
  page: Page,
  { invoice, language }: { readonly invoice: { readonly currency: string }; readonly language: Language },
  { periods }: InterestLine,
): string {
  return periods
    .map(({ percent, from, to, principalMinor }) =>
      page.say('document.interest_rate', {
        percent: language === 'en' ? percent : percent.replace('.', ','),
        from,
        to,
        base: printedAmount(principalMinor, invoice.currency, language),
      }),
    )
    .join('; ')
}

/** A reminder: capital, fees, and interest with its rates and days, each apart; what to do, and by when. */
export async function drawReminder(letter: Letter, reminder: Reminder): Promise<Uint8Array> {
  const { invoice, language, instance } = letter
  const amount = (minor: number): string => printedAmount(minor, invoice.currency, language)
  const page = await openInvoicePage({ ...letter, datedOn: reminder.sentOn }, REMINDER_TITLES[reminder.type])
  const { phone, email } = instance
  page.paragraph(page.say('document.reminder_text', { due: invoice.expire_date, phone, email }))
  if (reminder.type === 'COLLECTION_NOTIFICATION') page.paragraph(page.say('document.collection_notice_text'))
  parties(page, letter)
  page.y += 10
  page.row(page.say('document.date'), reminder.sentOn)
  if (reminder.lastPayDate) page.row(page.say('document.last_day'), reminder.lastPayDate)
  page.row(page.say('document.principal'), amount(reminder.principalMinor))
  for (const line of reminder.interest) {
    page.row(periodsOf(page, letter, line) || page.say('document.interest'), amount(line.amountMinor))
  }
  if (reminder.costsMinor > 0) page.row(page.say('document.costs'), amount(reminder.costsMinor))
  const total = reminder.interest.reduce(
    (sum, { amountMinor }) => sum + amountMinor,
    reminder.principalMinor + reminder.costsMinor,
  )
  page.row(page.say('document.to_pay'), amount(total), true)
  payTo(page, letter, { amountMinor: total, dueDate: reminder.lastPayDate ?? invoice.expire_date })
  return page.finish()
}
