import { Chip, type ChipTone } from '@kvitt/office/parts/chip.tsx'
import { t } from '../text.ts'
import type { ListedPlan, Plan } from './plan-calls.ts'

const TONES: Readonly<Record<ListedPlan['status'], ChipTone>> = {
  ACTIVE: 'accent',
  COMPLETED: 'ok',
  DEFAULTED: 'bad',
  WITHDRAWN: 'neutral',
  STOPPED: 'neutral',
}

type State = Plan['schedule'][number]['state']

const STATE_TONES: Readonly<Record<State, ChipTone>> = {
  TO_COME: 'outline',
  DUE: 'accent',
  LATE: 'bad',
  PAID: 'ok',
  STOPPED: 'neutral',
}

export function PlanChip({ status }: { status: ListedPlan['status'] }) {
  return <Chip tone={TONES[status]}>{t(`plan.status.${status}`)}</Chip>
}

export function InstalmentChip({ state }: { state: State }) {
  return <Chip tone={STATE_TONES[state]}>{t(`plan.state.${state}`)}</Chip>
}
