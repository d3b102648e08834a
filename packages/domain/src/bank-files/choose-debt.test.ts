import { describe, expect, test } from 'vitest'
import { date } from '../calendar.ts'
import { alsoOwed, chooseDebt, referenceForms, type Candidate, type Incoming } from './choose-debt.ts'

function candidate(id: string, wishes: Partial<Candidate> = {}): Candidate {
  return {
    debt: { invoiceId: id },
    creditorId: 'gym',
    debtorId: 'elias',
    currency: 'SEK',
    owedMinor: 1000,
    isPlanned: false,
    dueDate: date('2026-11-01'),
    ...wishes,
  }
}
const line: Incoming = { amountMinor: 500, currency: 'SEK', creditorIds: ['gym'] }
const choose = (found: Candidate[], wishes: Partial<Incoming> = {}, references = 1) =>
  chooseDebt(found, { ...line, ...wishes }, references)

describe('money goes', () => {
  test('to the one debt, whether it is too little, exact or too much', () => {
    for (const amountMinor of [1, 1000, 5000]) {
      expect(choose([candidate('a')], { amountMinor })).toEqual({ debt: { invoiceId: 'a' } })
    }
  })
  const two = [candidate('late', { dueDate: date('2026-12-01'), owedMinor: 500 }), candidate('early')]
  test('to what it fits exactly, else to what is due first', () => {
    expect(choose(two)).toEqual({ debt: { invoiceId: 'late' } })
    expect(choose(two, { amountMinor: 700 })).toEqual({ debt: { invoiceId: 'early' } })
  })
  test('to what is still owed rather than to what is paid, and else to the newest', () => {
    const paid = candidate('paid', { owedMinor: 0 })
    expect(choose([paid, ...two])).toEqual({ debt: { invoiceId: 'late' } })
    expect(choose([paid, candidate('newer', { owedMinor: 0, dueDate: date('2026-12-01') })])).toEqual({
      debt: { invoiceId: 'newer' },
    })
  })
  test('through the account of the instance to every creditor', () => {
    expect(choose([candidate('a')], { creditorIds: null })).toEqual({ debt: { invoiceId: 'a' } })
  })
  test('to a claim as to an invoice', () => {
    expect(choose([candidate('a', { debt: { claimId: 'c' } })])).toEqual({ debt: { claimId: 'c' } })
  })
  test('to an instalment rather than to what its plan holds', () => {
    const found = [candidate('mother', { isPlanned: true }), candidate('instalment', { owedMinor: 300 })]
    expect(choose(found)).toEqual({ debt: { invoiceId: 'instalment' } })
  })
})

describe('a person places', () => {
  const other = candidate('b', { debtorId: 'siri' })
  test.each([
    ['no reference', [candidate('a')], {}, 0, 'no_reference'],
    ['an unknown reference', [], {}, 1, 'unknown_reference'],
    ['the account of another creditor', [candidate('a')], { creditorIds: ['energy'] }, 1, 'other_creditor'],
    ['another currency', [candidate('a')], { currency: 'EUR' }, 1, 'other_currency'],
    ['two debtors', [candidate('a'), other], {}, 1, 'several_debtors'],
    ['two debtors who owe the same', [candidate('a'), other], { amountMinor: 1000 }, 1, 'several_debtors'],
    ['two references', [candidate('a'), candidate('b')], {}, 2, 'several_debts'],
    // The second creditor wrote its invoice with the first one's reference, of the same debtor.
    [
      'two creditors of one debtor, however well the amount fits',
      [candidate('a', { owedMinor: 500 }), candidate('b', { creditorId: 'energy' })],
      { creditorIds: null },
      1,
      'several_debts',
    ],
    ['a plan that has billed nothing', [candidate('a', { isPlanned: true })], {}, 1, 'in_a_plan'],
  ] as const)('%s', (_, found, wishes, references, reason) => {
    expect(choose([...found], wishes, references)).toEqual({ reason })
  })
  test('not what fits one of two debtors exactly', () => {
    expect(choose([candidate('a', { owedMinor: 500 }), other])).toEqual({ debt: { invoiceId: 'a' } })
  })
})

test('a reference is looked for as it came, without its frame, and with zeros where they do not count', () => {
  expect(referenceForms('0123', true)).toEqual(['0123'])
  expect(referenceForms('RF181234', true)).toEqual(['RF181234', '1234'])
  const forms = referenceForms('0123', false)
  expect(forms).toContain('123')
  expect(forms).toContain('000123')
  expect(forms.every((form) => form.length <= 25 && Number(form) === 123)).toBe(true)
  expect(referenceForms('ISR ref', false)).toEqual(['ISR ref'])
})

test('a transfer also pays what the same debtor owes the same creditor under its reference, due first first', () => {
  const due = (day: string) => ({ dueDate: date(`2026-12-${day}`) })
  const found = [
    candidate('third', due('20')),
    candidate('first'),
    candidate('second', due('10')),
    candidate('paid', { owedMinor: 0 }),
    candidate('planned', { isPlanned: true }),
    candidate('other debtor', { debtorId: 'maja' }),
    candidate('other creditor', { creditorId: 'shop' }),
    candidate('in euro', { currency: 'EUR' }),
  ]
  const also = (references: number) => alsoOwed(found, { invoiceId: 'first' }, references)
  expect(also(1)).toEqual([{ invoiceId: 'second' }, { invoiceId: 'third' }])
  expect(also(2)).toEqual([])
})
