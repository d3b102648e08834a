import { Figure } from '@kvitt/office/parts/figure.tsx'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import type { ListedDebtor } from './debtor-calls.ts'

/** What is owed, by currency. */
export function Owed({ balances }: { balances: ListedDebtor['balances'] }) {
  if (balances.length === 0) return '–'
  return balances.map(({ currency, total }) => (
    <Figure key={currency} minor={minorOf(total)} currency={currency} />
  ))
}
