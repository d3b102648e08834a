import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { HOSTILE_ADDRESSES } from '../../apps/server/src/testing/hostile-addresses.ts'
import { runBrowser } from '../testing/browser.ts'
import { ELIAS, startPage } from '../testing/debtor.ts'
import { sharedProduct } from '../testing/product.ts'

const product = await sharedProduct()
const browser = await runBrowser()

/** A link with `?ref=` on a page that is not there, on one that is, and before the hash. */
const WRITTEN: readonly ((ref: string) => string)[] = [
  (ref) => `/#/en/nowhere?ref=${ref}`,
  (ref) => `/#/en/accessibility?ref=${encodeURIComponent(ref)}`,
  (ref) => `/?ref=${encodeURIComponent(ref)}#/en/`,
]

/** Names that could take a piece of script or of mark-up into the page (threat xss.lang). */
const LANGUAGES = [
  'javascript:alert(1)',
  '..%2f',
  '..%2f..%2fevil.example',
  '%2f%2fevil.example',
  '\\\\evil.example',
  'sv"><img src=x onerror=alert(1)>',
  'sv%22%3E%3Cimg%20src=x%20onerror=alert(1)%3E',
  '%3Cscript%3Ealert(1)%3C%2Fscript%3E',
  '__proto__',
  'constructor',
  '%E0%A4%A',
  'x'.repeat(5000),
]

