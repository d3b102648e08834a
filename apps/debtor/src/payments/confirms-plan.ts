import type { PlanStartedState } from '../views.ts'

/**
 * Does the confirmation tell of a plan? The state of the history says so, also after a refresh; without one, what is in
 * a plan and comes from no bank.
 */
export function confirmsPlan(isInPlan: boolean): boolean {
  const variant = (history.state as Partial<PlanStartedState> | null)?.variant
  // Beside the names of plans there are those of when to pay: pay-now and due-date.
  return variant === undefined
    ? isInPlan && !location.hash.includes('paymentOption=')
    : /PAYMENT/.test(variant)
}
