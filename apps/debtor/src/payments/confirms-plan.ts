import type { PlanStartedState } from '../views.ts'

const PLAN_VARIANTS: readonly string[] = ['PART_PAYMENT', 'ONGOING_PAYMENT', 'PART_PAYMENT_ACCOUNT']

/**
 * Does the confirmation tell of a plan? The state of the history says so, also after a refresh; without one, what is in
 * a plan and comes from no bank.
 */
export function confirmsPlan(isInPlan: boolean): boolean {
  const state = history.state as Partial<PlanStartedState> | null
  if (state?.variant !== undefined) return PLAN_VARIANTS.includes(state.variant)
  return isInPlan && !location.hash.includes('paymentOption=')
}
