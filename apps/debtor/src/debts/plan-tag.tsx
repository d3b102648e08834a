import { Tag } from '@kvitt/ui/components/tag.tsx'
import { t } from '../text.ts'

const TEXT = {
  PART_PAYMENT: 'tag.part_payment',
  ONGOING_PAYMENT: 'tag.ongoing_payment',
  PART_PAYMENT_ACCOUNT: 'tag.part_payment_account',
} as const

/** In what way a debt is paid in parts. */
export function PlanTag({ variant }: { variant: keyof typeof TEXT }) {
  return (
    <Tag tone="neutral" icon="parts">
      {t(TEXT[variant])}
    </Tag>
  )
}
