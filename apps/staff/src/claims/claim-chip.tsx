import { Chip, type ChipTone } from '@kvitt/office/parts/chip.tsx'
import { t } from '../text.ts'
import type { Claim } from './claim-calls.ts'

const TONES: Readonly<Record<Claim['status'], ChipTone>> = {
  OPEN: 'outline',
  RESUME: 'outline',
  PAUSED: 'warn',
  DISPUTED: 'info',
  CLOSED: 'ok',
  STOPPED: 'neutral',
}

export function ClaimChip({ status }: { status: Claim['status'] }) {
  return <Chip tone={TONES[status]}>{t(`claim.status.${status}`)}</Chip>
}
