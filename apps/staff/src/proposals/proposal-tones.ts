import type { ChipTone } from '@kvitt/office/parts/chip.tsx'
import type { Proposal } from './proposal-calls.ts'

export const TONES: Readonly<Record<Proposal['status'], ChipTone>> = {
  OPEN: 'outline',
  APPROVED: 'ok',
  REFUSED: 'bad',
  WITHDRAWN: 'neutral',
}
