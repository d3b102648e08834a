/** What bodies of acts have in common. */
import { Refusal } from '@kvitt/domain/errors.ts'

export const textOf = (amount: string | number | null | undefined): string | null =>
  (amount ?? null) === null ? null : String(amount)

/** Fees or interest: one of both. */
export function bucketOf({
  costs,
  interest,
}: {
  costs?: boolean | null | undefined
  interest?: boolean | null | undefined
}) {
  if (Boolean(costs) === Boolean(interest)) throw new Refusal('invalid_request', {}, ['costs', 'interest'])
  return costs ? ('costs' as const) : ('interest' as const)
}
