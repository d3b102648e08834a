/** A debtor's objection: what it has to contain. */

/** Characters that a reason may have. */
export const LONGEST_REASON = 4000

/**
 * Could mail reach this address? One @, no spaces or control characters, a dotted host, at most 254 characters
 * (RFC 5321 section 4.5.3.1). Whether it exists only a letter to it can tell.
 */
export function isEmail(text: string): boolean {
  if (text.length > 254 || /[\s\p{Cc}<>"(),:;[\]\\]/u.test(text)) return false
  const [name = '', host = '', ...more] = text.split('@')
  const labels = host.split('.')
  return (
    more.length === 0 &&
    name.length > 0 &&
    name.length <= 64 &&
    !/^\.|\.$|\.\./.test(name) &&
    labels.length >= 2 &&
    labels.every((label) => /^[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u.test(label)) &&
    (labels.at(-1)?.length ?? 0) >= 2
  )
}
