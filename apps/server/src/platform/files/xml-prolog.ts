/**
 * What stands before the first element of a foreign XML file. It is walked, not matched: a pattern in which each comment may end at any
 * later "-->" takes twice as long with each comment more.
 */
const PARTS = [
  ['<?', '?>'],
  ['<!--', '-->'],
] as const

/** What is left behind byte order mark, white space, instructions and comments; empty when one of them has no end. */
export function afterProlog(text: string): string {
  let at = text.startsWith('\uFEFF') ? 1 : 0
  for (;;) {
    while (/\s/.test(text.charAt(at))) at += 1
    const part = PARTS.find(([opening]) => text.startsWith(opening, at))
    if (!part) return text.slice(at)
    const end = text.indexOf(part[1], at + part[0].length)
    if (end < 0) return ''
    at = end + part[1].length
  }
}
