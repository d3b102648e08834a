/** For examples worked by hand: a few facts, and what is owed then as `principal costs interest` in minor units. */
import { expect } from 'vitest'
import type { Day, DocumentFact, Fact } from './facts.ts'
import { judge } from './oracle.ts'

type Terms = Partial<Omit<DocumentFact, 'kind'>>

/** 1 000,00 of a Swedish consumer, sent on 30 January 2026 and due on Sunday 1 March, when another is not asked for. */
export const document = (terms: Terms = {}): DocumentFact => ({
  kind: 'document',
  id: 'A',
  debtor: 'Alva',
  country: 'SE',
  debtorKind: 'consumer',
  minor: 100_000,
  sentOn: '2026-01-30',
  dueOn: '2026-03-01',
  isFeeAgreed: true,
  ...terms,
})

let payments = 0
export const paid = (on: Day, minor: number, debt = 'A'): Fact => ({
  kind: 'payment',
  id: `paid-${++payments}`,
  debt,
  minor,
  on,
})
export const letter = (type: string, on: Day, number = 1, debt = 'A'): Fact => ({
  kind: 'step',
  debt,
  type,
  number,
  on,
})
export const joined = (on: Day, document = 'A'): Fact => ({ kind: 'joined', document, claim: 'K', on })
export const demand = (on: Day, number = 1): Fact => letter('COLLECTION_CLAIM', on, number, 'K')
export const credited = (on: Day, minor: number): Fact => ({ kind: 'credit', document: 'A', minor, on })
export const disputed = (on: Day, debt = 'A'): Fact => ({ kind: 'dispute', debt, on })
export const answered = (on: Day, credit: number | 'all' | null, debt = 'A'): Fact => ({
  kind: 'answer',
  debt,
  on,
  credit,
})
export const givenUp = (on: Day, minor: number, owedTo = on): Fact => {
  return { kind: 'given-up', id: 'W', debt: 'A', minor, on, owedTo }
}
export const waived = (on: Day, bucket: 'costs' | 'interest', minor: number, isAll?: boolean): Fact => ({
  kind: 'waived',
  debt: 'A',
  bucket,
  minor,
  on,
  ...(isAll ? { isAll } : {}),
})
export const writtenOff = (on: Day, minor: number): Fact => ({ kind: 'written-off', debt: 'A', minor, on })
export const night = (on: Day): Fact => ({ kind: 'night', on })

export function expectOwed(facts: readonly Fact[], owed: string, debt = 'A'): void {
  const found = judge(facts).owed.get(debt)
  expect(found && `${found.principal} ${found.costs} ${found.interest}`).toBe(owed)
}

export function expectBack(facts: readonly Fact[], minor: number): void {
  expect(judge(facts).owedBack.get('Alva') ?? 0).toBe(minor)
}
