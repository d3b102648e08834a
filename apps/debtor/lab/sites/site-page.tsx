/** A page of the homepage or the support site, in a tree of its own so that its style and the portal's do not meet. */
import type { Child } from '@kvitt/site/element.ts'
import { type Page, renderPage } from '@kvitt/site/frame.ts'
import { type Fragment, type Mark, type Region, withRegion } from '@kvitt/site/marks.ts'
import { SUPERVISORS } from '@kvitt/site/supervisors.ts'
import base from '@kvitt/site/styles/base.css?inline'
import drawn from '@kvitt/site/styles/drawn.css?inline'
import fields from '@kvitt/site/styles/fields.css?inline'
import frame from '@kvitt/site/styles/frame.css?inline'
import front from '@kvitt/site/styles/front.css?inline'
import support from '@kvitt/site/styles/support.css?inline'
import waiting from '@kvitt/site/styles/waiting.css?inline'
import { useLayoutEffect, useRef } from 'react'
import { INSTANCE } from '../samples.ts'

/** The tokens come from the lab, whose palette they have. */
function styleOf(site: Page['site']): string {
  const own = [base, frame, fields, ...(site === 'home' ? [front, drawn] : [support]), waiting].join('\n')
  return `@layer base, parts; ${own.replace(/\b(?:html|body) \{/g, ':host {')} :host { min-height: 0 }`
}

/** As the server fills a page. */
const FILLED: Readonly<Record<Mark | Fragment, string>> = {
  name: INSTANCE.name,
  shortName: INSTANCE.shortName ?? '',
  identificationNumber: INSTANCE.identificationNumber ?? '',
  email: 'kundservice@nordklar.example',
  phone: '031-390 06 10',
  phoneAbroad: '+46 31 390 06 10',
  phoneHref: '+46313900610',
  serviceText: 'Vardagar 9–16',
  country: 'SE',
  smsSender: 'NordklarDem',
  smsAddress: 'https://nordklar.example/',
  supervisor: SUPERVISORS.SE,
  debtor: '',
  home: '/home',
  support: '/support',
  homeWhole: 'https://home.nordklar.example',
  supportWhole: 'https://support.nordklar.example',
  brand: '',
  logo: '<span class="logo"><img src="/api/storage/nordklar-logo.svg" alt="" width="30" height="30"></span>',
  nonce: '',
}

type SitePageProps = {
  page: Page
  /** A part of the page as the server or a script writes it anew. */
  part?: readonly [Region, Child] | undefined
  /** What a visitor or a script does to it. */
  onDrawn?: ((root: ShadowRoot) => void) | undefined
}

export function SitePage({ page, part, onDrawn }: SitePageProps) {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const host = place.current
    if (!host) return
    const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
    const built = renderPage(page)
    const whole = part ? withRegion(built, ...part) : built
    const body = whole.slice(
      whole.indexOf('<body>') + '<body>'.length,
      whole.indexOf('<script type="application/json"'),
    )
    const filled = body.replace(/%%(\w+)%%/g, (mark, name: string) => FILLED[name as Mark] ?? mark)
    root.innerHTML = `<style>${styleOf(page.site)}</style>${filled}`
    // The link that leads past the header is a page's own, and here is another page around this one.
    root.querySelector('.skip')?.remove()
    root.addEventListener('submit', (event) => event.preventDefault())
    onDrawn?.(root)
  })
  return <div ref={place} lang={page.language} />
}
