/** The pages of a site for the build. */
import { type Page, renderPage } from './frame.ts'

/** What the build writes: pages by their place, and the places that search engines are told of. */
export function renderPages(pages: readonly Page[]): {
  pages: Record<string, string>
  found: string[]
} {
  const place = ({ language, path }: Page): string => `${language}/${path}`
  const rendered = pages.map((page) => [place(page), renderPage(page)] as const)
  if (new Set(rendered.map(([name]) => name)).size !== rendered.length) {
    throw new Error('two pages have one address')
  }
  return {
    pages: Object.fromEntries(rendered),
    found: pages
      .filter((page) => !page.isHidden && (page.canonicalSite ?? page.site) === page.site)
      .map(place),
  }
}
