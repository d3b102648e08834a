/** What has been paid of an invoice, as tagged PDFs: the receipt, and before that what has been paid so far. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import type { Bucket } from '@kvitt/domain/ledger/booking.ts'
import type { TextKey } from '../platform/texts.ts'
import type { Letter } from './letter.ts'
import { articleRows, openInvoicePage, parties } from './letters.ts'
import { printedAmount } from '../platform/files/pdf-page.ts'

export type PaidEvent = {
  readonly kind: string
  readonly date: CalendarDate
  readonly amountMinor: number
  /** What a payment paid of each part of the debt. */
  readonly parts: Readonly<Record<Bucket, number>> | undefined
}

/** What is booked as anything else is called a fee. */
const EVENT_TEXTS: Readonly<Record<string, TextKey>> = {
  INVOICE: 'document.invoice_amount',
  PAYMENT: 'document.paid_on',
  CREDIT_INVOICE: 'document.credited_on',
  INTEREST: 'document.interest',
  REFUND: 'document.owed_back',
  REVERSAL: 'document.correction',
  CAME_EARLIER: 'document.came_earlier',
  WAIVED: 'document.waived',
  WRITE_OFF: 'document.written_off',
  TRANSFER_TO_PLAN: 'document.moved_to_plan',
  TRANSFER_TO_CLAIM: 'document.moved_to_claim',
  REMINDER: 'document.reminder_fee',
  COLLECTION: 'document.demand_fee',
  DELAYED_PENALTY_FEE: 'event.delayed_penalty_fee',
  START_FEE: 'event.start_fee',
  ADMIN_FEE: 'event.admin_fee',
  COURT_FEE: 'event.court_fee',
  DENIED_TAX_REDUCTION_NOTIFICATION: 'event.denied_tax_reduction_notification',
}

type Told = { readonly heading: TextKey; readonly text: TextKey; readonly events: readonly PaidEvent[] }

/** What was owed, what was paid and when, down to what is left. Drawn again it is the same file. */
async function draw(letter: Letter, { heading, text, events }: Told): Promise<Uint8Array> {
  const { invoice, language } = letter
  const amount = (minor: number): string => printedAmount(minor, invoice.currency, language)
  const page = await openInvoicePage(
    { ...letter, datedOn: events.at(-1)?.date ?? invoice.issue_date },
    heading,
  )
  page.paragraph(page.say(text), { size: 11 })
  parties(page, letter)
  articleRows(page, letter)
  page.y += 10
  for (const { kind, date, amountMinor, parts } of events) {
    const label = page.say(EVENT_TEXTS[kind] ?? 'document.costs')
    page.row(kind === 'INVOICE' ? label : `${label} ${date}`, amount(amountMinor))
    if (!parts) continue
    const { costs, interest, principal } = parts
    const shared = { costs: amount(costs), interest: amount(interest), principal: amount(principal) }
    page.paragraph(page.say('document.payment_parts', shared), { soft: true })
  }
  page.row(page.say('document.to_pay'), amount(invoice.balance_minor), true)
  return page.finish()
}

/** The receipt of an invoice that owes nothing more. */
export function drawReceipt(
  letter: Letter,
  { events, isPaid }: { readonly events: readonly PaidEvent[]; readonly isPaid: boolean },
): Promise<Uint8Array> {
  const text = isPaid ? 'document.receipt_text' : 'document.credited_text'
  return draw(letter, { heading: 'document.receipt', text, events })
}

/** What has been paid of an invoice that still owes something. */
export function drawPayments(letter: Letter, events: readonly PaidEvent[]): Promise<Uint8Array> {
  return draw(letter, { heading: 'document.payments', text: 'document.payments_text', events })
}
