import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  FIK_LENGTHS,
  fikId,
  finnishReference,
  finnishRf,
  giroLine,
  groupInFours,
  hasLengthDigit,
  isFikIdValid,
  isFinnishReferenceValid,
  isKidMod10Valid,
  isKidMod11Valid,
  isLuhnValid,
  isOcrValid,
  isRfValid,
  isUsableReference,
  kidMod10,
  kidMod11,
  luhnDigit,
  makeReference,
  mod97,
  normaliseReference,
  normaliseZip,
  readReference,
  ocr,
  ocrWithLength,
  rfReference,
  type FikType,
} from './references.ts'

const digits = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength })
const twelve = fc
  .tuple(fc.integer({ min: 1, max: 9 }), digits(11, 11))
  .map(([first, rest]) => `${first}${rest}`)
const COUNTRIES = ['SE', 'NO', 'DK', 'FI', 'DE', 'EU']

/** `text` with the digit at `index` replaced by another one. */
function misread(text: string, index: number, shift: number): string {
  const wrong = (Number(text[index]) + shift) % 10
  return text.slice(0, index) + wrong + text.slice(index + 1)
}

describe('Luhn', () => {
  // 79927398713 is the usual textbook number.
  test('the textbook number', () => {
    expect(luhnDigit('7992739871')).toBe('3')
    expect(isLuhnValid('79927398713')).toBe(true)
  })

  test('one misread digit is always noticed', () => {
    fc.assert(
      fc.property(digits(1, 24), fc.nat(24), fc.integer({ min: 1, max: 9 }), (base, at, shift) => {
        const whole = base + luhnDigit(base)
        expect(isLuhnValid(whole)).toBe(true)
        expect(isLuhnValid(misread(whole, at % whole.length, shift))).toBe(false)
      }),
    )
  })

  test('two neighbours that changed places are noticed, but for 0 and 9', () => {
    fc.assert(
      fc.property(digits(2, 24), fc.nat(23), (base, at) => {
        const whole = base + luhnDigit(base)
        const index = at % (whole.length - 1)
        const [a, b] = [whole[index] ?? '', whole[index + 1] ?? '']
        fc.pre(a !== b && !(a + b === '09' || a + b === '90'))
        expect(isLuhnValid(whole.slice(0, index) + b + a + whole.slice(index + 2))).toBe(false)
      }),
    )
  })

  test.each(['', '0', 'garbage', '12 30', '1230 ', '-18'])('"%s" has no valid check digit', (text) => {
    expect(isLuhnValid(text)).toBe(false)
  })

  test('only digits have a check digit', () => {
    for (const text of ['', 'garbage', '12 3', '12.3']) expect(() => luhnDigit(text)).toThrow(RangeError)
  })
})

describe('Swedish OCR', () => {
  // banktools-se README and specs, and plain arithmetic for the rest.
  test.each([
    ['123', '1230', '12351'],
    ['1', '18', '133'],
    ['1234567', '12345674', '123456790'],
    ['1234567890', '12345678903', '123456789023'],
    ['123456789', '1234567897', '12345678911'],
    ['0000017', '00000174', '000001792'],
    ['98765432109876543210123', '987654321098765432101234', '9876543210987654321012357'],
  ])('%s becomes %s or, with the length digit, %s', (base, plain, withLength) => {
    expect(ocr(base)).toBe(plain)
    expect(ocrWithLength(base)).toBe(withLength)
    expect(hasLengthDigit(withLength)).toBe(true)
  })

  // Bankgirot's BgMax example file for the agreement with length control; then banktools-se.
  test.each([
    ['655969', true, true],
    ['657866', true, true],
    ['658468', true, true],
    ['1230', true, false],
    ['12304564', true, false],
    ['1231', false, false],
    ['12369', true, false],
  ])('%s: check digit %s, length digit %s', (reference, check, length) => {
    expect(isOcrValid(reference)).toBe(check)
    expect(hasLengthDigit(reference)).toBe(length)
  })

  test('25 digits are the most', () => {
    expect(ocr('1'.repeat(24))).toHaveLength(25)
    expect(() => ocr('1'.repeat(25))).toThrow(RangeError)
    expect(() => ocrWithLength('1'.repeat(24))).toThrow(RangeError)
    expect(isOcrValid('0'.repeat(26))).toBe(false)
  })
})

