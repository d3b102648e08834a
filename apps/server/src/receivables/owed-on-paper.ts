/** What debtors owed at the end of a day as it stands on papers: by age, with the total below. */
import type { AgeBucket } from '@kvitt/domain/receivables/ageing.ts'
import { printedAmount } from '../platform/printed-amount.ts'
import { textOf, type Language, type TextKey } from '../platform/texts.ts'

/** Of one currency. */
export type OwedSum = {
  readonly currency: string
  readonly count: number
  readonly principalMinor: number
  readonly costsMinor: number
  readonly interestMinor: number
  readonly totalMinor: number
  readonly ages: readonly {
    readonly bucket: AgeBucket
    readonly count: number
    readonly totalMinor: number
  }[]
  /** Of the books' own sum for the day. */
  readonly keptMinor: number
}

type Line = readonly [string, string]
type Side = { readonly rows: readonly Line[]; readonly total: Line }

/** Nothing where nothing was ever owed. */
export function sidesOfOwed(sum: OwedSum | undefined, language: Language): Side[] {
  if (!sum) return []
  const print = (minor: number): string => printedAmount(minor, sum.currency, language)
  const ages = sum.ages.filter(({ count }) => count > 0)
  return [
    {
      rows: ages.map(({ bucket, count, totalMinor }): Line => {
        const age = textOf(language, `age.${bucket.toLowerCase()}` as TextKey)
        return [`${age} (${count})`, print(totalMinor)]
      }),
      total: [textOf(language, 'month.receivables', { count: sum.count }), print(sum.totalMinor)],
    },
  ]
}
