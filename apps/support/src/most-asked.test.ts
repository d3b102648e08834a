/** The lost page leads to articles that exist, by their own titles. */
import { expect, test } from 'vitest'
import { htmlOf } from '@kvitt/site/element.ts'
import { MOST_ASKED, sharedPages } from '@kvitt/site/shared-pages.ts'
import { LANGUAGES } from '@kvitt/ui/language/languages.ts'
import { articlesIn } from './articles.ts'

test.each(LANGUAGES)('the lost page leads to the search and to the most asked articles: %s', (language) => {
  for (const site of ['home', 'support'] as const) {
    const page = sharedPages(site).find((one) => one.language === language && one.path === 'lost/')
    const html = htmlOf([page?.main])
    expect(html).toContain(`href="%%support%%/${language}/"`)
    for (const topic of MOST_ASKED) {
      const title = articlesIn(language).find((one) => one.topic === topic)?.title ?? 'missing'
      expect(html).toContain(`<a href="%%support%%/${language}/${topic}/">${title}</a>`)
    }
  }
})
