/**
 * Writes an SVG anew from what is known to be harmless: shapes, colours, gradients and their text. What is not on a list is not there
 * afterwards: scripts, handlers, frames, animations, pictures in the picture and every address that is not inside the file itself.
 */
import { SaxesParser, type SaxesTagNS } from 'saxes'
import { PictureRefused } from './provider-refused.ts'
import {
  cleanDeclarations,
  cleanSheet,
  isHarmless,
  writeDeclarations,
  writeSheet,
  type StyleRule,
} from './clean-style.ts'
import { countUses, type SvgElement } from './svg-uses.ts'

/** How much of each sort is gone. */
export type Removed = { readonly scripts: number; readonly links: number; readonly others: number }
export type CleanSvg = { readonly text: string; readonly removed: Removed }

const SVG = 'http://www.w3.org/2000/svg'
const XLINK = 'http://www.w3.org/1999/xlink'
const MOST_ELEMENTS = 5_000
/** With everything that `use` repeats. */
const MOST_DRAWN = 20_000
const DEEPEST = 50
const LONGEST_VALUE = 200_000

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))
const ELEMENTS =
  words(`svg g defs symbol use title desc path rect circle ellipse line polyline polygon text tspan
  linearGradient radialGradient stop clipPath mask pattern style`)
/** Themselves gone, what stands in them stays. */
const UNWRAPPED = words('a switch')
const ATTRIBUTES =
  words(`id class viewBox preserveAspectRatio version width height x y x1 y1 x2 y2 cx cy r rx ry fx fy dx dy d points
  transform gradientUnits gradientTransform spreadMethod offset clipPathUnits maskUnits maskContentUnits patternUnits
  patternContentUnits patternTransform pathLength rotate textLength lengthAdjust style fill fill-opacity fill-rule stroke
  stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray stroke-dashoffset opacity color
  stop-color stop-opacity clip-path clip-rule mask display visibility overflow vector-effect paint-order font-family font-size
  font-weight font-style font-variant letter-spacing word-spacing text-anchor text-decoration dominant-baseline
  alignment-baseline baseline-shift shape-rendering text-rendering color-interpolation role aria-label aria-hidden`)
/** Only within the file. */
const REFERRING = words('use linearGradient radialGradient pattern')
const INSIDE = /^#[\w.:-]{1,200}$/
/** Those that are read as styles are; the others are words and numbers, and may say what they like. */
const STYLED =
  words(`transform gradientTransform patternTransform fill fill-opacity fill-rule stroke stroke-width stroke-opacity
  stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray stroke-dashoffset opacity color stop-color stop-opacity
  clip-path clip-rule mask display visibility overflow vector-effect paint-order font-family font-size font-weight font-style
  font-variant letter-spacing word-spacing text-anchor text-decoration dominant-baseline alignment-baseline baseline-shift
  shape-rendering text-rendering color-interpolation`)
/** Selectors with a declaration each: so many no picture has, and each is held against the elements. */
const MOST_STYLED = 2_000
const SCRIPT = /^\s*(?:java|vb)script:/i

/** Throws PictureRefused when it is no SVG, or is made to be more than a picture. */
export function cleanSvg(bytes: Uint8Array): CleanSvg {
  const reader = new Reader()
  const parser = new SaxesParser({ xmlns: true })
  parser.on('doctype', (text) => {
    // What entities are for, a picture does not need.
    if (/\[|entity/i.test(text)) throw notOne('It has a document type with rules of its own.')
  })
  parser.on('opentag', (tag) => reader.enter(tag))
  parser.on('closetag', () => reader.leave())
  parser.on('text', (text) => reader.take(text))
  parser.on('cdata', (text) => reader.take(text))
  parser.on('error', (error) => {
    throw notOne(error.message)
  })
  parser.write(decode(bytes)).close()
  const root = reader.root
  if (!root) throw notOne('It has no picture in it.')
  if (countUses(root, reader.rules) > MOST_DRAWN) throw notOne(`It draws more than ${MOST_DRAWN} shapes.`)
  return { text: write(root, true), removed: reader.removed }
}

function notOne(why: string): PictureRefused {
  return new PictureRefused('drawing', `This SVG cannot be used. ${why}`)
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw notOne('It is not UTF-8.')
  }
}

