/** What a visitor sees and can do before the program of the page has come, and what is asked for meanwhile. */
import { readFileSync } from 'node:fs'
import type { Page, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { PHONE, runBrowser } from '../testing/browser.ts'
import { ELIAS } from '../testing/debtor.ts'
import { sharedProduct } from '../testing/product.ts'
import { CLAIM } from '../testing/screen.ts'

const product = await sharedProduct()
const browser = await runBrowser()

/** Holds the program back until `release` is called. */
async function holdScripts(page: Page): Promise<() => Promise<void>> {
  const held: Route[] = []
  let isOpen = false
  await page.route(/\/assets\/.*\.js$/, (route) => (isOpen ? route.continue() : void held.push(route)))
  return async () => {
    isOpen = true
    for (const route of held) await route.continue()
  }
}

type Screens = Record<string, { home: Record<string, string> }>

/** As the page of a provider without electronic ID is: the form stands in it at once. */
async function offerReferenceOnly(page: Page): Promise<void> {
  const file = new URL('../../apps/debtor/dist/screens.json', import.meta.url)
  const home = (JSON.parse(readFileSync(file, 'utf8')) as Screens).sv?.home
  const [choice, form] = ['BANKID,PAYMENT_REFERENCE', 'PAYMENT_REFERENCE'].map((logins) =>
    /<main.*<\/main>/s.exec(home?.[logins] ?? '')?.[0].replaceAll('kvitt0name', 'Nordklar Demo Inkasso AB'),
  )
  await page.route(`${product.address}/`, async (route) => {
    const answer = await route.fetch()
    const html = await answer.text()
    if (!choice || !form || !html.includes(choice)) throw new Error('the page is not the one that was built')
    await route.fulfill({
      response: answer,
      body: html.replace(choice, form).replace(/,?\{"code":"BANKID"[^}]*\}/, ''),
    })
  })
}

test('The start page stands complete before any script has come, in the provider’s language', async () => {
  const page = await browser.open({ viewport: PHONE, language: 'sv' })
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const release = await holdScripts(page)
  await page.goto(product.address)
  await page.getByRole('heading', { level: 1, name: 'Se och betala din faktura' }).waitFor()
  expect(await page.getByRole('contentinfo').innerText()).toContain('559999-0016')
  expect(await page.getByRole('link', { name: '031-390 06 10' }).first().getAttribute('href')).toBe(
    'tel:+46313900610',
  )
  expect(await page.content()).not.toMatch(/kvitt0|0000000000001/)
  expect(asked.filter((url) => !url.includes('/assets/')).length).toBeLessThanOrEqual(6)
  await release()
  await page.locator('#kvitt-start').waitFor({ state: 'detached' })
  // The program, too, dials what can be dialled from abroad.
  expect(await page.getByRole('link', { name: '031-390 06 10' }).first().getAttribute('href')).toBe(
    'tel:+46313900610',
  )
  await page.getByRole('link', { name: 'Personuppgifter' }).click()
  await page.getByRole('heading', { level: 1, name: 'Dina personuppgifter' }).waitFor()
})

test('In another language than the provider’s nothing is shown that would change', async () => {
  const page = await browser.open({ viewport: PHONE })
  const release = await holdScripts(page)
  await page.goto(`${product.address}/#/en/`)
  await page.locator('#kvitt-start').getByText('Nordklar', { exact: true }).waitFor()
  expect(await page.getByRole('heading').count()).toBe(0)
  await release()
  await page.getByRole('heading', { level: 1, name: 'See and pay your invoice' }).waitFor()
})

test.each([
  ['the start page', ''],
  ['the page that opens an invoice', `/#/sv/invoice/${ELIAS.reference}/${ELIAS.zip}`],
])('Nothing of the program is asked for before %s has been shown', async (_, path) => {
  const page = await browser.open({ viewport: PHONE, language: 'sv' })
  await page.goto(`${product.address}${path}`)
  await page.locator('#kvitt-start, #kvitt-opening').first().waitFor({ state: 'detached' })
  const { shown, asked } = await page.evaluate(() => ({
    shown: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity,
    asked: performance
      .getEntriesByType('resource')
      .filter(({ name }) => /\/assets\/.*\.(?:js|css)$/.test(name))
      .map(({ startTime }) => startTime),
  }))
  expect(asked.length).toBeGreaterThan(1)
  expect(Math.min(...asked)).toBeGreaterThanOrEqual(shown)
})

test('A start page that is never painted, in a window under others, gets its program all the same', async () => {
  const page = await browser.open({ viewport: PHONE, language: 'sv' })
  await page.addInitScript(() => {
    PerformanceObserver.prototype.observe = () => {}
  })
  await page.goto(product.address)
  await page.locator('#kvitt-start').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^Betalningsreferens/ }).click()
  expect(await page.getByLabel('Postnummer').count()).toBe(1)
})

test('A way to log in that is chosen before the program has come is not lost', async () => {
  const page = await browser.open({ viewport: PHONE, language: 'sv' })
  const release = await holdScripts(page)
  await page.goto(product.address)
  await page.getByRole('button', { name: /^Betalningsreferens/ }).click()
  await release()
  await page.getByLabel('Postnummer').waitFor()
  expect(await page.locator('#kvitt-start').count()).toBe(0)
})

