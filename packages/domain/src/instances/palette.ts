/**
 * A provider may choose any colours; people must still be able to read. From the raw colours this computes the
 * ones that carry text or are text. It runs when branding is saved, and the results go into the page.
 */
import { apcaContrast, contrastRatio, fromOklch, parseHex, toOklch, type Hex } from './colour.ts'

export type Palette = {
  readonly fill: string
  readonly onFill: string
  readonly fillDark: string
  readonly onFillDark: string
  readonly inkLight: string
  readonly inkDark: string
  readonly edge: boolean
}

export type Theme = 'light' | 'dark'

/** WCAG 2.2: 1.4.3 for text, 1.4.11 for the outline of a control. */
const TEXT_RATIO = 4.5
const EDGE_RATIO = 3
/** APCA: the least for text of a button's size. */
const BUTTON_LC = 60
const STEP = 0.01

/** `--bg` and `--surface` of the portals' style sheet. */
const GROUNDS: Readonly<Record<Theme, readonly Hex[]>> = {
  light: ['#f6f7f9', '#ffffff'],
  dark: ['#121418', '#1b1e24'],
}

function known(colour: string): Hex {
  const hex = parseHex(colour)
  if (!hex) throw new RangeError(`"${colour}" is not a colour like #0b5c6b`)
  return hex
}

/**
 * The quiet field behind the amount, as the style sheet computes `--tint` from the primary colour: nearly white,
 * or nearly the dark page, with a little of the hue.
 */
export function tint(primary: string, theme: Theme): Hex {
  const { chroma, hue } = toOklch(known(primary))
  return theme === 'light'
    ? fromOklch({ lightness: 0.963, chroma: Math.min(chroma, 0.013), hue })
    : fromOklch({ lightness: 0.27, chroma: Math.min(chroma, 0.03), hue })
}

/** Everything that a brand coloured text may stand on in this theme. */
export function groundsOf(primary: string, theme: Theme): Hex[] {
  return [...GROUNDS[theme], tint(primary, theme)]
}

/** White or near black on `ground`: the one with 4.5:1, and of two such the one that APCA finds stronger. */
export function onColour(ground: string): Hex {
  const hex = known(ground)
  const strength = (text: Hex) =>
    (contrastRatio(text, hex) >= TEXT_RATIO ? 1000 : 0) + Math.abs(apcaContrast(text, hex))
  return strength('#ffffff') >= strength('#111111') ? '#ffffff' : '#111111'
}

/** Can a button's word be read on this colour? */
export function carriesText(colour: string): boolean {
  const hex = known(colour)
  const text = onColour(hex)
  return contrastRatio(text, hex) >= TEXT_RATIO && Math.abs(apcaContrast(text, hex)) >= BUTTON_LC
}

/** `hex` itself when it carries text, else the nearest lightness that does, darker tried before lighter. */
function moveUntilReadable(hex: Hex, directions: readonly (1 | -1)[]): Hex {
  if (carriesText(hex)) return hex
  const { lightness, chroma, hue } = toOklch(hex)
  for (let distance = STEP; distance < 1; distance += STEP) {
    for (const direction of directions) {
      const moved = Math.min(1, Math.max(0, lightness + direction * distance))
      const candidate = fromOklch({ lightness: moved, chroma, hue })
      if (carriesText(candidate)) return candidate
    }
  }
  return '#ffffff'
}

/** The brand colour as a button: itself when it carries text, else the nearest lightness that does. */
export function fill(colour: string): Hex {
  return moveUntilReadable(known(colour), [-1, 1])
}

function worstRatio(colour: Hex, grounds: readonly Hex[]): number {
  return Math.min(...grounds.map((ground) => contrastRatio(colour, ground)))
}

/**
 * The brand colour as text or line on all of `grounds`: itself when it has at least `ratio` against the worst
 * of them, else the nearest lightness that has, darker in the light theme and lighter in the dark one.
 */
export function ink(colour: string, theme: Theme, grounds: readonly Hex[], ratio = TEXT_RATIO): Hex {
  const hex = known(colour)
  if (worstRatio(hex, grounds) >= ratio) return hex
  const { lightness, chroma, hue } = toOklch(hex)
  let failing = lightness
  let passing = theme === 'light' ? 0 : 1
  let found = fromOklch({ lightness: passing, chroma, hue })
  while (Math.abs(failing - passing) > 0.0005) {
    const middle = (failing + passing) / 2
    const candidate = fromOklch({ lightness: middle, chroma, hue })
    if (worstRatio(candidate, grounds) >= ratio) {
      passing = middle
      found = candidate
    } else {
      failing = middle
    }
  }
  return found
}

/**
 * The safe colours for a provider's `primary` (links, lines, the amount's field) and `button` colour, each
 * "#rgb" or "#rrggbb". Throws RangeError for other texts.
 *
 * Guaranteed: text on both fills has 4.5:1 and APCA Lc 60; both inks have 4.5:1 against page, surface and tint
 * of their theme; a button without 3:1 against its surroundings has `edge` set. The dark button never sinks
 * into the dark page.
 */
export function computePalette(brand: { primary: string; button: string }): Palette {
  const grounds = { light: groundsOf(brand.primary, 'light'), dark: groundsOf(brand.primary, 'dark') }
  const light = fill(brand.button)
  const dark = moveUntilReadable(ink(brand.button, 'dark', grounds.dark), [1])
  return {
    fill: light,
    onFill: onColour(light),
    fillDark: dark,
    onFillDark: onColour(dark),
    inkLight: ink(brand.primary, 'light', grounds.light),
    inkDark: ink(brand.primary, 'dark', grounds.dark),
    edge: worstRatio(light, grounds.light) < EDGE_RATIO,
  }
}
