import { computePalette } from '@kvitt/domain/instances/palette.ts'

/** Primary and button colour of five providers; the last two are hard to read on and hard to tell from anything. */
export const PALETTES: Readonly<Record<string, readonly [primary: string, button: string]>> = {
  none: ['#16181d', '#16181d'],
  teal: ['#0b5c6b', '#0b5c6b'],
  orange: ['#ff6600', '#e30613'],
  'pale yellow': ['#fff7a8', '#fff3a0'],
  'mid grey': ['#7f7f7f', '#7f7f7f'],
}

/** Puts a provider's colours on the page, as the server writes them into it (instances/branding.ts). */
export function paint(name: string): void {
  const [primary, button] = PALETTES[name] ?? ['#16181d', '#16181d']
  const palette = computePalette({ primary, button })
  const { style } = document.documentElement
  style.setProperty('--brand-1', primary)
  style.setProperty('--brand-2', primary)
  style.setProperty('--brand-btn', button)
  style.setProperty('--fill', palette.fill)
  style.setProperty('--on-fill', palette.onFill)
  style.setProperty('--fill-d', palette.fillDark)
  style.setProperty('--on-fill-d', palette.onFillDark)
  style.setProperty('--ink-brand-l', palette.inkLight)
  style.setProperty('--ink-brand-d', palette.inkDark)
  style.setProperty('--edge', palette.edge ? '1' : '0')
}
