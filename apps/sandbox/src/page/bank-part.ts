import type { Statements } from '../bank/statements.ts'
import type { CreditEnd, Transfer } from '../bank/transfers.ts'
import { referenceOf, stateOf, twoDecimals } from '../bank/payment.ts'
import type { Payment, PaymentState } from '../bank/payment.ts'
import { amountText, dayText, escapeHtml, renderReference, timeText } from '../html.ts'
import { mobileStateOf, type MobileOrder, type MobileState } from '../mobile/mobile-order.ts'
import { renderButton } from './buttons.ts'
import { renderIcon } from './icons.ts'
import type { Icon } from './icons.ts'

const SHOWN = 8
/** Of all, so many are drawn. */
const MOST = 200

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

export interface BankView {
  payments: Payment[]
  orders: MobileOrder[]
  statements: Pick<Statements, 'transfers' | 'endOf' | 'waiting'>
}

/** The bank's table of payments, newest first, by Swish and by hand among them, with what can be settled and told of. */
export function renderBank(
  { payments, orders, statements }: BankView,
  today: string,
  showsAll: boolean,
): string {
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
  const waiting = statements.waiting()
  const file = renderButton({
    key: 'bank-file',
    text: waiting === 0 ? 'Make a bank file' : `Make a bank file: ${countText(waiting)}`,
    calls: [['POST', '/control/bank-files', {}]],
    hint: 'The bank tells the product what has come to its accounts, in BgMax or camt.054',
  })
  return `<div class="card-head"><h2>${renderIcon('bank')}Demobanken</h2>
<div class="tools">${held > 0 ? release : ''}${waiting > 0 ? file : ''}${settle}</div></div>
<p class="sum"><span>Executed today</span> <strong>${executedToday(payments, today)}</strong></p>
${renderRows(
  [
    ...payments.map((payment) => ({
      atMs: payment.createdAtMs,
      currency: payment.instructedAmount.currency,
      render: (unit: string) => renderRow(payment, today, unit),
    })),
    ...orders.map((order) => ({
      atMs: order.createdAtMs,
      currency: order.currency,
      render: (unit: string) => renderSwishRow(order, unit),
    })),
    ...statements.transfers().map((transfer) => ({
      atMs: transfer.createdAtMs,
      currency: transfer.currency,
      render: (unit: string) => renderTransferRow(transfer, statements.endOf(transfer.id), { today, unit }),
    })),
  ],
  showsAll,
)}`
}

interface Row {
  atMs: number
  currency: string
  /** The row with this behind its amount. */
  render(unit: string): string
}

/** The newest, or all; the currency stands in the head where it is the same in every row. */
function renderRows(rows: Row[], showsAll: boolean): string {
  if (rows.length === 0) {
    return '<p class="quiet">No payments yet. The first one shows up when somebody pays an invoice with the bank.</p>'
  }
  const shown = rows.toSorted((a, b) => b.atMs - a.atMs).slice(0, showsAll ? MOST : SHOWN)
  const currencies = new Set(shown.map(({ currency }) => currency))
  const unit = (currency: string) =>
    currencies.size === 1 ? '' : ` <span class="unit">${escapeHtml(currency)}</span>`
  const head = currencies.size === 1 ? `, ${escapeHtml([...currencies].join())}` : ''
  const older = rows.length - shown.length
  const pick = showsAll ? '' : 'all'
  const more = showsAll ? `Show the newest ${SHOWN}` : `Show all ${rows.length}`
  return `<table><thead><tr><th scope="col">Reference</th><th scope="col" class="wide">To</th>
<th scope="col" class="wide">When</th><th scope="col" class="number">Amount${head}</th>
<th scope="col"><span class="unseen">State</span></th></tr></thead>
<tbody>${shown.map(({ render, currency }) => render(unit(currency))).join('')}</tbody></table>${
    showsAll && older > 0 ? `<p class="quiet">and ${countText(older)} older</p>` : ''
  }${
    rows.length > SHOWN
      ? `<button type="button" class="quiet-button" data-pick="payments=${pick}" data-key="payments" aria-expanded="${showsAll}">${more}</button>`
      : ''
  }`
}

function renderRow(payment: Payment, today: string, unit: string): string {
  const { word, kind, icon } = STATES[stateOf(payment)]
  const payee = escapeHtml(payment.creditorName)
  const when = whenText(payment, today)
  const isOver = ['RJCT', 'CANC'].includes(payment.status)
  return `<tr${isOver ? ' class="over"' : ''}><th scope="row">${renderReference(referenceOf(payment))}
<span class="narrow">${payee}, ${when}</span></th><td class="wide payee" title="${payee}">${payee}</td><td class="wide when">${when}</td>
<td class="number">${amountText(twoDecimals(payment.instructedAmount.amount))}${unit}</td>
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

function renderSwishRow(order: MobileOrder, unit: string): string {
  const { word, kind, icon } = SWISH_STATES[mobileStateOf(order)]
  const when = order.paidAtMs === undefined ? '–' : timeText(order.paidAtMs, false)
  const isOver = ['DECLINED', 'CANCELLED', 'ERROR'].includes(order.status)
  return `<tr${isOver ? ' class="over"' : ''}><th scope="row">${renderReference(order.message)}
<span class="narrow">Swish, ${when}</span></th><td class="wide payee">Swish</td><td class="wide when">${when}</td>
<td class="number">${amountText(order.amount)}${unit}</td>
<td><span class="chip ${kind}">${renderIcon(icon)}${word}</span></td></tr>`
}

const ENDS: Record<CreditEnd['status'], { word: string; kind: string; icon: Icon }> = {
  BOOKED: { word: 'Booked', kind: 'ok', icon: 'check' },
  KNOWN: { word: 'Known', kind: 'ok', icon: 'check' },
  SUSPENSE: { word: 'In suspense', kind: 'warn', icon: 'pause' },
  REVERSED: { word: 'Taken back', kind: 'plain', icon: 'cross' },
  SENT_BACK: { word: 'Goes back', kind: 'plain', icon: 'cross' },
  WAITING: { word: 'Taken in', kind: 'outline', icon: 'dots' },
  REFUSED: { word: 'Elsewhere', kind: 'bad', icon: 'cross' },
}

/** Money by hand: it waits for the bank's next file, and then stands where the product has put it. */
function renderTransferRow(
  transfer: Transfer,
  end: CreditEnd | undefined,
  { today, unit }: { today: string; unit: string },
): string {
  const { account, reference, payer, day, amount } = transfer
  const { word, kind, icon } = end
    ? ENDS[end.status]
    : { word: 'Next file', kind: 'outline', icon: 'clock' as const }
  const when = day === today ? 'today' : dayText(day, 'en-GB', { day: 'numeric', month: 'short' })
  const to = escapeHtml(end?.number ? `${account} · ${end.number}` : account)
  const isDigits = /^[\d\s]+$/.test(reference)
  const name =
    reference === ''
      ? escapeHtml(payer)
      : renderReference(isDigits ? reference.replace(/\s/g, '') : reference)
  const why = end?.reason ? ` title="${escapeHtml(end.reason.replaceAll('_', ' '))}"` : ''
  return `<tr><th scope="row">${name}
<span class="narrow">By hand to ${to}, ${when}</span></th><td class="wide payee" title="${to}">${to}</td><td class="wide when">${when}</td>
<td class="number">${amountText(amount)}${unit}</td>
<td><span class="chip ${kind}"${why}>${renderIcon(icon)}${word}</span></td></tr>`
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
