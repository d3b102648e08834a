/** Is a message from here? The form and its answers: in the built page, in the server's answer, in the browser. */
import { type Child, el } from './element.ts'
import type { WordKey, Words } from './words.ts'

export const CHECK_ANSWERS = ['yes', 'no', 'later', 'failed', 'empty'] as const
export type CheckAnswer = (typeof CHECK_ANSWERS)[number]

/** In words, and never more than yes or no. */
export function checkAnswer(answer: CheckAnswer, t: Words): Child {
  if (answer === 'empty') return el('p.fault', {}, t('check.empty'))
  return el(
    `div.answer.${answer}`,
    {},
    el('p', {}, el('strong', {}, t(`check.${answer}` as WordKey))),
    el('p', {}, t(`check.${answer}_text` as WordKey)),
  )
}

/** The form and the place of its answer, which is announced. */
export function checkForm(t: Words, typed = '', answer?: CheckAnswer): Child {
  return el(
    'form.check',
    { method: 'get', action: '#check', id: 'check-form', role: 'search' },
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
        value: typed,
      }),
      el('button.button.plain', { type: 'submit' }, t('check.submit')),
    ),
    el('div', { id: 'answer', role: 'status' }, answer !== undefined && checkAnswer(answer, t)),
  )
}
