import type { Activity } from '../activity.ts'
import type { Bank } from '../bank/bank.ts'
import type { Statements } from '../bank/statements.ts'
import { stateOf } from '../bank/payment.ts'
import type { Payment } from '../bank/payment.ts'
import type { Clock } from '../clock.ts'
import { eidEntry } from '../eid/eid-orders.ts'
import type { Eid } from '../eid/eid.ts'
import type { AllFaults } from '../faults.ts'
import type { Delays } from '../delays.ts'
import type { SlowPayer } from '../slow-payer.ts'
import { dayText, escapeHtml, timeText } from '../html.ts'
import type { Mailbox } from '../mail/mailbox.ts'
import { isUndecided } from '../mobile/mobile-order.ts'
import type { Phone } from '../mobile/phone.ts'
import type { Refunds } from '../mobile/refunds.ts'
import type { Notifications } from '../notifications.ts'
import type { Product } from '../product.ts'
import { renderBank } from './bank-part.ts'
import { renderButton, renderTools } from './buttons.ts'
import { renderFaults } from './faults-part.ts'
import { readBooks, renderFoot, renderLedger } from './ledger-part.ts'
import { renderIcon } from './icons.ts'
import { renderMailbox, viewOf } from './mailbox-part.ts'
import { waitingAtEid } from './eid-part.ts'
import { renderPhone, waitingAtBank, waitingAtSwish } from './phone-part.ts'
import type { Waiting } from './phone-part.ts'

export interface PageParts {
  activity: Activity
  bank: Bank
  statements: Statements
  phone: Phone
  refunds: Refunds
  eid: Eid
  clock: Clock
  allFaults: AllFaults
  delays: Delays
  slowPayer: SlowPayer
  mailbox: Mailbox
  told: Record<string, Pick<Notifications, 'waiting'>>
  product: Product
  signUrl(token: string): string
}

/** The regions of the page by their element id, each a piece of HTML that is replaced when it changes. */
export type Regions = Record<
  'day' | 'phone' | 'ledger' | 'bank' | 'faults' | 'mailbox' | 'activity' | 'foot',
  string
>

/** What the person picked on the page (`data-pick`), by the names of the query. */
export type Picks = Pick<URLSearchParams, 'get'>

/** Everything on the page that changes, with the order and the message that were picked. */
export async function renderRegions(parts: PageParts, picks: Picks): Promise<Regions> {
  const today = await parts.product.today()
  const payments = parts.bank.payments()
  const books = await readBooks(parts)
  const untold = Object.values(parts.told).reduce((sum, one) => sum + one.waiting(), 0)
  return {
    day: renderDay(today, parts.product, payments),
    phone: renderPhone(waitingOf(parts, payments, today), picks.get('order'), {
      nowMs: parts.clock.now(),
      seconds: parts.delays.secondsOf('payer'),
      intentionOf: parts.slowPayer.intentionOf,
    }),
    ledger: renderLedger(books, picks.get('checks') === 'shown'),
    bank: renderBank(
      { payments, orders: parts.phone.orders(), statements: parts.statements },
      today,
      picks.get('payments') === 'all',
    ),
    faults: renderFaults(parts.allFaults.armed(), parts.delays.all(), picks.get('faults')),
    mailbox: renderMailbox(parts.mailbox, {
      id: picks.get('mail'),
      view: viewOf(picks.get('view')),
      channel: picks.get('channel'),
    }),
    activity: renderActivity(parts.activity),
    foot: renderFoot(books, untold),
  }
}

const WEEKDAY_DATE = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const
const DAY_MS = 86_400_000

function renderDay(today: string, product: Product, payments: Payment[]): string {
  const advance = (advanceDays: number) => [['POST', '/control/clock', { advanceDays }]] as const
  const next = [
    ...payments.flatMap((payment) => (stateOf(payment) === 'due-date' ? (payment.executionDate ?? []) : [])),
    product.nextEvent() ?? [],
  ]
    .flat()
    .filter((day) => day > today)
    .sort()[0]
  const nextDays = next === undefined ? 0 : (Date.parse(next) - Date.parse(today)) / DAY_MS
  const nextText = next === undefined ? '' : dayText(next, 'en-GB', { day: 'numeric', month: 'short' })
  const firm = product.firm()
  const growing =
    firm && !firm.isMade
      ? ` <span class="chip">The firm is being made: ${firm.days} of ${firm.of} days</span>`
      : ''
  return `<p class="today">Today is <strong>${dayText(today, 'en-GB', WEEKDAY_DATE).replace(',', '')}</strong>${
    product.isAnswering() ? growing : ' <span class="chip warn">The product does not answer</span>'
  }</p>${renderTools([
    renderButton({ key: 'next-day', text: 'Next day', calls: advance(1), shortcut: '.' }),
    renderButton({ key: 'month', text: '+30 days', calls: advance(30) }),
    next === undefined
      ? ''
      : renderButton({
          key: 'next-event',
          text: `To the next event: ${nextText}`,
          calls: advance(nextDays),
          hint: 'The day on which the bank executes a payment, or a step, a bill or a due date falls',
        }),
    product.isAnswering() && !firm ? renderFirm() : '',
  ])}`
}

/** Gone once it was asked for. */
function renderFirm(): string {
  const calls = [['POST', '/control/firm']] as const
  return `${renderButton({ key: 'firm', text: 'Make the firm', calls })}<p class="quiet">1,500 invoices of 120 days, for the staff portals; takes about a minute</p>`
}

function waitingOf(parts: PageParts, payments: Payment[], today: string): Waiting[] {
  const nowMs = parts.clock.now()
  return [
    ...payments
      .filter(({ status }) => status === 'RCVD')
      .map((payment) => waitingAtBank(payment, today, parts.signUrl(payment.token))),
    ...parts.phone
      .orders()
      .filter(isUndecided)
      .map((order) => waitingAtSwish(order, nowMs)),
    ...parts.eid
      .orders()
      .filter((order) => eidEntry(parts.eid, order).status === 'waiting')
      .map(waitingAtEid),
  ]
}

function renderActivity(activity: Activity): string {
  const lines = activity
    .latest()
    .slice(0, 14)
    .map(({ atMs, text }) => `<li><span>${timeText(atMs, true)}</span> ${escapeHtml(text)}</li>`)
  const list =
    lines.length > 0
      ? `<ol tabindex="0" aria-label="What happened, newest first">${lines.join('')}</ol>`
      : '<p class="quiet">Nothing yet.</p>'
  return `<div class="card-head"><h2>${renderIcon('list')}What happened</h2></div>${list}`
}
