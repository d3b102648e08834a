import { FAULTS, isFaultOf, isTarget, TARGETS } from '../faults.ts'
import type { AllFaults, ArmedFaults, Fault, Target } from '../faults.ts'
import type { SlowSeconds } from '../delays.ts'
import { renderButton } from './buttons.ts'
import type { ButtonCall } from './buttons.ts'
import { renderIcon } from './icons.ts'

const NAMES: Record<Fault, string> = {
  timeout: 'Time-out',
  error500: 'Error 500',
  'error-after-success': 'Error after success',
  'duplicate-callback': 'Twice',
  'late-callback': 'Late',
  'drop-callback': 'Lost',
  'reorder-callbacks': 'Out of order',
  'wrong-amount': 'Wrong amount',
  'wrong-currency': 'Wrong currency',
  expire: 'Expire',
  stuck: 'Stuck',
  'already-in-progress': 'In progress',
  maintenance: 'Maintenance',
  'wrong-nonce': 'Wrong nonce',
  'wrong-audience': 'Wrong audience',
  'other-issuer': 'Other issuer',
  'other-sender': 'Other sender',
  'old-sign-in': 'Old sign-in',
  unsigned: 'Unsigned',
  'wrong-key': 'Wrong key',
}

const ROWS: Record<Target, string> = {
  bank: 'Bank',
  mobile: 'Swish',
  eid: 'BankID',
  mail: 'Mail',
  issuer: 'Issuer',
}

/** A table each: the issuer's faults are of its tokens, and beside all the others no column would have room for a finger. */
const GROUPS: readonly (readonly Target[])[] = [TARGETS.filter((target) => target !== 'issuer'), ['issuer']]

/** A press makes a counterparty slower: slow, slower than its caller waits, and quick again. */
const PACES = [0, 5, 15]

const READY_MADE: { text: string; faults: Partial<Record<Target, ArmedFaults>> }[] = [
  { text: 'Created, but the answer is lost', faults: { bank: { 'error-after-success': 1 } } },
  { text: 'Paid, but nobody is told', faults: { mobile: { 'drop-callback': 1 } } },
  { text: 'Called twice, backwards', faults: { bank: { 'duplicate-callback': 2, 'reorder-callbacks': 1 } } },
  {
    text: 'All is slow',
    faults: { bank: { timeout: 1, 'late-callback': 2 }, mobile: { timeout: 1, 'late-callback': 1 } },
  },
]

/**
 * Counterparty by fault, a button each: a press makes it happen one more time. First, how slow each one is. Where there is
 * little room only the counterparty that was picked is shown.
 */
export function renderFaults(
  armed: ReturnType<AllFaults['armed']>,
  seconds: SlowSeconds,
  pickedName: string | null,
): string {
  const picked = isTarget(pickedName) ? pickedName : 'bank'
  const tables = GROUPS.map((group) => {
    const faults = FAULTS.filter((fault) => group.some((target) => isFaultOf(target, fault)))
    const head = ['Answer after', ...faults.map((fault) => NAMES[fault])].map(
      (name) => `<th scope="col"><span class="fault">${name}</span></th>`,
    )
    const rows = group.map((target) =>
      renderRow(target, { armed: armed[target], faults }, seconds[target] ?? 0, target === picked),
    )
    return `<table class="faults"><thead><tr><td></td>${head.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table>`
  })
  const quick = TARGETS.flatMap((target): ButtonCall[] =>
    seconds[target] === 0 ? [] : [['POST', '/control/delays', { target, seconds: 0 }]],
  )
  const tabs = TARGETS.map((target) => {
    const left = Object.values(armed[target]).reduce((sum, times) => sum + times, 0)
    return `<button type="button" data-pick="faults=${target}" data-key="faults-${target}" aria-pressed="${target === picked}">${ROWS[target]}${left > 0 ? ` ×${left}` : ''}</button>`
  })
  const clear = renderButton({
    key: 'clear',
    text: 'Clear all',
    calls: [['DELETE', '/control/faults'], ...quick],
    kind: 'quiet-button',
  })
  const readyMade = READY_MADE.map(({ text, faults }) => {
    const calls = TARGETS.flatMap((target) =>
      FAULTS.flatMap((fault) => {
        const more = faults[target]?.[fault]
        return more === undefined ? [] : [arm(target, fault, (armed[target][fault] ?? 0) + more)]
      }),
    )
    return renderButton({ key: `ready-${text}`, text, calls })
  })
  return `<div class="card-head"><h2>${renderIcon('bolt')}Faults <span>for the next calls only</span></h2>${clear}</div>
<div class="tabs whose" role="group" aria-label="Whose faults">${tabs.join('')}</div>
${tables.join('')}
<div class="ready"><span class="quiet">Ready-made trouble</span>${readyMade.join('')}</div>`
}

function renderPace(target: Target, seconds: number): string {
  const next = PACES[(PACES.indexOf(seconds) + 1) % PACES.length] ?? 0
  const button = renderButton({
    key: `pace-${target}`,
    text: `${seconds} s`,
    label: `${ROWS[target]} answers after ${seconds} seconds; press for ${next}`,
    calls: [['POST', '/control/delays', { target, seconds: next }]],
    kind: seconds > 0 ? 'cell armed' : 'cell',
    hint: 'What was asked is done at once; only the answer comes late. We wait for ten seconds.',
  })
  return `<td><span class="fault-name" aria-hidden="true">Answer after</span>${button}</td>`
}

function renderRow(
  target: Target,
  { armed, faults }: { readonly armed: ArmedFaults; readonly faults: readonly Fault[] },
  seconds: number,
  isPicked: boolean,
): string {
  const cells = faults.map((fault) => {
    if (!isFaultOf(target, fault)) return '<td class="none"></td>'
    const left = armed[fault] ?? 0
    const button = renderButton({
      key: `fault-${target}-${fault}`,
      text: left > 0 ? `×${left}` : '+',
      label: `${ROWS[target]}, ${NAMES[fault]}, ${left} left; press for one more`,
      calls: [arm(target, fault, left + 1)],
      kind: left > 0 ? 'cell armed' : 'cell',
    })
    return `<td><span class="fault-name" aria-hidden="true">${NAMES[fault]}</span>${button}</td>`
  })
  return `<tr${isPicked ? ' class="picked"' : ''}><th scope="row">${ROWS[target]}</th>${renderPace(target, seconds)}${cells.join('')}</tr>`
}

function arm(target: Target, fault: Fault, times: number): ButtonCall {
  return ['POST', '/control/faults', { target, fault, times }]
}
