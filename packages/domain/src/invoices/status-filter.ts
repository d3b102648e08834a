/** The filter language of lists: "ACTIVATED[OR]PAUSED". */

/**
 * The values of a filter joined by `[OR]`, each once, or undefined when one of them is not among `allowed`,
 * is empty, or there is nothing at all.
 */
export function readFilter<Value extends string>(
  text: string,
  allowed: readonly Value[],
): Value[] | undefined {
  // As many terms as there are values is all that can mean anything; a longer text is not looked at.
  if (text.length > 400) return undefined
  const terms = text.split('[OR]')
  const values = allowed.filter((value) => terms.includes(value))
  return terms.every((term) => (allowed as readonly string[]).includes(term)) ? values : undefined
}
