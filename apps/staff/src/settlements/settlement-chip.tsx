import { Chip, type ChipTone } from '@kvitt/office/parts/chip.tsx'
import { t } from '../text.ts'
import type { Settlement } from './settlement-calls.ts'

const TONES: Readonly<Record<Settlement['status'], ChipTone>> = {
  COUNTING: 'outline',
  TO_APPROVE: 'outline',
  APPROVED: 'accent',
  SENT: 'accent',
  PAID: 'ok',
  REFUSED: 'bad',
  CARRIED: 'neutral',
}

export function SettlementChip({ status }: { status: Settlement['status'] }) {
  return <Chip tone={TONES[status]}>{t(`settlement.status.${status}`)}</Chip>
}
