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

/** What was said, and whether it was counted. */
type Helped = { readonly isCounted: boolean; readonly hasHelped: boolean }

/** Where somebody goes on whom an article has not helped. */
type WayOn = { readonly phone: string; readonly phoneHref: string; readonly base: string }

/** Instead of the form, once it has been sent. */
export function helpedAnswer({ isCounted, hasHelped }: Helped, t: Words, way?: WayOn): Child {
  const said = !isCounted ? t('support.not_counted') : hasHelped ? t('support.thanks') : t('support.sorry')
  return el(
    'p.helped',
    { id: 'helped', role: 'status' },
    said,
    !hasHelped &&
      way && [
        ' ',
        el('a', { href: `tel:${way.phoneHref}` }, way.phone),
        ' ',
        // It leads on to the form, which stands at the invoice that is asked about.
        el('a', { href: `${way.base}other-question/` }, t('support.ask')),
      ],
  )
}
