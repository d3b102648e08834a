import { isPlanStarted, type PlanStartedState } from '../../views.ts'

/** Does the confirmation tell of a plan: one just started, or of what is in a plan and was not paid from here? */
export function confirmsPlan(isInPlan: boolean): boolean {
  if (isPlanStarted()) return true
  const variant = (history.state as Partial<PlanStartedState> | null)?.variant
  return isInPlan && variant === undefined && !location.hash.includes('paymentOption=')
}
