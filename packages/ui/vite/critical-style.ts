/** The part of a style sheet that given pages use: what stands in the page itself, so that nothing delays it. */

type Piece = { readonly head: string; readonly body: string | undefined }

/** The rules of one level: "selector{declarations}", "@media …{rules}", or a statement that ends in ";". */
function splitRules(css: string): Piece[] {
  const pieces: Piece[] = []
  let begin = 0
  let open = 0
  let depth = 0
  for (let at = 0; at < css.length; at += 1) {
    const char = css[at]
    if (char === '"' || char === "'") at = css.indexOf(char, at + 1)
    else if (char === '{' && depth++ === 0) open = at
    else if (char === '}' && --depth === 0) {
      pieces.push({ head: css.slice(begin, open).trim(), body: css.slice(open + 1, at) })
      begin = at + 1
    } else if (char === ';' && depth === 0) {
      pieces.push({ head: css.slice(begin, at).trim(), body: undefined })
      begin = at + 1
    }
  }
  return pieces
}

/** Can the selector match? One that names no class always may; what is pointed at can wait for the whole sheet. */
function isUsed(selector: string, html: string): boolean {
  if (selector.includes(':hover')) return false
  const classes = [...selector.matchAll(/\.(-?[_a-zA-Z][\w-]*)/g)].map(([, name]) => name ?? '')
  return classes.every((name) => new RegExp(`class="[^"]*(?<![\\w-])${name}(?![\\w-])`).test(html))
}

/** `css` (minified) without the rules whose classes do not stand in `html`. Nothing moves or is printed yet. */
export function criticalStyle(css: string, html: string): string {
  return splitRules(css)
    .map(({ head, body }) => {
      if (body === undefined) return `${head};`
      if (/^@(?:-\w+-)?keyframes|^@media print$/.test(head)) return ''
      if (/^@(?:media|supports|layer|container)/.test(head)) {
        const inner = criticalStyle(body, html)
        return inner === '' ? '' : `${head}{${inner}}`
      }
      return head.split(',').some((selector) => isUsed(selector, html)) ? `${head}{${body}}` : ''
    })
    .join('')
}
