/** The first page: the promise, two doors, and how to tell whether a message is real. */
import type { Language } from '@kvitt/ui/language/languages.ts'
import { doorForm } from '@kvitt/site/door-form.ts'
import { type Child, el } from '@kvitt/site/element.ts'
import { addressOfPage, type Page } from '@kvitt/site/frame.ts'
import { jsonMark, mark, region } from '@kvitt/site/marks.ts'
import { ledgerExample } from '@kvitt/site/ledger-example.ts'
import { checkForm } from '@kvitt/site/message-check.ts'
import { bookOf, keysFrom, type WordKey, type Words, wordsOf } from '@kvitt/site/words.ts'
import { letter } from './letter.ts'
import { textMessage } from '@kvitt/site/text-message.ts'

function debtorDoor(language: Language, t: Words): Child {
  return el(
    'section.door',
    { 'aria-labelledby': 'debtor' },
    el('h2', { id: 'debtor' }, t('door.debtor')),
    el('p', {}, t('door.debtor_text')),
    region('door', doorForm(t)),
    el('p', {}, el('a', { href: `${mark('debtor')}/${language}/` }, t('door.eid'))),
    el('details', {}, el('summary', {}, t('door.where')), el('div.drawn', {}, letter(t))),
  )
}

function creditorDoor(language: Language, t: Words): Child {
  const subject = encodeURIComponent(t('door.creditor_subject'))
  return el(
    'section.door',
    { 'aria-labelledby': 'companies' },
    el('h2', { id: 'companies' }, t('door.creditor')),
    el('p', {}, t('door.creditor_text')),
    // At every host of a provider the path of a portal leads to it.
    el('p', {}, el('a.button.plain', { href: '/client/' }, t('door.creditor_login'))),
    el('p', {}, el('a', { href: `mailto:${mark('email')}?subject=${subject}` }, t('door.creditor_write'))),
    el(
      'p',
      {},
      el('a', { href: `${addressOfPage('support', language)}#creditors` }, t('door.creditor_help')),
    ),
  )
}

function genuine(language: Language, t: Words): Child {
  const sign = (strong: WordKey, text: WordKey): Child =>
    el('li', {}, el('strong', {}, t(strong)), ' ', t(text))
  return el(
    'section.row.two',
    { id: 'check', 'aria-labelledby': 'genuine' },
    el(
      'div.asks',
      {},
      el('h2', { id: 'genuine' }, t('check.title')),
      el('p', {}, t('check.text')),
      region('check', checkForm(t)),
    ),
    el(
      'div',
      {},
      el('h3.spoken', {}, t('signs.title')),
      el(
        'ul.signs',
        {},
        sign('signs.never', 'signs.never_text'),
        sign('signs.account', 'signs.account_text'),
        sign('signs.hurry', 'signs.hurry_text'),
      ),
      el('p', {}, el('a', { href: addressOfPage('support', language, 'genuine/') }, t('signs.more'))),
      textMessage(t),
    ),
  )
}

function teasers(language: Language, t: Words): Child {
  const teaser = (href: string, title: WordKey, text: WordKey): Child =>
    el('div', {}, el('h2', {}, el('a', { href }, t(title))), el('p', {}, t(text)))
  return el(
    'div.row.two.teasers',
    {},
    teaser(addressOfPage('home', language, 'waiting/'), 'teaser.waiting', 'teaser.waiting_text'),
    teaser(addressOfPage('support', language), 'teaser.help', 'teaser.help_text'),
  )
}

/** Which words the script says at the door. */
const DOOR_FAULTS: readonly WordKey[] = [...keysFrom('door.reference_'), ...keysFrom('door.zip_')]

export function frontPage(language: Language): Page {
  const t = wordsOf(language)
  return {
    site: 'home',
    language,
    path: '',
    title: t('home.title'),
    description: t('home.lead'),
    scriptData: {
      page: 'front',
      portal: jsonMark('debtor'),
      book: bookOf(language, [...keysFrom('check.'), ...keysFrom('services.'), ...DOOR_FAULTS]),
    },
    main: [
      el(
        'div.hero',
        {},
        el(
          'div.promise',
          {},
          el('h1', {}, t('home.promise')),
          el('p.lead', {}, t('home.lead')),
          el('p.real', {}, el('a.button.plain', { href: '#message' }, t('home.check'))),
        ),
        el('div.doors', {}, debtorDoor(language, t), creditorDoor(language, t)),
        ledgerExample(language, t),
      ),
      genuine(language, t),
      teasers(language, t),
    ],
  }
}
