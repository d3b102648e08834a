/** A site that the build has made, page by page: each is filled with what is a provider's own, and sent. */
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Child } from '@kvitt/site/element.ts'
import type { Site } from '@kvitt/site/frame.ts'
import { hasRegion, type Mark, type Region, withRegion } from '@kvitt/site/marks.ts'
import { isReadIn } from '@kvitt/site/waiting-steps.ts'
import { isLocalHost } from '../http/arrival.ts'
import type { Tenant } from '../http/call.ts'
import { StartupError } from '../startup-error.ts'
import { isLanguage, languageFrom, type Language } from '../texts.ts'
import { sitePolicy } from './page-policy.ts'
import { type Branding, brandStyleLate, escapeHtml } from './debtor-portal.ts'
import { type Portal, redirect, sendPage, type Visit } from './portals.ts'

/** A provider as the sites show it. */
export type SiteBrand = Pick<Branding, 'favicon' | 'variables'> & {
  readonly texts: Readonly<Record<Exclude<Mark, keyof Places>, string>>
  readonly logo: string | null
  /** `{alias}.{domain}`. */
  readonly host: string
}

/** What stands before each portal's paths: seen from the page, and from anywhere. */
type Places = Readonly<Record<'debtor' | Site | `${Site}Whole`, string>>

/** One page of a site, as it is asked for. */
export type AskedPage = {
  readonly site: Site
  readonly language: Language
  /** Behind the language: '' or a name with a slash behind. */
  readonly path: string
  /** What stands before the site's own paths: nothing at its own host. */
  readonly base: string
  readonly request: FastifyRequest
}

/** A page that is there, with what stands before the debtor portal's paths, seen from it. */
export type PlacedPage = AskedPage & { readonly debtor: string }

export type SiteOptions = {
  readonly site: Site
  /** Where it was built. */
  readonly folder: string
  readonly brandOf: (tenant: Tenant, language: Language) => SiteBrand
  /** PUBLIC_URL. */
  readonly publicUrl: string
  /** Where a form of a page leads to in the debtor portal; undefined where the page itself answers. */
  readonly leadsTo: (page: AskedPage) => string | undefined
  /** The parts of a page that are written anew for this request. They hold what was typed, so a mark in them is a text. */
  readonly regionsOf: (page: PlacedPage) => Promise<Partial<Record<Region, Child>>>
  /** Counts what a form of a page tells; false when it was not counted. */
  readonly receive: (page: AskedPage, form: URLSearchParams) => Promise<boolean>
}

type Built = SiteOptions & {
  /** By language and path, such as `sv/waiting/`. */
  readonly pages: ReadonlyMap<string, string>
  readonly files: ReadonlyMap<string, { readonly type: string; readonly content: Buffer }>
  readonly siteMap: string
}

/** Files that keep their names and change. */
const NAMED_FILES = { 'worker.js': 'text/javascript; charset=utf-8', 'social.png': 'image/png' }

function readSite(options: SiteOptions): Built {
  const pagesFolder = join(options.folder, 'pages')
  if (!existsSync(pagesFolder)) {
    throw new StartupError(
      `The ${options.site} portal is not built. Run "npm run build" first, or "npm start", which does it.`,
    )
  }
  const found = readdirSync(pagesFolder, { recursive: true, withFileTypes: true }).filter((e) => e.isFile())
  const pages = found.map((entry) => {
    const place = relative(pagesFolder, entry.parentPath).split(sep).join('/')
    return [`${place}/`, readFileSync(join(entry.parentPath, entry.name), 'utf8')] as const
  })
  const files = Object.entries(NAMED_FILES).flatMap(([name, type]) => {
    const file = join(options.folder, name)
    return existsSync(file) ? [[name, { type, content: readFileSync(file) }] as const] : []
  })
  const siteMap = readFileSync(join(options.folder, 'sitemap.xml'), 'utf8')
  return { ...options, pages: new Map(pages), files: new Map(files), siteMap }
}

/** The homepage or the support site. Throws StartupError when it is not built. */
export function openSite(options: SiteOptions): Portal {
  const built = readSite(options)
  return { name: options.site, folder: options.folder, answer: (visit, reply) => answer(built, visit, reply) }
}

