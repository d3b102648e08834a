import { accountNumberOf, referenceOf, twoDecimals } from '../bank/payment.ts'
import type { Payment } from '../bank/payment.ts'
import { amountText, dayText, escapeHtml, renderReference, timeText } from '../html.ts'
import type { MobileOrder } from '../mobile/mobile-order.ts'
import { renderButton } from './buttons.ts'
import type { ButtonCall } from './buttons.ts'
import type { Intention } from '../slow-payer.ts'
import { renderIcon } from './icons.ts'

/** One thing that waits for the person with the phone, whoever asks. */
export interface Waiting {
  id: string
  createdAtMs: number
  /** Who asks, such as "Swish". */
  app: string
  /** One line for the stack of those that are not open, as HTML. */
  line: string
  /** What the open card shows below its head, as HTML. */
  card: string
}

/** Whoever holds the phone: how slow they are, and what they have pressed and not done yet. */
export interface Holder {
  nowMs: number
  /** After how many seconds what is pressed happens; null: never. */
  seconds: number | null
  intentionOf(orderId: string): Intention | undefined
}

const ANSWERS: readonly (readonly [seconds: number | null, text: string])[] = [
  [0, '0 s'],
  [5, '5 s'],
  [60, '60 s'],
  [null, 'never'],
]

const STACKED = 4

/**
 * The phone: the open card, below it the others that wait, and how slow the payer is. What comes in later stands below what
 * is shown already, so that no button moves away from under a finger.
 */
export function renderPhone(waiting: Waiting[], openId: string | null, holder: Holder): string {
  const { nowMs } = holder
  const inOrder = waiting.toSorted((a, b) => b.createdAtMs - a.createdAtMs)
  const open = inOrder.find(({ id }) => id === openId) ?? inOrder[0]
  const bar = (text: string) =>
    `<p class="phone-bar"><span>${timeText(nowMs, false)}</span>${text}${renderIcon('signal')}</p>`
  if (open === undefined) {
    return `${bar('')}<div class="even"><span class="bars" aria-hidden="true"></span>
<h2>Nothing waits</h2><p>Log in or start a payment in the portal. It appears here to be approved.</p></div>${renderAnswers(holder)}`
  }
  const others = inOrder.filter((one) => one !== open)
  const stack = others.slice(0, STACKED).map(
    (one) => `<button class="stacked" data-pick="order=${one.id}" data-key="order-${one.id}">
<strong>${escapeHtml(one.app)}</strong><span>${one.line}</span></button>`,
  )
  const unseen = others.length - stack.length
  const more =
    others.length === 0
      ? ''
      : `<span data-more>${others.length} more wait${others.length === 1 ? 's' : ''}</span>`
  return `${bar(more)}<div class="order" data-open="${open.id}"><p class="order-head"><strong>${escapeHtml(open.app)}</strong>
<span>${timeText(open.createdAtMs, false)}</span></p>${open.card}${renderIntention(holder, open.id)}</div>
${stack.join('')}${unseen > 0 ? `<p class="beneath">and ${unseen} older</p>` : ''}${renderAnswers(holder)}`
}

/** What was pressed a moment ago, and when it happens. */
function renderIntention({ nowMs, intentionOf }: Holder, orderId: string): string {
  const intention = intentionOf(orderId)
  if (intention === undefined) return ''
  const will = intention.act === 'approve' ? 'Approves' : 'Declines'
  if (intention.atMs === null) return `<p class="intends">${will} some day. Never is a long time.</p>`
  return `<p class="intends">${will} in ${Math.max(0, Math.ceil((intention.atMs - nowMs) / 1_000))} s</p>`
}

function renderAnswers({ seconds }: Holder): string {
  const choices = ANSWERS.map(([choice, text]) =>
    renderButton({
      key: `answer-${text}`,
      text,
      label: 'the payer answers after',
      calls: [['POST', '/control/delays', { target: 'payer', seconds: choice }]],
      pressed: choice === seconds,
    }),
  )
  return `<div class="answers"><span>Answer after</span><div class="tabs" role="group" aria-label="The payer answers after">${choices.join('')}</div></div>`
}

