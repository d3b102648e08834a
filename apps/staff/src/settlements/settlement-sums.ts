/** How the parts of a settlement come to what is paid out. Amounts in minor units; what is taken off is below zero. */
import { effectOfLine } from '@kvitt/domain/settlements/voucher.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import type { Settlement } from './settlement-calls.ts'

const DEDUCTIONS = ['fees', 'vat', 'corrections'] as const

/** What was collected, and what is taken off it. */
export function partsOf(settlement: Pick<Settlement, 'collected' | (typeof DEDUCTIONS)[number]>) {
  return [
    { part: 'collected' as const, minor: minorOf(settlement.collected) },
    ...DEDUCTIONS.map((part) => ({ part, minor: 0 - minorOf(settlement[part]) })),
  ]
}

type Line = Pick<Settlement['lines'][number], 'kind' | 'amount'>

/** What a line does to what is paid out. */
export function effectOf({ kind, amount }: Line): number {
  return effectOfLine(kind, minorOf(amount))
}

/** Why nothing was paid out, and how much the next settlement begins with: below zero is taken off there. */
export function carriedOf(lines: readonly Line[]) {
  const minor = lines.reduce(
    (sum, { kind, amount }) => sum + (kind === 'CARRIED_OUT' ? minorOf(amount) : 0),
    0,
  )
  if (minor === 0) return { why: 'nothing' as const, minor }
  return { why: minor > 0 ? ('small' as const) : ('owed' as const), minor }
}
