/** The frame of every page of the homepage and the support site: head, header, footer. */
import { COUNTRIES, LANGUAGES, type Language } from '@kvitt/ui/language/languages.ts'
import { type Child, el, htmlOf } from './element.ts'
import { jsonMark, mark } from './marks.ts'
import { type Words, wordsOf } from './words.ts'

export type Site = 'home' | 'support'

/** One page of a site, in one language. */
export type Page = {
  readonly site: Site
  readonly language: Language
  /** Behind `/{site}/{language}/`: '' for the first page, else a name with a slash behind. */
  readonly path: string
  readonly title: string
  readonly description: string
  readonly main: Child
  /** The site that has this page too, and is to be found with it. */
  readonly canonicalSite?: Site
  /** Structured data beside the organisation's. */
  readonly data?: readonly object[]
  /** What the script of the page needs. */
  readonly scriptData?: object
  /** Not to be found by search engines: lost pages. */
  readonly isHidden?: boolean
}

/** The address of a page, for a link on any page of either site. */
export function addressOfPage(site: Site, language: Language, path = ''): string {
  return `${mark(site)}/${language}/${path}`
}

const WHOLE = { home: 'homeWhole', support: 'supportWhole' } as const

function wholeAddress(site: Site, language: Language, path: string): string {
  return `${mark(WHOLE[site])}/${language}/${path}`
}

/** JSON for a script element. */
function jsonText(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}

function organisation(): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'Organization',
    name: jsonMark('name'),
    url: `${jsonMark('homeWhole')}/`,
    email: jsonMark('email'),
    telephone: jsonMark('phoneAbroad'),
    taxID: jsonMark('identificationNumber'),
  }
}

function headOf(page: Page): string {
  const { site, language, path, title, description } = page
  const canonicalSite = page.canonicalSite ?? site
  const canonical = wholeAddress(canonicalSite, language, path)
  const others = LANGUAGES.map((other) =>
    el('link', { rel: 'alternate', hreflang: other, href: wholeAddress(canonicalSite, other, path) }),
  )
  const data = [organisation(), ...(page.data ?? [])].map(
    (one) => `<script type="application/ld+json">${jsonText(one)}</script>`,
  )
  const whole = path === '' ? `${title} – ${mark('name')}` : `${title} – ${mark('shortName')}`
  return [
    htmlOf([
      el('title', {}, whole),
      el('meta', { name: 'description', content: description }),
      page.isHidden && el('meta', { name: 'robots', content: 'noindex' }),
      !page.isHidden && [
        el('link', { rel: 'canonical', href: canonical }),
        ...others,
        path === '' &&
          el('link', {
            rel: 'alternate',
            hreflang: 'x-default',
            href: `${mark(WHOLE[site])}/`,
          }),
      ],
      el('meta', { property: 'og:title', content: title }),
      el('meta', { property: 'og:description', content: description }),
      el('meta', { property: 'og:type', content: 'website' }),
      el('meta', { property: 'og:url', content: canonical }),
      el('meta', { property: 'og:image', content: `${mark('homeWhole')}/social.png` }),
      el('meta', { name: 'twitter:card', content: 'summary_large_image' }),
    ]),
    ...(page.isHidden ? [] : data),
  ].join('')
}

function header({ site, language, path }: Page, t: Words): Child {
  const link = (href: string, text: string, isCurrent: boolean): Child =>
    el('a', { href, 'aria-current': isCurrent ? 'page' : undefined }, text)
  return el(
    'header.top',
    {},
    el(
      'div.row',
      {},
      el(
        'a.brand',
        { href: addressOfPage('home', language) },
        mark('logo'),
        el('span', {}, mark('shortName')),
      ),
      el(
        'details.languages',
        {},
        el('summary', {}, el('span.spoken', {}, `${t('language')}: `), nameOf(language)),
        el(
          'ul',
          {},
          ...COUNTRIES.map((country) =>
            el(
              'li',
              {},
              el(
                'a',
                {
                  href: addressOfPage(site, country.language, path === 'lost/' ? '' : path),
                  lang: country.language,
                  hreflang: country.language,
                  'aria-current': country.language === language ? 'true' : undefined,
                },
                country.name,
              ),
            ),
          ),
        ),
      ),
      el(
        'nav',
        { 'aria-label': t('nav') },
        link(addressOfPage('home', language), t('nav.pay'), site === 'home' && path === ''),
        link(`${addressOfPage('home', language)}#companies`, t('nav.companies'), false),
        link(addressOfPage('support', language), t('nav.help'), site === 'support'),
      ),
    ),
  )
}

function nameOf(language: Language): string {
  return COUNTRIES.find((country) => country.language === language)?.name ?? language
}

function footer({ language }: Page, t: Words): Child {
  const link = (path: string, text: string): Child =>
    el('li', {}, el('a', { href: addressOfPage('home', language, path) }, text))
  return el(
    'footer',
    {},
    el(
      'div.row',
      {},
      el('p', {}, el('strong', {}, mark('name')), el('br'), mark('identificationNumber')),
      el(
        'p',
        {},
        el('a', { href: `tel:${mark('phoneHref')}` }, mark('phone')),
        el('br'),
        el('a', { href: `mailto:${mark('email')}` }, mark('email')),
        el('span.said', {}, mark('serviceText')),
      ),
      el(
        'ul',
        {},
        link('imprint/', t('foot.imprint')),
        link('privacy/', t('foot.privacy')),
        link('accessibility/', t('foot.accessibility')),
      ),
      el(
        'ul',
        {},
        el(
          'li',
          {},
          el('a', { href: addressOfPage('home', language, 'services/'), id: 'services' }, t('foot.services')),
        ),
      ),
    ),
  )
}

/** A whole page, with its marks and without style and script, which the build adds at `<!--style-->` and `<!--script-->`. */
export function renderPage(page: Page): string {
  const t = wordsOf(page.language)
  const given = { base: mark(page.site), language: page.language, ...page.scriptData }
  const data = `<script type="application/json" id="data">${jsonText(given)}</script>`
  const body = htmlOf([
    el('a.skip', { href: '#main' }, t('skip')),
    header(page, t),
    el('main', { id: 'main' }, page.main),
    footer(page, t),
  ])
  return `<!doctype html><html lang="${page.language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark">${headOf(page)}<!--style-->${mark('brand')}</head><body>${body}${data}<!--script--></body></html>`
}
