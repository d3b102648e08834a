/** Phone numbers as people write them in a country, and as they are rung from another. */

/** Where a number within the country begins with a 0 that nobody dials from abroad. Norway and Denmark have none. */
const TRUNK_ZERO: readonly string[] = ['SE', 'FI']

/** By country code. */
export const CALLING_CODES: Readonly<Record<string, string>> = { SE: '46', NO: '47', DK: '45', FI: '358' }

/**
 * A number as it is read abroad: `+46 31 390 06 10` for `031-390 06 10` of SE. One that has its country in it already, or whose country
 * is not known, stays as it is.
 */
export function phoneAbroad(text: string, country: string): string {
  const code = CALLING_CODES[country]
  const written = text.trim().replace(/^00/, '+')
  // "+46 (0)31" is written for both.
  if (written.startsWith('+')) return written.replace(/\(0\)\s*/, ' ').replace(/\s+/g, ' ')
  if (code === undefined) return written
  return `+${code} ${written
    .replace(TRUNK_ZERO.includes(country) ? /^\(?0\)?/ : /^$/, '')
    .replace(/[\s()./-]+/g, ' ')
    .trim()}`
}
