/** What the imprint and the page about personal data have to say in each language. */
import { expect, test } from 'vitest'
import { htmlOf } from '@kvitt/site/element.ts'
import { LANGUAGES } from '@kvitt/ui/language/languages.ts'
import { aboutPages } from './about-pages.ts'

function mainOf(language: (typeof LANGUAGES)[number], path: string): string {
  return htmlOf([aboutPages(language).find((one) => one.path === path)?.main])
}

test.each(LANGUAGES)('each country has its authority, and each term is named: %s', (language) => {
  const html = mainOf(language, 'privacy/')
  expect(html).toContain('(IMY)')
  expect(html.match(/Datatilsynet/g)).toHaveLength(2)
  expect(html).toMatch(/[Tt]ietosuojavaltuutettu/)
  // Months of the count, days of the cookie, days of wrong tries.
  for (const term of [/\b13\b/, /\b180\b/, /\b30\b/, /\bBankID/]) expect(html).toMatch(term)
  expect(html).toContain(`/${language}/personal-data/`)
  expect(html).not.toMatch(/privacy\.|\{\w+\}/)
})

test.each(LANGUAGES)(
  'the imprint says who it is, how they are reached and who supervises: %s',
  (language) => {
    const html = mainOf(language, 'imprint/')
    for (const one of ['name', 'identificationNumber', 'phone', 'email', 'supervisor'])
      expect(html).toContain(`%%${one}%%`)
    expect(html).toContain('<!--address-->')
  },
)

test.each(LANGUAGES)(
  'the statement on accessibility says its day, its gaps and who supervises: %s',
  (language) => {
    const html = mainOf(language, 'accessibility/')
    for (const one of ['WCAG 2.2', '2026', 'NVDA', 'VoiceOver', 'TalkBack', 'axe'])
      expect(html).toContain(one)
    for (const authority of ['(Digg)', '(PTS)', 'Uutilsynet', 'Digitaliseringsstyrelsen', 'Traficom'])
      expect(html).toContain(authority)
    expect(html).toContain('%%phone%%')
    expect(html).not.toMatch(/accessibility\.|\{\w+\}/)
  },
)
