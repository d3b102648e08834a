/** One question and its answer. */
import type { Language } from '@kvitt/ui/language/languages.ts'
import { type Child, el } from '@kvitt/site/element.ts'
import { addressOfPage, type Page } from '@kvitt/site/frame.ts'
import { helpedForm } from '@kvitt/site/helped.ts'
import { actLinks } from '@kvitt/site/laws.ts'
import { mark, region } from '@kvitt/site/marks.ts'
import { statesPlace } from '@kvitt/site/service-states.ts'
import { bookOf, dayText, keysFrom, type WordKey, type Words, wordsOf } from '@kvitt/site/words.ts'
import type { Article } from './article.ts'
import { actsOf, articlesIn, groupsIn } from './articles.ts'

/** Where an action leads; each is one press away from the thing itself. */
function targetOf(action: string, language: Language): string | undefined {
  switch (action) {
    case 'none':
      return undefined
    case 'contact':
      return `mailto:${mark('email')}`
    case 'check-message':
      return `${addressOfPage('home', language)}#message`
    case 'creditor-portal':
      // At every host of a provider the path of a portal leads to it.
      return '/client/'
    case 'calculator':
      return addressOfPage('support', language, 'waiting/')
    default:
      return `${mark('debtor')}/${language}/`
  }
}

/** The topics by group: as parts of the first page, or beside the article `current`. */
export function topicList(language: Language, current: string | undefined): Child {
  return groupsIn(language).map(({ name, title, articles }) =>
    el(
      'section',
      {},
      current === undefined ? el('h2', { id: name }, title) : el('h3', {}, title),
      el(
        'ul',
        {},
        ...articles.map((one) =>
          el(
            'li',
            {},
            el(
              'a',
              {
                href: addressOfPage('support', language, `${one.topic}/`),
                'aria-current': one.topic === current ? 'page' : undefined,
              },
              one.title,
            ),
          ),
        ),
      ),
    ),
  )
}

/** Whom to talk to. */
export function person(t: Words): Child {
  return [
    el('h3', {}, t('support.person')),
    el('p', {}, el('a', { href: `tel:${mark('phoneHref')}` }, mark('phone'))),
    el('p', {}, el('a', { href: `mailto:${mark('email')}` }, mark('email'))),
  ]
}

function factsOf({ checked, law }: Article, t: Words): string {
  const countries = law.map((code) => t(`country.${code}` as WordKey)).join(', ')
  return `${t('support.checked', { day: dayText(t, checked) })} · ${t('support.law', { countries })}`
}

function question({ title, question: asked, summary }: Article): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'FAQPage',
    name: title,
    mainEntity: [{ '@type': 'Question', name: asked, acceptedAnswer: { '@type': 'Answer', text: summary } }],
  }
}

function alsoRead({ language, linked, topic }: Article, t: Words): Child {
  const others = articlesIn(language).filter((one) => linked.includes(one.topic) && one.topic !== topic)
  if (others.length === 0) return undefined
  return [
    el('h3', {}, t('support.also')),
    el(
      'ul',
      {},
      ...others.map((one) =>
        el('li', {}, el('a', { href: addressOfPage('support', language, `${one.topic}/`) }, one.title)),
      ),
    ),
  ]
}

/** The law as its country publishes it, for whoever wants to read it themselves. */
function lawsBehind({ topic }: Article, t: Words): Child {
  const links = actLinks(actsOf(topic))
  if (links.length === 0) return undefined
  return [el('h3', {}, t('support.laws')), el('ul', {}, ...links.map((link) => el('li', {}, link)))]
}

export function articlePage(article: Article): Page {
  const { language, topic } = article
  const t = wordsOf(language)
  const target = targetOf(article.action, language)
  return {
    site: 'support',
    language,
    path: `${topic}/`,
    title: article.title,
    description: article.summary,
    data: [question(article)],
    scriptData: {
      page: 'article',
      book: bookOf(language, [...keysFrom('support.'), ...keysFrom('services.')]),
    },
    main: el(
      'div.row.article',
      {},
      el(
        'article',
        {},
        el(
          'p.crumb',
          {},
          el('a', { href: addressOfPage('support', language) }, t('nav.help')),
          ' / ',
          article.title,
        ),
        el('h1', {}, article.title),
        el('p.small', {}, factsOf(article, t)),
        el('p.lead', {}, article.summary),
        el('div.prose', {}, { html: article.body }),
        el(
          'div.end',
          {},
          target !== undefined && el('a.button', { href: target }, article.actionText),
          region('helped', helpedForm(t)),
        ),
      ),
      el('aside', {}, alsoRead(article, t), person(t), lawsBehind(article, t), statesPlace(t)),
      el('nav.topics', { 'aria-label': t('support.topics') }, topicList(language, topic)),
    ),
  }
}
