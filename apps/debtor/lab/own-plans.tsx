import { queries } from '../src/calls.ts'
import { ownPlanQuery } from '../src/help/conversation-calls.ts'
import { PlanAnswer } from '../src/help/plan-answer.tsx'
import { PlanFigures, type OwnPlan } from '../src/help/plan-figures.tsx'
import { PlanForm } from '../src/help/plan-form.tsx'
import type { Part } from './part.ts'
import { Opened } from './pressed.tsx'
import { keyOf } from './samples.ts'
import { subject, thread } from './talking.tsx'

const FIGURES: OwnPlan = {
  currency: 'SEK',
  creditAmount: 842,
  instalmentCount: 3,
  monthlyAmount: 310,
  firstAmount: 310,
  lastAmount: 309,
  firstDueDate: '2026-12-25',
  lastDueDate: '2027-02-25',
  totalToPay: 929,
  totalCost: 87,
  totalInterest: 0,
  totalFees: 87,
  effectiveRate: 68.21,
  offerVersion: 'a',
  atOnce: true,
  rests: true,
}
const FREE: OwnPlan = {
  ...FIGURES,
  instalmentCount: 9,
  monthlyAmount: 100,
  firstAmount: 100,
  lastAmount: 42,
  lastDueDate: '2027-08-25',
  totalToPay: 842,
  totalCost: 0,
  totalFees: 0,
  effectiveRate: 0,
  atOnce: false,
}
const keepPlan = (name: string, sought: Parameters<typeof ownPlanQuery>[1], plan: OwnPlan) =>
  queries.setQueryData(ownPlanQuery(keyOf(name), sought).queryKey, plan)
keepPlan('countered', { conversation: 'plan' }, FIGURES)

/** A plan of the debtor’s own. */
export const OWN_PLAN_PARTS: readonly Part[] = [
  {
    name: 'PlanForm',
    states: {
      open: () => (
        <Opened
          show={(onClose) => (
            <PlanForm
              {...subject()}
              limits={{ from: '2026-11-24', to: '2027-01-18', least: 44, below: 842, rests: true }}
              onClose={onClose}
            />
          )}
        />
      ),
    },
  },
  {
    name: 'PlanAnswer',
    place: 'payment',
    states: {
      'another plan': () => (
        <PlanAnswer
          debtKey={keyOf('countered')}
          thread={thread({ id: 'plan', kind: 'PLAN', status: 'COUNTERED' })}
        />
      ),
      'one’s own, that waits': () => (
        <PlanAnswer debtKey={keyOf('proposed')} thread={thread({ kind: 'PLAN' })} />
      ),
    },
  },
  {
    name: 'PlanFigures',
    place: 'payment',
    isTogether: true,
    states: {
      'with fees': () => <PlanFigures plan={FIGURES} />,
      'costs nothing': () => <PlanFigures plan={FREE} />,
    },
  },
]
