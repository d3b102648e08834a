import { Chip, type ChipTone } from '@kvitt/office/parts/chip.tsx'
import { t } from '../text.ts'
import type { Payment } from './payment-calls.ts'

const TONES: Readonly<Record<Payment['status'], ChipTone>> = {
  CREATED: 'outline',
  IN_PROGRESS: 'outline',
  AUTHORIZED: 'accent',
  COMPLETED: 'ok',
  FAILED: 'neutral',
  REVERSED: 'bad',
}

export function PaymentChip({ status }: { status: Payment['status'] }) {
  return <Chip tone={TONES[status]}>{t(`payment.status.${status}`)}</Chip>
}
