/** Somebody with a question: by search, by link, without a network, in each language. */
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { LANGUAGES, runBrowser } from '../testing/browser.ts'
import { sharedProduct } from '../testing/product.ts'
import { expectAccessible } from '../testing/accessibility.ts'
import { isWhole, sampleFor } from '../testing/sample.ts'

const product = await sharedProduct()
const browser = await runBrowser()

type Cases = Record<(typeof LANGUAGES)[number], { question: string; topic: string }[]>
const CASES = JSON.parse(
  readFileSync(new URL('../../apps/support/articles/search-cases.json', import.meta.url), 'utf8'),
) as Cases

test.each(LANGUAGES)('A question with a typing error leads to its article: %s', async (language) => {
  const page = await browser.open({ language })
  for (const { question, topic } of sampleFor(LANGUAGES.indexOf(language), CASES[language])) {
    await page.goto(`${product.address}/support/${language}/`)
    const field = page.getByRole('combobox')
    await field.fill(question)
    await page.getByRole('option').first().waitFor()
    await field.press('ArrowDown')
    await field.press('Enter')
    await page.waitForURL(`${product.address}/support/${language}/${topic}/`)
    expect(await page.locator('html').getAttribute('lang')).toBe(language)
  }
})

test('A question that nobody has answered is told so, and a script in it is text', async () => {
  const page = await browser.open({ language: 'sv' })
  await page.goto(`${product.address}/support/sv/`)
  await page.getByRole('combobox').fill('<img src=x onerror=alert(1)> qzxwvkj')
  await page.getByText('Vi hittade inget svar på det.').waitFor()
  expect(await page.locator('img[src=x]').count()).toBe(0)
})

test('The list of answers closes when the search is left, and a press on an answer opens it', async () => {
  const page = await browser.open({ language: 'en', viewport: { width: 1280, height: 900 } })
  await page.goto(`${product.address}/support/en/`)
  const field = page.getByRole('combobox')
  const option = page.getByRole('option').first()
  // No question is longer than what is looked through.
  expect(await field.getAttribute('maxlength')).toBe('200')
  await field.fill('I have alredy paid')
  await option.waitFor()
  await page.keyboard.press('Tab')
  await option.waitFor({ state: 'hidden' })
  expect(await field.getAttribute('aria-expanded')).toBe('false')
  await field.click()
  await option.waitFor()
  await page.getByRole('heading', { level: 1 }).click()
  await option.waitFor({ state: 'hidden' })
  await field.click()
  await page.getByRole('option', { name: 'I have already paid' }).click()
  await page.waitForURL(`${product.address}/support/en/already-paid/`)
})

test('The beginning of a question finds nothing yet, and is told that more is needed', async () => {
  const page = await browser.open({ language: 'sv' })
  await page.goto(`${product.address}/support/sv/`)
  await page.getByRole('combobox').fill('hur kan jag')
  await page.getByText('Skriv några ord till om vad det gäller').waitFor()
  expect(await page.getByRole('option').count()).toBe(0)
  await page.getByRole('combobox').fill('hur kan jag betala senare')
  await page.getByRole('option').first().waitFor()
})

