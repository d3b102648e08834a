/** Addresses that everybody reads alike. */

/**
 * True for a web address in plain characters. Browsers and parsers disagree about control characters, spaces and
 * backslashes, and so about whose address it is (threats redirect.matrix, redirect.external): none of them is ever needed here.
 */
export function isPlainAddress(address: string): boolean {
  return /^https?:\/\/[!#-;=?-[\]_a-z~]+$/i.test(address) && URL.canParse(address)
}
