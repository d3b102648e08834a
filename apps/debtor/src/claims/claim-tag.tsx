import type { ClaimAnswer } from '@kvitt/domain/claims/claim.contract.ts'
import { Tag } from '@kvitt/ui/components/tag.tsx'
import { minorOf } from '@kvitt/ui/money-text.ts'
import { DueTag } from '../shell/due-tag.tsx'
import { PlanTag } from '../shell/plan-tag.tsx'
import { t } from '../text.ts'

function OverTag({ isPaid }: { isPaid: boolean }) {
  return (
    <Tag tone={isPaid ? 'ok' : 'neutral'} icon="tick">
      {t(isPaid ? 'claim.is_paid' : 'claim.is_closed')}
    </Tag>
  )
}

/** What holds the claim, else how it stands with its last day. */
export function ClaimTag({ claim }: { claim: ClaimAnswer }) {
  switch (claim.status) {
    case 'DISPUTED':
      return (
        <Tag tone="info" icon="flag">
          {t('claim.disputed')}
        </Tag>
      )
    case 'PAUSED':
      return (
        <Tag tone="info" icon="pause">
          {t('claim.paused')}
        </Tag>
      )
    case 'STOPPED':
      return <OverTag isPaid={false} />
    case 'CLOSED':
      return <OverTag isPaid={minorOf(claim.balanceTotal) === 0} />
    case 'OPEN':
    case 'RESUME':
      return claim.isPartPayment && claim.partPaymentVariant ? (
        <PlanTag variant={claim.partPaymentVariant} />
      ) : (
        <DueTag expireDate={claim.expireDate} today={claim.today} />
      )
  }
}
