/** Pages that both sites have. */
import { LANGUAGES, type Language } from '@kvitt/ui/language/languages.ts'
import { el } from './element.ts'
import { addressOfPage, type Page, type Site } from './frame.ts'
import { region } from './marks.ts'
import { waitingPart } from './waiting-steps.ts'
import { bookOf, keysFrom, wordsOf } from './words.ts'

/** What waiting costs: worked out for an example, and a form. */
function waitingPage(site: Site, language: Language): Page {
  const t = wordsOf(language)
  return {
    site,
    language,
    path: 'waiting/',
    canonicalSite: 'home',
    title: t('waiting.title'),
    description: t('waiting.lead'),
    scriptData: {
      page: 'waiting',
      book: bookOf(language, [...keysFrom('waiting.'), ...keysFrom('step.'), ...keysFrom('day.')]),
    },
    main: el(
      'div.row.narrow',
      {},
      el('h1', {}, t('waiting.title')),
      el('p.lead', {}, t('waiting.lead')),
      region('waiting', waitingPart(language, t)),
    ),
  }
}

/** The articles that most visitors look for. */
export const MOST_ASKED = ['why-this', 'already-paid', 'cannot-pay', 'not-mine', 'genuine'] as const

/** What stands where no page is. */
function lostPage(site: Site, language: Language): Page {
  const t = wordsOf(language)
  return {
    site,
    language,
    path: 'lost/',
    isHidden: true,
    title: t('lost.title'),
    description: t('lost.text'),
    main: el(
      'div.row.narrow',
      {},
      el('h1', {}, t('lost.title')),
      el('p.lead', {}, t('lost.text')),
      el(
        'ul.links',
        {},
        el('li', {}, el('a', { href: addressOfPage('home', language) }, t('nav.pay'))),
        el('li', {}, el('a', { href: addressOfPage('support', language) }, t('support.search'))),
      ),
      el('h2', {}, t('lost.asked')),
      el(
        'ul.links',
        {},
        ...MOST_ASKED.map((topic) =>
          el(
            'li',
            {},
            el('a', { href: addressOfPage('support', language, `${topic}/`) }, t(`lost.${topic}`)),
          ),
        ),
      ),
    ),
  }
}

/** The pages that `site` shares with the other one, in all languages. */
export function sharedPages(site: Site): Page[] {
  return LANGUAGES.flatMap((language) => [waitingPage(site, language), lostPage(site, language)])
}
