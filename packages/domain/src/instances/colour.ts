/**
 * Colours as numbers: sRGB text, OKLCH for moving lightness while the hue stays, and two measures of contrast.
 *
 * Sources: OKLab (Ottosson 2020, matrices of CSS Color 4), WCAG 2.2 relative luminance, APCA-W3 0.1.9.
 */

/** "#rrggbb" in small letters. */
export type Hex = string

type Triple = readonly [number, number, number]
export type Oklch = { readonly lightness: number; readonly chroma: number; readonly hue: number }

/** The colour of "#rgb" or "#rrggbb" in small letters and six digits; undefined for every other text. */
export function parseHex(text: string): Hex | undefined {
  const match = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text.trim())
  const digits = match?.[1]?.toLowerCase()
  if (!digits) return undefined
  return `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`
}

function channels(hex: Hex): Triple {
  const value = Number.parseInt(hex.slice(1), 16)
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255]
}

function toHex(rgb: Triple): Hex {
  const parts = rgb.map((channel) => Math.round(Math.min(1, Math.max(0, channel)) * 255))
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

function linear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
}

function encoded(value: number): number {
  const size = Math.abs(value)
  return size <= 0.0031308 ? value * 12.92 : Math.sign(value) * (1.055 * size ** (1 / 2.4) - 0.055)
}

export function toOklch(hex: Hex): Oklch {
  const [red, green, blue] = channels(hex).map(linear) as unknown as Triple
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const b = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s
  return { lightness, chroma: Math.hypot(a, b), hue: Math.atan2(b, a) }
}

function toRgb({ lightness, chroma, hue }: Oklch): Triple {
  const a = chroma * Math.cos(hue)
  const b = chroma * Math.sin(hue)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    encoded(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    encoded(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    encoded(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ]
}

function fitsScreen(rgb: Triple): boolean {
  return rgb.every((channel) => channel >= -0.0005 && channel <= 1.0005)
}

/** The nearest sRGB colour of the same lightness and hue: chroma is given up until the screen can show it. */
export function fromOklch(colour: Oklch): Hex {
  const rgb = toRgb(colour)
  if (fitsScreen(rgb)) return toHex(rgb)
  let inside = 0
  let outside = colour.chroma
  while (outside - inside > 0.0005) {
    const chroma = (inside + outside) / 2
    if (fitsScreen(toRgb({ ...colour, chroma }))) inside = chroma
    else outside = chroma
  }
  return toHex(toRgb({ ...colour, chroma: inside }))
}

function luminance(hex: Hex): number {
  const [red, green, blue] = channels(hex).map(linear) as unknown as Triple
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** WCAG contrast ratio, 1 to 21. */
export function contrastRatio(a: Hex, b: Hex): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

function perceivedBrightness(hex: Hex): number {
  const [red, green, blue] = channels(hex).map((channel) => channel ** 2.4) as unknown as Triple
  const y = 0.2126729 * red + 0.7151522 * green + 0.072175 * blue
  return y < 0.022 ? y + (0.022 - y) ** 1.414 : y
}

/** APCA lightness contrast Lc of a text on a ground: positive for dark on light, negative for light on dark. */
export function apcaContrast(text: Hex, ground: Hex): number {
  const yText = perceivedBrightness(text)
  const yGround = perceivedBrightness(ground)
  if (Math.abs(yGround - yText) < 0.0005) return 0
  const darkOnLight = yGround > yText
  const contrast = darkOnLight
    ? (yGround ** 0.56 - yText ** 0.57) * 1.14
    : (yGround ** 0.65 - yText ** 0.62) * 1.14
  if (Math.abs(contrast) < 0.1) return 0
  return (contrast - (darkOnLight ? 0.027 : -0.027)) * 100
}
