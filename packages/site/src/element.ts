/** Pages as trees: the build and the server write them out as HTML, the browser makes elements of them. */

/** A branch of a page, in the form in which it is written here. */
export type Child = string | Element | RawHtml | false | undefined | readonly Child[]
type Attributes = Readonly<Record<string, string | true | undefined>>

export type Element = {
  readonly tag: string
  readonly attributes: Attributes
  readonly children: readonly Child[]
}

/** HTML that the build has made itself, from files of ours. Never anything that somebody typed. */
export type RawHtml = { readonly html: string }

/** `el('p.lead', {}, 'Hello')`; classes may stand behind the tag, with dots. */
export function el(name: string, attributes: Attributes = {}, ...children: readonly Child[]): Element {
  const [tag = '', ...classes] = name.split('.')
  const own: Attributes = classes.length > 0 ? { class: classes.join(' '), ...attributes } : attributes
  return { tag, attributes: own, children }
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escapeText(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character)
}

const VOID = ['input', 'img', 'br', 'meta', 'link', 'hr']
/** Drawn parts have no end of their own either, and have to say so. */
const DRAWN = ['path', 'rect', 'circle']

/** The tree as HTML, every text and value escaped. */
export function htmlOf(child: Child): string {
  if (child === false || child === undefined) return ''
  if (typeof child === 'string') return escapeText(child)
  if ('html' in child) return child.html
  if (!('tag' in child)) return child.map(htmlOf).join('')
  const attributes = Object.entries(child.attributes)
    .map(([name, value]) =>
      value === undefined ? '' : value === true ? ` ${name}` : ` ${name}="${escapeText(value)}"`,
    )
    .join('')
  if (DRAWN.includes(child.tag)) return `<${child.tag}${attributes}/>`
  const open = `<${child.tag}${attributes}>`
  return VOID.includes(child.tag) ? open : `${open}${htmlOf(child.children)}</${child.tag}>`
}
