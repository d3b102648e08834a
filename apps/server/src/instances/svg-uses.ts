/** How much a picture draws when everything that is repeated is counted: a small file can stand for a billion shapes. */
import { cleanDeclarations, namesIn, type StyleRule } from './clean-style.ts'

export type SvgElement = {
  readonly name: string
  readonly attributes: Map<string, string>
  readonly children: (SvgElement | string)[]
}

/** What an element is painted with, by property, each the names of patterns, gradients, masks and clips. */
type Paints = ReadonlyMap<string, readonly string[]>

/** These hold for what stands within as well. */
const INHERITED = ['fill', 'stroke']
/** An element is painted with one or two; each is counted anew for each that inherits it. */
const MOST_PAINTS = 50
/** Painting with one draws no shapes; its stops are counted where they stand. */
const GRADIENT = /Gradient$/

/** Shapes that are drawn; Infinity where something repeats itself. */
export function countUses(root: SvgElement, rules: readonly StyleRule[] = []): number {
  const named = new Map<string, SvgElement>()
  const paints = new Map<SvgElement, Paints>()
  const sheet = paintsByKey(rules)
  const look = (element: SvgElement, above: Paints): void => {
    const id = element.attributes.get('id')
    if (id !== undefined && !named.has(id)) named.set(id, element)
    const own = paintsOf(element, sheet)
    const all = new Map([...above].filter(([property]) => INHERITED.includes(property)))
    for (const [property, names] of own) all.set(property, names)
    paints.set(element, all)
    for (const child of element.children) if (typeof child !== 'string') look(child, all)
  }
  look(root, new Map())
  for (const all of paints.values())
    for (const names of all.values()) if (names.length > MOST_PAINTS) return Infinity
  const counted = new Map<SvgElement, number>()
  const underWay = new Set<SvgElement>()
  const count = (element: SvgElement): number => {
    const known = counted.get(element)
    if (known !== undefined) return known
    if (underWay.has(element)) return Infinity
    underWay.add(element)
    let sum = 1
    for (const child of element.children) if (typeof child !== 'string') sum += count(child)
    const target = named.get(element.attributes.get('href')?.slice(1) ?? '')
    if (target) sum += count(target)
    // What `use` repeats is painted with what `use` is painted with, shape after shape.
    const times = target && element.name === 'use' ? count(target) : 1
    for (const names of paints.get(element)?.values() ?? [])
      for (const name of names) {
        const paint = named.get(name)
        if (!paint) continue
        const drawn = count(paint)
        if (!GRADIENT.test(paint.name) || drawn === Infinity) sum += drawn * times
      }
    underWay.delete(element)
    counted.set(element, sum)
    return sum
  }
  return count(root)
}

/** The paints of a sheet by what the last part of a selector names: a class, a name, an element, or all of them. */
function paintsByKey(rules: readonly StyleRule[]): ReadonlyMap<string, Paints> {
  const byKey = new Map<string, Map<string, string[]>>()
  for (const { selector, declarations } of rules) {
    const leading = declarations.map(
      ({ property, value }) => [property.toLowerCase(), namesIn(value)] as const,
    )
    if (leading.every(([property, names]) => names.length === 0 && !INHERITED.includes(property))) continue
    for (const one of selector.split(',')) {
      const last =
        one
          .trim()
          .split(/[\s>+~]/)
          .at(-1) ?? ''
      const key = /[.#][\p{L}\p{N}_-]+/u.exec(last)?.[0] ?? /^[\p{L}][\p{L}\p{N}-]*/u.exec(last)?.[0] ?? '*'
      const kept = byKey.get(key) ?? new Map<string, string[]>()
      byKey.set(key, kept)
      for (const [property, names] of leading)
        if (names.length > 0 || INHERITED.includes(property))
          kept.set(property, [...new Set([...(kept.get(property) ?? []), ...names])])
    }
  }
  return byKey
}

/** From its attributes, its style and the sheets: whichever wins in the end, all that could are counted. */
function paintsOf({ name, attributes }: SvgElement, sheet: ReadonlyMap<string, Paints>): Paints {
  const paints = new Map<string, string[]>()
  const add = (property: string, names: readonly string[]): void => {
    const others = paints.get(property)
    if (names.length > 0 || INHERITED.includes(property)) paints.set(property, [...(others ?? []), ...names])
  }
  for (const [key, value] of attributes)
    if (key === 'style')
      for (const { property, value: said } of cleanDeclarations(value).kept)
        add(property.toLowerCase(), namesIn(said))
    else if (value.includes('url(') || INHERITED.includes(key)) add(key, namesIn(value))
  const classes = new Set((attributes.get('class') ?? '').split(/\s+/))
  const keys = ['*', name, `#${attributes.get('id') ?? ''}`, ...[...classes].map((one) => `.${one}`)]
  for (const key of keys) for (const [property, names] of sheet.get(key) ?? []) add(property, names)
  return paints
}
