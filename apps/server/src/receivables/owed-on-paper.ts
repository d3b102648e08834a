/** What debtors owed at the end of a day as it stands on papers: by age, with the total below. */
import { printedAmount } from '../platform/printed-amount.ts'
import { textOf, type Language, type TextKey } from '../platform/texts.ts'
import type { OwedSum } from './receivables.ts'

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
