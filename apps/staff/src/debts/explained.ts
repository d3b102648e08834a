/** Why the balance is what it is: the movements of the books, put together by what they are. */
import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { explainOfficeInvoice } from '@kvitt/domain/invoices/office-invoice-detail.contract.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'

type Explanation = AnswerOf<typeof explainOfficeInvoice>
type Line = Explanation['lines'][number]

export type ExplainedPart = {
  readonly type: string
  readonly subType: string | null
  /** How often it came. */
  readonly count: number
  /** In minor units; all parts of it come to the balance. */
  readonly minor: number
  readonly periods: Line['periods']
}

const sumOf = ({ principal, costs, interest }: Line): number =>
  minorOf(principal) + minorOf(costs) + minorOf(interest)

/** One part for each kind of movement, in the order in which the first of them came. They add up to the balance. */
export function partsOf(lines: readonly Line[]): readonly ExplainedPart[] {
  const parts = new Map<string, ExplainedPart>()
  for (const line of lines) {
    const { type, subType } = line
    const key = `${type} ${subType}`
    const before = parts.get(key) ?? { count: 0, minor: 0, periods: [] }
    parts.set(key, {
      type,
      subType,
      count: before.count + 1,
      minor: before.minor + sumOf(line),
      periods: [...before.periods, ...line.periods],
    })
  }
  return [...parts.values()]
}
