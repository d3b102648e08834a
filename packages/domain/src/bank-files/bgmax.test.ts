import { describe, expect, test } from 'vitest'
import { sumOfBankLines } from './bank-file.ts'
import { isBgMax, readBgMax } from './bgmax.ts'

const START = `01BGMAX               0120261120173035010331P`
const SECTION = `050009990227          SEK`

function entry(code: string, { from = '', reference = '', minor = 0 }): string {
  return `${code}${from.padStart(10, '0')}${reference.padStart(25)}${String(minor).padStart(18, '0')}22000000000010 0`
}
function deposit(minor: number, entries: number, serial = '00074'): string {
  return `15${'5841'.padStart(35, '0')}20261120${serial}${String(minor).padStart(18, '0')}SEK${String(entries).padStart(8, '0')} `
}
function end(...counts: number[]): string {
  return `70${counts.map((count) => String(count).padStart(8, '0')).join('')}`
}
const file = (...rows: string[]): string => [START, ...rows].join('\r\n')
const one = file(
  SECTION,
  entry('20', { reference: '1230', minor: 50_000 }),
  deposit(50_000, 1),
  end(1, 0, 0, 1),
)

test('a payment has its account, day, reference and amount', () => {
  expect(isBgMax(one)).toBe(true)
  expect(readBgMax(one)).toEqual({
    format: 'bgmax',
    deposits: [
      {
        key: 'bgmax:2026-11-20:00074',
        account: '9990227',
        scheme: 'BANKGIRO',
        currency: 'SEK',
        numbered: { series: 'bgmax:9990227:2026', number: 74, first: '2026-11-20', last: '2026-11-20' },
        lines: [
          {
            kind: 'payment',
            amountMinor: 50_000,
            day: '2026-11-20',
            references: ['1230'],
            payer: null,
            message: null,
          },
        ],
      },
    ],
  })
})

test('a plusgiro, a payer, a message and an address that nobody needs', () => {
  const text = file(
    `05${'0'.repeat(10)}0000412345EUR`,
    entry('20', { minor: 10 }),
    '25Tack för hjälpen',
    '26Kalles Plåt AB',
    '27Storgatan 2                        12345',
    '28Storåker',
    '29005500001234',
    deposit(10, 1).replace('SEK', 'EUR'),
    end(1, 0, 0, 1),
  )
  const [found] = readBgMax(text).deposits
  expect(found).toMatchObject({ account: '412345', scheme: 'PLUSGIRO', currency: 'EUR' })
  expect(found?.lines).toEqual([
    {
      kind: 'payment',
      amountMinor: 10,
      day: '2026-11-20',
      references: [],
      payer: 'Kalles Plåt AB',
      message: 'Tack för hjälpen',
    },
  ])
  expect(JSON.stringify(found)).not.toMatch(/Storgatan|005500001234/)
})

describe('several references', () => {
  const paid = entry('20', { reference: '1230', minor: 300 })
  const shares = (a: number, b: number, code = '22'): string =>
    file(
      SECTION,
      paid,
      entry(code, { reference: '1230', minor: a }),
      entry('22', { reference: '2345', minor: b }),
      deposit(300, 1),
      end(1, 0, 2, 1),
    )
  const linesOf = (text: string) =>
    readBgMax(text).deposits[0]?.lines.map(({ references, amountMinor }) => [references, amountMinor])

  test('are lines of their own when the bank says how much is for which', () => {
    expect(linesOf(shares(100, 200))).toEqual([
      [['1230'], 100],
      [['2345'], 200],
    ])
  })
  test('stay together when it does not, or when the shares are not the sum', () => {
    for (const text of [shares(0, 0), shares(100, 100), shares(100, 200, '23')]) {
      expect(linesOf(text)).toEqual([[['1230', '2345'], 300]])
    }
  })
})

test('a deduction takes off the deposit; a payment of nothing is no line', () => {
  const text = file(
    SECTION,
    entry('20', { reference: '1230', minor: 500 }),
    entry('21', { reference: '2345', minor: 200 }),
    entry('20', { reference: '9', minor: 0 }),
    deposit(300, 3),
    end(2, 1, 0, 1),
  )
  const lines = readBgMax(text).deposits[0]?.lines ?? []
  expect(lines.map(({ kind, amountMinor }) => [kind, amountMinor])).toEqual([
    ['payment', 500],
    ['deduction', 200],
  ])
  expect(sumOfBankLines(lines)).toBe(300)
})

const paid = entry('20', { reference: '1230', minor: 500 })
test.each([
  ['half a file', file(SECTION, paid), /no end/],
  ['no deposit', file(SECTION, paid, end(1, 0, 0, 0)), /has no deposit/],
  ['another sum', file(SECTION, paid, deposit(600, 1), end(1, 0, 0, 1)), /a deposit of 600.* add up to 500/],
  ['another count', file(SECTION, paid, deposit(500, 2), end(1, 0, 0, 1)), /payments in a deposit: 2/],
  ['a payment lost', file(SECTION, paid, deposit(500, 1), end(2, 0, 0, 1)), /payments: 2/],
  ['a deposit lost', file(SECTION, paid, deposit(500, 1), end(1, 0, 0, 2)), /deposits: 2/],
  [
    'an amount in letters',
    one.replace('000000000000050000', '0000000000000500OO'),
    /38 to 55 must be digits/,
  ],
  ['a negative amount', one.replace('000000000000050000', '00000000000-050000'), /38 to 55 must be digits/],
  [
    'a day that is none',
    one.replace(deposit(50_000, 1), deposit(50_000, 1).replace('20261120', '20261320')),
    /day/,
  ],
  ['a currency that is none', one.replace('SEK', 'XXX'), /not a currency/],
  ['rows after the end', `${one}\r\n${SECTION}`, /after the end/],
  ['a row of its own kind', file(SECTION, paid, '99'), /begins no row/],
  ['a payment outside', file(paid), /outside a section/],
  ['a test', one.replace('010331P', '010331T'), /marked as a test/],
  ['a long row', file(`${SECTION}${'x'.repeat(80)}`), /longer than 80/],
  ['something else', 'PK\u0003\u0004', /does not begin/],
  ['nothing', '', /does not begin/],
])('%s is refused', (_, text, reason) => {
  expect(() => readBgMax(text)).toThrow(reason)
})
