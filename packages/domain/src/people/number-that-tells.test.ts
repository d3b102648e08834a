import { expect, test } from 'vitest'
import { parseDate } from '../calendar.ts'
import { numberThatTells } from './number-that-tells.ts'

const TODAY = parseDate('2026-11-28') ?? expect.unreachable()
const told = (country: string, number: string | null): string | undefined =>
  numberThatTells(country, number, TODAY)

test.each([
  ['SE', '19900729-2387', '900729-2387'],
  ['SE', '199007292387', '9007292387'],
  ['SE', 'SE559999002401', '559999-0024'],
  ['SE', '165599990024', '5599990024'],
  ['NO', 'NO 999990029 MVA', '999 990 029'],
])('one number of %s: %s and %s', (country, one, other) => {
  expect(told(country, one)).toBeDefined()
  expect(told(country, one)).toBe(told(country, other))
})

test.each([
  ['SE', 'saknas'],
  ['SE', '-'],
  ['SE', ''],
  ['SE', null],
  ['SE', '000000-0000'],
  ['SE', '12345'],
  ['SE', '900729-2388'],
  ['DK', '111111-1111'],
  ['FI', 'ei tiedossa'],
  ['IS', 'saknas'],
  ['EU', '38001085718'],
])('of %s, %s tells nobody from anybody', (country, number) => {
  expect(told(country, number)).toBeUndefined()
})

test('ten digits with a plus are somebody born a century before', () => {
  expect(told('SE', '900729+2387')).toBe('189007292387')
  expect(told('SE', '900729-2387')).toBe('199007292387')
})
