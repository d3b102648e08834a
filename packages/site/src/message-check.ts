/** Is a message from here? The form and its answers: in the built page, in the server's answer, in the browser. */
import type { MessageAnswer, MessageKind } from '@kvitt/domain/messages/message-check.contract.ts'
import { labelOf } from '@kvitt/domain/messages/message-label.ts'
import { isKidMod11Valid, isRfValid } from '@kvitt/domain/references.ts'
import { pairOfDoor } from './door-form.ts'
import { type Child, el } from './element.ts'
import { faultMarks } from './fields.ts'
import { isAddress, LONGEST_MESSAGE, partsOf } from './message-parts.ts'
import type { WordKey, Words } from './words.ts'

export const CHECK_ANSWERS = [
  'yes',
  'no',
  'near',
  'name',
  'alone',
  'account',
  'none',
  'later',
  'failed',
  'long',
  'empty',
] as const
export type CheckAnswer = (typeof CHECK_ANSWERS)[number]

/** What was answered to one thing. */
export type Checked = {
  readonly answer: CheckAnswer
  /** What was asked about. */
  readonly text: string
  /** With a yes: what of ours it is. */
  readonly what?: MessageKind | undefined
  /** With "near": how our name is spelt. */
  readonly spelling?: string | undefined
  /** The postal code that stood behind a reference. */
  readonly zip?: string | undefined
  /** It is a phone number, where it is anything. */
  readonly isPhone?: boolean | undefined
}

/** The answer to all that was typed; with its parts where it was a whole message. */
export type CheckResult = Checked & {
  readonly parts?: readonly Checked[]
  /** More stood in it than is asked about at once. */
  readonly isMore?: boolean
}

/** So many things of a message are asked about: each counts as a question. */
export const MOST_PARTS = 10

/** Nothing was asked: what was typed has to be another. */
export function isFault(answer: CheckAnswer | undefined): boolean {
  return answer === 'empty' || answer === 'long'
}

/** Asks `askOne` about what was typed: about itself, or about each thing that a whole message has in it. */
export async function checkTyped(
  typed: string,
  askOne: (text: string) => Promise<MessageAnswer | 'later' | 'failed'>,
): Promise<CheckResult> {
  if (typed.trim() === '') return { answer: 'empty', text: '' }
  if (typed.length > LONGEST_MESSAGE) return { answer: 'long', text: '' }
  const ask = async (text: string): Promise<Checked> => {
    const told = await askOne(text)
    if (typeof told === 'string') return { answer: told, text }
    const { genuine, what, spelling } = told
    return { answer: spelling === undefined ? answerTo(text, genuine) : 'near', text, what, spelling }
  }
  const found = partsOf(typed)
  if (found === undefined) return ask(typed.trim())
  const parts: Checked[] = []
  for (const { text, zip, phone } of found.slice(0, MOST_PARTS)) {
    // Called a phone number, it is nobody's reference.
    const checked = {
      ...(await ask(phone === 'called' ? `tel ${text}` : text)),
      text,
      zip,
      isPhone: phone !== undefined,
    }
    if (checked.answer === 'later' || checked.answer === 'failed') return checked
    parts.push(checked)
  }
  const [only] = parts
  if (only?.zip !== undefined && parts.length === 1) return only
  return wholeOf(parts, found.length > MOST_PARTS)
}

const isNo = (answer: CheckAnswer): boolean => answer === 'no' || answer === 'account' || answer === 'near'

/** One thing that is not ours makes a message false, whatever else in it is true. */
function wholeOf(parts: readonly Checked[], isMore: boolean): CheckResult {
  if (parts.length === 0) return { answer: 'none', text: '' }
  const isFalse = parts.some(({ answer }) => isNo(answer))
  // Of what nobody has looked at no yes is said.
  const isTrue = !isMore && parts.some(({ answer }) => answer === 'yes')
  return { answer: isFalse ? 'no' : isTrue ? 'yes' : 'alone', text: '', parts, isMore }
}

const INVOICE_LABEL = /faktura|invoice|regning|lasku/i
/** What a shop or an invoice may be called. */
const NAME_OR_NUMBER = /^[\p{L}\p{M}\p{N} .,:&'’/()+#-]{1,80}$/u
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
  if (isAddress(text) || !NAME_OR_NUMBER.test(text)) return 'no'
  const label = labelOf(text)?.kind
  if (label === 'invoice' || label === 'case' || INVOICE_LABEL.test(text)) return 'alone'
  if (label !== undefined) return 'no'
  if (!/\d/.test(text)) return 'name'
  return isFormed(text) ? 'no' : 'alone'
}

