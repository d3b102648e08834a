import { referenceOf, stateOf, twoDecimals } from '../bank/payment.ts'
import type { Payment, PaymentState } from '../bank/payment.ts'
import { amountText, dayText, escapeHtml, timeText } from '../html.ts'
import { mobileStateOf, type MobileOrder, type MobileState } from '../mobile/mobile-order.ts'
import { renderButton } from './buttons.ts'
import { renderIcon } from './icons.ts'
import type { Icon } from './icons.ts'

const SHOWN = 30

const STATES: Record<PaymentState, { word: string; kind: string; icon: Icon }> = {
  waiting: { word: 'Waits', kind: 'warn', icon: 'dots' },
  signed: { word: 'Signed', kind: 'accent', icon: 'lock' },
  'due-date': { word: 'Due date', kind: 'outline', icon: 'clock' },
  held: { word: 'Held', kind: 'outline', icon: 'pause' },
  executed: { word: 'Executed', kind: 'ok', icon: 'check' },
  rejected: { word: 'Rejected', kind: 'bad', icon: 'cross' },
  declined: { word: 'Declined', kind: 'bad', icon: 'cross' },
  expired: { word: 'Expired', kind: 'bad', icon: 'cross' },
  cancelled: { word: 'Cancelled', kind: 'plain', icon: 'cross' },
}

const SWISH_STATES: Record<MobileState, { word: string; kind: string; icon: Icon }> = {
  waiting: STATES.waiting,
  executed: { word: 'Paid', kind: 'ok', icon: 'check' },
  declined: STATES.declined,
  expired: STATES.expired,
  cancelled: STATES.cancelled,
  failed: { word: 'Failed', kind: 'bad', icon: 'cross' },
  unknown: { word: 'Unknown', kind: 'warn', icon: 'dots' },
}

/** The bank's table of payments, newest first, those by Swish among them, with what can be settled. */
export function renderBank(payments: Payment[], orders: MobileOrder[], today: string): string {
  const rows = [
    ...payments.map((payment) => ({ atMs: payment.createdAtMs, row: renderRow(payment, today) })),
    ...orders.map((order) => ({ atMs: order.createdAtMs, row: renderSwishRow(order) })),
  ].sort((a, b) => b.atMs - a.atMs)
  const due = payments.filter(
    (payment) => ['ACSP', 'ACCP'].includes(payment.status) && (payment.executionDate ?? '9999') <= today,
  )
  const held = due.filter((payment) => payment.held).length
  const settleText = due.length === held ? 'Settle' : `Settle today’s ${countText(due.length - held)}`
  const settle = renderButton({
    key: 'settle',
    text: settleText,
    calls: [['POST', '/control/settle', {}]],
    ...(settleText === 'Settle' ? { label: 'nothing is due today' } : {}),
  })
  const release = renderButton({
    key: 'settle-held',
    text: `Release ${held} held`,
    calls: [['POST', '/control/settle', { includeHeld: true }]],
  })
  const older = rows.length - SHOWN
  return `<div class="card-head"><h2>${renderIcon('bank')}Demobanken</h2>
<div class="tools">${held > 0 ? release : ''}${settle}</div></div>
<p class="sum"><span>Executed today</span> <strong>${executedToday(payments, today)}</strong></p>
${
  rows.length === 0
    ? '<p class="quiet">No payments yet. The first one shows up when somebody pays an invoice with the bank.</p>'
    : `<table><thead><tr><th scope="col">Reference</th><th scope="col" class="wide">To</th>
<th scope="col" class="wide">When</th><th scope="col" class="number">Amount</th>
<th scope="col"><span class="unseen">State</span></th></tr></thead>
<tbody>${rows
        .slice(0, SHOWN)
        .map(({ row }) => row)
        .join('')}</tbody></table>`
}${older > 0 ? `<p class="quiet">and ${countText(older)} older</p>` : ''}`
}

function renderRow(payment: Payment, today: string): string {
  const { word, kind, icon } = STATES[stateOf(payment)]
  const payee = escapeHtml(payment.creditorName)
  const when = whenText(payment, today)
  const isOver = ['RJCT', 'CANC'].includes(payment.status)
  return `<tr${isOver ? ' class="over"' : ''}><th scope="row">${escapeHtml(referenceOf(payment))}
<span class="narrow">${payee}, ${when}</span></th><td class="wide">${payee}</td><td class="wide when">${when}</td>
<td class="number">${amountText(twoDecimals(payment.instructedAmount.amount))}
<span class="unit">${payment.instructedAmount.currency}</span></td>
<td><span class="chip ${kind}">${renderIcon(icon)}${word}</span>${renderReject(payment)}</td></tr>`
}

/** What waits for its day can fail on it. */
function renderReject({ paymentId, status }: Payment): string {
  if (status !== 'ACCP') return ''
  return ` ${renderButton({
    key: `reject-${paymentId}`,
    text: 'Reject',
    calls: [['POST', `/control/orders/${paymentId}/decline`, { rejected: true }]],
    kind: 'quiet-button',
    hint: 'The bank does not execute it: there is no money on the account',
  })}`
}

function renderSwishRow(order: MobileOrder): string {
  const { word, kind, icon } = SWISH_STATES[mobileStateOf(order)]
  const when = order.paidAtMs === undefined ? '–' : timeText(order.paidAtMs, false)
  const isOver = ['DECLINED', 'CANCELLED', 'ERROR'].includes(order.status)
  return `<tr${isOver ? ' class="over"' : ''}><th scope="row">${escapeHtml(order.message)}
<span class="narrow">Swish, ${when}</span></th><td class="wide">Swish</td><td class="wide when">${when}</td>
<td class="number">${amountText(order.amount)} <span class="unit">${order.currency}</span></td>
<td><span class="chip ${kind}">${renderIcon(icon)}${word}</span></td></tr>`
}

function whenText(payment: Payment, today: string): string {
  if (['RJCT', 'CANC'].includes(payment.status)) return '–'
  const day = payment.executionDate ?? payment.requestedExecutionDate ?? today
  return day === today ? 'today' : dayText(day, 'en-GB', { day: 'numeric', month: 'short' })
}

function countText(count: number): string {
  return count === 1 ? '1 payment' : `${count} payments`
}

/** The sum per currency, counted in hundredths. */
function executedToday(payments: Payment[], today: string): string {
  const sums = new Map<string, bigint>()
  for (const { status, executionDate, instructedAmount } of payments) {
    if (status !== 'ACSC' || executionDate !== today) continue
    const minor = BigInt(twoDecimals(instructedAmount.amount).replace('.', ''))
    sums.set(instructedAmount.currency, (sums.get(instructedAmount.currency) ?? 0n) + minor)
  }
  if (sums.size === 0) return amountText('0.00')
  const texts = [...sums].map(([currency, minor]) => {
    const digits = String(minor).padStart(3, '0')
    return `${amountText(`${digits.slice(0, -2)}.${digits.slice(-2)}`)} ${currency}`
  })
  return texts.join(' · ')
}
