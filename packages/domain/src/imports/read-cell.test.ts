import { expect, test } from 'vitest'
import { addEvidence, NO_EVIDENCE, readDay, readNumber, type ColumnEvidence } from './read-cell.ts'

const shown = (...cells: string[]): ColumnEvidence => cells.reduce(addEvidence, NO_EVIDENCE)

test.each([
  ['1', '1'],
  ['-3', '-3'],
  ['−3', '-3'],
  ['12,50', '12.50'],
  ['12.5', '12.5'],
  ['0,125', '0.125'],
  ['1234.567', '1234.567'],
  ['1 234', '1234'],
  ['1 234,50', '1234.50'],
  ['1\u00a0234\u202f567,89', '1234567.89'],
  ['1 234,567', '1234.567'],
  ['1.234,50', '1234.50'],
  ['1,234.50', '1234.50'],
  ['1.234.567', '1234567'],
  ["1'234.50", '1234.50'],
])('%s is %s, whatever its column shows', (text, value) => {
  expect(readNumber(text, NO_EVIDENCE)).toEqual({ value })
})

test.each([
  '',
  'x',
  '1,2,3',
  '12.34.567',
  '1,',
  ',5',
  '1.23,456.7',
  '12,5O',
  '1e3',
  '0x10',
  '=1+1',
  '--1',
  '1 2',
])('%j is no number', (text) => {
  expect(readNumber(text, NO_EVIDENCE)).toBeUndefined()
})

test('1.234 is read as the rest of its column shows', () => {
  expect(readNumber('1.234', shown('12,50', '3'))).toEqual({ value: '1234' })
  expect(readNumber('1.234', shown('12.50', '3'))).toEqual({ value: '1.234' })
  expect(readNumber('1,234', shown('12,50'))).toEqual({ value: '1.234' })
  expect(readNumber('1,234', shown('12.50'))).toEqual({ value: '1234' })
  expect(readNumber('1.234', shown('1.234.567'))).toEqual({ value: '1234' })
})

test('where the column does not decide, both readings are the answer, and each can be read in one way', () => {
  for (const evidence of [NO_EVIDENCE, shown('3', '2.345'), shown('12,50', '12.50')]) {
    expect(readNumber('1.234', evidence)).toEqual({ readings: ['1234', '1.2340'] })
  }
  expect(readNumber('1.2340', shown('1,5'))).toEqual({ value: '1.2340' })
})

test.each([
  ['2026-02-01', 'SE', '2026-02-01'],
  ['2026/02/01', 'SE', '2026-02-01'],
  ['20260201', 'SE', '2026-02-01'],
  ['2026-02-01 00:00:00', 'SE', '2026-02-01'],
  ['2026-02-01T00:00:00.000Z', 'SE', '2026-02-01'],
  ['1.2.2026', 'FI', '2026-02-01'],
  ['01.02.2026', 'NO', '2026-02-01'],
  ['01-02-2026', 'DK', '2026-02-01'],
  ['13/02/2026', 'SE', '2026-02-13'],
  ['02/13/2026', 'SE', '2026-02-13'],
  ['02/02/2026', 'SE', '2026-02-02'],
])('%s in %s is %s', (text, country, value) => {
  expect(readDay(text, NO_EVIDENCE, country)).toEqual({ value })
})

test('01/02/2026 is read as the rest of its column shows, else both days are the answer', () => {
  expect(readDay('01/02/2026', shown('13/02/2026'), 'SE')).toEqual({ value: '2026-02-01' })
  expect(readDay('01/02/2026', shown('02/13/2026'), 'SE')).toEqual({ value: '2026-01-02' })
  const both = { readings: ['2026-02-01', '2026-01-02'] }
  expect(readDay('01/02/2026', NO_EVIDENCE, 'SE')).toEqual(both)
  expect(readDay('01/02/2026', shown('03/04/2026'), 'SE')).toEqual(both)
  expect(readDay('01/02/2026', shown('13/02/2026', '02/13/2026'), 'SE')).toEqual(both)
})

test('a year of two digits is offered and not taken', () => {
  expect(readDay('18/12/26', NO_EVIDENCE, 'SE')).toEqual({ readings: ['2026-12-18'] })
})

test.each(['', '2026-02-30', '31.04.2026', '2026-13-01', 'igår', '45000', '1/2', '2026-2-1x'])(
  '%j is no day',
  (text) => {
    expect(readDay(text, NO_EVIDENCE, 'SE')).toBeUndefined()
  },
)
