/**
 * Texts that come from outside and are read by people: names, addresses, what somebody writes. What cannot be seen, breaks a
 * line where none is, or turns the direction of what follows can make one text look like another (Unicode Technical Report
 * 36; Trojan Source, CVE-2021-42574). Letters of every script stay as they are: the direction of Arabic and Hebrew is that of
 * their letters and needs no sign.
 */

/** Line breaks of every kind: of old terminals, and of Unicode itself (U+2028, U+2029). */
const BREAK = /\r\n?|[\n\v\f\u0085\u2028\u2029]/g
/** Halves of letters, and what no standard has given a meaning. */
const NO_LETTER = /[\p{Cs}\p{Co}\p{Cn}]/gu
/** Between two letters that are no Latin, Greek or Cyrillic ones: joining or not joining is spelling there (Persian, Hindi). */
const JOINER_IN_WORD =
  /(?<=(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])[\p{L}\p{M}])[\u200c\u200d](?=(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{L})/u
/** What is not drawn. Signs that join pictures, and choose how one looks, are not meant. */
const UNSEEN = /(?!\u200c|\u200d|[\ufe00-\ufe0f])[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu
const JOINERS = /\u200c|\u200d|[\ufe00-\ufe0f]/g

/** A name, or another text of one line: no breaks, no controls, nothing unseen, no blanks around it or two in a row. */
export function oneLine(text: string): string {
  const seen = text
    .normalize('NFC')
    .replace(BREAK, ' ')
    .replace(/\p{Cc}/gu, ' ')
    .replace(NO_LETTER, '')
    .replace(UNSEEN, '')
  const joined = seen.replace(JOINERS, (sign, at: number) =>
    JOINER_IN_WORD.test(seen.slice(Math.max(0, at - 2), at + 3)) ? sign : '',
  )
  return joined.replace(/ {2,}/g, ' ').trim().normalize('NFC')
}

/** What somebody writes at length: line breaks are one kind, pictures stay whole, and the rest is as in a line. */
export function manyLines(text: string): string {
  return text
    .normalize('NFC')
    .replace(BREAK, '\n')
    .replace(/(?!\n)\p{Cc}/gu, ' ')
    .replace(NO_LETTER, '')
    .replace(UNSEEN, '')
    .trim()
    .normalize('NFC')
}