async function answer(built: Built, visit: Visit, reply: FastifyReply): Promise<FastifyReply> {
  const { request, tenant, base, path } = visit
  const { site, publicUrl } = built
  if (path === 'sitemap.xml' || path === 'robots.txt') {
    const brand = built.brandOf(tenant, tenant.language)
    const text = path === 'robots.txt' ? ROBOTS.replaceAll('SITE', site) : built.siteMap
    reply.type(path === 'robots.txt' ? 'text/plain; charset=utf-8' : 'application/xml; charset=utf-8')
    const place = { request, base, site, publicUrl }
    return reply.header('cache-control', 'no-cache').send(fillMarks(text, place, { brand, nonce: '' }))
  }
  const file = built.files.get(path)
  if (file) return reply.type(file.type).header('cache-control', 'no-cache').send(file.content)
  const [language = '', ...rest] = path.split('/')
  if (!isLanguage(language)) {
    const read = languageFrom(request.headers['accept-language'], tenant.language)
    return sendBuilt(reply, { site, language: read, path: path === '' ? '' : LOST, base, request }, built)
  }
  if (!path.endsWith('/') && built.pages.has(`${path}/`)) return redirect(reply, `${base}/${path}/`)
  return sendBuilt(reply, { site, language, path: rest.join('/'), base, request }, built)
}

/**
 * The debtor portal, whose host is the one that people know: search engines that look there are led to both sites.
 * @param options those of either site
 */
export function leadToSites(portal: Portal, { brandOf, publicUrl }: SiteOptions): Portal {
  return {
    ...portal,
    answer: (visit, reply) => {
      const { request, tenant, path } = visit
      if (path !== 'robots.txt' && path !== 'sitemap.xml') return portal.answer(visit, reply)
      const brand = brandOf(tenant, tenant.language)
      // A host that the sites share has them by path.
      const base = request.hostname.toLowerCase() === brand.host ? '' : '/'
      const place: Place = { request, base, site: 'home', publicUrl }
      const isRobots = path === 'robots.txt'
      return reply
        .type(isRobots ? 'text/plain; charset=utf-8' : 'application/xml; charset=utf-8')
        .header('cache-control', 'no-cache')
        .send(fillMarks(isRobots ? ROOT_ROBOTS : ROOT_MAP, place, { brand, nonce: '' }))
    },
  }
}

const ROOT_ROBOTS =
  'User-agent: *\nDisallow: /api/\nSitemap: %%homeWhole%%/sitemap.xml\nSitemap: %%supportWhole%%/sitemap.xml\n'
const ROOT_MAP =
  '<?xml version="1.0" encoding="UTF-8"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>%%homeWhole%%/sitemap.xml</loc></sitemap><sitemap><loc>%%supportWhole%%/sitemap.xml</loc></sitemap></sitemapindex>'
const ROBOTS = 'User-agent: *\nDisallow: /api/\nSitemap: %%SITEWhole%%/sitemap.xml\n'

/** The page for what is not there; its own address is no page either. */
const LOST = 'lost/'

/** A form is small, and is read nowhere else: other sites can send one unasked, so the browser's own word counts. */
const LARGEST_FORM = 1_000

/** Takes the forms of a site's pages, "did this help?", at its own host and below its path. */
export function receiveForms(
  scope: FastifyInstance,
  options: SiteOptions,
  portalOf: (request: FastifyRequest) => string | undefined,
): void {
  const built = readSite(options)
  const { site } = built
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: LARGEST_FORM },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  )
  const receive = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { language, topic } = request.params as { language: Language; topic: string }
    const [path = ''] = request.url.split('?', 1)
    const base = path.startsWith(`/${site}/`) ? `/${site}` : ''
    const isHere = request.tenant && portalOf(request) === (base === '' ? site : undefined)
    const page = built.pages.get(`${language}/${topic}/`) ?? ''
    if (!isHere || !hasRegion(page, 'helped')) throw new Refusal('not_found')
    const isElsewhere = request.headers['sec-fetch-site'] === 'cross-site'
    if (isElsewhere || !(request.body instanceof URLSearchParams)) throw new Refusal('invalid_request')
    const isCounted = await built.receive({ site, language, path: `${topic}/`, base, request }, request.body)
    const said = request.body.get('helped') === 'no' ? '&helped=no' : ''
    return redirectAfterForm(reply, `${path}?counted=${isCounted ? 'yes' : 'no'}${said}#helped`)
  }
  scope.post(`/${site}/:language/:topic/`, receive)
  scope.post('/:language/:topic/', receive)
}

