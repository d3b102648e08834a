import { expect, test } from 'vitest'
import { htmlOf } from './element.ts'
import { answerTo, checkAnswer, isWholeMessage } from './message-check.ts'
import { wordsOf } from './words.ts'

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
  'Org.nr 559999-0073',
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

test.each([
  'Bokhandeln i Göteborg',
  'Fiskars & Co',
  'Postnord',
  'Tele2',
  '10045',
  'INV-2026-0012',
  'F20331',
  'Fakturanr: 26010131492059',
  'Invoice 10045',
  'Laskun numero 1234561',
  '123456789',
  // Its check digit fits by 7-3-1, as that of every tenth invoice number does.
  '1234561',
  '50501055',
  'Ärendenummer 702369',
  'Saksnummer 702369',
])('%j alone tells nothing, though nobody knows it', (typed) => {
  expect(answerTo(typed, false)).toBe('alone')
  expect(answerTo(typed, true)).toBe('yes')
})

test.each([
  '2601 0492 9824',
  'OCR 123456789',
  'Bankgiro: 5050-1056',
  '1234 56 78903',
  'Organisationsnummer 559999-0024',
  'Telefon 031-390 06 11',
  'Tili FI05 1234 5600 0007 85',
  'Referens nr 2601 0131',
  'RF18 5390 0754 7034',
  'SE35 5000 0000 0549 1000 0003',
  '+46 31 390 06 11',
  '031-390 06 11',
  '123 456 78 90',
  'https://nordklar.example.evil.test/betala',
  'kund@evil.test',
  '<script>document.title=1</script>',
  'x'.repeat(10_000),
])('%j is something that we would know', (typed) => {
  expect(answerTo(typed, false)).toBe('no')
})

test.each(['5050-1055', '5050-1056', '505-1055', '2026-0012', '12 34 56-7', '5050‑1056'])(
  '%j is written as a giro is: no account that we know, and of an invoice number it says nothing',
  (typed) => {
    expect(answerTo(typed, false)).toBe('account')
    expect(answerTo(typed, true)).toBe('yes')
    const html = htmlOf(checkAnswer('account', wordsOf('en')))
    expect(html).toContain('class="answer no"')
    expect(html).toMatch(/do not pay to it.*invoice number/)
  },
)

test.each(['Nordklar 2601 0131 4920 59', 'Elgiganten 1234567'])(
  '%j is a name and a number: one thing at a time',
  (typed) => {
    expect(answerTo(typed, false)).toBe('several')
  },
)
