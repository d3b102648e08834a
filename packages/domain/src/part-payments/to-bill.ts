/** What the instalments of a running plan come to: planned figures, as far as there is a balance left to bill. */
import { compare, money, subtract, type Money } from '../money.ts'
import { monthlyInterest } from './plan.ts'

/** An instalment as it was planned, in minor units. */
export type PlannedInstalment = { readonly principal_minor: number; readonly interest_minor: number }

/** Planned figures hold while nothing but instalments reduced the balance; else interest is on what is left. */
export function figuresOfNext(
  next: PlannedInstalment,
  { left, percent, isLast }: { readonly left: Money; readonly percent: string; readonly isLast: boolean },
): { readonly principal: Money; readonly interest: Money } {
  const planned = money(next.principal_minor, left.currency)
  const principal = isLast || compare(planned, left) > 0 ? left : planned
  const most = money(next.interest_minor, left.currency)
  const now = monthlyInterest(left, percent)
  return { principal, interest: compare(now, most) < 0 ? now : most }
}

/** Those of the instalments to come that will be billed of what is `left`, with the figures that they will have. */
export function instalmentsToBill<I extends PlannedInstalment>(
  toCome: readonly I[],
  { left: balance, percent }: { readonly left: Money; readonly percent: string },
): I[] {
  const billed: I[] = []
  let left = balance
  for (const [index, next] of toCome.entries()) {
    if (left.minor === 0) break
    const isLast = index === toCome.length - 1
    const { principal, interest } = figuresOfNext(next, { left, percent, isLast })
    billed.push({ ...next, principal_minor: principal.minor, interest_minor: interest.minor })
    left = subtract(left, principal)
  }
  return billed
}
