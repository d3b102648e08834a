/** Is a message from here? The form and its answers: in the built page, in the server's answer, in the browser. */
import { labelOf } from '@kvitt/domain/messages/message-label.ts'
import { isKidMod11Valid, isRfValid } from '@kvitt/domain/references.ts'
import { type Child, el } from './element.ts'
import { faultMarks } from './fields.ts'
import type { WordKey, Words } from './words.ts'

export const CHECK_ANSWERS = ['yes', 'no', 'alone', 'account', 'later', 'failed', 'several', 'empty'] as const
export type CheckAnswer = (typeof CHECK_ANSWERS)[number]

/** So many words without a digit has a name or a label; more are a sentence. */
const MOST_WORDS = 5

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
  // Not Org.nr.
  const isAddress = (word: string): boolean =>
    /:\/\/|@|[\w-]\.[a-z]{2,}(?:\/|$)/i.test(word) && !/^\p{L}{2,5}\.(?:nro?|no)$/iu.test(word)
  return (
    words.length > 1 &&
    (words.some(isAddress) ||
      hasTwoNumbers(words) ||
      words.filter((word) => !/\d/.test(word)).length > MOST_WORDS)
  )
}

/** Nothing was asked: what was typed has to be another. */
export function isFault(answer: CheckAnswer | undefined): boolean {
  return answer === 'empty' || answer === 'several'
}

/** Web or e-mail address. */
const ADDRESS = /@|:\/\/|[\w-]\.[a-z]{2,}(?:\/|$)/i
const INVOICE_LABEL = /faktura|invoice|regning|lasku/i
/** What a shop or an invoice may be called. */
const NAME_OR_NUMBER = /^[\p{L}\p{M}\p{N} .,:&'’/()+#-]{1,80}$/u
/** A name, and a long number behind it: one of the two may be ours. */
const NAMED_NUMBER = /^\p{L}[^\d]*[\s:.]+(?=\d)[\d\s-]{5,}$/u
/** From this on hardly any invoice is numbered, and references are. */
const REFERENCE_LENGTH = 12

/**
 * A number as a Swedish giro is written: 5050-1055 or 12 34 56-7. Whatever its check digit says, no account that we know
 * has it; but invoices are numbered like that, too.
 */
const GIRO = /^(?:\d{3,4}\p{Pd}\d{4}|\d{1,2}(?: ?\d{2}){1,3}\p{Pd}\d)$/u

/** Could a number without a label be a reference, an account or a phone number: is it formed as one, and no invoice number? */
function isFormed(typed: string): boolean {
  const number = typed.replace(/[\s./()-]/g, '')
  if (/^(?:\+|00)[1-9]\d{7,}$|^0[1-9]\d{6,}$|^123\d{7}$/.test(number)) return true
  if (/^(?!RF)[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/i.test(number) || isRfValid(number)) return true
  if (!/^\d+$/.test(number)) return false
  // A Norwegian account. Of other numbers many have a check digit by chance.
  return number.length >= REFERENCE_LENGTH || (number.length === 11 && isKidMod11Valid(number))
}

/**
 * What the server's yes or no means for what was typed. That nobody's reference is called so makes an invoice number false as little
 * as a shop's name: where it may be one of these, it cannot be told. Told by the text alone, so that it says nothing of anybody.
 */
export function answerTo(typed: string, isGenuine: boolean): CheckAnswer {
  if (isGenuine) return 'yes'
  const text = typed.normalize('NFKC').trim()
  if (GIRO.test(text)) return 'account'
  if (ADDRESS.test(text) || !NAME_OR_NUMBER.test(text)) return 'no'
  const label = labelOf(text)?.kind
  if (label === 'invoice' || label === 'case' || INVOICE_LABEL.test(text)) return 'alone'
  if (label !== undefined) return 'no'
  if (NAMED_NUMBER.test(text)) return 'several'
  return isFormed(text) ? 'no' : 'alone'
}

/** In words, and never more than yes or no. */
export function checkAnswer(answer: CheckAnswer, t: Words): Child {
  if (answer === 'empty') return el('p.fault', {}, t('check.empty'))
  return el(
    `div.answer.${answer === 'account' ? 'no' : answer}`,
    {},
    el('p', {}, el('strong', {}, t(`check.${answer}` as WordKey))),
    el('p', {}, t(`check.${answer}_text` as WordKey)),
  )
}

/**
 * The form and the place of its answer, which is announced. A page that has been sent anew begins at the field, which is read with
 * its answer.
 */
export function checkForm(t: Words, typed = '', answer?: CheckAnswer): Child {
  return el(
    'form.check',
    { method: 'get', action: '#message', id: 'check-form' },
    el('label', { for: 'message' }, t('check.label')),
    el(
      'div.line',
      {},
      el('input', {
        id: 'message',
        name: 'message',
        type: 'text',
        autocomplete: 'off',
        autocapitalize: 'none',
        spellcheck: 'false',
        // Longer than anything that is asked about; a longer one is no address that servers take.
        maxlength: '500',
        value: typed,
        ...(isFault(answer)
          ? faultMarks('answer')
          : { 'aria-describedby': answer === undefined ? undefined : 'answer' }),
      }),
      el('button.button.plain', { type: 'submit' }, t('check.submit')),
    ),
    el('div', { id: 'answer', role: 'status' }, answer !== undefined && checkAnswer(answer, t)),
  )
}
