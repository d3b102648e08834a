/**
 * Styles of a drawing, written anew from declarations that are known to be harmless: colours, fonts, sizes, and addresses that are inside
 * the file. What leads out is left out by itself; what stands beside it stays.
 */
export type Declaration = { readonly property: string; readonly value: string }
export type StyleRule = { readonly selector: string; readonly declarations: readonly Declaration[] }
/** How many declarations and rules are gone. */
export type Cleaned<Kept> = { readonly kept: Kept; readonly removed: number }

const FUNCTIONS =
  `rgba? hsla? hwb lab lch oklab oklch color calc min max clamp matrix translate translate[XY] scale scale[XY]
  rotate skew[XY]`.replaceAll(/\s+/g, '|')
/** What a value is made of, sign after sign: a whole text, an address inside the file, a known function, or plain signs. */
const PARTS = new RegExp(
  String.raw`"[^"\\<{}\r\n\f]*"|'[^'\\<{}\r\n\f]*'|url\(\s*(["']?)#[\w.:-]{1,200}\1\s*\)|(?:${FUNCTIONS})?\(|[\p{L}\p{N}_.%#!-]+(?!\()|[\s,)+]|\*(?!/)|/(?!\*)`,
  'giuy',
)
const ADDRESSES = /url\(\s*["']?#([\w.:-]+)/gi
const SELECTOR = /^[\p{L}\p{N}_\s.#,>+~*:-]+$/u

/** True when everything in it is known, and every bracket has its other. */
export function isHarmless(value: string): boolean {
  let depth = 0
  let at = 0
  while (at < value.length) {
    PARTS.lastIndex = at
    const part = PARTS.exec(value)?.[0]
    if (part === undefined || part === '') return false
    if (part.endsWith('(')) depth += 1
    if (part === ')') depth -= 1
    if (depth < 0) return false
    at += part.length
  }
  return depth === 0
}

/** The names inside the file that a value leads to. */
export function namesIn(value: string): string[] {
  return [...value.matchAll(ADDRESSES)].map(([, name = '']) => name)
}

/** Of a sheet or an attribute, each declaration by itself. */
export function cleanDeclarations(text: string): Cleaned<Declaration[]> {
  return declarationsOf(withoutComments(text))
}

export function writeDeclarations(declarations: readonly Declaration[]): string {
  return declarations.map(({ property, value }) => `${property}:${value}`).join(';')
}

/** Rules of one level: what begins with "@" is gone with all that stands in it. */
export function cleanSheet(sheet: string): Cleaned<StyleRule[]> {
  const text = withoutComments(sheet)
  const kept: StyleRule[] = []
  let removed = 0
  for (let at = 0; at < text.length; ) {
    const open = end(text, at, '{;')
    const head = text.slice(at, open).trim()
    if (text[open] !== '{') {
      if (head !== '') removed += 1
      at = open + 1
      continue
    }
    const close = end(text, open + 1, '}')
    at = close + 1
    const { kept: declarations, removed: gone } = declarationsOf(text.slice(open + 1, close))
    if (!SELECTOR.test(head)) removed += 1
    else {
      removed += gone
      if (declarations.length > 0) kept.push({ selector: head, declarations })
    }
  }
  return { kept, removed }
}

export function writeSheet(rules: readonly StyleRule[]): string {
  return rules.map(({ selector, declarations }) => `${selector}{${writeDeclarations(declarations)}}`).join('')
}

function declarationsOf(text: string): Cleaned<Declaration[]> {
  const kept: Declaration[] = []
  let removed = 0
  for (let at = 0; at < text.length; ) {
    const stop = end(text, at, ';')
    const said = text.slice(at, stop).trim()
    at = stop + 1
    if (said === '') continue
    const colon = said.indexOf(':')
    const property = said.slice(0, Math.max(colon, 0)).trim()
    const value = said.slice(colon + 1).trim()
    if (/^-?[a-z][\w-]*$/i.test(property) && value !== '' && isHarmless(value)) kept.push({ property, value })
    else removed += 1
  }
  return { kept, removed }
}

/** Where the first of `stops` is that is in no text and no bracket; the end of it all when there is none. */
function end(text: string, from: number, stops: string): number {
  let depth = 0
  let quote = ''
  for (let at = from; at < text.length; at += 1) {
    const sign = text.charAt(at)
    if (quote !== '') {
      if (sign === quote || sign === '\n') quote = ''
    } else if (sign === '"' || sign === "'") quote = sign
    else if (depth <= 0 && stops.includes(sign)) return at
    else if ('({['.includes(sign)) depth += 1
    else if (')}]'.includes(sign)) depth -= 1
  }
  return text.length
}

/** A comment parts what stands on its two sides, as a space does. In a text it is no comment. */
function withoutComments(text: string): string {
  const parts: string[] = []
  let quote = ''
  let from = 0
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at)
    if (quote !== '') {
      if (sign === quote || sign === '\n') quote = ''
    } else if (sign === '"' || sign === "'") quote = sign
    else if (sign === '/' && text[at + 1] === '*') {
      parts.push(text.slice(from, at), ' ')
      const close = text.indexOf('*/', at + 2)
      if (close < 0) return parts.join('')
      at = close + 1
      from = close + 2
    }
  }
  return parts.join('') + text.slice(from)
}
