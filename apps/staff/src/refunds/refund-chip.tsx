import { Chip, type ChipTone } from '@kvitt/office/parts/chip.tsx'
import { t } from '../text.ts'
import type { RefundRow } from './refund-calls.ts'

const TONES: Readonly<Record<RefundRow['status'], ChipTone>> = {
  OWED: 'accent',
  UNDER_WAY: 'outline',
  ENDED: 'ok',
}

export const RefundChip = ({ status }: Pick<RefundRow, 'status'>) => (
  <Chip tone={TONES[status]}>{t(`refund.status.${status}`)}</Chip>
)
