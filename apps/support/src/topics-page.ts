/** The first page of the support site: the search and all topics. */
import type { Language } from '@kvitt/ui/language/languages.ts'
import { type Child, el } from '@kvitt/site/element.ts'
import { LONGEST_QUESTION } from '@kvitt/site/find-articles.ts'
import { addressOfPage, type Page } from '@kvitt/site/frame.ts'
import { statesPlace } from '@kvitt/site/service-states.ts'
import { bookOf, keysFrom, type Words, wordsOf } from '@kvitt/site/words.ts'
import { person, topicList } from './article-page.ts'
import { articlesIn } from './articles.ts'

/** Where scripts are off it is not shown: the topics below are links. Its room is there from the start, so nothing moves. */
function searchBox(t: Words): Child {
  return el(
    'form.search',
    { role: 'search', id: 'search' },
    el('label.spoken', { for: 'question' }, t('support.search')),
    el('input', {
      id: 'question',
      name: 'question',
      type: 'search',
      placeholder: t('support.search'),
      autocomplete: 'off',
      maxlength: String(LONGEST_QUESTION),
      role: 'combobox',
      'aria-expanded': 'false',
      'aria-controls': 'answers',
      'aria-autocomplete': 'list',
    }),
    el('ul', { id: 'answers', role: 'listbox', 'aria-label': t('support.topics'), hidden: true }),
    el('p', { id: 'found', role: 'status' }),
  )
}

export function topicsPage(language: Language): Page {
  const t = wordsOf(language)
  const articles = articlesIn(language)
  return {
    site: 'support',
    language,
    path: '',
    title: t('support.title'),
    description: t('support.description'),
    data: [
      {
        '@context': 'https://schema.org',
        '@type': 'FAQPage',
        mainEntity: articles.map(({ question, summary }) => ({
          '@type': 'Question',
          name: question,
          acceptedAnswer: { '@type': 'Answer', text: summary },
        })),
      },
    ],
    scriptData: {
      page: 'topics',
      index: `%%file.search-${language}.json%%`,
      book: bookOf(language, [...keysFrom('support.'), ...keysFrom('services.')]),
    },
    main: [
      el('div.ask', {}, el('div.row', {}, el('h1', {}, t('support.title')), searchBox(t))),
      el(
        'div.row.overview',
        {},
        el('nav.topics', { 'aria-label': t('support.topics') }, topicList(language, undefined)),
        el(
          'aside',
          {},
          person(t),
          el('h3', {}, t('waiting.title')),
          el(
            'p',
            {},
            el('a', { href: addressOfPage('support', language, 'waiting/') }, t('teaser.waiting_text')),
          ),
          statesPlace(t),
        ),
      ),
    ],
  }
}
