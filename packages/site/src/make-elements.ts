/** The trees of element.ts as elements of the page. */
import type { Child } from './element.ts'

/** Raw HTML stays in the built pages: a browser never reads any. */
export function nodesOf(child: Child): Node[] {
  if (child === false || child === undefined) return []
  if (typeof child === 'string') return [document.createTextNode(child)]
  if ('html' in child) throw new TypeError('raw HTML is only for the build')
  if (!('tag' in child)) return child.flatMap(nodesOf)
  const element = document.createElement(child.tag)
  for (const [name, value] of Object.entries(child.attributes)) {
    if (value !== undefined) element.setAttribute(name, value === true ? '' : value)
  }
  element.append(...nodesOf(child.children))
  return [element]
}
