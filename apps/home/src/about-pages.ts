/** Who stands behind the site, what it knows of its visitors, and how it can be used. */
import type { Language } from '@kvitt/ui/language/languages.ts'
import { type Child, el } from '@kvitt/site/element.ts'
import { addressOfPage, type Page } from '@kvitt/site/frame.ts'
import { mark, region } from '@kvitt/site/marks.ts'
import { dayText, type WordKey, type Words, wordsOf } from '@kvitt/site/words.ts'

type About = { readonly path: string; readonly title: WordKey; readonly text: WordKey; readonly body: Child }

function pageOf(language: Language, about: About): Page {
  const t = wordsOf(language)
  const lead = t(about.text, { name: mark('name') })
  return {
    site: 'home',
    language,
    path: about.path,
    title: t(about.title),
    description: lead,
    main: el('div.row.narrow', {}, el('h1', {}, t(about.title)), el('p.lead', {}, lead), about.body),
  }
}

const paragraphs = (t: Words, ...keys: readonly WordKey[]): Child => keys.map((key) => el('p', {}, t(key)))

const list = (t: Words, ...keys: readonly WordKey[]): Child =>
  el('ul.notes', {}, ...keys.map((key) => el('li', {}, t(key))))

function contact(t: Words): Child {
  const fact = (key: WordKey, value: Child): Child => el('div', {}, el('dt', {}, t(key)), el('dd', {}, value))
  return el(
    'dl.facts',
    {},
    fact('imprint.name', mark('name')),
    el(
      'div',
      {},
      // The server says what the provider's country calls it.
      el('dt', {}, region('company-number', t('imprint.number_abroad'))),
      el('dd', {}, mark('identificationNumber')),
    ),
    fact('imprint.phone', el('a', { href: `tel:${mark('phoneHref')}` }, mark('phone'))),
    fact('imprint.email', el('a', { href: `mailto:${mark('email')}` }, mark('email'))),
    // Written by the server where the provider has one.
    region('address', false),
    fact('imprint.supervisor', mark('supervisor')),
  )
}

/** What is kept of whom, where and for how long; who answers for it, and who supervises that. */
function privacy(language: Language, t: Words): Child {
  return [
    el('p', {}, t('privacy.owner', { name: mark('name') })),
    el('h2', {}, t('privacy.here')),
    list(t, 'privacy.check', 'privacy.helped', 'privacy.offline'),
    el('h2', {}, t('privacy.portal')),
    list(
      t,
      'privacy.remember',
      'privacy.known',
      'privacy.guesses',
      'privacy.log',
      'privacy.agreed',
      'privacy.passed',
    ),
    el('h2', {}, t('privacy.rights_title')),
    paragraphs(t, 'privacy.rights', 'privacy.complain'),
    el('p', {}, el('a', { href: addressOfPage('support', language, 'personal-data/') }, t('privacy.more'))),
  ]
}

/** The day on which somebody last compared the statement with how the pages are tested. */
const STATED_ON = '2026-11-28'

/** What the pages are made for and tested with, what is not tested, and who supervises. */
function accessibility(t: Words): Child {
  return [
    paragraphs(t, 'accessibility.means', 'accessibility.tested'),
    el('h2', {}, t('accessibility.limits_title')),
    list(t, 'accessibility.limit_aids', 'accessibility.limit_people', 'accessibility.limit_others'),
    paragraphs(t, 'accessibility.tell', 'accessibility.authority'),
    el('p.small', {}, t('support.checked', { day: dayText(t, STATED_ON) })),
  ]
}

export function aboutPages(language: Language): Page[] {
  const t = wordsOf(language)
  return [
    pageOf(language, { path: 'imprint/', title: 'imprint.title', text: 'imprint.text', body: contact(t) }),
    pageOf(language, {
      path: 'privacy/',
      title: 'privacy.title',
      text: 'privacy.none',
      body: [privacy(language, t), contact(t)],
    }),
    pageOf(language, {
      path: 'accessibility/',
      title: 'accessibility.title',
      text: 'accessibility.goal',
      body: [accessibility(t), contact(t)],
    }),
    pageOf(language, {
      path: 'services/',
      title: 'services.title',
      text: 'services.text',
      body: region('services', false),
    }),
  ]
}
