/** Every page of the homepage, as the build writes it. */
import { LANGUAGES } from '@kvitt/ui/language/languages.ts'
import type { Page } from '@kvitt/site/frame.ts'
import { sharedPages } from '@kvitt/site/shared-pages.ts'
import { aboutPages } from './about-pages.ts'
import { frontPage } from './front-page.ts'

export function listPages(): Page[] {
  return [
    ...LANGUAGES.flatMap((language) => [frontPage(language), ...aboutPages(language)]),
    ...sharedPages('home'),
  ]
}