test('After a first visit answers are found and read without a network', async () => {
  const page = await browser.open({ language: 'en' })
  await page.goto(`${product.address}/support/en/`)
  const wanted = `${product.address}/support/en/already-paid/`
  await page.evaluate(async (address) => {
    while (!(await caches.match(address))) await new Promise((next) => setTimeout(next, 100))
  }, wanted)
  browser.expectTrouble(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to load resource|refused: 503/)
  await page.context().setOffline(true)
  await page.reload()
  await page.getByRole('combobox').fill('I have alredy paid')
  await page.getByRole('option').first().waitFor()
  await page.getByRole('combobox').press('Enter')
  await page.waitForURL(wanted)
  await page.getByRole('heading', { level: 1, name: 'I have already paid' }).waitFor()
  // What was never fetched is said in words, with all topics to go on from.
  await page.goto(`${product.address}/support/en/nothing/`)
  await page.getByText('You are offline.').waitFor()
  expect(await page.getByRole('link', { name: 'I cannot pay' }).count()).toBe(1)
  // The site's first address, another language and what is no page are said in words as well, and lead to what is kept.
  for (const path of ['', 'nothing', 'en']) {
    await page.goto(`${product.address}/support/${path}`)
    await page.getByRole('heading', { level: 1, name: 'You are offline' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
    expect(await page.getByRole('link', { name: 'I have already paid', exact: true }).count(), path).toBe(1)
  }
  await page.goto(`${product.address}/support/fi/cannot-pay/`)
  await page.getByRole('heading', { level: 1, name: 'Et ole verkossa' }).waitFor()
  await expectAccessible(page, 'offline, a page that is not kept')
  await page.getByRole('link', { name: 'I have already paid' }).click()
  await page.getByRole('heading', { level: 1, name: 'I have already paid' }).waitFor()
})

test('Of the host of its own only pages and assets of this build are kept, and no answer of a call', async () => {
  const site = product.address.replace(/\/\/[^:/]+/, '//support.localhost')
  const page = await browser.open({ language: 'en' })
  // A text has no icon of its own, and some browsers then ask for the host's.
  browser.expectTrouble(/favicon\.ico/)
  await page.goto(`${site}/robots.txt`)
  const old = [
    `${site}/en/cannot-pay/`,
    `${site}/assets/main-00000000.js`,
    `${site}/api/public/service-states`,
  ]
  await page.evaluate(async (addresses) => {
    const cache = await caches.open('support-1')
    for (const address of addresses) await cache.put(address, new Response('old'))
  }, old)
  await page.goto(`${site}/en/`)
  const kept = () =>
    page.evaluate(async () => {
      await navigator.serviceWorker.ready
      const names = await caches.keys()
      // Opening a cache makes it: the one of the old build is read by nobody, or it would come back after the worker has deleted it.
      const own = names.filter((name) => /^support-[0-9a-f]{12}$/.test(name))
      const lists = await Promise.all(own.map(async (name) => (await caches.open(name)).keys()))
      return { names, addresses: lists.flat().map(({ url }) => url) }
    })
  // A page that was kept of another build is kept as it is now, with what it needs.
  await expect.poll(async () => (await kept()).addresses, { timeout: 20_000 }).toContain(old[0])
  await expect
    .poll(async () => (await kept()).names, { timeout: 20_000 })
    .toEqual([expect.stringMatching(/^support-[0-9a-f]{12}$/)])
  expect(
    await page.evaluate(async (address) => (await caches.match(address))?.text(), old[0] ?? ''),
  ).toContain('<h1>')
  await page.goto(`${site}/en/already-paid/`)
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
    for (const path of [
      '/api/public/service-states',
      '/api/ping/version',
      '/sitemap.xml',
      '/en/?counted=yes',
    ])
      await fetch(path).then((answer) => answer.text())
  })
  const { addresses } = await kept()
  expect(addresses.length).toBeGreaterThan(3)
  for (const address of addresses) {
    expect(new URL(address).pathname).toMatch(/^\/(en|assets)\//)
    expect(address).not.toContain('00000000')
    expect(address).not.toContain('?')
  }
})

test('Whoever reads about BankID sees whether it answers, and without a script a link to that', async () => {
  const page = await browser.open({ language: 'sv' })
  await page.goto(`${product.address}/support/sv/bankid-trouble/`)
  const states = page.locator('#states')
  await states.getByText('BankID', { exact: true }).waitFor()
  expect(await states.getByRole('heading').innerText()).toBe('Hur tjänsterna fungerar')
  await expectAccessible(page, 'an article with the states of services')
  // The provider's icon has come after the words.
  expect(await page.locator('link[data-src]').getAttribute('href')).toMatch(/^\/api\/storage\/./)
  const plain = await browser.open({ language: 'sv', javaScript: false })
  await plain.goto(`${product.address}/support/sv/bankid-trouble/`)
  expect(await plain.locator('#states').isVisible()).toBe(false)
  expect(await plain.locator('footer #services').getAttribute('href')).toContain('/sv/services/')
})

test('Whether it helped is asked without a cookie, and answered in place', async () => {
  const page = await browser.open({ language: 'en' })
  await page.goto(`${product.address}/support/en/already-paid/`)
  await page.getByRole('button', { name: 'No', exact: true }).click()
  await page.getByText('Call us, or ask your question:').waitFor()
  expect(await page.context().cookies()).toEqual([])
})

test('An answer that was not counted is not said to be', async () => {
  const page = await browser.open({ language: 'en' })
  // As the server answers whoever has answered too often.
  await page.route('**/support/en/already-paid/', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 303, headers: { location: '/support/en/already-paid/?counted=no#helped' } })
      : route.continue(),
  )
  await page.goto(`${product.address}/support/en/already-paid/`)
  await page.getByRole('button', { name: 'Yes', exact: true }).click()
  await page.getByText('could not be counted').waitFor()
  expect(await page.getByText('Thank you!').count()).toBe(0)
})

/** The pages of both sites in a language, from their own site maps. */
async function placesOf(language: string): Promise<string[]> {
  const maps = await Promise.all(
    ['home', 'support'].map((site) =>
      fetch(`${product.address}/${site}/sitemap.xml`).then((map) => map.text()),
    ),
  )
  return maps
    .flatMap((map) => [...map.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, place]) => place ?? ''))
    .filter((place) => new URL(place).pathname.split('/')[2] === language)
}

/** Each day begins with another language, so that in five days every page was looked at in all of them. */
const TODAY = Math.floor(Date.now() / 86_400_000)

test.each(LANGUAGES)('axe finds nothing on the pages, in the light and the dark: %s', async (language) => {
  const places = await placesOf(language)
  expect(places.length).toBeGreaterThan(30)
  // Together the languages have every page of both sites once; the soak has all in each.
  const turn = (LANGUAGES.indexOf(language) + TODAY) % LANGUAGES.length
  const some = places.filter((_, index) => isWhole || index % LANGUAGES.length === turn)
  const open = (scheme: 'light' | 'dark', width: number): Promise<Page> =>
    browser.open({ language, scheme, viewport: { width, height: 800 } })
  const pages = [await open('light', 1280), await open('dark', 320)] as const
  for (const [index, place] of some.entries()) {
    const page = pages[index % 2 === 0 ? 0 : 1]
    await page.goto(place)
    await expectAccessible(page, `${place} ${index % 2 === 0 ? 'light' : 'dark'}`)
  }
})
