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

/** Keeps a page or an asset, and with it the assets that it names. */
async function keep(cache: Cache, address: string): Promise<void> {
  const place = placeIn(address)
  if (!place || address.includes('?') || (await cache.match(address))) return
  const answer = await fetch(address).catch(() => undefined)
  if (!answer?.ok || answer.redirected) return
  const text = address.endsWith('.json') ? '' : await answer.clone().text()
  await cache.put(address, answer)
  for (const [asset] of text.matchAll(ASSET)) await keep(cache, `${worker.registration.scope}assets/${asset}`)
}

/** One after the other: a visitor's own pages come first. */
async function keepAll(addresses: readonly string[]): Promise<void> {
  const cache = await caches.open(NAME)
  for (const address of addresses) await keep(cache, address)
}

/** What another build has kept goes; its pages are kept as they are now. */
async function takeOver(): Promise<void> {
  await worker.clients.claim()
  const pages: string[] = []
  for (const name of await caches.keys()) {
    if (!name.startsWith(FAMILY) || name === NAME) continue
    const old = await (await caches.open(name)).keys()
    pages.push(...old.map(({ url }) => url).filter((url) => placeIn(url)?.isAsset === false))
    await caches.delete(name)
  }
  await keepAll(pages)
}

worker.addEventListener('message', (event) => {
  const { keep: wanted } = (event.data ?? {}) as { keep?: unknown }
  if (!Array.isArray(wanted)) return
  const addresses = wanted
    .filter((one) => typeof one === 'string')
    .map((one) => new URL(one, worker.registration.scope).href)
  event.waitUntil(keepAll(addresses))
})

/** What was not kept is answered with the topics of its language, which say that there is no network. */
async function firstPage(cache: Cache, { mode, url }: Request): Promise<Response | undefined> {
  const [language = ''] = url.slice(worker.registration.scope.length).split('/')
  return mode === 'navigate' ? cache.match(`${worker.registration.scope}${language}/`) : undefined
}

async function answer(
  request: Request,
  { whole, isAsset }: NonNullable<ReturnType<typeof placeIn>>,
): Promise<Response> {
  const cache = await caches.open(NAME)
  if (isAsset) {
    const kept = await cache.match(whole)
    if (kept) return kept
  }
  try {
    const fresh = await fetch(request)
    if (fresh.ok && !fresh.redirected && request.url === whole) await cache.put(whole, fresh.clone())
    return fresh
  } catch (error) {
    const kept = (await cache.match(whole)) ?? (await firstPage(cache, request))
    if (kept) return kept
    throw error
  }
}

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const place = request.method === 'GET' ? placeIn(request.url) : undefined
  if (place) event.respondWith(answer(request, place))
})
