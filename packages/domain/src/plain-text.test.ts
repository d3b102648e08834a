import fc from 'fast-check'
import { expect, test } from 'vitest'
import { manyLines, oneLine } from './plain-text.ts'

test.each([
  ['Alva\u2028Berg', 'Alva Berg'],
  ['Alva\r\n\tBerg\u0000', 'Alva Berg'],
  ['\u202eavlA\u202c Berg', 'avlA Berg'],
  ['A\u200bl\u00adva\ufeff \u2066Berg\u2069', 'Alva Berg'],
  ['Al\u200dva B\u200cerg', 'Alva Berg'],
  ['\u3164', ''],
  ['Åsa', 'Åsa'],
  ['A\u030asa', 'Åsa'],
  ['O’Neill-Ø, 1:a', 'O’Neill-Ø, 1:a'],
  ['عَلِي محمد', 'عَلِي محمد'],
  ['שָׁלוֹם כהן', 'שָׁלוֹם כהן'],
  ['علی\u200cرضا', 'علی\u200cرضا'],
  ['क्\u200dष', 'क्\u200dष'],
  ['علی\u200c', 'علی'],
  ['张伟', '张伟'],
  ['x\ud800y', 'xy'],
])('%j is the name %j', (text, name) => {
  expect(oneLine(text)).toBe(name)
})

test.each([
  ['Fel antal.\r\nSe bild.\u2029Tack', 'Fel antal.\nSe bild.\nTack'],
  ['👨\u200d👩\u200d👧 ❤\ufe0f', '👨\u200d👩\u200d👧 ❤\ufe0f'],
  ['Betala\u202e inte\u2066', 'Betala inte'],
  ['a\u0007b\tc', 'a b c'],
  ['x\u{e0041}\u{e0042}y', 'xy'],
])('%j is the text %j', (text, words) => {
  expect(manyLines(text)).toBe(words)
})

/** Texts in which what is meant here comes up often. */
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
      fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
      fc.constantFrom(
        '\u2028',
        '\u2029',
        '\u202a',
        '\u202b',
        '\u202c',
        '\u202d',
        '\u202e',
        '\u2066',
        '\u2067',
        '\u2068',
        '\u2069',
        '\u061c',
        '\u200e',
        '\u200f',
        '\u200b',
        '\u200c',
        '\u200d',
        '\u2060',
        '\ufeff',
        '\u00ad',
        '\u034f',
        '\u115f',
        '\u3164',
        '\u{e0001}',
        '\u0085',
        'ی',
        'क',
        'A',
        ' ',
      ),
    ),
  )
  .map((parts) => parts.join(''))

const NEVER =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u00ad\u115f\u1160\u3164\uffa0\u{e0000}-\u{e007f}]|\u034f/u

test('nothing of it comes through, whatever is written, and a second time changes nothing', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const [name, words] = [oneLine(text), manyLines(text)]
      expect(NEVER.test(name)).toBe(false)
      expect(NEVER.test(words.replaceAll('\n', ''))).toBe(false)
      expect(oneLine(name)).toBe(name)
      expect(manyLines(words)).toBe(words)
    }),
    { numRuns: 2_000 },
  )
})

test('marks that something unseen kept apart stand in their order once it is gone', () => {
  const apart = '\u0f18\u034f\u0f7a'
  expect(manyLines(apart)).toBe(manyLines(manyLines(apart)))
  expect(oneLine(apart)).toBe(manyLines(apart))
})

test('letters and digits of every script come through', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'aÅøßعשکあ张7') }), (text) => {
      expect(oneLine(text)).toBe(text.normalize('NFC'))
      expect(manyLines(text)).toBe(text.normalize('NFC'))
    }),
  )
})
