/** Which passwords may be chosen: the specification's rule, at least twelve characters, and not one that is tried first. */

const RULE = /^(?=.*\p{Ll})(?=.*\p{Lu})(?=.*\d).{12,200}$/su
/** The best of zxcvbn's scale of 0 to 4: more than 10^10 tries. */
const STRONG = 4

/** @param known what whoever guesses knows of the person, such as their name */
export async function isStrong(password: string, known: readonly string[]): Promise<boolean> {
  if (!RULE.test(password)) return false
  // Its word lists are only loaded when somebody chooses a password.
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  const estimate = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs }, {})
  return estimate.check(password, [...known]).score >= STRONG
}
