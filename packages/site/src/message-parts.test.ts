import { expect, test } from 'vitest'
import { isWholeMessage, type MessagePart, partsOf } from './message-parts.ts'

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
  '1234 5678 9012 3456 7890',
  '',
])('%j is one thing', (typed) => {
  expect(isWholeMessage(typed)).toBe(false)
  expect(partsOf(typed)).toBeUndefined()
})

const LINK = 'https://nordklar.example/'
const CALLED = { phone: 'called' } as const
const FORMED = { phone: 'formed' } as const

test.each<[string, readonly (string | MessagePart)[]]>([
  ['Du har ett meddelande från Nordklar: https://nordklar.example/', [LINK]],
  ['Betala på nordklar.example/betala. Tack!', ['nordklar.example/betala']],
  ['Betala:https://nordklar.example/ i dag', [LINK]],
  ['Betala nu, annars inkasso: évil.tést?x=1', ['évil.tést?x=1']],
  ['https://nordklar.example/ 5050-1055', [LINK, '5050-1055']],
  ['nordklar.example bankgiro 5050-1055', ['nordklar.example', 'bankgiro 5050-1055']],
  ['kundservice@nordklar.example 5050-1055', ['kundservice@nordklar.example', '5050-1055']],
  ['Bankgiro 5050-1055 OCR 2601 0131 4920', ['Bankgiro 5050-1055', 'OCR 2601 0131 4920']],
  [
    'Betala till bankgirot 5050-1055, referensen 260101314920.',
    ['bankgiro 5050-1055', 'referens 260101314920'],
  ],
  ['# 260101314920 # 842 00 3 > 50501055#41#', ['260101314920', 'Bankgiro 50501055']],
  ['Din faktura är inte betald och går till inkasso i morgon', []],
  ['Fakturanr 26010131492059 på 1 234,50 kr, 500 kr eller SEK 842 förfaller 2026-12-18 eller 18.12.2026', []],
  [
    'OCR:\n2601 0131 4920\nBetala till:\nSE45 5000 0000 0583 9825 7466 senast fredag',
    ['OCR 2601 0131 4920', 'SE45 5000 0000 0583 9825 7466'],
  ],
  [
    'Pay GB29 NWBK 6016 1331 9268 19 now or https://evil.test',
    ['GB29 NWBK 6016 1331 9268 19', 'https://evil.test'],
  ],
  ['Nordklar 2601 0131 4920', ['2601 0131 4920']],
  ['2601 0131 4920 411 05', [{ text: '2601 0131 4920', zip: '41105' }]],
  ['OCR 2601 0131 4920 411 05', [{ text: 'OCR 2601 0131 4920', zip: '41105' }]],
  ['2601 0131 4920, 411 05', [{ text: '2601 0131 4920', zip: '41105' }]],
  [
    'Ring +46 (0)31-390 06 10 eller mejla kund@evil.test om det, t.ex. i dag',
    [{ text: '+46 31-390 06 10', ...CALLED }, 'kund@evil.test'],
  ],
  // A phone number, by what stands before it or by its form.
  ['Ring 22 33 44 55 om saken din i dag hos oss', [{ text: '22 33 44 55', ...CALLED }]],
  ['Ring oss på 31 23 45 67 nu', [{ text: '31 23 45 67', ...CALLED }]],
  ['Soita 040 1234567 heti tänään', [{ text: '040 1234567', ...CALLED }]],
  ['Call us at +44 20 7946 0958 about your debt today', [{ text: '+44 20 7946 0958', ...CALLED }]],
  ['Vores tlf. 70 12 34 56 er åben til 16 i dag, ring nu', [{ text: '70 12 34 56', ...CALLED }]],
  // A company's own number at Swish is an account.
  ['Swisha till 123 456 78 90 i dag innan det blir dyrare', ['123 456 78 90']],
  // An amount is no number of ours, whatever stands before it.
  ['Swish 1490 kr till 070-123 45 67', [{ text: '070-123 45 67', ...FORMED }]],
  ['Swish: 1490:- till 0701234567 i dag', [{ text: '0701234567', ...FORMED }]],
  ['Swish 12 000 kr till 123 456 78 90', ['123 456 78 90']],
  ['Konto 1490,50 kr, bankgiro 5050-1055', ['bankgiro 5050-1055']],
  ['SWISH SEK 1490 i dag, annars inkasso, NOK 1490 eller 1490 DKK eller € 14 900 000', []],
  ['Bankgiro 1490 kr', []],
  ['OCR 1490 €', []],
  ['OCR 2601 0131 4920 kr 842', ['OCR 2601 0131 4920']],
  ['Samma länk https://nordklar.example/ två gånger https://nordklar.example/', [LINK]],
])('%j: its parts', (typed, parts) => {
  expect(partsOf(typed)).toEqual(parts.map((part) => (typeof part === 'string' ? { text: part } : part)))
})

test.each([
  'a'.repeat(10_000),
  '1'.repeat(10_000),
  '1 '.repeat(5000),
  'a.'.repeat(5000),
  `${'a'.repeat(9000)}://`,
  '@'.repeat(10_000),
  '5050-1055 '.repeat(1000),
  '\u0000<script>alert(1)</script> \u202e '.repeat(200),
  `${'-'.repeat(5000)} ${'('.repeat(4000)}`,
])('a hostile text of ten thousand characters is read at once (%#)', (typed) => {
  const from = performance.now()
  partsOf(typed)
  expect(performance.now() - from).toBeLessThan(500)
})
