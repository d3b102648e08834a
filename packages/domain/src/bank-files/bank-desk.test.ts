import { expect, test } from 'vitest'
import { date } from '../calendar.ts'
import { byEvidence, evidenceFor, namesInMessage, namesOfPayer, slipsOf } from './bank-desk.ts'

test('a slip of the hand is one digit that is wrong, missing, too many, or in the place of its neighbour', () => {
  const slips = slipsOf('260108544727')
  for (const slip of ['260108544721', '26010854472', '2601085447277', '260108547427'])
    expect(slips).toContain(slip)
  for (const other of ['260108544727', '260108544711', '']) expect(slips).not.toContain(other)
  expect(slips.length).toBeLessThan(300)
})

test.each(['12345', 'RF18539007547034', '9'.repeat(26), ''])('nothing is near %s', (reference) => {
  expect(slipsOf(reference)).toEqual([])
})

test('a message names numbers as words, and references in groups', () => {
  expect(namesInMessage('Faktura F-261111, OCR 2601 0854 4727 tack')).toEqual([
    'F-261111',
    '2601',
    '0854',
    '4727',
    '261111',
    '260108544727',
  ])
  expect(namesInMessage(null)).toEqual([])
})

test('a bank writes a name in its own order', () => {
  expect(namesOfPayer('PROVLUND  ALVA')).toEqual(['provlund alva', 'alva provlund'])
  expect(namesOfPayer('  ')).toEqual([])
})

const debt = {
  number: '261111',
  reference: '260108544727',
  owedMinor: 125_000,
  debtorName: 'Alva Provlund',
  dueDate: date('2026-11-19'),
}
const said = { amountMinor: 125_000, references: ['260108544721'], message: null, payer: 'A PROVLUND' }

test('what speaks for a debt is told, and what does not is not', () => {
  expect(evidenceFor(said, debt)).toEqual(['NEAR_REFERENCE', 'AMOUNT', 'NAME'])
  expect(
    evidenceFor({ ...said, references: [debt.reference], amountMinor: 1, payer: 'Nils Provlund' }, debt),
  ).toEqual(['REFERENCE'])
  expect(evidenceFor({ ...said, references: [], message: 'faktura 261111', payer: null }, debt)).toEqual([
    'MESSAGE',
    'AMOUNT',
  ])
  expect(evidenceFor({ ...said, references: [], payer: 'A' }, debt)).toEqual(['AMOUNT'])
})

test('the strongest evidence comes first, then what is due first', () => {
  const one = { evidence: ['AMOUNT', 'NAME'] as const, dueDate: '2026-01-01' }
  const two = { evidence: ['REFERENCE'] as const, dueDate: '2026-03-01' }
  const three = { evidence: ['REFERENCE'] as const, dueDate: '2026-02-01' }
  expect(byEvidence([one, two, three])).toEqual([three, two, one])
})
