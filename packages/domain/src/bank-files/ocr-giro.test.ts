import { expect, test } from 'vitest'
import { isOcrGiro, readOcrGiro } from './ocr-giro.ts'

const START = 'NY000010000080800170031000102000'
const ASSIGNMENT = 'NY090020001008566000000299991042764'
const n = (value: number, width: number): string => String(value).padStart(width, '0')

function transaction(minor: number, kid: string, { sign = '0', day = '201126' } = {}): string[] {
  return [
    `NY091330${n(1, 7)}${day}1320101464${sign}${n(minor, 17)}${kid.padStart(25)}`,
    `NY091331${n(1, 7)}963682719409903856200000001611269999051234100`,
    `NY091332${n(1, 7)}Ola Prøvemann`,
  ]
}
const closing = (count: number, rows: number, minor: number): string =>
  `NY090088${n(count, 8)}${n(rows, 8)}${n(minor, 17)}201126201126201126`
const ending = (count: number, rows: number, minor: number): string =>
  `NY000089${n(count, 8)}${n(rows, 8)}${n(minor, 17)}201126`
const file = (...rows: string[]): string =>
  [START, ASSIGNMENT, ...rows].map((row) => row.padEnd(80, '0')).join('\n')
const paid = transaction(102_000, '0000531').map((row) => row.padEnd(80))
const one = file(...paid, closing(1, 5, 102_000), ending(1, 7, 102_000))

test('a transaction has its account, day, KID with its zeros, and amount', () => {
  expect(isOcrGiro(one)).toBe(true)
  expect(readOcrGiro(one).deposits).toEqual([
    {
      key: 'ocr-giro:2026-11-20:0170031:001008566:0000002',
      account: '99991042764',
      scheme: 'LOCAL',
      currency: 'NOK',
      lines: [
        {
          kind: 'payment',
          amountMinor: 102_000,
          day: '2026-11-20',
          references: ['0000531'],
          payer: null,
          message: null,
          payerAccount: { scheme: 'IBAN', number: 'NO5099990512341' },
        },
      ],
    },
  ])
})

test.each(['14', '17'])('what was paid at a counter or in cash, %s, came from no account', (type) => {
  const rows = transaction(102_000, '0000531').map((row) => row.replace('NY0913', `NY09${type}`).padEnd(80))
  const text = file(...rows, closing(1, 5, 102_000), ending(1, 7, 102_000))
  expect(readOcrGiro(text).deposits[0]?.lines[0]).not.toHaveProperty('payerAccount')
})

test('a negative amount takes back, and a day of the last century is one', () => {
  const back = transaction(2_000, '', { sign: '-', day: '200192' }).map((row) => row.padEnd(80))
  const text = file(...paid, ...back, closing(2, 8, 100_000), ending(2, 10, 100_000))
  expect(readOcrGiro(text).deposits[0]?.lines[1]).toMatchObject({
    kind: 'deduction',
    amountMinor: 2_000,
    day: '1992-01-20',
    references: [],
  })
})

test.each([
  ['half a file', file(...paid), /no end/],
  ['an assignment without end', file(...paid, ending(1, 6, 102_000)), /assignment has no end/],
  [
    'another sum',
    file(...paid, closing(1, 5, 102_001), ending(1, 7, 102_001)),
    /over 102001.* add up to 102000/,
  ],
  ['another count', file(...paid, closing(2, 5, 102_000), ending(2, 7, 102_000)), /transactions: 2/],
  ['a row lost', file(...paid.slice(0, 2), closing(1, 5, 102_000), ending(1, 7, 102_000)), /rows: 5/],
  ['another whole sum', file(...paid, closing(1, 5, 102_000), ending(1, 7, 1)), /a sum of 1,/],
  ['rows after the end', `${one}\n${ASSIGNMENT}`, /after the end/],
  ['a foreign row', file('XX'), /begin with NY/],
  ['an unknown row', file('NY091377'), /no kind of row/],
  ['a day that is none', one.replace('2011261320', '3213261320'), /not a day/],
  ['something else', 'x', /does not begin/],
])('%s is refused', (_, text, reason) => {
  expect(() => readOcrGiro(text)).toThrow(reason)
})
