import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  formatBankgiro,
  formatIban,
  formatPlusgiro,
  hasIbanChecksum,
  isBankgiroValid,
  isBicValid,
  isIbanValid,
  isPlusgiroValid,
  normaliseIban,
} from './accounts.ts'
import { luhnDigit, mod97 } from './references.ts'

describe('IBAN', () => {
  // Samples of the SWIFT registry as carried in python-stdnum's tests: number, check digits, structure.
  test.each([
    ['SE4550000000058398257466', true, true],
    ['NO9386011117947', true, true],
    ['DK5000400440116243', true, true],
    ['FI2112345600000785', true, true],
    ['DE89370400440532013000', true, true],
    ['FR1420041010050500013M02606', true, true],
    ['IE29AIBK93115212345678', true, true],
    ['NL91ABNA0417164300', true, true],
    ['GR1601101250000000012300695', true, true],
    ['AT611804300234573201', false, false],
    ['BE68530907547034', false, false],
    ['BE365390075470341234', true, false],
    ['BG93BNBG96611A20345678', true, false],
    ['NL5630030A17164300', true, false],
    ['ES8931831500950001210562', true, false],
    ['ES2731831500960001210562', true, true],
    ['ES5814650100971900144593', true, true],
  ])('%s: check digits %s, structure %s', (iban, checksum, structure) => {
    expect(hasIbanChecksum(iban)).toBe(checksum)
    expect(isIbanValid(iban)).toBe(structure)
  })

  test('is read with spaces and small letters, and shown in fours', () => {
    expect(isIbanValid(' se45 5000 0000 0583 9825 7466 ')).toBe(true)
    expect(normaliseIban('se45\u00a05000 0000 0583 9825 7466')).toBe('SE4550000000058398257466')
    expect(formatIban('NO9386011117947')).toBe('NO93 8601 1117 947')
    expect(formatIban('se4550000000058398257466')).toBe('SE45 5000 0000 0583 9825 7466')
  })

  const withChecksum = (country: string, account: string) =>
    `${country}${String(98 - mod97(`${account}${country}00`)).padStart(2, '0')}${account}`

  test('one misread digit is noticed', () => {
    const account = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 20, maxLength: 20 })
    fc.assert(
      fc.property(
        account,
        fc.integer({ min: 2, max: 23 }),
        fc.integer({ min: 1, max: 9 }),
        (digits, at, shift) => {
          const iban = withChecksum('SE', digits)
          expect(isIbanValid(iban)).toBe(true)
          const wrong = (Number(iban[at]) + shift) % 10
          expect(isIbanValid(iban.slice(0, at) + wrong + iban.slice(at + 1))).toBe(false)
        },
      ),
    )
  })

  test('a national account number keeps its own check digits', () => {
    expect(isIbanValid(withChecksum('NO', '86011117947'))).toBe(true)
    expect(isIbanValid(withChecksum('NO', '86011117948'))).toBe(false)
    expect(isIbanValid(withChecksum('BE', '539007547034'))).toBe(true)
    expect(isIbanValid(withChecksum('BE', '539007547035'))).toBe(false)
  })

  test('a country without a known structure is judged by its check digits', () => {
    expect(isIbanValid(withChecksum('TR', '0006100519786457841326'))).toBe(true)
    expect(isIbanValid('TR340006100519786457841326')).toBe(false)
  })

  test.each(['', 'SE45', 'SE4550000000058398257466!', '5050-1055', 'ÅÄ45 5000 0000 0583 9825 7466'])(
    '"%s" is none',
    (text) => {
      expect(isIbanValid(text)).toBe(false)
    },
  )
})

// python-stdnum's bic tests and well-known Nordic codes.
test.each([
  ['AGRIFRPP', true],
  ['AGRIFRPPXXX', true],
  ['HANDSESS', true],
  ['NDEAFIHH', true],
  ['AGRIFRP', false],
  ['AGRIFRPPX', false],
  ['ABNA 2A', false],
  ['handsess', false],
])('BIC %s: %s', (bic, valid) => {
  expect(isBicValid(bic)).toBe(valid)
})

describe('bankgiro and plusgiro', () => {
  // banktools-se and Bankgirot's BgMax examples; the last sender fails in the official file itself.
  test.each([
    ['54029681', '5402-9681', true],
    ['297-3675', '297-3675', true],
    ['9020033', '902-0033', true],
    ['9020034', '902-0034', false],
    [' 5-4-0-2-9-6- 81-  ', '5402-9681', true],
    [' 6-40 - 5070', '640-5070', true],
    ['1234567', '123-4567', false],
  ])('bankgiro %s is shown %s, valid %s', (text, shown, valid) => {
    expect(formatBankgiro(text)).toBe(shown)
    expect(isBankgiroValid(text)).toBe(valid)
  })

  test.each([
    ['2865434', '28 65 43-4', true],
    ['41054685', '410 54 68-5', true],
    [' 4 - 2', '4-2', true],
    ['41054686', '410 54 68-6', false],
    ['1230', '123-0', true],
    ['125', '12-5', true],
    ['12344', '12 34-4', true],
  ])('plusgiro %s is shown %s, valid %s', (text, shown, valid) => {
    expect(formatPlusgiro(text)).toBe(shown)
    expect(isPlusgiroValid(text)).toBe(valid)
  })

  test.each(['', '1', '123456789', 'SE12345', '640/5070'])('"%s" is neither', (text) => {
    expect(isBankgiroValid(text)).toBe(false)
    expect(isPlusgiroValid(text)).toBe(false)
    expect(formatBankgiro(text)).toBeUndefined()
    expect(formatPlusgiro(text)).toBeUndefined()
  })

  test('what is shown means the same number', () => {
    const number = fc
      .string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 7 })
      .map((base) => base + luhnDigit(base))
    fc.assert(
      fc.property(number, (digits) => {
        expect(isPlusgiroValid(digits)).toBe(true)
        expect(formatPlusgiro(digits)?.replace(/[ -]/g, '')).toBe(digits)
        expect(isBankgiroValid(digits)).toBe(digits.length >= 7)
        if (digits.length >= 7) expect(formatBankgiro(digits)?.replace('-', '')).toBe(digits)
      }),
    )
  })
})