describe('Norwegian KID', () => {
  test.each([
    ['60224', '602243', '602248'],
    ['00050670100017', '000506701000172', '000506701000170'],
    ['10001779880270005067', '100017798802700050675', '10001779880270005067-'],
    ['1234567', '12345674', '12345674'],
    ['19', '190', '191'],
  ])('%s becomes %s (mod 10) or %s (mod 11)', (base, ten, eleven) => {
    expect(kidMod10(base)).toBe(ten)
    expect(kidMod11(base)).toBe(eleven)
  })

  // Published: an OCR giro file of python-netsgiro, and Uni Micro's overview of KID kinds.
  test.each([
    ['0000531', false, true],
    ['0063851', false, true],
    ['02321291038303', true, false],
    ['02311291133188', true, true],
    ['000506701000172', true, false],
    ['602243', true, false],
  ])('%s: mod 10 %s, mod 11 %s', (kid, ten, eleven) => {
    expect(isKidMod10Valid(kid)).toBe(ten)
    expect(isKidMod11Valid(kid)).toBe(eleven)
  })

  test('generated ones are valid, up to 25 characters', () => {
    fc.assert(
      fc.property(digits(1, 24), (base) => {
        expect(isKidMod10Valid(kidMod10(base))).toBe(true)
        expect(isKidMod11Valid(kidMod11(base))).toBe(true)
      }),
    )
    expect(() => kidMod11('1'.repeat(25))).toThrow(RangeError)
    expect(isKidMod10Valid('0'.repeat(26))).toBe(false)
    expect(isKidMod11Valid('-')).toBe(false)
  })
})

describe('Danish payment ids', () => {
  // support.uniconta.com for the first; arithmetic for the rest.
  test.each([
    ['71', '00404040000066', '004040400000669'],
    ['71', '1', '000000000000018'],
    ['75', '123456789012345', '1234567890123452'],
  ] as const)('type %s of %s', (type, base, id) => {
    expect(fikId(type, base)).toBe(id)
    expect(isFikIdValid(type, id)).toBe(true)
  })

  test('each type has its length, two have no id', () => {
    for (const [type, length] of Object.entries(FIK_LENGTHS) as [FikType, number][]) {
      if (length === 0) {
        expect(isFikIdValid(type, '')).toBe(true)
        expect(() => fikId(type, '1')).toThrow(RangeError)
      } else {
        expect(fikId(type, '7')).toHaveLength(length)
        expect(isFikIdValid(type, '')).toBe(false)
        expect(() => fikId(type, '1'.repeat(length))).toThrow(RangeError)
      }
    }
  })

  test('an id with a wrong digit is none', () => {
    expect(isFikIdValid('71', '000000000000019')).toBe(false)
  })
})

