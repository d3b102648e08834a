/** What can be checked in a message that somebody has pasted: its links, and the numbers that may be references or accounts. */
import { labelOf } from '@kvitt/domain/messages/message-label.ts'
import { isFinnishReferenceValid, isKidMod11Valid, isLuhnValid } from '@kvitt/domain/references.ts'

/**
 * One thing to ask about. `zip`: a postal code stands behind the reference, as the door wants both. `phone`: a number to be rung, as a
 * word before it says, or as it is formed: a reference with a zero in front may be formed so, too.
 */
export type MessagePart = {
  readonly text: string
  readonly zip?: string
  readonly phone?: 'called' | 'formed'
}

/** Letters of a message; a longer one is asked for in parts. */
export const LONGEST_MESSAGE = 10_000
/** So many words without a digit has a name or a label; more are a sentence. */
const MOST_WORDS = 5
/** A shorter number without a label is an amount, a postal code, a day. */
const LEAST_DIGITS = 8

/** Web or e-mail address: any token that a phone could make a link of. */
const ADDRESS = /\S@\S|:\/\/|[\p{L}\p{N}_-]\.\p{L}{2,}(?:[/:?#]|$)/u
/** Words with a dot in them. */
const ABBREVIATION = /^(?:\p{L}{2,5}\.(?:nro?|no)|t\.ex|f\.eks|bl\.a)$/iu
const GIRO = /^(?:\d{3,4}\p{Pd}\d{4}|\d{2,7}\p{Pd}\d)$/u
const NUMBER = /^\+?\d[\d\p{Pd}./]*(?:,\d{2})?$/u
const FURTHER = /^\d[\d\p{Pd}]*(?:,\d{2})?$/u
/** The beginning of an IBAN or an RF reference, and what may follow. */
const LETTERED = /^[A-Z]{2}\d{2}[A-Z\d]*$/i
const LETTERED_FURTHER = /^(?=[A-Z]*\d)[A-Z\d]{1,8}$/i
const BANK_CODE = /^[A-Z]{4}$/
const CURRENCY = /^(?:kr|sek|nok|dkk|eur|euroa?|kronor|kroner|kruunua|€)$/i
const DAY = /^(?:\d{4}\p{Pd}\d{1,2}\p{Pd}\d{1,2}|\d{1,2}[./]\d{1,2}[./]?(?:\d{2,4})?)$/u
/** Before a number that is to be rung, with at most two words between, as in "ring oss på". */
const CALLS =
  /^(?:ring|rings?a|call|phone|telefon(?:en|nummer)?|tel|tlf|mobil|soita|soittakaa|puh|puhelin|numeroon|kontakta|kontakt|contact)$/i
/** With the code of a country or the zero before an area; not the number of a company at Swish. */
const PHONE = /^(?:(?:\+|00)[1-9]\d{6,13}|0[1-9]\d{6,9})$/
/** Between what belongs together. */
const BREAK = '|'

export function isAddress(word: string): boolean {
  return ADDRESS.test(word) && !ABBREVIATION.test(word)
}

/** A number, words, and another number: an account and a reference, or the line at the foot of a letter. */
function hasTwoNumbers(words: readonly string[]): boolean {
  // An account number of another country has letters in it.
  if (/^[a-z]{2}\d{2}[a-z0-9]{11,30}$/i.test(words.join(''))) return false
  const kinds = words.map((word) => /\d/.test(word))
  return kinds.slice(kinds.indexOf(true), kinds.lastIndexOf(true)).includes(false)
}

/**
 * Whether a whole message was typed, or an address or a number with something beside it: yes and no would be of one of its parts, and a
 * false message has true parts. Told by the text alone.
 */
export function isWholeMessage(typed: string): boolean {
  const words = typed.trim().split(/\s+/)
  return (
    words.length > 1 &&
    (words.some(isAddress) ||
      hasTwoNumbers(words) ||
      words.filter((word) => !/\d/.test(word)).length > MOST_WORDS)
  )
}

/** A name, and a long number behind it. */
const NAMED_NUMBER = /^\p{L}[^\d]*[\s:.]+(?=\d)[\d\s-]{5,}$/u
/** A number among words, as no name and no invoice has it. */
const AMONG_WORDS = /^\p{L}[^\d+]*[\s:.]+\+?\d[\d\s()./-]*[\s,.:]+\p{L}/u
const AMOUNT = /\d(?:[.,:]-|\s*(?:kr|sek|nok|dkk|eur|€))\.?$/i

/** What is to be asked about, each thing once; undefined where one thing was typed, which is asked about as it stands. */
export function partsOf(typed: string): readonly MessagePart[] | undefined {
  const text = typed.normalize('NFKC').trim()
  const parts = extract(text)
  const label = labelOf(text)
  if (isWholeMessage(text) || (NAMED_NUMBER.test(text) && label === undefined)) return parts
  if (label === undefined ? AMONG_WORDS.test(text) && parts.length > 0 : AMOUNT.test(label.rest)) return parts
  return parts.length === 1 && parts[0]?.zip !== undefined ? parts : undefined
}

/** Words and numbers, without the marks around them. */
function tokensOf(text: string): string[] {
  return (
    text
      .replace(/\p{Cf}/gu, '')
      .replace(/[。｡]/g, '.')
      .replaceAll('(0)', '')
      .replace(/(\d)[.,:]-(?=\s|$)/g, '$1 kr')
      // The foot of a Swedish letter: its account stands before the last mark.
      .replace(/(\d{7,8})#\d{2}#/g, ` ${BREAK} Bankgiro $1 ${BREAK} `)
      .replace(/[\n\r#<>()[\]{}|"«»“”„;]|,(?!\d)/g, ` ${BREAK} `)
      .split(/\s+/)
      .flatMap((token) => (isAddress(trimmed(token)) ? [token] : token.replaceAll(':', ': ').split(' ')))
      .flatMap((token) => {
        const word = trimmed(token)
        // What stands behind the end of a sentence is no further part of a number.
        return [...(word === '' ? [] : [word]), ...(/[.:!?]$/.test(token) ? [BREAK] : [])]
      })
      .filter((token, index, all) => token !== BREAK || all[index - 1] !== BREAK)
  )
}

function trimmed(token: string): string {
  if (token === BREAK) return token
  const MARKS = `.,:;!?'’*_-`
  let [from, to] = [0, token.length]
  while (from < to && MARKS.includes(token.charAt(from))) from += 1
  while (to > from && MARKS.includes(token.charAt(to - 1))) to -= 1
  return token.slice(from, to)
}

/** From the scheme on: "Betala:https://…" is one word. */
function linkIn(word: string): string {
  const at = word.indexOf('://')
  if (at < 0) return word
  let from = at
  while (from > 0 && /[a-z\d+.-]/i.test(word.charAt(from - 1))) from -= 1
  return word.slice(from)
}

function extract(text: string): MessagePart[] {
  const tokens = tokensOf(text)
  const found = new Map<string, MessagePart>()
  const keep = (part: MessagePart): void => {
    if (!found.has(part.text) || part.zip !== undefined) found.set(part.text, part)
  }
  let at = 0
  while (at < tokens.length) {
    const token = tokens[at] ?? ''
    const end = runEnd(tokens, at)
    if (isAddress(token)) keep({ text: linkIn(token) })
    else if (end > at) {
      const part = numberPart(tokens, at, end)
      if (part) keep(part)
    }
    at = Math.max(at + 1, end)
  }
  return [...found.values()]
}

/** Behind the last token of the number that begins at `at`; `at` itself where none does. */
function runEnd(tokens: readonly string[], at: number): number {
  const first = tokens[at] ?? ''
  const isLettered = LETTERED.test(first)
  if (!isLettered && !NUMBER.test(first)) return at
  let end = at + 1
  if (DAY.test(first) || GIRO.test(first)) return end
  for (; end < tokens.length && end - at < 12; end += 1) {
    const next = tokens[end] ?? ''
    const isBank = isLettered && end === at + 1 && BANK_CODE.test(next)
    if (!(isLettered ? LETTERED_FURTHER.test(next) || isBank : FURTHER.test(next))) break
    // "2 34 56-7" is one giro; one that is whole stands for itself.
    if (!isLettered && (DAY.test(next) || /^\d{3,4}\p{Pd}\d{4}$/u.test(next))) break
  }
  return end
}

const digitsIn = (text: string): string => text.replace(/\D/g, '')

/** The words before a number that say what it is, with the number. A break between them is a line of a table. */
function labelled(tokens: readonly string[], at: number, run: string): string | undefined {
  const before = tokens[at - 1] === BREAK ? at - 1 : at
  for (const count of [3, 2, 1]) {
    const words = tokens.slice(Math.max(0, before - count), before)
    if (words.length < count || words.some((word) => word === BREAK || /\d/.test(word))) continue
    // "Bankgirot", "referensen", "kontoen": the word with its article.
    for (const label of [words.join(' '), words.join(' ').replace(/(?:et|en|t|n)$/i, '')])
      if (labelOf(`${label} ${run}`) !== undefined) return `${label} ${run}`
  }
  return undefined
}

const isReference = (digits: string): boolean =>
  isLuhnValid(digits) || isKidMod11Valid(digits) || isFinnishReferenceValid(digits)

function phoneIn(tokens: readonly string[], at: number, run: string): MessagePart['phone'] {
  const before = tokens.slice(Math.max(0, at - 4), at).filter((word) => word !== BREAK)
  if (before.slice(-3).some((word) => CALLS.test(word)) && !before.some((word) => /\d/.test(word)))
    return 'called'
  return PHONE.test(run.replace(/[\s./\p{Pd}]/gu, '')) ? 'formed' : undefined
}

function numberPart(tokens: readonly string[], at: number, end: number): MessagePart | undefined {
  const run = tokens.slice(at, end).join(' ')
  const text = labelled(tokens, at, run)
  const kind = text === undefined ? undefined : labelOf(text)?.kind
  // What a shop numbers its invoices nobody here looks up.
  if (kind === 'invoice' || kind === 'case') return undefined
  const isAmount =
    CURRENCY.test(tokens[end] ?? '') || CURRENCY.test(tokens[at - 1] ?? '') || /,\d{2}$/.test(run)
  const isShort = digitsIn(run).length < LEAST_DIGITS
  // "Swish 1490 kr": what stands before an amount is how it is to be paid.
  if (isAmount && (text === undefined || isShort)) return undefined
  if (text === undefined && (DAY.test(run) || (isShort && !GIRO.test(run)))) return undefined
  const phone = kind === 'phone' ? 'called' : kind === undefined ? phoneIn(tokens, at, run) : undefined
  if (phone !== undefined) return { text: run, phone }
  if (kind !== undefined && kind !== 'reference') return { text: text ?? run }
  const { head, zip } = zipIn(tokens, at, end)
  return {
    text: (text ?? run).slice(0, (text ?? run).length - (run.length - head.length)),
    ...(zip && { zip }),
  }
}

/** A reference and the postal code behind it: "2601 0131 4920 411 05", or with a comma between. */
function zipIn(tokens: readonly string[], at: number, end: number): { head: string; zip?: string } {
  const run = tokens.slice(at, end).join(' ')
  const [, head = '', zip = ''] = /^(.+) (\d{3} \d{2}|\d{4,5})$/.exec(run) ?? []
  const [whole, first] = [digitsIn(run), digitsIn(head)]
  // A reference may be printed in groups of four or five digits: the check digit says where it ends.
  const isSplit = zip.includes(' ')
    ? isReference(first) || !isReference(whole)
    : isReference(first) && !isReference(whole)
  if (first.length >= LEAST_DIGITS && isSplit) return { head, zip: digitsIn(zip) }
  if (tokens[end] !== BREAK) return { head: run }
  const behind = tokens.slice(end + 1, end + 4).join(' ')
  const [, next = ''] = /^(\d{3} \d{2}|\d{4,5})(?!\S| \d)/.exec(behind) ?? []
  return next === '' ? { head: run } : { head: run, zip: digitsIn(next) }
}