/** Builds the picture again from its tags, without what is on no list. */
class Reader {
  root: SvgElement | undefined
  readonly removed = { scripts: 0, links: 0, others: 0 }
  /** Of all its sheets. */
  readonly rules: StyleRule[] = []
  /** The way from the root; undefined for an element that was left out and whose content stays. */
  readonly #open: (SvgElement | undefined)[] = []
  /** How deep we are in something that goes with all that stands in it. */
  #dropped = 0
  #elements = 0
  #styled = 0

  enter(tag: SaxesTagNS): void {
    this.#elements += 1
    if (this.#elements > MOST_ELEMENTS) throw notOne(`It has more than ${MOST_ELEMENTS} elements.`)
    if (this.#open.length + this.#dropped >= DEEPEST)
      throw notOne(`It is more than ${DEEPEST} elements deep.`)
    if (!this.root && (tag.local !== 'svg' || tag.uri !== SVG)) throw notOne('It does not begin as one.')
    if (this.#dropped > 0) {
      this.#dropped += 1
      return
    }
    // A style is one text for who reads it, whatever stands in it.
    const isInStyle = this.#open.at(-1)?.name === 'style'
    const isKnown = tag.uri === SVG && ELEMENTS.has(tag.local) && !isInStyle
    if (isInStyle || (!isKnown && !(tag.uri === SVG && UNWRAPPED.has(tag.local)))) {
      this.removed[/^(?:script|handler|listener)$/i.test(tag.local) ? 'scripts' : 'others'] += 1
      this.#dropped = 1
      return
    }
    const attributes = this.#attributesOf(tag)
    if (!isKnown) {
      this.removed.links += 1
      this.#open.push(undefined)
      return
    }
    const element: SvgElement = { name: tag.local, attributes, children: [] }
    const parent = this.#open.findLast((one) => one !== undefined)
    if (parent) parent.children.push(element)
    else this.root ??= element
    this.#open.push(element)
  }

  leave(): void {
    if (this.#dropped > 0) {
      this.#dropped -= 1
      return
    }
    const left = this.#open.pop()
    if (left?.name !== 'style') return
    // It holds text alone, in one piece: nothing that stood within has been kept.
    const { kept, removed } = cleanSheet(left.children.filter((child) => typeof child === 'string').join(''))
    this.removed.links += removed
    this.rules.push(...kept)
    for (const { selector, declarations } of kept)
      this.#styled += selector.split(',').length * declarations.length
    if (this.#styled > MOST_STYLED) throw notOne(`Its styles say more than ${MOST_STYLED} things.`)
    left.children.splice(0, left.children.length, ...(kept.length > 0 ? [writeSheet(kept)] : []))
  }

  take(text: string): void {
    if (this.#dropped > 0) return
    const parent = this.#open.findLast((one) => one !== undefined)
    if (!parent || !/^(?:text|tspan|title|desc|style)$/.test(parent.name)) return
    // A style that comes in two parts is looked at as one.
    const last = parent.children.at(-1)
    if (typeof last === 'string') parent.children.splice(-1, 1, last + text)
    else parent.children.push(text)
  }

  #attributesOf({ local: element, attributes }: SaxesTagNS): Map<string, string> {
    const kept = new Map<string, string>()
    for (const { prefix, local, uri, value } of Object.values(attributes)) {
      if (prefix === 'xmlns' || local === 'xmlns') continue
      if (/^on/i.test(local) || SCRIPT.test(value)) this.removed.scripts += 1
      else if (local === 'href' && (uri === '' || uri === XLINK)) {
        if (REFERRING.has(element) && INSIDE.test(value.trim())) kept.set('href', value.trim())
        else this.removed.links += 1
      } else if (uri !== '' || !ATTRIBUTES.has(local)) this.removed.others += 1
      else if (value.length > LONGEST_VALUE) throw notOne('One of its values is too long.')
      else if (local === 'style') {
        const { kept: declarations, removed } = cleanDeclarations(value)
        this.removed.links += removed
        if (declarations.length > 0) kept.set(local, writeDeclarations(declarations))
      } else if (STYLED.has(local) && !isHarmless(value)) this.removed.links += 1
      else kept.set(local, value)
    }
    return kept
  }
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escape = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign)

function write({ name, attributes, children }: SvgElement, isRoot = false): string {
  const along = [...attributes].map(([key, value]) => ` ${key}="${escape(value)}"`).join('')
  const within = children.map((child) => (typeof child === 'string' ? escape(child) : write(child))).join('')
  const open = `<${name}${isRoot ? ` xmlns="${SVG}"` : ''}${along}`
  return within === '' ? `${open}/>` : `${open}>${within}</${name}>`
}
