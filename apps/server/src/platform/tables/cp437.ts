/** The character set of the first PCs, which the SIE standard demands to this day ("PC8"). */

/** What stands at 128 and above. */
const UPPER =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'
const CODES = new Map(Array.from(UPPER, (letter, index) => [letter, 128 + index]))

/** Letters that it lacks and that have no accent to leave out. */
const SIMILAR: Readonly<Record<string, string>> = {
  ø: 'o',
  Ø: 'O',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'Th',
  ł: 'l',
  Ł: 'L',
}
const DASHES = /[\u2010-\u2015]/gu

/** What it has no sign for is written without its accent, else as a question mark. */
export function encodeCp437(text: string): Buffer {
  const plain = text.normalize('NFC').replace(DASHES, '-').replace(OTHER, similarTo)
  const bytes = Buffer.alloc(plain.length)
  for (let at = 0; at < plain.length; at++) bytes[at] = codeOf(plain[at] ?? '') ?? QUESTION
  return bytes
}

const QUESTION = 63
/** What may have no sign of its own: whatever is no ASCII, as whole letters. */
const OTHER = /[^\0-\x7f]/gu

/** The letter where it has a sign; else letters that have one, as many as the letter is read as. */
function similarTo(letter: string): string {
  if (codeOf(letter) !== undefined) return letter
  const plain = SIMILAR[letter] ?? letter.normalize('NFD').replace(/\p{M}/gu, '')
  return Array.from(plain === '' ? '?' : plain, (one) => (codeOf(one) === undefined ? '?' : one)).join('')
}

function codeOf(letter: string): number | undefined {
  const code = letter.codePointAt(0) ?? 0
  return code < 128 ? code : CODES.get(letter)
}
