/**
 * The support site's service worker: pages come from the network while there is one, and from what was kept when there is none.
 * Assets never change under their name.
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
const NAME = 'support-1'

worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()))
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()))

const isOurs = (address: string): boolean =>
  address.startsWith(worker.registration.scope) && !address.includes('?')

async function keep(addresses: readonly string[]): Promise<void> {
  const cache = await caches.open(NAME)
  // One after the other: a visitor's own pages come first.
  for (const address of addresses) {
    if (await cache.match(address)) continue
    const answer = await fetch(address).catch(() => undefined)
    if (answer?.ok) await cache.put(address, answer)
  }
}

worker.addEventListener('message', (event) => {
  const { keep: wanted } = (event.data ?? {}) as { keep?: unknown }
  if (!Array.isArray(wanted)) return
  const addresses = wanted
    .filter((one) => typeof one === 'string')
    .map((one) => new URL(one, worker.registration.scope).href)
  event.waitUntil(keep(addresses.filter(isOurs)))
})

/** What was not kept is answered with the topics of its language, which say that there is no network. */
async function firstPage(cache: Cache, { mode, url }: Request): Promise<Response | undefined> {
  const [language = ''] = url.slice(worker.registration.scope.length).split('/')
  return mode === 'navigate' ? cache.match(`${worker.registration.scope}${language}/`) : undefined
}

async function answer(request: Request): Promise<Response> {
  const cache = await caches.open(NAME)
  const address = request.url.split(/[?#]/, 1)[0] ?? request.url
  if (address.startsWith(`${worker.registration.scope}assets/`)) {
    const kept = await cache.match(address)
    if (kept) return kept
  }
  try {
    const fresh = await fetch(request)
    if (fresh.ok && isOurs(request.url)) await cache.put(address, fresh.clone())
    return fresh
  } catch (error) {
    const kept = (await cache.match(address)) ?? (await firstPage(cache, request))
    if (kept) return kept
    throw error
  }
}

worker.addEventListener('fetch', (event) => {
  if (event.request.method === 'GET' && event.request.url.startsWith(worker.registration.scope)) {
    event.respondWith(answer(event.request))
  }
})