/** What a page must not do behind a link: ask another host, open a box, run against its own policy. */
async function listen(page: Page): Promise<string[]> {
  const heard: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== product.address) heard.push(request.url())
  })
  page.on('popup', (popup) => void heard.push(`popup ${popup.url()}`))
  page.on('dialog', (dialog) => {
    heard.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  await page.exposeFunction('note', (text: string) => void heard.push(text))
  await page.addInitScript(
    `addEventListener('securitypolicyviolation', (e) => note('policy ' + e.violatedDirective))`,
  )
  return heard
}

/** Opens each address in the page that is there, as a click on a link to it would; answers where that led. */
async function openEach(page: Page, addresses: readonly string[]): Promise<string[]> {
  return page.evaluate(async (all) => {
    const wait = (): Promise<void> => new Promise((settle) => void setTimeout(settle))
    const led = []
    for (const address of all) {
      const [search = '', hash = ''] = address.split('#')
      history.replaceState(null, '', search || '/')
      location.hash = hash
      // The page hears of it as the next thing, and goes on as the one after.
      await wait()
      await wait()
      led.push(`${location.origin}${location.pathname}${location.hash.split('?')[0]}`)
    }
    return led
  }, addresses)
}

test('redirect.ref: No ?ref= leads to another host, or anywhere but to a page of ours', async () => {
  const page = await browser.open()
  const heard = await listen(page)
  await page.goto(`${product.address}/#/en/`)
  await startPage(page).waitFor()
  await page.evaluate(() => Object.assign(globalThis, { isTheSamePage: true }))

  const led = []
  for (const write of WRITTEN) led.push(new Set(await openEach(page, HOSTILE_ADDRESSES.map(write))))
  const there = ['nowhere', 'accessibility', ''].map((view) => new Set([`${product.address}/#/en/${view}`]))
  expect(led).toEqual(there)
  expect(await page.evaluate(() => Object.hasOwn(globalThis, 'isTheSamePage'))).toBe(true)

  // The same way does lead to a page of ours.
  expect(await openEach(page, ['/#/en/nowhere?ref=/accessibility'])).toEqual([
    `${product.address}/#/en/accessibility`,
  ])
  expect(heard).toEqual([])
})

test('xss.lang: No language in a link gets into the page as more than text', async () => {
  const page = await browser.open()
  const heard = await listen(page)
  for (const language of LANGUAGES) {
    await page.goto('about:blank')
    await page.goto(`${product.address}/#/${language}/`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await page.evaluate(() => location.origin), language).toBe(product.address)
    expect(await page.locator('img[src="x"], [onerror]').count(), language).toBe(0)
  }
  expect(heard).toEqual([])
})

const TOKEN = 'Zm9yZWlnbi10b2tlbi1vZi1zb21lYm9keS1lbHNlLi4u'

/** A token as other portals take it: in the hash, in the query, beside a view, as a code to be exchanged. */
const WITH_TOKEN = [
  `/#id_token=${TOKEN}&token_type=Bearer`,
  `/#access_token=${TOKEN}&id_token=${TOKEN}&state=x`,
  `/#/en/?id_token=${TOKEN}&token_type=Bearer`,
  `/#/en/dashboard?id_token=${TOKEN}&token_type=Bearer`,
  `/#/en/dashboard#id_token=${TOKEN}`,
  `/#/en/invoice/260104929823?id_token=${TOKEN}`,
  `/#/en/confirmation?paymentReference=260104929823&id_token=${TOKEN}`,
  `/?id_token=${TOKEN}&user_email=alva@example.com#/en/`,
  `/?code=${TOKEN}&state=x#/en/`,
  `/?orderRef=${TOKEN}#/en/`,
]

test('token.inject: A token in a link logs nobody in, and is handed on to nobody', async () => {
  browser.expectTrouble(/40[014]/)
  for (const link of WITH_TOKEN) {
    const page = await browser.open()
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.isNavigationRequest()) return
      sent.push(`${request.url()} ${JSON.stringify(request.headers())} ${request.postData() ?? ''}`)
    })
    await page.goto(`${product.address}${link}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(await page.getByRole('heading', { level: 1 }).innerText(), link).not.toMatch(/Hello|Alva/)
    const kept = await page.evaluate(() => ({
      session: JSON.stringify(sessionStorage),
      local: JSON.stringify(localStorage),
      cookies: document.cookie,
    }))
    expect(JSON.stringify(kept), link).not.toMatch(/id_token/)
    // The way back of an electronic ID names an order of this browser, which is kept to ask for and opens nothing.
    if (!link.includes('orderRef')) expect(JSON.stringify(kept), link).not.toContain(TOKEN)
    for (const request of sent) {
      expect(request.toLowerCase(), link).not.toContain('"authorization"')
      if (!link.includes('orderRef')) expect(request, link).not.toContain(TOKEN)
    }
    await page.context().close()
  }
})

test('pay.iframe: In a page of somebody else’s there is nothing of ours to press', async () => {
  browser.expectTrouble(/frame|ERR_BLOCKED_BY_RESPONSE|Cross-Origin|404/i)
  const ours = `${product.address}/#/en/invoice/${ELIAS.reference}/${ELIAS.zip}`
  const hostile = createServer((_, answer) => {
    answer.writeHead(200, { 'content-type': 'text/html' })
    answer.end(`<!doctype html><title>Win</title><h1>Press here</h1>
      ${['', '/chat', '/api/docs', '/nowhere'].map((path) => `<iframe src="${product.address}${path}"></iframe>`).join('')}
      <iframe src="${ours}" style="opacity:0.01"></iframe><iframe sandbox="allow-scripts allow-forms" src="${ours}"></iframe>
      <object data="${ours}"></object><embed src="${ours}">`)
  })
  await new Promise<void>((listening) => hostile.listen(0, '127.0.0.1', listening))
  try {
    const page = await browser.open()
    await page.goto(`http://127.0.0.1:${(hostile.address() as AddressInfo).port}/`)
    await page.getByRole('heading', { name: 'Press here' }).waitFor()
    await page.waitForTimeout(3_000)
    const frames = page.frames().filter((frame) => frame !== page.mainFrame())
    expect(frames.length).toBeGreaterThanOrEqual(6)
    for (const frame of frames) {
      const shown = await frame.evaluate(
        () => `${location.origin} ${document.querySelectorAll('main, form, button').length}`,
      )
      expect(shown, frame.url()).not.toContain(product.address)
    }
    // By itself the same page is there.
    await page.goto(ours)
    await page.getByRole('heading', { level: 1, name: `Invoice ${ELIAS.number}` }).waitFor()
  } finally {
    hostile.close()
    hostile.closeAllConnections()
  }
})
