/** A refusal or a failure as a page to read, for whoever typed an address into a browser. */
import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { escapeHtml } from './debtor-portal.ts'
import type { Problem } from '../http/problem.ts'
import { textOf, type Language, type TextKey } from '../texts.ts'

const STYLE = `:root{color-scheme:light dark;font:100%/1.5 system-ui,sans-serif}
body{max-width:36rem;margin:0 auto;padding:3rem 1rem;overflow-wrap:anywhere}
h1{line-height:1.2}
a{color:inherit;display:inline-block;padding:.6rem 0}`

/** Does a browser ask for a page? Programs, and the portal's own calls, take anything; below /api/ all are programs. */
export function wantsPage({ method, url, headers }: FastifyRequest): boolean {
  const isRead = method === 'GET' || method === 'HEAD'
  return isRead && !/^\/(api|assets)\//.test(url) && /\btext\/html\b/.test(headers.accept ?? '')
}

/** The page and its policy. A host of nobody has no start page to go to. */
export function problemPage(
  problem: Problem,
  language: Language,
  hasStart: boolean,
): { readonly html: string; readonly policy: string } {
  const nonce = randomBytes(16).toString('base64')
  const title = escapeHtml(textOf(language, problem.status === 404 ? 'page.not_found' : 'page.failed'))
  const link = (path: string, key: TextKey): string =>
    `<p><a href="${path}">${escapeHtml(textOf(language, key))}</a></p>`
  const ways = hasStart
    ? link(`/#/${language}/`, 'page.to_start') + link(`/support/${language}/`, 'page.to_answers')
    : ''
  return {
    html: `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width,initial-scale=1"><style nonce="${nonce}">${STYLE}</style></head>
<body><main><h1>${title}</h1><p>${escapeHtml(problem.message)}</p>${ways}</main></body></html>`,
    policy: `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  }
}
