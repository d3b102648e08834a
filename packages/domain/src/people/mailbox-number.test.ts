import { expect, test } from 'vitest'
import { date } from '../calendar.ts'
import { companyVatNumber, wholePersonalNumber } from './mailbox-number.ts'

test.each([
  ['19900729-2387', '199007292387'],
  ['199007292387', '199007292387'],
  ['900729-2387', '199007292387'],
  ['9007292387', '199007292387'],
  ['260101-1234', '202601011234'],
  ['270101-1234', '192701011234'],
  ['260101+1234', '192601011234'],
  ['250101+1234', '192501011234'],
  ['000101-1234', '200001011234'],
  ['00-01', undefined],
  ['', undefined],
  ['150388-901V', undefined],
])('%s is %s', (kept, whole) => {
  expect(wholePersonalNumber(kept, date('2026-11-20'))).toBe(whole)
})

test.each([
  ['559999-0016', 'SE559999001601'],
  ['SE559999001601', 'SE559999001601'],
  ['165599990016', 'SE559999001601'],
  ['999990037', undefined],
  ['', undefined],
])('the company %s is %s', (kept, vat) => expect(companyVatNumber(kept)).toBe(vat))
