/** What the lab shows of the homepage and the support site: their pages, in the states that their forms bring them to. */
import { answerList } from '@kvitt/site/answer-list.ts'
import { doorForm } from '@kvitt/site/door-form.ts'
import { type Child, el, htmlOf } from '@kvitt/site/element.ts'
import { openSearch } from '@kvitt/site/find-articles.ts'
import type { Page, Site } from '@kvitt/site/frame.ts'
import { helpedAnswer } from '@kvitt/site/helped.ts'
import { type CheckAnswer, CHECK_ANSWERS, checkForm } from '@kvitt/site/message-check.ts'
import { serviceList } from '@kvitt/site/service-states.ts'
import { sharedPages } from '@kvitt/site/shared-pages.ts'
import { EXAMPLE_DEBT, type TypedDebt, waitingForm, waitingResult } from '@kvitt/site/waiting-steps.ts'
import { date } from '@kvitt/domain/calendar.ts'
import { wordsOf } from '@kvitt/site/words.ts'
import { aboutPages } from '../../../home/src/about-pages.ts'
import { frontPage } from '../../../home/src/front-page.ts'
import { articlePage } from '../../../support/src/article-page.ts'
import { articlesIn } from '../../../support/src/articles.ts'
import { searchIndex } from '../../../support/src/pages.ts'
import { topicsPage } from '../../../support/src/topics-page.ts'
import type { Part } from '../part.ts'
import { SitePage } from './site-page.tsx'

const LANGUAGE = 'en'
const t = wordsOf(LANGUAGE)
const TYPED = { yes: '2601 0131 4920', empty: '' }

/** The page of this name, or the program is wrong. */
function pageIn(pages: readonly Page[], path: string): Page {
  const page = pages.find((one) => one.language === LANGUAGE && one.path === path)
  if (!page) throw new Error(`there is no page ${path}`)
  return page
}

const shared = (site: Site, path: string): Page => pageIn(sharedPages(site), path)

const front = (onDrawn?: (root: ShadowRoot) => void) => () => (
  <SitePage page={frontPage(LANGUAGE)} onDrawn={onDrawn} />
)
const open = (selector: string) => (root: ShadowRoot) =>
  root.querySelector(selector)?.setAttribute('open', '')
const write = (id: string, child: Child) => (root: ShadowRoot) => {
  const place = root.getElementById(id)
  if (place) place.outerHTML = htmlOf(child)
}

const checked = (answer: CheckAnswer) => () => (
  <SitePage
    page={frontPage(LANGUAGE)}
    part={[
      'check',
      checkForm(t, answer === 'empty' ? TYPED.empty : TYPED.yes, {
        answer,
        text: TYPED.yes,
        what: 'reference',
      }),
    ]}
  />
)

/** Between two half-years: one has begun and its rate was not seen, one is to come. */
const TODAY = date('2026-11-28')

const costs = (change: Partial<TypedDebt>) => () => {
  const typed = { ...EXAMPLE_DEBT, ...change }
  const result = el('div.result', { id: 'result' }, waitingResult(typed, LANGUAGE, t, { today: TODAY }))
  return <SitePage page={shared('home', 'waiting/')} part={['waiting', [waitingForm(typed, t), result]]} />
}

const search = openSearch(searchIndex(LANGUAGE))

/** The search with this question in it, and what it answers. */
const searched = (question: string, said: (answers: number) => string) => () => {
  const found = search(question).found.slice(0, 6)
  const show = (root: ShadowRoot): void => {
    const [field, list, status] = ['question', 'answers', 'found'].map((id) => root.getElementById(id))
    field?.setAttribute('value', question)
    field?.setAttribute('aria-expanded', String(found.length > 0))
    if (list) list.innerHTML = htmlOf(answerList(found, { question, first: '/support/en/' }))
    list?.toggleAttribute('hidden', found.length === 0)
    list?.querySelector('a')?.setAttribute('aria-selected', 'true')
    if (status) status.textContent = said(found.length)
  }
  return <SitePage page={topicsPage(LANGUAGE)} onDrawn={show} />
}

const [article] = articlesIn(LANGUAGE)
const read = (part?: readonly ['helped', Child]) => () =>
  article && <SitePage page={articlePage(article)} part={part} />

const lawful = articlesIn(LANGUAGE).find(({ topic }) => topic === 'company')
/** As the script shows the states of the services beside it. */
const showStates = (root: ShadowRoot): void => {
  const place = root.getElementById('states')
  const list = serviceList([{ code: 'BANKID', state: 'silent' }], t)
  if (place) place.innerHTML += htmlOf(list)
  place?.removeAttribute('hidden')
}

const about = (path: string, part?: readonly ['services', Child]) => () => (
  <SitePage page={pageIn(aboutPages(LANGUAGE), path)} part={part} />
)

export const SITE_PARTS: readonly Part[] = [
  {
    name: 'Homepage',
    place: 'whole',
    states: {
      'as it is opened': front(),
      'where do I find them, opened': front(open('.door details')),
      'languages, opened': front(open('.languages')),
      'the door, both fields wrong': front(
        write(
          'door',
          doorForm(t, { faults: { paymentReference: 'door.reference_digits', zip: 'door.zip_missing' } }),
        ),
      ),
      ...Object.fromEntries(CHECK_ANSWERS.map((answer) => [`message check: ${answer}`, checked(answer)])),
    },
  },
  {
    name: 'Pages about us',
    place: 'whole',
    states: {
      imprint: about('imprint/'),
      'personal data': about('privacy/'),
      accessibility: about('accessibility/'),
      services: about('services/', [
        'services',
        serviceList(
          [
            { code: 'PORTAL', state: 'works' },
            { code: 'BANKID', state: 'works' },
            { code: 'DIRECT_BANK', state: 'silent' },
            { code: 'SWISH', state: 'unknown' },
          ],
          t,
        ),
      ]),
      lost: () => <SitePage page={shared('home', 'lost/')} />,
    },
  },
  {
    name: 'What waiting costs',
    place: 'whole',
    states: {
      'the example': () => <SitePage page={shared('home', 'waiting/')} />,
      'a company in Finland': costs({ country: 'FI', who: 'business' }),
      'a rate not seen, and one not set': costs({ country: 'FI', due: '2026-12-01' }),
      'a wrong amount': costs({ amount: 'a lot' }),
      'both wrong': costs({ amount: 'a lot', due: '1999-01-01' }),
      'a wrong day': costs({ due: '1999-01-01' }),
    },
  },
  {
    name: 'Support',
    place: 'whole',
    states: {
      topics: () => <SitePage page={topicsPage(LANGUAGE)} />,
      'answers to a question': searched('I have alredy paid', (n) => t('support.found', { n: String(n) })),
      'no answer': searched('qzxwvkj', () => t('support.none')),
      'more is needed': searched('what is it', () => t('support.more')),
      lost: () => <SitePage page={shared('support', 'lost/')} />,
    },
  },
  {
    name: 'Article',
    place: 'whole',
    states: {
      asked: read(),
      counted: read(['helped', helpedAnswer({ isCounted: true, hasHelped: true }, t)]),
      'with its laws, and a service that is silent': () =>
        lawful && <SitePage page={articlePage(lawful)} onDrawn={showStates} />,
      'not counted': read(['helped', helpedAnswer({ isCounted: false, hasHelped: true }, t)]),
    },
  },
]