/** A bank payment that waits to be signed. */
export function waitingAtBank(payment: Payment, today: string, link: string): Waiting {
  const { currency } = payment.instructedAmount
  const amount = amountText(twoDecimals(payment.instructedAmount.amount))
  const day = payment.requestedExecutionDate ?? today
  const when =
    day > today ? dayText(day, 'en-GB', { weekday: 'short', day: 'numeric', month: 'short' }) : 'now'
  const act = actsOn(payment.paymentId)
  const hold = renderButton({
    key: `hold-${payment.paymentId}`,
    text: 'Hold',
    calls: act('approve', { hold: true }),
    shortcut: 'h',
    hint: 'Approve, but the bank holds the payment until it is released',
  })
  return {
    id: payment.paymentId,
    createdAtMs: payment.createdAtMs,
    app: 'Demobanken',
    line: `${amount} ${escapeHtml(currency)} · ${renderReference(referenceOf(payment))}`,
    card: `${renderSum('Pay to', payment.creditorName, amount, currency)}
${renderFacts([
  ['Reference', referenceOf(payment)],
  ['Account', accountNumberOf(payment.creditorAccount)],
  ['Paid', when],
  ['Link until', timeText(payment.expiresAtMs, false)],
])}${renderDecision(payment.paymentId, hold)}
<p class="below"><a href="${escapeHtml(link)}" data-key="link-${payment.paymentId}">The bank’s own page</a></p>`,
  }
}

/** A Swish request that waits for the payer, or for somebody who knows how it ended. */
export function waitingAtSwish(order: MobileOrder, nowMs: number): Waiting {
  const amount = amountText(order.amount)
  const leftMs = Math.max(0, order.expiresAtMs - nowMs)
  const left = `${Math.floor(leftMs / 60_000)}:${String(Math.floor(leftMs / 1_000) % 60).padStart(2, '0')}`
  const act = actsOn(order.id)
  const isOpen = order.status === 'CREATED'
  const noAnswer = renderButton({
    key: `no-answer-${order.id}`,
    text: 'No answer',
    calls: act('decline', { errorCode: 'DS24' }),
    shortcut: 'n',
    hint: 'Swish itself does not learn whether the money moved (DS24)',
  })
  return {
    id: order.id,
    createdAtMs: order.createdAtMs,
    app: 'Swish',
    line: `${amount} ${escapeHtml(order.currency)} · ${renderReference(order.message)}`,
    card: `${renderSum(isOpen ? 'Pay to' : 'Nobody knows whether this was paid', swishNumberText(order.payeeAlias), amount, order.currency)}
${renderFacts([
  ['Message', order.message],
  ['Order', `${order.id.slice(-8, -4)} ${order.id.slice(-4)}`],
  ['Asked by', order.payerAlias === undefined ? 'link or QR' : `number ${order.payerAlias}`],
  ...(isOpen ? [['Expires', `in ${left}`] as const] : []),
])}${isOpen ? renderDecision(order.id, noAnswer) : renderDecision(order.id, '', ['It was paid', 'It was not'])}`,
  }
}

type Act = (name: 'approve' | 'decline', body?: object) => readonly ButtonCall[]

function actsOn(id: string): Act {
  return (name, body = {}) => [['POST', `/control/orders/${id}/${name}`, body]]
}

function renderDecision(id: string, third: string, [yes, no] = ['Approve', 'Decline']): string {
  const act = actsOn(id)
  return `${renderButton({ key: `approve-${id}`, text: yes ?? '', calls: act('approve'), shortcut: 'a', kind: 'primary' })}
<div class="pair">${renderButton({ key: `decline-${id}`, text: no ?? '', calls: act('decline'), shortcut: 'd' })}
${third}</div>`
}

function renderSum(label: string, payee: string, amount: string, currency: string): string {
  return `<p class="quiet">${label}</p><h2>${escapeHtml(payee)}</h2>
<p class="amount${amount.length > 10 ? ' long' : ''}">${amount} <span>${escapeHtml(currency)}</span></p>`
}

function renderFacts(facts: (readonly [name: string, value: string])[]): string {
  return `<dl>${facts.map(([name, value]) => `<dt>${name}</dt><dd>${['Reference', 'Message'].includes(name) ? renderReference(value) : escapeHtml(value)}</dd>`).join('\n')}</dl>`
}

/** "123 467 93 04": a Swish number as people read it. */
function swishNumberText(alias: string): string {
  return alias.replace(/^(\d{3})(\d{3})(\d{2})(\d{2})$/, '$1 $2 $3 $4')
}
