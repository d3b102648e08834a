import { describe, expect, test } from 'vitest'
import { date } from '../calendar.ts'
import { matchEntries, type ComparedEntry } from './match-entries.ts'

const DAY = date('2026-11-20')
const entry = (wishes: Partial<ComparedEntry> = {}): ComparedEntry => ({
  minor: 50_000,
  day: DAY,
  ids: {},
  references: [],
  payers: [],
  messages: [],
  ...wishes,
})
const alva = entry({ payers: ['Alva Provlund'] })
const bo = entry({ payers: ['Bo Testberg'] })
const same = (...indices: number[]) => indices.map((index) => ({ same: index }))

describe('by the bank’s ids', () => {
  test.each([
    ['servicer', { servicer: ['A1'] }, { servicer: ['A2'] }],
    ['transaction', { transaction: ['T1'] }, { transaction: ['T2'] }],
    ['uetr', { uetr: ['U1'] }, { uetr: ['U2'] }],
    ['endToEnd', { endToEnd: ['E1'] }, { endToEnd: ['E2'] }],
  ])('%s: the same id is the same entry whatever else is said, another id is another', (_, one, two) => {
    const kept = [entry({ ids: one, payers: ['Alva Provlund'] })]
    expect(matchEntries(kept, [entry({ ids: one, payers: ['A P'] })], false)).toEqual(same(0))
    expect(matchEntries(kept, [entry({ ids: two, payers: ['Alva Provlund'] })], false)).toEqual(['new'])
  })
  test('the first id that both have decides', () => {
    const kept = [entry({ ids: { servicer: ['A1'], endToEnd: ['E1'] } })]
    expect(matchEntries(kept, [entry({ ids: { servicer: ['A2'], endToEnd: ['E1'] } })], false)).toEqual([
      'new',
    ])
    expect(matchEntries(kept, [entry({ ids: { endToEnd: ['E1'] } })], false)).toEqual(same(0))
  })
  test('an id that the bank gives to two entries of one report stands for two', () => {
    const named = entry({ ids: { servicer: ['A1'] } })
    expect(matchEntries([], [named, named], false)).toEqual(['new', 'new'])
    expect(matchEntries([named], [named, named], false)).toEqual([{ same: 0 }, 'new'])
    expect(matchEntries([named, named], [named, named], false)).toEqual(same(0, 1))
  })
  test('what the payer calls it is looked at on one day alone: a standing order is called the same every month', () => {
    const kept = [entry({ ids: { endToEnd: ['RENT'] } })]
    const later = entry({ ids: { endToEnd: ['RENT'] }, day: date('2026-12-20') })
    expect(matchEntries(kept, [later], false)).toEqual(['new'])
  })
})

describe('without ids', () => {
  test('two of one day and sum in one report are two, and the same two in another', () => {
    expect(matchEntries([], [alva, bo], true)).toEqual(['new', 'new'])
    expect(matchEntries([alva, bo], [bo, alva], true)).toEqual(same(1, 0))
    expect(matchEntries([alva], [alva, alva], true)).toEqual([{ same: 0 }, 'new'])
  })
  test('another payer in another notification is new', () => {
    expect(matchEntries([alva], [bo], false)).toEqual(['new'])
  })
  test('a statement of the whole day that has another payer instead is doubtful; one more is new', () => {
    expect(matchEntries([alva], [bo], true)).toEqual(['doubtful'])
    expect(matchEntries([alva], [alva, bo], true)).toEqual([{ same: 0 }, 'new'])
  })
  test('what agrees in part and contradicts in part is doubtful', () => {
    const kept = [entry({ references: ['12345674'], payers: ['Alva Provlund'] })]
    expect(matchEntries(kept, [entry({ references: ['12345674'], payers: ['Bo Testberg'] })], false)).toEqual(
      ['doubtful'],
    )
  })
  test('one payer with two references in two notifications pays twice', () => {
    const kept = [entry({ references: ['12345674'], payers: ['Alva Provlund'] })]
    expect(
      matchEntries(kept, [entry({ references: ['76543214'], payers: ['Alva Provlund'] })], false),
    ).toEqual(['new'])
  })
  test('a notification without details is the entry that the statement tells more of, and the other way round', () => {
    const full = entry({ references: ['12345674'], payers: ['Alva Provlund'], messages: ['Hyra'] })
    expect(matchEntries([entry()], [full], true)).toEqual(same(0))
    expect(matchEntries([full], [entry()], true)).toEqual(same(0))
  })
  test('what says most finds its own first', () => {
    const full = entry({ references: ['12345674'], payers: ['Bo Testberg'] })
    expect(matchEntries([entry(), full], [full, entry()], true)).toEqual(same(1, 0))
  })
  test('a name that the bank cut off is the same name', () => {
    expect(matchEntries([alva], [entry({ payers: ['ALVA  PROV'] })], true)).toEqual(same(0))
  })
  test('another day is another entry', () => {
    expect(matchEntries([alva], [{ ...alva, day: date('2026-11-21') }], false)).toEqual(['new'])
  })
})

test('35,000 entries of one sum are compared in a moment', () => {
  const many = Array.from({ length: 35_000 }, (_, n) => entry({ ids: { servicer: [`A${n}`] } }))
  const others = Array.from({ length: 35_000 }, (_, n) => entry({ ids: { servicer: [`B${n}`] } }))
  expect(matchEntries(many, many, true).every((match) => typeof match === 'object')).toBe(true)
  expect(matchEntries(many, others, true).every((match) => match === 'new')).toBe(true)
  expect(matchEntries([], Array(35_000).fill(alva), true)).toHaveLength(35_000)
  expect(matchEntries(Array(35_000).fill(alva), Array(35_000).fill(alva), true)).toContainEqual({
    same: 34_999,
  })
})
