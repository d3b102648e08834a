/** A drawn text message, as each of ours reads on a phone: who stands above it, and the address in it. */
import { type Child, el } from './element.ts'
import { mark } from './marks.ts'
import type { Words } from './words.ts'

export function textMessage(t: Words): Child {
  // What stands around the address differs between languages.
  const [before = '', after = ''] = t('sms.text', { instance: mark('name'), url: '\n' }).split('\n')
  return el(
    'figure.sms',
    {},
    el('p', {}, el('span.spoken', {}, t('sms.from')), ' ', mark('smsSender')),
    el('blockquote', {}, before, el('b', {}, mark('smsAddress')), after),
    el('figcaption', {}, t('sms.caption', { eid: t('door.eid') })),
  )
}
