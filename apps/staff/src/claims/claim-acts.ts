/** What can be done with a claim: which acts are open to whoever has these rights, and why the others are not. */
import type { StaffRight } from '@kvitt/domain/staff/roles.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import type { OfferedAct } from '../debts/act-list.tsx'
import { t } from '../text.ts'
import type { Claim } from './claim-calls.ts'

type ClaimAct =
  | 'more-time'
  | 'pause'
  | 'resume'
  | 'direct-payment'
  | 'waive'
  | 'apply-to-court'
  | 'recall'
  | 'stop'
  | 'write-off'

const RIGHTS: Readonly<Record<ClaimAct, StaffRight>> = {
  'more-time': 'more_time',
  pause: 'pause',
  resume: 'more_time',
  'direct-payment': 'direct_payment',
  waive: 'waive',
  'apply-to-court': 'court',
  recall: 'recall',
  stop: 'stop',
  'write-off': 'write_off',
}
const ACTS = Object.keys(RIGHTS) as ClaimAct[]

/** Steps that come before anybody is asked about the court. */
const BEFORE_COURT: readonly string[] = ['COLLECTION_CLAIM', 'SCHEDULE_END']

/** Steps of a claim that has been to the authority: there is nothing to apply for. */
const AFTER_COURT: readonly string[] = ['MONITORING', 'WATCH']

/** Acts that make sense where the claim stands; on one that has ended there are none. */
function isOffered(act: ClaimAct, { status, balances, nextStep }: Claim): boolean {
  if (status === 'CLOSED' || status === 'STOPPED' || balances.total <= 0) return false
  switch (act) {
    case 'more-time':
    case 'pause':
      return status === 'OPEN' || status === 'RESUME'
    case 'resume':
      return status === 'PAUSED'
    case 'waive':
      return balances.costs + balances.interest > 0
    case 'apply-to-court':
      return nextStep === null || !AFTER_COURT.includes(nextStep.type)
    default:
      return true
  }
}

const ENDS: readonly ClaimAct[] = ['apply-to-court', 'recall', 'stop', 'write-off']

/** What a plan pays is neither let off nor paid beside it. */
const NOT_IN_PLANS: readonly ClaimAct[] = ['waive', 'more-time', 'direct-payment']

/** Why it is not open now; undefined when it is. */
function whyNot(act: ClaimAct, { status, isPartPayment, nextStep }: Claim): string | undefined {
  const isEnd = ENDS.includes(act)
  if (isPartPayment && (isEnd || NOT_IN_PLANS.includes(act))) return t('act.in_plan')
  if (act !== 'apply-to-court') return undefined
  if (status === 'DISPUTED' || status === 'PAUSED') return t('act.rests')
  const isEarly = nextStep !== null && BEFORE_COURT.includes(nextStep.type)
  return isEarly ? t('act.apply-to-court.not_yet', { day: formatDay(nextStep.plannedDate) }) : undefined
}

function costOf(
  act: ClaimAct,
  { balances: { total, costs, interest } }: Claim,
  courtCost: number | null,
): number | null {
  switch (act) {
    case 'apply-to-court':
      return courtCost
    case 'recall':
      return null
    case 'waive':
      return costs + interest
    case 'stop':
    case 'write-off':
      return total
    case 'more-time':
    case 'pause':
    case 'resume':
    case 'direct-payment':
      return 0
  }
}

/** `courtCost`: what an application costs, as on the wire; null where that is not known. */
export function actsOnClaim(
  claim: Claim,
  rights: readonly StaffRight[],
  courtCost: number | null = null,
): readonly OfferedAct[] {
  return ACTS.filter((act) => rights.includes(RIGHTS[act]) && isOffered(act, claim)).map((act) => {
    const message = whyNot(act, claim) ?? null
    return { act, isOpen: message === null, message, cost: costOf(act, claim, courtCost) }
  })
}
