import type { ClaimAnswer } from '@kvitt/domain/claims/claim.contract.ts'
import { DueTag } from '../debts/due-tag.tsx'
import { PlanTag } from '../debts/plan-tag.tsx'
import { StateTag, type Look } from '../debts/state-tag.tsx'

const LOOKS: Readonly<Record<string, Look>> = {
  CLOSED: ['ok', 'tick', 'claim.is_paid'],
  STOPPED: ['neutral', 'close', 'claim.is_stopped'],
  DISPUTED: ['info', 'flag', 'claim.disputed'],
  PAUSED: ['info', 'pause', 'claim.paused'],
}
const CREDITED: Look = ['neutral', 'document', 'claim.is_credited']

const lookOf = ({ status, isCredited }: ClaimAnswer): Look | undefined =>
  isCredited ? CREDITED : LOOKS[status]

/** Of a claim that is over. */
/** Nothing more comes of it. */
export const isOver = ({ status }: ClaimAnswer): boolean => status === 'CLOSED' || status === 'STOPPED'

export const wasPaid = (claim: ClaimAnswer): boolean => lookOf(claim) === LOOKS.CLOSED

/** How the claim is over, what holds it, else how it stands with its last day. */
export function ClaimTag({ claim }: { claim: ClaimAnswer }) {
  const look = lookOf(claim)
  if (look) return <StateTag look={look} />
  return claim.isPartPayment && claim.partPaymentVariant ? (
    <PlanTag variant={claim.partPaymentVariant} />
  ) : (
    <DueTag expireDate={claim.expireDate} today={claim.today} />
  )
}
