/**
 * The support site's service worker: its pages come from the network while there is one, and from what was kept when there is
 * none. Whatever else the site's host has, such as calls, it leaves to the browser.
 */

type WaitUntil = Event & { waitUntil: (work: Promise<unknown>) => void }
type FetchEvent = WaitUntil & { readonly request: Request; respondWith: (answer: Promise<Response>) => void }
type TellEvent = WaitUntil & { readonly data: unknown }
type SupportWorker = {
  addEventListener(name: 'activate' | 'install', run: (event: WaitUntil) => void): void
  addEventListener(name: 'fetch', run: (event: FetchEvent) => void): void
  addEventListener(name: 'message', run: (event: TellEvent) => void): void
  skipWaiting: () => Promise<void>
  clients: { claim: () => Promise<void> }
  /** The part of the site that it may answer for. */
  registration: { scope: string }
}

const worker = globalThis as unknown as SupportWorker
/** Written in by the build. */
declare const OFFLINE_TEXTS: Readonly<Record<string, Readonly<Record<'title' | 'text' | 'none', string>>>>
const FAMILY = 'support-'
/** What one build has made: the build writes itself in, so another build is another worker with a cache of its own. */
const NAME = `${FAMILY}%%build%%`

worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()))
worker.addEventListener('activate', (event) => event.waitUntil(takeOver()))

