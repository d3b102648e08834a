import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  Amount,
  MoneyError,
  add,
  amountText,
  compare,
  divideRounded,
  fraction,
  isCurrency,
  money,
  negate,
  parseAmount,
  percentOf,
  subtract,
  sum,
  zero,
} from './money.ts'

const LARGEST = 9_999_999_999_999
const minor = fc.integer({ min: -LARGEST, max: LARGEST })
const smallDecimal = fc
  .record({ whole: fc.integer({ min: 0, max: 999 }), thousandths: fc.integer({ min: 0, max: 999 }) })
  .map(({ whole, thousandths }) => `${whole}.${String(thousandths).padStart(3, '0')}`)

test('money is a safe whole number of minor units or it does not exist', () => {
  for (const wrong of [0.5, Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER + 1]) {
    expect(() => money(wrong, 'SEK')).toThrow(MoneyError)
  }
  expect(Object.is(money(-0, 'SEK').minor, 0)).toBe(true)
  expect(money(Number.MAX_SAFE_INTEGER, 'SEK').minor).toBe(Number.MAX_SAFE_INTEGER)
})

test('a sum that would lose an öre is refused', () => {
  const most = money(Number.MAX_SAFE_INTEGER, 'SEK')
  expect(() => add(most, money(1, 'SEK'))).toThrow(MoneyError)
  expect(() => subtract(negate(most), money(1, 'SEK'))).toThrow(MoneyError)
})

test('currencies do not mix', () => {
  const krona = money(100, 'SEK')
  const euro = money(100, 'EUR')
  expect(() => add(krona, euro)).toThrow(MoneyError)
  expect(() => subtract(krona, euro)).toThrow(MoneyError)
  expect(() => compare(krona, euro)).toThrow(MoneyError)
  expect(() => sum([krona], 'EUR')).toThrow(MoneyError)
})

test('only currencies of the list are currencies', () => {
  expect(isCurrency('SEK')).toBe(true)
  for (const code of ['sek', 'JPY', '', 'toString']) expect(isCurrency(code)).toBe(false)
})

test('sums and differences are those of whole numbers', () => {
  fc.assert(
    fc.property(minor, minor, (a, b) => {
      const [x, y] = [money(a, 'SEK'), money(b, 'SEK')]
      expect(add(x, y)).toEqual({ minor: a + b, currency: 'SEK' })
      expect(subtract(add(x, y), y)).toEqual(x)
      expect(sum([x, y, negate(x)], 'SEK')).toEqual(y)
      expect(Math.sign(compare(x, y))).toBe(Math.sign(a - b))
    }),
  )
  expect(sum([], 'NOK')).toEqual(zero('NOK'))
})

describe('fractions and rounding', () => {
  test('a decimal text is an exact fraction', () => {
    expect(fraction('19.90')).toEqual({ numerator: 1990n, denominator: 100n })
    expect(fraction('-0.5')).toEqual({ numerator: -5n, denominator: 10n })
    for (const text of ['', '1.', '.5', '1e3', '1,5', '+1', ' 1'])
      expect(() => fraction(text)).toThrow(MoneyError)
  })

  test('half goes away from zero, down goes towards it', () => {
    expect(divideRounded(5n, 2n, 'half-up')).toBe(3n)
    expect(divideRounded(-5n, 2n, 'half-up')).toBe(-3n)
    expect(divideRounded(5n, 2n, 'down')).toBe(2n)
    expect(divideRounded(-5n, 2n, 'down')).toBe(-2n)
    expect(divideRounded(7n, 3n, 'half-up')).toBe(2n)
    expect(() => divideRounded(1n, 0n, 'down')).toThrow(MoneyError)
  })

  test('a percentage is the nearest whole number to the exact one', () => {
    fc.assert(
      fc.property(minor, smallDecimal, (base, percent) => {
        const thousandths = BigInt(percent.replace('.', ''))
        const exact = BigInt(base) * thousandths
        const denominator = 100_000n
        const size = (value: bigint) => (value < 0n ? -value : value)

        const half = BigInt(percentOf(money(base, 'SEK'), percent, 'half-up').minor)
        expect(size(half * denominator - exact) * 2n <= denominator).toBe(true)
        if (size(half * denominator - exact) * 2n === denominator)
          expect(size(half * denominator) > size(exact)).toBe(true)

        const down = BigInt(percentOf(money(base, 'SEK'), percent, 'down').minor)
        const rest = size(exact) - size(down * denominator)
        expect(rest >= 0n && rest < denominator).toBe(true)
      }),
    )
  })

  test('figures by hand', () => {
    expect(percentOf(money(10_050, 'SEK'), '12.5', 'half-up').minor).toBe(1256)
    expect(percentOf(money(100, 'SEK'), '0.5', 'half-up').minor).toBe(1)
    expect(percentOf(money(-100, 'SEK'), '0.5', 'half-up').minor).toBe(-1)
    expect(percentOf(money(100, 'SEK'), '0.5', 'down').minor).toBe(0)
  })
})

describe('amounts as text', () => {
  test('what is written is read back', () => {
    fc.assert(
      fc.property(minor, (value) => {
        expect(parseAmount(amountText(value), 'SEK')).toEqual(money(value, 'SEK'))
      }),
    )
  })

  test.each([
    [0, '0.00'],
    [5, '0.05'],
    [-5, '-0.05'],
    [84_200, '842.00'],
    [-123_456, '-1234.56'],
  ])('%i minor units are written %s', (value, text) => {
    expect(amountText(value)).toBe(text)
  })

  test.each([
    ['1234', 123_400],
    ['1234.5', 123_450],
    ['-1234.50', -123_450],
    ['0.100000', 10],
    ['-0', 0],
  ])('"%s" is read as %i', (text, value) => {
    expect(parseAmount(text, 'SEK')?.minor).toBe(value)
  })

  test.each([
    '',
    ' 1',
    '1 000',
    '1,50',
    '1.',
    '.5',
    '1e3',
    '0x10',
    '+1',
    '1.005',
    '--1',
    '12345678901234',
    '१',
  ])('"%s" is not an amount', (text) => {
    expect(parseAmount(text, 'SEK')).toBeUndefined()
  })

  test('an amount for the wire is whole', () => {
    expect(new Amount(84_200).minor).toBe(84_200)
    expect(() => new Amount(0.1)).toThrow(MoneyError)
  })
})
