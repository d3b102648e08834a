import { t, type MessageId } from '../text.ts'
import type { EidOrder } from './eid-order.ts'
import css from './eid-steps.module.css'

const STEPS: readonly MessageId[] = ['eid.step_open', 'eid.step_scan', 'eid.step_confirm']

/** Opening and scanning are one to us: only when the app has the order do we hear of it. */
function stepOf(order: EidOrder): number {
  if (order.phase === 'finishing') return STEPS.length
  if (order.phase !== 'pending') return 0
  return order.qrCode === null || order.hintCode === 'userSign' ? 2 : 0
}

/** Three steps with where one stands. */
export function EidSteps({ order }: { order: EidOrder }) {
  const current = stepOf(order)
  return (
    <ol className={css.steps}>
      {STEPS.map((step, index) => (
        <li
          key={step}
          className={css.step}
          data-state={index < current ? 'done' : index === current ? 'now' : 'later'}
          aria-current={index === current ? 'step' : undefined}
        >
          <span className={css.number} aria-hidden="true">
            {index + 1}
          </span>
          {t(step)}
        </li>
      ))}
    </ol>
  )
}
