import type { Activity } from '../activity.ts'
import type { Bank } from '../bank/bank.ts'
import { accountNumberOf, referenceOf, stateOf, twoDecimals } from '../bank/payment.ts'
import type { Payment } from '../bank/payment.ts'
import type { Notifications } from '../bank/notifications.ts'
import type { Clock } from '../clock.ts'
import type { Faults } from '../faults.ts'
import { amountText, dayText, escapeHtml, timeText } from '../html.ts'
import type { Product } from '../product.ts'
import { renderBank } from './bank-part.ts'
import { renderButton, renderTools } from './buttons.ts'
import { renderFaults } from './faults-part.ts'
import { renderIcon } from './icons.ts'

export interface PageParts {
  activity: Activity
  bank: Bank
  clock: Clock
  faults: Faults
  notifications: Pick<Notifications, 'waiting'>
  product: Product
  signUrl(token: string): string
}

/** The regions of the page by their element id, each a piece of HTML that is replaced when it changes. */
export type Regions = Record<'day' | 'phone' | 'bank' | 'faults' | 'activity' | 'foot', string>

/** Everything on the page that changes. `orderId` is the order that the person picked on the phone. */
export async function renderRegions(parts: PageParts, orderId: string | null): Promise<Regions> {
  const today = await parts.product.today()
  const payments = parts.bank.payments()
  return {
    day: renderDay(today, parts.product.isAnswering(), payments),
    phone: renderPhone(parts, payments, orderId, today),
    bank: renderBank(payments, today),
    faults: renderFaults(parts.faults.armed()),
    activity: renderActivity(parts.activity),
    foot: renderFoot(payments, parts.notifications.waiting()),
  }
}

const WEEKDAY_DATE = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const
const DAY_MS = 86_400_000

function renderDay(today: string, isAnswering: boolean, payments: Payment[]): string {
  const advance = (advanceDays: number) => [['POST', '/control/clock', { advanceDays }]] as const
  const next = payments
    .flatMap((payment) => (stateOf(payment) === 'due-date' ? (payment.executionDate ?? []) : []))
    .filter((day) => day > today)
    .sort()[0]
  const nextDays = next === undefined ? 0 : (Date.parse(next) - Date.parse(today)) / DAY_MS
  const nextText = next === undefined ? '' : dayText(next, 'en-GB', { day: 'numeric', month: 'short' })
  return `<p class="today">Today is <strong>${dayText(today, 'en-GB', WEEKDAY_DATE).replace(',', '')}</strong>${
    isAnswering ? '' : ' <span class="chip warn">The product does not answer</span>'
  }</p>${renderTools([
    renderButton({ key: 'next-day', text: 'Next day', calls: advance(1), shortcut: '.' }),
    renderButton({ key: 'month', text: '+30 days', calls: advance(30) }),
    next === undefined
      ? ''
      : renderButton({
          key: 'next-due',
          text: `To ${nextText}`,
          calls: advance(nextDays),
          hint: 'The day of the next payment',
        }),
  ])}`
}

function renderPhone(parts: PageParts, payments: Payment[], orderId: string | null, today: string): string {
  const waiting = payments.filter((payment) => payment.status === 'RCVD')
  const shown = waiting.find((payment) => payment.paymentId === orderId) ?? waiting[0]
  const bar = `<p class="phone-bar"><span>${timeText(parts.clock.now(), false)}</span>${renderIcon('signal')}</p>`
  if (shown === undefined) {
    return `${bar}<div class="even"><span class="bars" aria-hidden="true"></span>
<h2>Nothing waits</h2><p>Start a payment in the portal. It appears here for the payer to approve.</p></div>`
  }
  const others = waiting
    .filter((payment) => payment !== shown)
    .slice(0, 4)
    .map(
      (
        payment,
      ) => `<button class="stacked" data-order="${payment.paymentId}" data-key="order-${payment.paymentId}">
<strong>${escapeHtml(payment.creditorName)}</strong>
<span>${renderAmount(payment)} ${payment.instructedAmount.currency} · ${escapeHtml(referenceOf(payment))}</span></button>`,
    )
  return `${bar}${others.join('')}${renderOrder(shown, today, parts.signUrl(shown.token))}`
}

function renderOrder(payment: Payment, today: string, link: string): string {
  const act = (name: string, body: object = {}) =>
    [['POST', `/control/orders/${payment.paymentId}/${name}`, body]] as const
  const day = payment.requestedExecutionDate ?? today
  const fact = (name: string, value: string) => `<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`
  const when =
    day > today ? dayText(day, 'en-GB', { weekday: 'short', day: 'numeric', month: 'short' }) : 'now'
  return `<div class="order"><p class="order-head"><strong>Demobanken</strong>
<span>${timeText(payment.createdAtMs, false)}</span></p>
<p class="quiet">Pay to</p><h2>${escapeHtml(payment.creditorName)}</h2>
<p class="amount">${renderAmount(payment)} <span>${payment.instructedAmount.currency}</span></p>
<dl>${fact('Reference', referenceOf(payment))}${fact('Account', accountNumberOf(payment.creditorAccount))}
${fact('Paid', when)}${fact('Link until', timeText(payment.expiresAtMs, false))}</dl>
${renderButton({ key: 'approve', text: 'Approve', calls: act('approve'), shortcut: 'a', kind: 'primary' })}
<div class="pair">${renderButton({ key: 'decline', text: 'Decline', calls: act('decline'), shortcut: 'd' })}
${renderButton({ key: 'hold', text: 'Hold', calls: act('approve', { hold: true }), shortcut: 'h', hint: 'Approve, but the bank holds the payment until it is released' })}</div>
<p class="below"><a href="${escapeHtml(link)}" data-key="link">The bank’s own page</a></p></div>`
}

function renderAmount(payment: Payment): string {
  return amountText(twoDecimals(payment.instructedAmount.amount))
}

function renderActivity(activity: Activity): string {
  const lines = activity
    .latest()
    .slice(0, 14)
    .map(({ atMs, text }) => `<li><span>${timeText(atMs, true)}</span> ${escapeHtml(text)}</li>`)
  const list = lines.length > 0 ? `<ol>${lines.join('')}</ol>` : '<p class="quiet">Nothing yet.</p>'
  return `<div class="card-head"><h2>${renderIcon('list')}What happened</h2></div>${list}`
}

function renderFoot(payments: Payment[], notificationsWaiting: number): string {
  const countOf = (...statuses: string[]) => payments.filter(({ status }) => statuses.includes(status)).length
  const fact = (name: string, count: number) => `<span>${name} <strong>${count}</strong></span>`
  return [
    fact('Payments', payments.length),
    fact('Waiting', countOf('RCVD')),
    fact('Signed', countOf('ACSP', 'ACCP')),
    fact('Executed', countOf('ACSC')),
    fact('Ended unpaid', countOf('RJCT', 'CANC')),
    fact('Notifications on their way', notificationsWaiting),
  ].join('')
}
