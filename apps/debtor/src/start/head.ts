/**
 * Runs in the head of the page, before anything else is there: tells by the hash which page is wanted. The start
 * page, or the one that opens what a deep link leads to, is painted as it came, and the program is asked for then; the
 * invoice or claim of a deep link is asked for at once.
 * Built into the page by packages/ui/vite/start-page.ts; a few hundred bytes, so it repeats what it needs.
 */

import type { PageStart } from '@kvitt/ui/start/page-start.ts'

/** The names of the built files: the program in the order in which it runs, its languages, what each view needs on top. */
declare const __FILES__: {
  readonly style: string
  readonly entry: readonly string[]
  readonly languages: Readonly<Record<string, string>>
  readonly words: Readonly<Record<string, string>>
  readonly views: Readonly<
    Record<string, { readonly scripts: readonly string[]; readonly styles: readonly string[] }>
  >
}

/** A page that is not hidden is painted long before; a window that lies under others may never be. */
const LONGEST_UNPAINTED_MS = 1000
const ASK_EACH_MS = 3000

const page = document.documentElement
const start = globalThis as PageStart
const [path = '', query = ''] = location.hash.replace(/^#?\/?/, '').split('?')
const [first = '', view = '', reference = '', zip = ''] = path.split('/')
const asked = new URLSearchParams(query)

function stored(area: 'localStorage' | 'sessionStorage', name: string): string | null {
  try {
    return window[area].getItem(name)
  } catch {
    return null
  }
}

const isOurs = (name: string | null): name is string =>
  name !== null && Object.hasOwn(__FILES__.languages, name)
const preferred = stored('localStorage', 'selectedLocale')
const language = isOurs(first) ? first : isOurs(preferred) ? preferred : page.lang

function load(rel: string, files: readonly string[], as = ''): HTMLLinkElement | undefined {
  let link
  for (const href of files) {
    link = document.createElement('link')
    // Assets are asked for as modules are, so that what is loaded ahead is what is used.
    Object.assign(link, { rel, as, href, crossOrigin: '' })
    // After the style and the data, which are small and are waited for as long.
    if (rel === 'modulepreload') link.fetchPriority = 'low'
    document.head.append(link)
  }
  return link
}

function begin(): void {
  start.kvittStyled = new Promise((settle) => {
    Object.assign(load('stylesheet', [__FILES__.style]) ?? {}, { onload: settle, onerror: settle })
  })
  load('modulepreload', [...__FILES__.entry, __FILES__.languages[language] ?? ''])
  void run().catch(start.kvittLost)
}

/**
 * The page says that the program did not come. It begins anew when a person wants it, and by itself as long as the server can
 * be reached and this has been tried less than three times: where the program itself is at fault it would go on for ever.
 */
start.kvittLost = () => {
  page.dataset.start = 'lost'
  addEventListener('click', ({ target }) => {
    if ((target as Element).closest('#kvitt-lost button')) location.reload()
  })
  setInterval(() => {
    const tries = Number(stored('sessionStorage', 'lost'))
    fetch('/api/ping/version').then(
      ({ ok }) => {
        if (!ok || tries > 2) return
        sessionStorage['lost'] = tries + 1
        location.reload()
      },
      () => {},
    )
  }, ASK_EACH_MS)
}

/** A file of the program after the other, each in a task of its own: a press in between is answered. */
async function run(): Promise<void> {
  for (const file of __FILES__.entry) {
    await import(file)
    await new Promise((next) => setTimeout(next))
  }
}

const isHome = ['', 'login', 'logout'].includes(view) && !asked.get('zip')
if (!isHome) {
  const needed = Object.hasOwn(__FILES__.views, view) ? __FILES__.views[view] : undefined
  page.dataset.start = 'view'
  askForDebt()
  void shown().then(() => {
    begin()
    load('modulepreload', [__FILES__.words[language] ?? '', ...(needed?.scripts ?? [])])
    load('preload', needed?.styles ?? [], 'style')
  })
} else {
  if (language !== page.lang) page.dataset.start = 'bar'
  // Nobody can answer yet: the program does it again (packages/ui/src/start/carry-over.ts).
  addEventListener('submit', (event) => {
    if (!document.getElementById('kvitt-start')) return
    event.preventDefault()
    start.kvittSent = true
  })
  addEventListener('click', ({ target }) => {
    const button = (target as Element).closest('#kvitt-start :is(main, footer) button')
    if (button) start.kvittPressed = button.textContent
  })
  if (page.dataset.start) begin()
  else void shown().then(begin)
}

/** The page has been painted, so that nothing takes its time from that; soon in any case, for one that nobody sees. */
function shown(): Promise<void> {
  return new Promise((settle) => {
    if (document.hidden) return settle()
    new PerformanceObserver((seen) => {
      if (seen.getEntriesByName('first-contentful-paint')[0]) settle()
    }).observe({ type: 'paint', buffered: true })
    setTimeout(settle, LONGEST_UNPAINTED_MS)
  })
}

/** Only for a visitor without a session: whoever has one is asked first (threat csrf.sessionswap), or comes by another door. */
function askForDebt(): void {
  const isClaim = view === 'collection-batch'
  const pair = `${reference}/${isClaim ? (asked.get('zip') ?? '') : zip}`
  if (!(isClaim || view === 'invoice') || !/.\/./.test(pair) || asked.get('autologin') === 'false') return
  const session = stored('sessionStorage', 'invoice_token')
  const claim = stored('sessionStorage', 'collection_batch_payment_reference')
  if (stored('sessionStorage', 'id_token') || (session && session !== pair) || (isClaim && claim)) return
  const number = asked.get('invoiceNumber')
  const url = `/api/public/${isClaim ? 'collection-batches' : 'invoices'}/${pair}${number ? `?${new URLSearchParams({ invoiceNumber: number })}` : ''}`
  const response = fetch(url, { headers: { 'Accept-Language': language } })
  // Whoever takes the answer hears of a failure; nobody taking it is no fault.
  response.catch(() => {})
  start.kvittEarly = { url, response }
}
