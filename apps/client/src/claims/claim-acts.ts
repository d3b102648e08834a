/** What can be done with a claim: which acts are open to whoever has these rights, and why the others are not. */
import type { StaffRight } from '@kvitt/domain/staff/roles.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import type { OfferedAct } from '../debts/act-list.tsx'
import { t } from '../text.ts'
import type { Claim } from './claim-calls.ts'

type ClaimAct = 'pause' | 'resume' | 'waive' | 'apply-to-court' | 'stop' | 'write-off'

const RIGHTS: Readonly<Record<ClaimAct, StaffRight>> = {
  pause: 'pause',
  resume: 'pause',
  waive: 'waive',
  'apply-to-court': 'court',
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

/** Why it is not open now; undefined when it is. */
function whyNot(act: ClaimAct, { status, isPartPayment, nextStep }: Claim): string | undefined {
  const isEnd = act === 'apply-to-court' || act === 'stop' || act === 'write-off'
  if (isPartPayment && (isEnd || act === 'waive')) return t('act.in_plan')
  if (act !== 'apply-to-court') return undefined
  if (status === 'DISPUTED' || status === 'PAUSED') return t('act.rests')
  const isEarly = nextStep !== null && BEFORE_COURT.includes(nextStep.type)
  return isEarly ? t('act.apply-to-court.not_yet', { day: formatDay(nextStep.plannedDate) }) : undefined
}

function costOf(act: ClaimAct, { balances: { total, costs, interest } }: Claim): number | null {
  switch (act) {
    case 'apply-to-court':
      return null
    case 'waive':
      return costs + interest
    case 'stop':
    case 'write-off':
      return total
    case 'pause':
    case 'resume':
      return 0
  }
}

export function actsOnClaim(claim: Claim, rights: readonly StaffRight[]): readonly OfferedAct[] {
  return ACTS.filter((act) => rights.includes(RIGHTS[act]) && isOffered(act, claim)).map((act) => {
    const message = whyNot(act, claim) ?? null
    return { act, isOpen: message === null, message, cost: costOf(act, claim) }
  })
}
