import { expect, test } from 'vitest'
import { date } from '../calendar.ts'
import { debtorIdentity } from './party-identity.ts'
import { identitiesOfPerson, isNumberOf, provenNumbersOf } from './personal-number.ts'

const today = date('2026-11-20')
const kept = (country: string, identificationNumber: string) =>
  debtorIdentity(
    { name: 'Alva', zip: '11122', country, identificationNumber, address: null, address2: null },
    { creditor: 'SE:5599990024', customerNumber: null, document: '1' },
  )

test.each([
  ['199007292387', 'SE', '19900729-2387'],
  ['199007292387', 'SE', '900729-2387'],
  ['199007292387', 'NO', '199007292387'],
  ['19900729-2387', 'SE', '9007292387'],
  ['12839140000', 'NO', '128391 40000'],
  ['150388-901V', 'FI', '150388-901V'],
  ['5599990040', 'SE', '559999-0040'],
])('%s is found under %s %s', (proven, country, number) => {
  expect(identitiesOfPerson(proven)).toContain(kept(country, number))
  expect(isNumberOf(proven, number, today)).toBe(true)
})

test.each([
  ['199007292387', 'SE', '19860324-9999'],
  ['12839140000', 'NO', '12839140001'],
  ['200007292387', 'SE', '19000729-2387'],
])('%s is not found under %s %s', (proven, country, number) => {
  expect(identitiesOfPerson(proven)).not.toContain(kept(country, number))
})

test('ten digits are the younger of two people, with a plus sign the older', () => {
  expect(isNumberOf('201212121212', '121212-1212', today)).toBe(true)
  expect(isNumberOf('191212121212', '121212-1212', today)).toBe(false)
  expect(isNumberOf('191212121212', '121212+1212', today)).toBe(true)
  expect(isNumberOf('201212121212', '121212+1212', today)).toBe(false)
  expect(isNumberOf('192612121212', '261212+1212', today)).toBe(true)
})

test('nothing is proven by nothing', () => {
  expect(identitiesOfPerson('')).toEqual([])
  expect(identitiesOfPerson(' - ')).toEqual([])
})

// The century as SFS 1991:481 § 18 tells it: a plus sign from the year in which somebody turns a hundred.
test.each([
  ['19850101-1234', ['198501011234']],
  ['850101-1234', ['198501011234', '8501011234']],
  ['SE850101-1234', ['198501011234', 'SE8501011234']],
  ['260101-1234', ['202601011234', '2601011234']],
  ['270101-1234', ['192701011234', '2701011234']],
  ['260101+1234', ['192601011234', '2601011234']],
  ['850101+1234', ['188501011234', '8501011234']],
  ['01018512345', ['01018512345']],
  ['', []],
])('what the bearer of %s may have proven', (kept, proven) => {
  expect(provenNumbersOf(kept, today)).toEqual(proven)
})
