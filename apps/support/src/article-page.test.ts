/** Where an article leads on to. */
import { expect, test } from 'vitest'
import { htmlOf } from '@kvitt/site/element.ts'
import { LANGUAGES, type Language } from '@kvitt/ui/language/languages.ts'
import { articlePage } from './article-page.ts'
import { articlesIn } from './articles.ts'

function pageOf(language: Language, topic: string): string {
  const article = articlesIn(language).find((one) => one.topic === topic)
  if (!article) throw new Error(`there is no article ${topic}`)
  return htmlOf([articlePage(article).main])
}

test.each(LANGUAGES)(
  'debt advice leads to a public adviser of each country, and to help in distress: %s',
  (language) => {
    const html = pageOf(language, 'debt-adviser')
    for (const address of [
      'https://www.konsumentverket.se/',
      'https://www.nav.no/',
      'https://www.borger.dk/',
      'https://www.takuusaatio.fi/',
    ])
      expect(html).toContain(`<a href="${address}">`)
    expect(html).toContain(' 112,')
  },
)

test.each(LANGUAGES)('what to do stands before the question whether it helped: %s', (language) => {
  for (const topic of ['already-paid', 'genuine']) {
    const html = pageOf(language, topic)
    expect(html.indexOf('class="button"')).toBeGreaterThan(0)
    expect(html.indexOf('class="button"')).toBeLessThan(html.indexOf('<form class="helped"'))
  }
})
