/**
 * How long what is kept about people is kept, on which ground, and where that stands. The database holds the same periods
 * (migration 0390): a test compares them. `isConfirmed: false` is what no lawyer has confirmed, which is all of it today.
 */

/** What a run of retention finds, by what becomes of it. */
export const RETENTION_KINDS = ['ARCHIVE', 'NEWS', 'CASE', 'BOOKS', 'FILES'] as const
export type RetentionKind = (typeof RETENTION_KINDS)[number]

export type RetentionRule = {
  readonly kind: RetentionKind
  /** So long after the end of what it belongs to; `years` are whole calendar years after the year of its last entry. */
  readonly period: { readonly months: number } | { readonly years: number }
  /** The law or code, as it is called where it is from. */
  readonly ground: string
  readonly isConfirmed: boolean
}

const BOOKS = {
  SE: { years: 7, ground: 'bokföringslagen (1999:1078) 7 kap. 2 §', isConfirmed: false },
  NO: { years: 5, ground: 'bokføringsloven § 13', isConfirmed: false },
  DK: { years: 5, ground: 'bogføringsloven § 12', isConfirmed: false },
  FI: { years: 10, ground: 'kirjanpitolaki (1336/1997) 2:10', isConfirmed: false },
} as const
/** Where no law is known here: longer than any of the others wants. */
const ELSEWHERE = { years: 10, ground: '', isConfirmed: false } as const

/** The books' law of a provider's country; of one that is not known here, ten years without a ground. */
export function booksRule(country: string): { years: number; ground: string; isConfirmed: boolean } {
  return Object.hasOwn(BOOKS, country) ? BOOKS[country as keyof typeof BOOKS] : ELSEWHERE
}

/** The rules of a provider in this country, in the order in which they come. */
export function retentionRules(country: string): readonly RetentionRule[] {
  const { years, ground, isConfirmed } = booksRule(country)
  const books = { period: { years }, ground, isConfirmed }
  return [
    {
      kind: 'NEWS',
      period: { months: 13 },
      ground: 'GDPR art. 5.1 e',
      isConfirmed: false,
    },
    {
      kind: 'ARCHIVE',
      period: { months: 24 },
      ground: 'GDPR art. 5.1 e',
      isConfirmed: false,
    },
    {
      kind: 'CASE',
      period: { months: 36 },
      ground: 'Svensk Inkassos branschkod',
      isConfirmed: false,
    },
    { kind: 'BOOKS', ...books },
    { kind: 'FILES', ...books },
  ]
}
