/** In which form of an answer's bytes a browser takes it (RFC 9110, 12.5.3). */

export type Encoding = 'br' | 'gzip'

const NAMES: Readonly<Record<Encoding, readonly string[]>> = { br: ['br'], gzip: ['gzip', 'x-gzip'] }

/** The names of the header and whether each is taken: a weight of zero refuses, one that cannot be read does too. */
function readAccepted(header: string): ReadonlyMap<string, boolean> {
  return new Map(
    header.split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((one) => one.trim().toLowerCase())
      const weight = parameters.find((one) => one.startsWith('q='))
      return [name, weight === undefined || Number(weight.slice(2)) > 0] as const
    }),
  )
}

/**
 * The first of `offered` that the header Accept-Encoding takes; undefined: as it is. What the header does not name is as it
 * says of `*`, and refused when it says nothing.
 */
export function encodingFor(header: string | undefined, offered: readonly Encoding[]): Encoding | undefined {
  const accepted = readAccepted(header ?? '')
  return offered.find((one) => {
    const named = NAMES[one].find((name) => accepted.has(name))
    return accepted.get(named ?? '*') === true
  })
}
