/** Postal codes, by the rules of the address's country. */

/**
 * Patterns after leading and trailing spaces are gone. Sweden and Norway are the specification's (section 5;
 * the separator of the Swedish four extra digits may be left out, and "114 18" is the usual way to write
 * five digits). Countries that are not here are accepted as they are.
 */
const PATTERNS = new Map<string, RegExp>(
  Object.entries({
    SE: /^(\d{5}|\d{3} \d{2})([-\s]?\d{4})?$/,
    NO: /^\d{4}$/,
    DK: /^\d{4}$/,
    FI: /^\d{5}$/,
    AX: /^22\d{3}$/,
    IS: /^\d{3}$/,
    FO: /^\d{3}$/,
    GL: /^39\d{2}$/,
    DE: /^\d{5}$/,
    EE: /^\d{5}$/,
    LV: /^(LV-)?\d{4}$/,
    LT: /^(LT-)?\d{5}$/,
    PL: /^\d{2}-?\d{3}$/,
    NL: /^[1-9]\d{3} ?[A-Z]{2}$/,
    GB: /^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$/,
    FR: /^\d{5}$/,
    ES: /^\d{5}$/,
    IT: /^\d{5}$/,
    BE: /^\d{4}$/,
    AT: /^\d{4}$/,
    CH: /^\d{4}$/,
    PT: /^\d{4}-?\d{3}$/,
    IE: /^[A-Z]\d[\dW] ?[A-Z\d]{4}$/,
    CZ: /^\d{3} ?\d{2}$/,
    SK: /^\d{3} ?\d{2}$/,
    HU: /^\d{4}$/,
    RO: /^\d{6}$/,
    BG: /^\d{4}$/,
    GR: /^\d{3} ?\d{2}$/,
    CY: /^\d{4}$/,
    LU: /^(L-)?\d{4}$/,
  }),
)

/** Longer than any postal code with its spaces; what is longer is not looked at. */
const LONGEST = 40

/** May `text` be a postal code of `countryCode`? Small letters count as capitals. */
export function isZipValid(countryCode: string, text: string): boolean {
  if (text.length > LONGEST) return false
  const zip = text.normalize('NFKC').trim().toUpperCase()
  const pattern = PATTERNS.get(countryCode)
  return pattern ? pattern.test(zip) : zip !== ''
}

/** After how many signs the groups of a code part, counted from its end, and what stands between them. */
const GROUPS: Readonly<Record<string, readonly [whole: RegExp, fromEnd: number, between: string]>> = {
  SE: [/^\d{5}$/, 2, ' '],
  CZ: [/^\d{5}$/, 2, ' '],
  SK: [/^\d{5}$/, 2, ' '],
  GR: [/^\d{5}$/, 2, ' '],
  PL: [/^\d{5}$/, 3, '-'],
  PT: [/^\d{7}$/, 3, '-'],
  NL: [/^\d{4}[A-Z]{2}$/, 2, ' '],
  GB: [/^[A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{2}$/, 3, ' '],
  IE: [/^[A-Z]\d[\dW][A-Z\d]{4}$/, 4, ' '],
}

/** `zip` as it is written in its country: "411 05", "1012 AB". What is written otherwise stays as it is. */
export function groupZip(countryCode: string, zip: string): string {
  const group = GROUPS[countryCode]
  const bare = zip.replaceAll(/[\s-]/g, '').toUpperCase()
  if (!group || !group[0].test(bare)) return zip
  const [, fromEnd, between] = group
  return bare.slice(0, -fromEnd) + between + bare.slice(-fromEnd)
}