test('What is typed and sent before the program has come is not lost', async () => {
  const page = await browser.open({ viewport: PHONE, language: 'sv' })
  await offerReferenceOnly(page)
  const release = await holdScripts(page)
  await page.goto(product.address)
  await page.getByLabel('Betalningsreferens').fill(ELIAS.reference)
  await page.getByLabel('Postnummer').fill(ELIAS.zip)
  await page.getByRole('button', { name: 'Logga in' }).click()
  expect(page.url()).not.toContain(ELIAS.reference)
  await release()
  await page.getByRole('heading', { level: 1, name: `Faktura ${ELIAS.number}` }).waitFor()
})

test('Half a form keeps its text and its cursor', async () => {
  const page = await browser.open({ viewport: PHONE, language: 'sv' })
  await offerReferenceOnly(page)
  const release = await holdScripts(page)
  await page.goto(product.address)
  await page.getByLabel('Betalningsreferens').fill('2601')
  await release()
  await page.locator('#kvitt-start').waitFor({ state: 'detached' })
  const field = page.getByLabel('Betalningsreferens')
  expect(await field.inputValue()).toBe('2601')
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
})

test.each([
  [
    'an invoice',
    `invoices/${ELIAS.reference}/${ELIAS.zip}`,
    `invoice/${ELIAS.reference}/${ELIAS.zip}`,
    new RegExp(`Faktura ${ELIAS.number}`),
  ],
  [
    'a claim',
    `collection-batches/${CLAIM.reference}/${CLAIM.zip}`,
    `collection-batch/${CLAIM.reference}?zip=${CLAIM.zip}`,
    /^Ärende /,
  ],
])('A link to %s asks for it before the program has come, and only once', async (_, call, link, heading) => {
  const page = await browser.open({ viewport: PHONE, language: 'sv' })
  const asked: string[] = []
  const path = `/api/public/${call}`
  page.on('request', (request) => new URL(request.url()).pathname === path && asked.push(request.url()))
  const release = await holdScripts(page)
  const early = page.waitForResponse((response) => response.url().endsWith(path))
  await page.goto(`${product.address}/#/sv/${link}`)
  await early
  expect(await page.getByRole('textbox').count()).toBe(0)
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Hämtar dina uppgifter')
  await release()
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  expect(asked).toHaveLength(1)
})

const PARTS = ['payment-methods', 'events', 'client', 'documents']

test('What an invoice’s page shows besides is asked for before the page is made, and once', async () => {
  const page = await browser.open({ viewport: PHONE, language: 'sv' })
  await page.addInitScript(() => {
    const seen = new MutationObserver(() => {
      if (!document.querySelector('h1')?.textContent.startsWith('Faktura')) return
      performance.mark('made')
      seen.disconnect()
    })
    seen.observe(document, { childList: true, subtree: true })
  })
  await page.goto(`${product.address}/#/sv/invoice/${ELIAS.reference}/${ELIAS.zip}`)
  await page.getByRole('group', { name: 'Välj betalsätt' }).waitFor()
  const { made, asked } = await page.evaluate(() => ({
    made: performance.getEntriesByName('made')[0]?.startTime ?? 0,
    asked: performance
      .getEntriesByType('resource')
      .map(({ name, startTime }) => [new URL(name).pathname, startTime] as const),
  }))
  const base = `/api/public/invoices/${ELIAS.reference}/${ELIAS.zip}/`
  const times = (part: string) =>
    asked.filter(([path]) => path === base + part).map(([, time]) => time < made)
  expect(Object.fromEntries(PARTS.map((part) => [part, times(part)]))).toEqual(
    Object.fromEntries(PARTS.map((part) => [part, [true]])),
  )
  // A page that took seconds asks the bank once more.
  expect(times('payment-requests/status')[0]).toBe(true)
})

test('Where an error was made is known again once React has begun', async () => {
  const page = await browser.open({ viewport: PHONE, language: 'sv' })
  await page.goto(product.address)
  await page.locator('#kvitt-start').waitFor({ state: 'detached' })
  const stack = await page.evaluate(() => {
    function here(): string | undefined {
      return new Error('x').stack
    }
    return here()
  })
  expect(stack).toContain('here')
})

test('A link to somebody else’s invoice asks for nothing before the visitor has agreed', async () => {
  const page = await browser.open({ viewport: PHONE, language: 'sv' })
  await page.goto(`${product.address}/#/sv/invoice/${ELIAS.reference}/${ELIAS.zip}`)
  await page.getByRole('heading', { level: 1, name: `Faktura ${ELIAS.number}` }).waitFor()
  await page.goto('about:blank')
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(`${product.address}/#/sv/invoice/260104929823/11122`)
  await page.getByRole('button', { name: 'Öppna den andra fakturan' }).waitFor()
  expect(asked.filter((url) => url.includes('260104929823'))).toEqual([])
})

test('Assets never change under their name, and the page is never kept', async () => {
  const start = await fetch(product.address)
  expect(start.headers.get('cache-control')).toBe('no-cache')
  const [, script] = /"entry":\["([^"]+)"/.exec(await start.text()) ?? []
  const asset = await fetch(`${product.address}${script}`, { headers: { 'accept-encoding': 'br' } })
  expect(asset.headers.get('content-encoding')).toBe('br')
  expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
})