describe('Finnish viitenumero and RF', () => {
  // npm finnish-bank-utils 1.3.3 and an explanation of the checksum by willcommit.
  test.each([
    ['1234567', '12345672', 'RF8512345672'],
    ['123456', '1234561', 'RF341234561'],
    ['151189065', '1511890656', 'RF601511890656'],
    ['0103010006717580001', '01030100067175800018', 'RF031030100067175800018'],
    ['7758474790647489322', '77584747906474893225', 'RF7677584747906474893225'],
  ])('%s becomes %s and %s', (base, reference, rf) => {
    expect(finnishReference(base)).toBe(reference)
    expect(isFinnishReferenceValid(reference)).toBe(true)
    expect(finnishRf(reference)).toBe(rf)
  })

  test('4 to 20 digits', () => {
    expect(() => finnishReference('12')).toThrow(RangeError)
    expect(() => finnishReference('1'.repeat(20))).toThrow(RangeError)
    expect(() => finnishReference('12a4')).toThrow(RangeError)
    for (const text of ['', '0', '000', '1234560', '12345 672', '0'.repeat(21)]) {
      expect(isFinnishReferenceValid(text)).toBe(false)
    }
  })

  test('one misread digit is noticed', () => {
    fc.assert(
      fc.property(digits(3, 19), fc.nat(19), fc.integer({ min: 1, max: 9 }), (base, at, shift) => {
        const reference = finnishReference(base)
        expect(isFinnishReferenceValid(misread(reference, at % reference.length, shift))).toBe(false)
      }),
    )
  })

  // ISO 11649 annexes, python-stdnum and finnish-bank-utils.
  test.each([
    ['RF18 5390 0754 7034', true],
    ['RF712348231', true],
    ['RF97C2H5OH', true],
    ['rf97c2h5oh', true],
    ['RF6078777679656628687', true],
    ['RF17539007547034', false],
    ['RF18', false],
    ['RG18539007547034', false],
    [`RF18${'0'.repeat(22)}`, false],
  ])('%s is valid: %s', (text, valid) => {
    expect(isRfValid(text)).toBe(valid)
  })

  test('an RF reference of letters and digits is valid', () => {
    const unit = fc.constantFrom(...'0123456789ABCXYZ')
    fc.assert(
      fc.property(fc.string({ unit, minLength: 1, maxLength: 21 }), (reference) => {
        expect(isRfValid(rfReference(reference))).toBe(true)
      }),
    )
    for (const text of ['', 'a', 'Å', '1'.repeat(22)]) expect(() => rfReference(text)).toThrow(RangeError)
    expect(mod97('3214282912345698765432161182')).toBe(1)
  })
})

describe('references of ours', () => {
  test.each([
    ['SE', '26009837712349'],
    ['NO', '2600983771234'],
    ['DK', '002600983771234'],
    ['FI', '2600983771236'],
    ['DE', '2600983771234'],
  ])('%s: %s', (country, reference) => {
    expect(makeReference(country, '260098377123')).toBe(reference)
  })

  test('each is usable in its country and at any other place a login can be typed', () => {
    fc.assert(
      fc.property(twelve, fc.constantFrom(...COUNTRIES), (random, country) => {
        const reference = makeReference(country, random)
        expect(isUsableReference(reference, country)).toBe(true)
        expect(reference).toContain(random)
        expect(reference).toHaveLength({ SE: 14, DK: 15 }[country] ?? 13)
        if (country === 'SE') expect(hasLengthDigit(reference)).toBe(true)
        if (country === 'FI') expect(isRfValid(finnishRf(reference))).toBe(true)
      }),
    )
  })

  test.each(['', '012345678901', '12345678901', '1234567890123', '12345678901a'])('not from "%s"', (text) => {
    expect(() => makeReference('SE', text)).toThrow(RangeError)
  })
})

describe('usable references', () => {
  test.each([
    ['1230', 'SE', true],
    ['12 30', 'SE', true],
    ['1231', 'SE', false],
    ['1230', 'DE', true],
    ['0000531', 'NO', true],
    ['602243', 'NO', true],
    ['602244', 'NO', false],
    ['10001779880270005067-', 'NO', false],
    ['000000000000018', 'DK', true],
    ['18', 'DK', false],
    ['1234561', 'FI', true],
    ['1230', 'FI', false],
    ['RF341234561', 'FI', false],
    ['', 'SE', false],
    ['0', 'SE', false],
    ['INV-1230', 'SE', false],
    ['0'.repeat(26), 'SE', false],
  ])('"%s" in %s: %s', (text, country, usable) => {
    expect(isUsableReference(text, country)).toBe(usable)
  })
})

