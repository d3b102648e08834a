import fc from 'fast-check'
import { expect, test } from 'vitest'
import { apcaContrast, contrastRatio, fromOklch, parseHex, toOklch } from './colour.ts'
import { carriesText, computePalette, fill, groundsOf, ink, onColour, tint } from './palette.ts'

const EXAMPLES = ['#0b5c6b', '#ff6600', '#00a651', '#ec4899', '#7f7f7f', '#ffd400', '#0b5fff', '#e30613']
const CORNERS = ['#000000', '#ffffff', '#ff0000', '#00ff00', '#0000ff', '#ffff00', '#00ffff', '#ff00ff']

const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

/** Every promise of computePalette that the pair breaks, in words. */
function brokenPromises(primary: string, button: string): string[] {
  const palette = computePalette({ primary, button })
  const broken: string[] = []
  const buttons = [
    ['fill', palette.fill, palette.onFill],
    ['fillDark', palette.fillDark, palette.onFillDark],
  ] as const
  for (const [name, ground, text] of buttons) {
    if (contrastRatio(text, ground) < 4.5) broken.push(`${name} ${ground} has too little WCAG contrast`)
    if (Math.abs(apcaContrast(text, ground)) < 60)
      broken.push(`${name} ${ground} has too little APCA contrast`)
  }
  const inks = [
    ['light', palette.inkLight],
    ['dark', palette.inkDark],
  ] as const
  for (const [theme, text] of inks) {
    for (const ground of groundsOf(primary, theme)) {
      if (contrastRatio(text, ground) < 4.5) broken.push(`ink ${text} on ${ground} (${theme})`)
    }
  }
  for (const ground of groundsOf(primary, 'light')) {
    if (contrastRatio(palette.fill, ground) < 3 && !palette.edge) broken.push(`no edge against ${ground}`)
  }
  for (const ground of groundsOf(button, 'dark')) {
    if (contrastRatio(palette.fillDark, ground) < 3) broken.push(`the button sinks into ${ground}`)
  }
  return broken
}

test('any pair of brand colours gives readable buttons, links and edges', () => {
  fc.assert(
    fc.property(colour, colour, (primary, button) => {
      expect(brokenPromises(primary, button)).toEqual([])
    }),
    { numRuns: 600 },
  )
})

test('so do the colours of the design and the corners of the colour cube', () => {
  const chosen = [...EXAMPLES, ...CORNERS]
  const broken = chosen.flatMap((primary) => chosen.flatMap((button) => brokenPromises(primary, button)))
  expect(broken).toEqual([])
})

test.each([
  ['#0b5c6b', '#0b5c6b', '#ffffff'],
  ['#ff6600', '#ff9162', '#111111'],
  ['#00a651', '#008741', '#ffffff'],
  ['#ec4899', '#d63187', '#ffffff'],
  ['#7f7f7f', '#767676', '#ffffff'],
  ['#ffd400', '#ffd400', '#111111'],
  ['#0b5fff', '#0b5fff', '#ffffff'],
  ['#e30613', '#e30613', '#ffffff'],
])('a button of %s is filled with %s and written in %s', (brand, filled, text) => {
  expect(fill(brand)).toBe(filled)
  expect(onColour(filled)).toBe(text)
})

test('a colour that is readable is left alone, one that is not moves as little as it can', () => {
  expect(carriesText('#0b5fff')).toBe(true)
  expect(carriesText('#7f7f7f')).toBe(false)
  expect(ink('#0b5fff', 'light', ['#ffffff'])).toBe('#0b5fff')
  expect(ink('#0b5fff', 'dark', ['#121418', '#1b1e24', tint('#0b5fff', 'dark')])).toBe('#4c89ff')
  expect(contrastRatio(ink('#ff6600', 'light', ['#ffffff']), '#ffffff')).toBeLessThan(4.6)
  expect(contrastRatio(ink('#ff6600', 'light', ['#ffffff'], 3), '#ffffff')).toBeLessThan(3.1)
})

test('the tint is a trace of the hue over paper or over the dark page', () => {
  expect(tint('#0b5c6b', 'light')).toBe('#eaf5f8')
  expect(tint('#0b5c6b', 'dark')).toBe('#142a2f')
})

test('a pale button gets an edge, a strong one does not', () => {
  expect(computePalette({ primary: '#ffd400', button: '#ffd400' }).edge).toBe(true)
  expect(computePalette({ primary: '#0b5c6b', button: '#0b5c6b' }).edge).toBe(false)
})

test('css.inject: only colours of three or six hexadecimal digits are taken', () => {
  expect(parseHex(' #AbC ')).toBe('#aabbcc')
  expect(parseHex('#0B5C6B')).toBe('#0b5c6b')
  for (const text of ['', '#12', '#12345', '0b5c6b', 'red', '#gggggg', '#0b5c6b;}']) {
    expect(parseHex(text)).toBeUndefined()
    expect(() => computePalette({ primary: text, button: '#000000' })).toThrow(RangeError)
    expect(() => computePalette({ primary: '#000000', button: text })).toThrow(RangeError)
  }
})

test('there and back through OKLCH is the same colour', () => {
  fc.assert(
    fc.property(colour, (hex) => {
      expect(fromOklch(toOklch(hex))).toBe(hex)
    }),
  )
})

test('a colour that no screen shows is brought inside with its lightness', () => {
  const vivid = { ...toOklch('#00a651'), chroma: 0.5 }
  const shown = toOklch(fromOklch(vivid))
  expect(shown.chroma).toBeLessThan(0.5)
  expect(shown.lightness).toBeCloseTo(vivid.lightness, 2)
})

// apca-w3 0.1.9, the reference values of its own test page.
test.each([
  ['#888888', '#ffffff', 63.056469930209424],
  ['#ffffff', '#888888', -68.54146436644962],
  ['#000000', '#aaaaaa', 58.146262578561334],
  ['#aaaaaa', '#000000', -56.24113336839742],
  ['#112233', '#ddeeff', 91.66830811481631],
  ['#ddeeff', '#112233', -93.06770049484275],
  ['#112233', '#112233', 0],
  ['#ffffff', '#fefefe', 0],
])('APCA of %s on %s', (text, ground, expected) => {
  expect(apcaContrast(text, ground)).toBeCloseTo(expected, 6)
})

// WCAG 2.2: black on white is 21, #767676 is the lightest grey with 4.5 on white.
test('WCAG ratios', () => {
  expect(contrastRatio('#000000', '#ffffff')).toBeCloseTo(21, 6)
  expect(contrastRatio('#ffffff', '#767676')).toBeGreaterThanOrEqual(4.5)
  expect(contrastRatio('#ffffff', '#777777')).toBeLessThan(4.5)
})
