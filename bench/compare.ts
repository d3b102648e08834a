/** Whether a run of the benchmarks is worse than those before it on the same machine. */
import type { Result } from './run.ts'

/** So much worse than before is more than chance, besides what the runs before differ by among themselves. */
const MOST_WORSE = 0.05

type Worse = {
  readonly name: string
  readonly now: number
  /** The median of the runs before. */
  readonly before: number
  readonly unit: string
  /** By which part it is worse, and which part is allowed. */
  readonly by: number
  readonly allowed: number
}

/** What a figure is compared by: its ratio to what the machine did in the same run, or else itself. */
const figureOf = ({ value, ratio }: Result): number => ratio ?? value

/** Rates and scores are better when they are more; times and memory when they are less. */
const isMoreBetter = ({ unit }: Result): boolean => unit.endsWith('/s') || unit.startsWith('of ')

function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? 0)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}

/**
 * The figures of `now` that are worse than the median of `before` by more than MOST_WORSE and half of the way between the best
 * and the worst run before. What was not measured before, or was nothing, is compared with nothing.
 */
export function findWorse(now: readonly Result[], before: readonly (readonly Result[])[]): Worse[] {
  return now.flatMap((result) => {
    const earlier = before.flatMap((run) => run.filter(({ name }) => name === result.name).map(figureOf))
    const median = medianOf(earlier)
    if (earlier.length === 0 || median <= 0) return []
    const spread = (Math.max(...earlier) - Math.min(...earlier)) / 2 / median
    const change = (figureOf(result) - median) / median
    const by = isMoreBetter(result) ? -change : change
    const allowed = MOST_WORSE + spread
    const { name, unit, ratio } = result
    return by > allowed
      ? [
          {
            name,
            now: figureOf(result),
            before: median,
            unit: ratio === null ? unit : 'of the floor',
            by,
            allowed,
          },
        ]
      : []
  })
}

/** Is there no figure that both have? Then a comparison says nothing, and is no reason to be content. */
export function haveNone(now: readonly Result[], before: readonly (readonly Result[])[]): boolean {
  const known = new Set(before.flat().map(({ name }) => name))
  return !now.some(({ name }) => known.has(name))
}

/** A line for a person. */
export function sayWorse({ name, now, before, unit, by, allowed }: Worse): string {
  const percent = (part: number): string => `${(part * 100).toFixed(1)} %`
  return `${name}: ${now.toFixed(3)} ${unit}, before ${before.toFixed(3)}: ${percent(by)} worse, ${percent(allowed)} allowed`
}