describe('what people type', () => {
  test('spaces and wide digits do not matter in a reference', () => {
    expect(normaliseReference(' 2600 0983\u00a07725\t')).toBe('260009837725')
    expect(normaliseReference('１２３０')).toBe('1230')
    expect(normaliseReference('12\u200b30')).toBe('1230')
    expect(normaliseReference('00-12')).toBe('00-12')
  })

  test('nor do hyphens, and the frame of an RF reference that is right', () => {
    expect(readReference('2601-0131\u20134920')).toBe('260101314920')
    expect(readReference('rf18 5390 0754 7034')).toBe('539007547034')
    // One digit off: whatever is inside, it is not what was meant.
    expect(readReference('RF19 5390 0754 7034')).toBe('RF19539007547034')
    expect(readReference('26O1')).toBe('26O1')
  })

  test('nor do capitals and separators in a postal code', () => {
    expect(normaliseZip('114 18')).toBe('11418')
    expect(normaliseZip('sw1a-1aa')).toBe('SW1A1AA')
    expect(normaliseZip('1234\u201356 AB')).toBe('123456AB')
    expect(normaliseZip('１１４１８')).toBe('11418')
  })

  test('normalising twice changes nothing more', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), (text) => {
        expect(normaliseReference(normaliseReference(text))).toBe(normaliseReference(text))
        expect(normaliseZip(normaliseZip(text))).toBe(normaliseZip(text))
      }),
      // A Greek letter that falls apart when it is made a capital, and an accent behind a removed sign.
      { examples: [['\u1fd2'], ['a\u200b\u0301']] },
    )
  })

  test('on the screen a reference stands in fours', () => {
    expect(groupInFours('260009837725')).toBe('2600 0983 7725')
    expect(groupInFours('2600 09837')).toBe('2600 0983 7')
    expect(groupInFours('')).toBe('')
  })
})

describe('the giro line', () => {
  const slip = { amountMinor: 84_200, account: '9990-0227', reference: '260101314920' }

  test.each([
    [
      125_000,
      '99900227',
      '1234567897',
      '#               1234567897 #     1250 00 0 >                  99900227#41#',
    ],
    [
      50,
      '99900334',
      '26000123451234567890136',
      '#  26000123451234567890136 #        0 50 5 >                  99900334#41#',
    ],
    [
      100_000_005,
      '99900110',
      '133',
      '#                      133 #  1000000 05 7 >                  99900110#41#',
    ],
    [
      9_999_999_999,
      '99900110',
      '1234567890123456789012357',
      '#1234567890123456789012357 # 99999999 99 0 >                  99900110#41#',
    ],
  ])('%i to %s for %s', (amountMinor, account, reference, line) => {
    expect(giroLine({ amountMinor, account, reference })).toBe(line)
  })

  test('is always 74 characters and tells its amount, account and reference', () => {
    const amounts = fc.integer({ min: 1, max: 9_999_999_999 })
    fc.assert(
      fc.property(amounts, digits(2, 8), digits(1, 25), (amountMinor, account, reference) => {
        const line = giroLine({ amountMinor, account, reference }) ?? ''
        expect(line).toHaveLength(74)
        const parts = /^# *(\d+) # +(\d+) (\d\d) (\d) > +(\d+)#41#$/.exec(line)
        expect(parts?.[1]).toBe(reference)
        expect(Number(`${parts?.[2]}${parts?.[3]}`)).toBe(amountMinor)
        expect(isLuhnValid(`${parts?.[2]}${parts?.[3]}${parts?.[4]}`)).toBe(true)
        expect(parts?.[5]).toBe(account)
      }),
    )
  })

  // Print of a paper slip as published in the gist timint/59a8b9f3.
  test('can be had as on a paper slip', () => {
    expect(giroLine({ amountMinor: 12_345, account: '54029681', reference: '1230', layout: 'slip' })).toBe(
      '#                      1230 #123 45   5 >                 54029681#41#    ',
    )
  })

  test.each([
    ['nothing to pay', { amountMinor: 0 }],
    ['a credit', { amountMinor: -100 }],
    ['half an öre', { amountMinor: 0.5 }],
    ['more kronor than fit', { amountMinor: 10_000_000_000 }],
    ['a long reference', { reference: '1'.repeat(26) }],
    ['a reference of letters', { reference: 'RF18' }],
    ['no account', { account: '' }],
    ['an IBAN', { account: 'SE45 5000 0000 0583 9825 7466' }],
  ])('there is none for %s', (_name, change) => {
    expect(giroLine({ ...slip, ...change })).toBeUndefined()
  })
})
