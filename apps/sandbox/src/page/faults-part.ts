import { BANK_FAULTS } from '../faults.ts'
import type { ArmedFaults, BankFault } from '../faults.ts'
import { renderButton } from './buttons.ts'
import type { ButtonCall } from './buttons.ts'
import { renderIcon } from './icons.ts'

const NAMES: Record<BankFault, string> = {
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
}

const READY_MADE: { text: string; faults: ArmedFaults }[] = [
  { text: 'Created, but the answer is lost', faults: { 'error-after-success': 1 } },
  { text: 'Called twice, backwards', faults: { 'duplicate-callback': 2, 'reorder-callbacks': 1 } },
  { text: 'All is slow', faults: { timeout: 1, 'late-callback': 2 } },
]

/** The faults of the bank as a row of buttons: each press makes it happen one more time. */
export function renderFaults(armed: ArmedFaults): string {
  const cells = BANK_FAULTS.map((fault) => {
    const left = armed[fault] ?? 0
    const button = renderButton({
      key: `fault-${fault}`,
      text: left > 0 ? `×${left}` : '+',
      label: `${NAMES[fault]}, ${left} left; press for one more`,
      calls: [arm(fault, left + 1)],
      kind: left > 0 ? 'cell armed' : 'cell',
    })
    return `<li><span class="fault" aria-hidden="true">${NAMES[fault]}</span>${button}</li>`
  })
  const clear = renderButton({
    key: 'clear',
    text: 'Clear all',
    calls: [['DELETE', '/control/faults']],
    kind: 'quiet-button',
  })
  const readyMade = READY_MADE.map(({ text, faults }) => {
    const names = BANK_FAULTS.filter((fault) => faults[fault] !== undefined)
    const calls = names.map((fault) => arm(fault, (armed[fault] ?? 0) + (faults[fault] ?? 0)))
    return renderButton({ key: `ready-${text}`, text, calls })
  })
  return `<div class="card-head"><h2>${renderIcon('bolt')}Faults <span>for the next calls only</span></h2>${clear}</div>
<div class="faults"><span class="row-name" id="faults-bank">Bank</span>
<ul aria-labelledby="faults-bank">${cells.join('')}</ul></div>
<div class="ready"><span class="quiet">Ready-made trouble</span>${readyMade.join('')}</div>`
}

function arm(fault: BankFault, times: number): ButtonCall {
  return ['POST', '/control/faults', { target: 'bank', fault, times }]
}
