/** Run by the build (packages/site/vite/site-pages.ts). */
import { renderPages } from '@kvitt/site/render-pages.ts'
import { listPages } from './pages.ts'

export function renderSite() {
  return { ...renderPages(listPages()), files: {} }
}