/** Where an answer leads to: how we are rung, and where one logs in. */
export type AnswerWays = {
  readonly phone: { readonly text: string; readonly href: string } | undefined
  /** The address of the debtor portal, in the language of the page. */
  readonly portal: string
}

/** In words, and never more than yes or no and what of ours it is. Two lines, and below them the parts of a message. */
export function checkAnswer(result: CheckResult, t: Words, ways?: AnswerWays): Child {
  const phone = ways?.phone
  const { answer, parts = [], isMore, spelling = '' } = result
  if (isFault(answer)) return el('p.fault', {}, t(`check.${answer}` as WordKey))
  const key = keyOf(result)
  const isCalm = answer === 'yes' || answer === 'none' || phone === undefined
  return el(
    `div.answer.${isNo(answer) ? 'no' : answer}`,
    {},
    el('p', {}, el('strong', {}, t(key, { name: spelling }))),
    el(
      'p',
      {},
      t(`${key}_text` as WordKey),
      !isCalm && [' ', t('check.call'), ' ', el('a', { href: `tel:${phone.href}` }, phone.text)],
    ),
    parts.length > 0 && el('ul', {}, ...parts.map((part) => partRow(part, t))),
    isMore && el('p', {}, t('check.more')),
    wayOn(result, t, ways),
  )
}

function keyOf({ answer, what, parts }: CheckResult): WordKey {
  if (parts !== undefined && (answer === 'yes' || answer === 'no')) return `check.whole_${answer}`
  return answer === 'yes' ? `check.yes_${what ?? 'reference'}` : (`check.${answer}` as WordKey)
}

function partRow({ answer, text, what, isPhone }: Checked, t: Words): Child {
  const said: WordKey =
    answer === 'yes'
      ? `check.part_${what ?? 'reference'}`
      : isNo(answer)
        ? isPhone
          ? 'check.part_phone'
          : 'check.part_no'
        : 'check.part_alone'
  return el('li', {}, el('b', {}, text), ': ', t(said))
}

/**
 * Leads on: to the invoice where a reference of ours was recognised, else to the login where our link was. Our text messages hold a
 * link and nothing else.
 */
function wayOn(result: CheckResult, t: Words, ways?: AnswerWays): Child {
  const checked: readonly Checked[] = [result, ...(result.parts ?? [])]
  if (checked.some(({ answer }) => isNo(answer))) return undefined
  const find = (kind: MessageKind): Checked | undefined =>
    checked.find(({ answer, what }) => answer === 'yes' && what === kind)
  const found = find('reference')
  if (found === undefined) {
    if (result.answer !== 'yes' || find('link') === undefined || ways === undefined) return undefined
    return el('p', {}, el('a.button', { href: ways.portal }, t('check.to_portal')))
  }
  const text = found.text.normalize('NFKC').trim()
  const pair = pairOfDoor({ paymentReference: labelOf(text)?.rest ?? text, zip: found.zip ?? '' })
  return el('p', {}, el('a.button', { href: `?${pair}`, 'data-pair': pair }, t('check.to_door')))
}

/** As much as fits into an address; the script, which sends it another way, takes more. */
const LONGEST_SENT = 2_000

/**
 * The form and the place of its answer, which is announced. A page that has been sent anew begins at the field, which is read with
 * its answer.
 */
export function checkForm(t: Words, typed = '', result?: CheckResult, ways?: AnswerWays): Child {
  return el(
    'form.check',
    { method: 'get', action: '#message', id: 'check-form' },
    el('label', { for: 'message' }, t('check.label')),
    el(
      'div.line',
      {},
      el(
        'textarea',
        {
          id: 'message',
          name: 'message',
          rows: '2',
          autocomplete: 'off',
          autocapitalize: 'none',
          spellcheck: 'false',
          maxlength: String(LONGEST_SENT),
          ...(isFault(result?.answer)
            ? faultMarks('answer')
            : { 'aria-describedby': result === undefined ? undefined : 'answer' }),
        },
        typed,
      ),
      el('button.button.plain', { type: 'submit' }, t('check.submit')),
    ),
    el('div', { id: 'answer', role: 'status' }, result !== undefined && checkAnswer(result, t, ways)),
  )
}
