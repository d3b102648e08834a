import { amountText, escapeHtml } from '../html.ts'
import { judge } from '../verdict.ts'
import type { LedgerReport, Verdict } from '../verdict.ts'
import type { PageParts } from './parts.ts'
import { renderIcon } from './icons.ts'

/** How the product's books stand against what was executed here; undefined when the product does not say. */
export async function readBooks(
  parts: PageParts,
): Promise<{ report: LedgerReport; verdict: Verdict } | undefined> {
  const answer = await parts.product.ledger()
  const ordered = {
    payments: parts.bank.payments(),
    mobile: parts.phone.orders(),
    refunds: parts.refunds.all(),
    statements: parts.statements,
  }
  return answer && { report: answer.report, verdict: judge(answer.report, ordered, answer.askedAtMs) }
}

export type Books = Awaited<ReturnType<typeof readBooks>>

/** The verdict, the sums of both sides, and what does not hold, each thing by its name. */
export function renderLedger(books: Books, showsChecks: boolean): string {
  const head = (chip: string) =>
    `<div class="card-head"><h2>${renderIcon('book')}The ledger</h2>${chip}</div>`
  if (!books) {
    return `${head('<span class="chip warn">Not known</span>')}
<p class="quiet">The product does not say how its books stand. Is it running, with the demo on?</p>`
  }
  const { report, verdict } = books
  const chip = verdict.isRight
    ? `<span class="chip ok">${renderIcon('check')}The books balance</span>`
    : `<span class="chip bad">${renderIcon('cross')}The books are wrong</span>`
  return `${head(chip)}${renderTroubles(verdict)}${renderSums(report)}
<dl class="facts">${facts(verdict)}</dl>${renderChecks(report, showsChecks)}`
}

/** So many characters of an amount still have room beside a second one. */
const BESIDE = 13

/** Both sides of each currency, beside each other or, where they are long, below each other. */
function renderSums({ sums }: LedgerReport): string {
  if (sums.length === 0) return '<p class="quiet">Nothing is posted yet.</p>'
  const cell = (amount: string) => `<td class="number">${figure(amount)}</td>`
  if (
    sums.some(
      ({ debit, credit }) => Math.max(...[debit, credit].map((one) => amountText(one).length)) > BESIDE,
    )
  ) {
    const rows = sums.map(
      ({ currency, debit, credit }) =>
        `<tr><th scope="row">Debit ${currency}</th>${cell(debit)}</tr><tr><th scope="row">Credit ${currency}</th>${cell(credit)}</tr>`,
    )
    return `<table class="sums"><tbody>${rows.join('')}</tbody></table>`
  }
  const rows = sums.map(
    ({ currency, debit, credit }) => `<tr><th scope="row">${currency}</th>${cell(debit)}${cell(credit)}</tr>`,
  )
  return `<table class="sums"><thead><tr><td></td><th scope="col" class="number">Debit</th>
<th scope="col" class="number">Credit</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
}

/** Equal sums are closed as in bookkeeping. */
function figure(amount: string): string {
  return `<span class="closed">${amountText(amount)}</span>`
}

function facts({ executed, booked, onTheWay, inNextFile, withAPerson }: Verdict): string {
  return [
    ['Executed here', executed],
    ['In the books', booked],
    ['On the way', onTheWay],
    ['In the bank’s next file', inNextFile],
    ['A person was asked', withAPerson],
  ]
    .map(([name, count]) => `<dt>${name}</dt><dd>${count}</dd>`)
    .join('')
}

/** What is wrong, in words: the order's reference or the invariant, so that it can be found. */
function renderTroubles({ doubled, lost, wrong, broken, differences }: Verdict): string {
  const troubles = [
    ...doubled.map((reference) => `${reference} is booked more than once.`),
    ...lost.map((reference) => `${reference} was executed and is not in the books after three minutes.`),
    ...wrong.map((reference) => `${reference} is booked with another sum than was executed.`),
    ...broken.map(
      ({ name, rows }) => `${checkName(name)} does not hold: ${rows} ${rows === 1 ? 'row' : 'rows'}.`,
    ),
  ]
  if (troubles.length === 0) return ''
  const off = differences.filter(({ amount }) => amount !== '0.00')
  const difference =
    off.length === 0
      ? ''
      : `<p>Difference ${off.map(({ amount, currency }) => `${signed(amount)} ${currency}`).join(', ')}</p>`
  return `<div class="wrong"><ul>${troubles.map((one) => `<li>${escapeHtml(one)}</li>`).join('')}</ul>${difference}</div>`
}

function renderChecks({ checks }: LedgerReport, isOpen: boolean): string {
  const passed = checks.filter(({ rows }) => rows === 0).length
  const list = checks.map(({ name, rows }) => {
    const icon = rows === 0 ? 'check' : 'cross'
    return `<li>${renderIcon(icon)}<span>${escapeHtml(checkName(name))}<span class="unseen">: ${rows === 0 ? 'holds' : 'broken'}</span></span></li>`
  })
  return `<button type="button" class="quiet-button" data-pick="checks=${isOpen ? '' : 'shown'}" data-key="checks" aria-expanded="${isOpen}">${passed} of ${checks.length} checks hold</button>${
    isOpen ? `<ul class="checks">${list.join('')}</ul>` : ''
  }`
}

/** "inv_i4_settled_payments_are_booked_once" as people read it. */
function checkName(name: string): string {
  const [, number = '', words = name] = /^inv_i(\d+)_(.*)$/.exec(name) ?? []
  const text = words.replaceAll('_', ' ')
  return `${number === '' ? '' : `I${number} `}${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** The line at the foot: orders against bookings. */
export function renderFoot(books: Books, untold: number): string {
  const fact = (name: string, value: string | number) => `<span>${name} <strong>${value}</strong></span>`
  const news = fact('Notifications on their way', untold)
  if (!books) return `<span class="verdict">The ledger does not answer</span>${news}`
  const { verdict } = books
  const off = verdict.differences.filter(({ amount }) => amount !== '0.00')
  const difference =
    off.length === 0 ? '0,00' : off.map(({ amount, currency }) => `${signed(amount)} ${currency}`).join(', ')
  return [
    `<span class="verdict">${verdict.isRight ? `The ledger agrees ${renderIcon('check')}` : `The ledger does not agree ${renderIcon('cross')}`}</span>`,
    fact('Orders', verdict.executed),
    fact('Booked', verdict.booked),
    fact('Doubled', verdict.doubled.length),
    fact('Lost', verdict.lost.length),
    fact('Difference', difference),
    news,
  ].join('')
}

function signed(amount: string): string {
  return amount.startsWith('-') ? `\u2212${amountText(amount.slice(1))}` : amountText(amount)
}
