/** A browser that notices what goes wrong behind a page. */
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { afterEach, expect } from 'vitest'

export const PHONE = { width: 400, height: 800 } as const
export const DESK = { width: 1280, height: 900 } as const
export const LANGUAGES = ['sv', 'en', 'nb', 'da', 'fi'] as const
export type Language = (typeof LANGUAGES)[number]

/** Hosts of providers that some journeys visit, on this machine. */
const HOSTS = ['fjellklar.portal.test', 'nobody.portal.test', 'nordklar.pay-demo.com']

const ARGUMENTS = [
  `--host-resolver-rules=${HOSTS.map((host) => `MAP ${host} 127.0.0.1`).join(', ')}`,
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export type Look = {
  readonly language?: Language
  readonly viewport?: { readonly width: number; readonly height: number }
  readonly scheme?: 'light' | 'dark'
  readonly javaScript?: boolean
}

export type Visits = {
  /** A page of somebody new: nothing stored, nobody logged in. English on a phone unless told. */
  open(look?: Look): Promise<Page>
  /** Another tab of the same person. */
  openTab(page: Page): Promise<Page>
  /** Says that trouble matching `pattern` belongs to this test. */
  expectTrouble(pattern: RegExp): void
}

/** Console errors, broken scripts, refused and lost requests; a request that is cut off by leaving is no trouble. */
function watch(page: Page, note: (trouble: string) => void): void {
  page.on('console', (message) => {
    if (message.type() === 'error') note(`console: ${message.text()} (${message.location().url})`)
  })
  // From the beginning: a key that is pressed at once overtakes the word that choosers are listened to.
  page.on('filechooser', () => {})
  page.on('pageerror', (error) => note(`script: ${error.message}`))
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? ''
    if (why !== 'net::ERR_ABORTED') note(`lost: ${request.method()} ${request.url()} ${why}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) note(`refused: ${response.status()} ${response.url()}`)
  })
}

/** A worker of the test runner keeps what its modules hold from file to file. The browser ends with the worker. */
let running: Browser | undefined

async function launchBrowser(): Promise<Browser> {
  if (running?.isConnected()) return running
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
  running = await chromium.launch({ executablePath, args: ARGUMENTS })
  return running
}

/**
 * The browser that the files of a worker share; what a page stores goes with it. After each test its pages are closed, and
 * anything that went wrong behind them fails the test unless the test had said so.
 */
export async function runBrowser(): Promise<Visits> {
  const browser = await launchBrowser()
  let troubles: string[] = []
  let expected: RegExp[] = []
  let contexts: BrowserContext[] = []
  const note = (trouble: string): void => void troubles.push(trouble)

  afterEach(async () => {
    for (const context of contexts) await context.close()
    const unexpected = troubles.filter((trouble) => !expected.some((pattern) => pattern.test(trouble)))
    contexts = []
    troubles = []
    expected = []
    expect(unexpected).toEqual([])
  })

  return {
    async open({ language = 'en', viewport = PHONE, scheme = 'light', javaScript = true } = {}) {
      const context = await browser.newContext({
        viewport,
        locale: language,
        colorScheme: scheme,
        reducedMotion: 'reduce',
        javaScriptEnabled: javaScript,
      })
      context.setDefaultTimeout(20_000)
      context.on('page', (page) => watch(page, note))
      contexts.push(context)
      return context.newPage()
    },
    openTab: (page) => page.context().newPage(),
    expectTrouble: (pattern) => void expected.push(pattern),
  }
}
