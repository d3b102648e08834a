/**
 * Counts page views with Google Analytics 4, when the provider has a code and the visitor has agreed. No script of
 * theirs runs here and nothing is stored: one small message for each view, which names the view and never whose.
 */
import { readHash } from '@kvitt/ui/routes.ts'

const COLLECTOR = 'https://www.google-analytics.com/g/collect'
/** As the server checks it too (threat xss.urlfields). */
const CODE = /^G-[A-Z0-9]{4,16}$/

/** "/sv/invoice" of "#/sv/invoice/2601/41105?…": the view without what it shows. */
export function viewPath(hash: string): string {
  const { language = '', segments } = readHash(hash)
  const view = /^[a-zA-Z-]{1,30}$/.test(segments[0] ?? '') ? segments[0] : ''
  return `/${[language, view].filter(Boolean).join('/')}`
}

/** The message about one view. `visitor` is a number for this page load alone. */
export function pageViewUrl(view: { code: string; origin: string; hash: string; visitor: string }): string {
  const { language = '' } = readHash(view.hash)
  const query = new URLSearchParams({
    v: '2',
    tid: view.code,
    cid: view.visitor,
    sid: view.visitor.split('.')[0] ?? '',
    en: 'page_view',
    dl: view.origin + viewPath(view.hash),
    dr: '',
    ul: language,
    npa: '1',
  })
  return `${COLLECTOR}?${query}`
}

/** Sends one message now and one for each further view. Does nothing for a code that is none. */
export function countPageViews(code: string): void {
  if (!CODE.test(code)) return
  const visitor = `${Math.floor(Math.random() * 1e9)}.${Math.floor(Math.random() * 1e9)}`
  let last = ''
  const count = () => {
    const path = viewPath(location.hash)
    if (path === last) return
    last = path
    navigator.sendBeacon(pageViewUrl({ code, origin: location.origin, hash: location.hash, visitor }))
  }
  addEventListener('hashchange', count)
  count()
}
