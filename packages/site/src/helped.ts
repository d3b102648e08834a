/** "Did this help?": a plain form, sent with or without a script. */
import { type Child, el } from './element.ts'
import type { Words } from './words.ts'

export function helpedForm(t: Words): Child {
  return el(
    'form.helped',
    { method: 'post', id: 'helped' },
    el('span', { id: 'helped-label' }, t('support.helped')),
    el(
      'button.button.plain',
      { name: 'helped', value: 'yes', 'aria-describedby': 'helped-label' },
      t('support.yes'),
    ),
    el(
      'button.button.plain',
      { name: 'helped', value: 'no', 'aria-describedby': 'helped-label' },
      t('support.no'),
    ),
  )
}

/** Instead of the form, once it has been sent. */
export function helpedAnswer(isCounted: boolean, t: Words): Child {
  return el(
    'p.helped',
    { id: 'helped', role: 'status' },
    t(isCounted ? 'support.thanks' : 'support.not_counted'),
  )
}