/** The page is read anew: going back or reloading sends nothing again. */
function redirectAfterForm(reply: FastifyReply, target: string): FastifyReply {
  return reply.header('cache-control', 'no-store').redirect(target, 303)
}

async function sendBuilt(reply: FastifyReply, asked: AskedPage, built: Built): Promise<FastifyReply> {
  const { request, language, path } = asked
  const brand = built.brandOf(request.tenant as Tenant, language)
  const found = path === LOST ? undefined : built.pages.get(`${language}/${path}`)
  const place = { ...asked, publicUrl: built.publicUrl }
  const { debtor, home, support } = placesFor(place, brand)
  const target = found === undefined ? undefined : built.leadsTo(asked)
  if (target !== undefined) return redirectAfterForm(reply, debtor + target)
  const nonce = randomBytes(16).toString('base64')
  const page = found ?? built.pages.get(`${language}/${LOST}`) ?? ''
  let html = fillMarks(page, place, { brand: brandIn(language, brand), nonce })
  if (found === undefined) reply.code(404)
  else {
    for (const [name, child] of Object.entries(await built.regionsOf({ ...asked, debtor }))) {
      html = withRegion(html, name as Region, child)
    }
  }
  const policy = sitePolicy(
    nonce,
    [debtor, home, support].filter((place) => place.startsWith('http')),
  )
  return sendPage(request, reply, { html, policy, isAnswer: request.url.includes('?') })
}

/** A phone number as it is rung from where the page's language is spoken. */
function brandIn(language: Language, brand: SiteBrand): SiteBrand {
  const { texts } = brand
  if (isReadIn(language, texts.country)) return brand
  return { ...brand, texts: { ...texts, phone: texts.phoneAbroad } }
}

type Place = Pick<AskedPage, 'request' | 'base' | 'site'> & { readonly publicUrl: string }

/**
 * A host that several portals share has them by path; the host of one names the others whole (D-15). The port is that of
 * PUBLIC_URL: the one of a Host header is whatever a visitor has typed.
 */
function placesFor({ request, base, site, publicUrl }: Place, { host }: SiteBrand): Places {
  const known = new URL(publicUrl)
  const scheme = request.isHttps ? 'https:' : 'http:'
  const port = known.protocol === scheme && known.port !== '' ? `:${known.port}` : ''
  const own = (portal: Site): string => `${scheme}//${portal}.${host}${port}`
  if (base !== '') {
    const whole = (portal: Site): string =>
      isLocalHost(known.host) ? `${known.origin}/${portal}` : own(portal)
    return {
      debtor: '',
      home: '/home',
      support: '/support',
      homeWhole: whole('home'),
      supportWhole: whole('support'),
    }
  }
  const seen = (portal: Site): string => (portal === site ? '' : own(portal))
  return {
    debtor: `${scheme}//${host}${port}`,
    home: seen('home'),
    support: seen('support'),
    homeWhole: own('home'),
    supportWhole: own('support'),
  }
}

/** A text inside a JSON text inside HTML. */
function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1).replaceAll('<', '\\u003c')
}

/**
 * Room for the provider's logo. The page's script puts it there once something is on the screen: before that, even a lazy picture is
 * asked for and takes the time of the words.
 */
function logoPlace(address: string): string {
  return `<span class="logo" data-src="${address}"><noscript><img src="${address}" alt="" width="30" height="30"></noscript></span>`
}

function fillMarks(
  html: string,
  place: Place,
  { brand, nonce }: { readonly brand: SiteBrand; readonly nonce: string },
): string {
  const texts: Readonly<Record<string, string>> = { ...brand.texts, ...placesFor(place, brand) }
  const fragments: Readonly<Record<string, string>> = {
    nonce,
    brand: brandStyleLate(brand).replaceAll('__NONCE__', nonce),
    logo: brand.logo ? logoPlace(`/api/storage/${encodeURIComponent(brand.logo)}`) : '',
  }
  return html.replace(/%%(json\.)?(\w+)%%/g, (whole, isJson: string | undefined, name: string) => {
    const text = texts[name]
    if (text === undefined) return fragments[name] ?? whole
    return isJson ? escapeJson(text) : escapeHtml(text)
  })
}
