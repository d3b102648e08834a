import { expect, test } from 'vitest'
import { isWholeMessage } from './message-check.ts'

test.each([
  '2601 0131 4920',
  'OCR-nummer: 2601 0131 4920',
  'Payment reference: 2601 0131 4920',
  'SE45 5000 0000 0583 9825 7466',
  'Nordklar Demo Inkasso AB',
  'https://nordklar.example/betala',
  'kundservice@nordklar.example',
  '+46 31 390 06 10',
  'GB29 NWBK 6016 1331 9268 19',
  '12 345,00 kr',
  '',
])('%j is one thing', (typed) => {
  expect(isWholeMessage(typed)).toBe(false)
})

test.each([
  'Du har ett meddelande från Nordklar: https://nordklar.example/',
  'https://nordklar.example/ 5050-1055',
  'nordklar.example bankgiro 5050-1055',
  'kundservice@nordklar.example 5050-1055',
  'Bankgiro 5050-1055 OCR 2601 0131 4920',
  '# 260101314920 # 842 00 3 > 50501055#41#',
  'Din faktura är inte betald och går till inkasso i morgon',
])('%j is a whole message', (typed) => {
  expect(isWholeMessage(typed)).toBe(true)
})