/** The place of an address in the site, without query and hash; undefined when it is no page and no asset of it. */
function placeIn(address: string): { readonly whole: string; readonly isAsset: boolean } | undefined {
  const { scope } = worker.registration
  const whole = address.split(/[?#]/, 1)[0] ?? ''
  const [, kind] =
    (whole.startsWith(scope) && /^(assets|sv|en|nb|da|fi)\//.exec(whole.slice(scope.length))) || []
  return kind === undefined ? undefined : { whole, isAsset: kind === 'assets' }
}

/** The name of an asset in a page or a script. */
const ASSET = /[\w-]+-[\w-]{8}\.(?:js|json|css)\b/g

/** Keeps a page or an asset, and with it the assets that it names. False when there was no network for some of it. */
async function keep(cache: Cache, address: string): Promise<boolean> {
  const place = placeIn(address)
  if (!place || address.includes('?') || (await cache.match(address))) return true
  const answer = await fetch(address).catch(() => undefined)
  if (!answer) return false
  if (!answer.ok || answer.redirected) return true
  const text = address.endsWith('.json') ? '' : await answer.clone().text()
  await cache.put(address, answer)
  const assets = [...text.matchAll(ASSET)].map(([asset]) => `${worker.registration.scope}assets/${asset}`)
  return keepAll(cache, assets)
}

/** One after the other: a visitor's own pages come first. */
async function keepAll(cache: Cache, addresses: readonly string[]): Promise<boolean> {
  let isReached = true
  for (const address of addresses) isReached = (await keep(cache, address)) && isReached
  return isReached
}

/**
 * The pages that another build has kept are kept as they are now, and then what it has kept goes. Without a network they stay as
 * they were, with what they need.
 */
async function takeOver(): Promise<void> {
  await worker.clients.claim()
  const others = (await caches.keys()).filter((name) => name.startsWith(FAMILY) && name !== NAME)
  const cache = await caches.open(NAME)
  for (const name of others) {
    const old = await caches.open(name)
    const kept = (await old.keys()).map(({ url }) => url)
    const pages = kept.filter((url) => placeIn(url)?.isAsset === false)
    const isReached = await keepAll(cache, pages)
    for (const url of isReached ? [] : kept) {
      const answer = placeIn(url) && !(await cache.match(url)) ? await old.match(url) : undefined
      if (answer) await cache.put(url, answer)
    }
    await caches.delete(name)
  }
}

worker.addEventListener('message', (event) => {
  const { keep: wanted } = (event.data ?? {}) as { keep?: unknown }
  if (!Array.isArray(wanted)) return
  const addresses = wanted
    .filter((one) => typeof one === 'string')
    .map((one) => new URL(one, worker.registration.scope).href)
  event.waitUntil(caches.open(NAME).then((cache) => keepAll(cache, addresses)))
})

/** What was not kept is answered with the topics of its language, which say that there is no network. */
async function firstPage(cache: Cache, { mode, url }: Request): Promise<Response | undefined> {
  const [language = ''] = url.slice(worker.registration.scope.length).split('/')
  return mode === 'navigate' ? cache.match(`${worker.registration.scope}${language}/`) : undefined
}

/** The kept pages, with their titles, which are HTML already, without the provider's name behind them. */
async function keptPages(
  cache: Cache | undefined,
): Promise<{ language: string; url: string; title: string }[]> {
  const { scope } = worker.registration
  const pages = []
  for (const { url } of (await cache?.keys()) ?? []) {
    if (placeIn(url)?.isAsset !== false) continue
    const html = (await (await cache?.match(url))?.text()) ?? ''
    const [language = ''] = url.slice(scope.length).split('/')
    pages.push({ language, url, title: /<title>([^<]*?)(?: – [^–<]*)?</.exec(html)?.[1] ?? '' })
  }
  // The topics of a language first: the longest list hangs below them.
  return pages.sort((a, b) => a.url.length - b.url.length)
}

const STYLE =
  ':root{color-scheme:light dark;font:100%/1.5 system-ui,sans-serif}body{max-width:36rem;margin:0 auto;padding:3rem 1rem;overflow-wrap:anywhere}h1{line-height:1.2}ul{padding:0;list-style:none}a{color:inherit;display:inline-block;padding:.6rem 0}'

/**
 * A page that is not kept and cannot be fetched, in its language, or where its address names none in one that is kept: it says so, and
 * leads to the kept pages of that language, else to all.
 */
async function offlinePage(address: string, cache: Cache | undefined): Promise<Response> {
  const pages = await keptPages(cache)
  const [named = ''] = address.slice(worker.registration.scope.length).split(/[/?#]/)
  const wanted = [
    named,
    ...navigator.languages.map((one) => one.slice(0, 2)),
    ...pages.map((one) => one.language),
  ]
  const isKept = (language: string): boolean => pages.some((one) => one.language === language)
  const language =
    named in OFFLINE_TEXTS
      ? named
      : (wanted.find(isKept) ?? wanted.find((one) => one in OFFLINE_TEXTS) ?? 'en')
  const texts = OFFLINE_TEXTS[language]
  const shown = isKept(language) ? pages.filter((one) => one.language === language) : pages
  const items = shown.map((one) => `<li><a href="${one.url}" lang="${one.language}">${one.title}</a></li>`)
  const html = `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${texts?.title}</title><meta name="viewport" content="width=device-width,initial-scale=1"><style>${STYLE}</style></head><body><main><h1>${texts?.title}</h1><p>${items.length > 0 ? texts?.text : texts?.none}</p><ul>${items.join('')}</ul></main></body></html>`
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
  }
  return new Response(html, { status: 503, headers })
}

async function answer(
  request: Request,
  { whole, isAsset }: NonNullable<ReturnType<typeof placeIn>>,
): Promise<Response> {
  // A full device keeps nothing, and reads on.
  const cache = await caches.open(NAME).catch(() => undefined)
  if (isAsset) {
    const kept = await cache?.match(whole)
    if (kept) return kept
  }
  try {
    const fresh = await fetch(request)
    if (fresh.ok && !fresh.redirected && request.url === whole)
      await cache?.put(whole, fresh.clone()).catch(() => {})
    return fresh
  } catch (error) {
    const kept = cache && ((await cache.match(whole)) ?? (await firstPage(cache, request)))
    if (kept) return kept
    if (request.mode === 'navigate') return offlinePage(request.url, cache)
    throw error
  }
}

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const place = request.method === 'GET' ? placeIn(request.url) : undefined
  if (place) return event.respondWith(answer(request, place))
  // The site's first address, which leads to a language, and whatever else somebody types.
  if (request.mode === 'navigate')
    event.respondWith(
      fetch(request).catch(async () => {
        const cache = await caches.open(NAME).catch(() => undefined)
        return offlinePage(request.url, cache)
      }),
    )
})
