/** The operator's VAT invoice to a creditor, as a tagged PDF: what Directive 2006/112/EC, article 226, asks an invoice to say. */
import { amountText } from '@kvitt/domain/money.ts'
import type { VatInvoice, VatParty } from '@kvitt/domain/settlements/vat-invoice.ts'
import type { InstanceRow } from '../../instances/instances.ts'
import { LEFT, printedAmount, type Page } from '../../platform/files/pdf-page.ts'
import type { Language, TextKey } from '../../platform/texts.ts'
import { openPage } from '../letters.ts'

export type DrawnParty = VatParty & { readonly vatNumber: string | undefined }

export type VatInvoiceFacts = {
  readonly instance: InstanceRow
  readonly language: Language
  readonly title: string
  readonly issuedOn: string
  readonly seller: DrawnParty
  readonly buyer: DrawnParty
  readonly settlement: { readonly number: number; readonly from: string; readonly to: string }
  readonly currency: string
  readonly invoice: VatInvoice
  readonly isReverseCharge: boolean
  readonly refersTo: readonly number[]
}

function party(
  page: Page,
  label: TextKey,
  { name, number, vatNumber, address }: DrawnParty,
  x: number,
): number {
  const top = page.y
  page.y += page.write('P', page.say(label), { x, width: 220, size: 9, soft: true }) + 2
  const numbers = [
    ...(number === null ? [] : [`${page.say('document.company_number')} ${number}`]),
    ...(vatNumber === undefined ? [] : [`${page.say('vat_invoice.vat_number')} ${vatNumber}`]),
  ]
  for (const line of [name, ...address, ...numbers]) page.y += page.write('P', line, { x, width: 220 }) + 1
  const end = page.y
  page.y = top
  return end
}

function howPaid({ kind, unpaidMinor }: VatInvoice): TextKey {
  if (kind === 'CREDIT_NOTE') return 'vat_invoice.given_back'
  return unpaidMinor > 0 ? 'vat_invoice.carried' : 'vat_invoice.taken_off'
}

export async function drawVatInvoice(facts: VatInvoiceFacts): Promise<Uint8Array> {
  const { title, language, issuedOn, seller, buyer, settlement, currency, invoice } = facts
  const amount = (minor: number): string => printedAmount(minor, currency, language)
  const percent = (bp: number): string =>
    language === 'en' ? amountText(bp) : amountText(bp).replace('.', ',')
  const page = await openPage({ ...facts, datedOn: issuedOn }, title)
  page.y += 10
  page.y =
    Math.max(party(page, 'vat_invoice.seller', seller, LEFT), party(page, 'vat_invoice.buyer', buyer, 310)) +
    14
  page.row(page.say('document.invoice_date'), issuedOn)
  page.row(page.say('vat_invoice.for'), `${settlement.from} – ${settlement.to}`)
  page.row(page.say('vat_invoice.settlement'), String(settlement.number))
  if (facts.refersTo.length > 0) page.row(page.say('vat_invoice.refers_to'), facts.refersTo.join(', '))
  page.y += 14
  page.y += page.write('H2', page.say('vat_invoice.fees'), { size: 13, bold: true }) + 6
  for (const { kind, minor } of invoice.fees)
    page.row(page.say(`settlement.line.${kind.toLowerCase()}` as TextKey), amount(minor))
  page.row(page.say('vat_invoice.net'), amount(invoice.netMinor))
  for (const { rateBp, baseMinor, vatMinor } of invoice.rates)
    page.row(
      page.say('document.vat', { percent: percent(rateBp), base: amount(baseMinor) }),
      amount(vatMinor),
    )
  page.row(page.say('vat_invoice.total'), amount(invoice.totalMinor), true)
  page.y += 8
  if (facts.isReverseCharge) page.paragraph(page.say('vat_invoice.reverse_charge'))
  page.paragraph(
    page.say(howPaid(invoice), { number: settlement.number, amount: amount(invoice.unpaidMinor) }),
  )
  return page.finish()
}
