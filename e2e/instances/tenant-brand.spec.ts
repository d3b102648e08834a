import { expect, test } from 'vitest'
import { DESK, runBrowser } from '../testing/browser.ts'
import { sharedProduct } from '../testing/product.ts'

const product = await sharedProduct()
const browser = await runBrowser()
// Only a demo serves a tenant's host without https, and the browser says so.
const WITHOUT_HTTPS = /Cross-Origin-Opener-Policy header has been ignored/
const at = (host: string): string => product.address.replace('localhost', host)

test('The first paint is the tenant’s own: name, logo and colours without any script', async () => {
  // What is loaded ahead for scripts is not loaded without them.
  browser.expectTrouble(/assets\/.*\.js csp$/)
  const page = await browser.open({ javaScript: false })
  await page.goto(product.address)
  const bar = page.getByRole('banner')
  expect(await bar.innerText()).toContain('Nordklar')
  const logo = bar.getByRole('presentation').or(bar.locator('img'))
  expect(await logo.first().isVisible()).toBe(true)
  expect(await page.title()).toContain('Nordklar')
  expect(await page.content()).toContain('--brand-1:#0b5c6b')
})

test('Another tenant’s host shows the other brand', async () => {
  browser.expectTrouble(WITHOUT_HTTPS)
  const page = await browser.open({ viewport: DESK, language: 'nb' })
  await page.goto(`${at('fjellklar.portal.test')}/`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await page.getByRole('banner').innerText()).toContain('Fjellklar')
  expect(await page.title()).toContain('Fjellklar')
  expect(await page.locator('html').getAttribute('lang')).toBe('nb')
  expect(await page.content()).toContain('--brand-1:#1f3c88')
  expect(await page.getByRole('main').innerText()).not.toContain('Nordklar')
})

test('One tenant’s invoice cannot be opened at another tenant', async () => {
  browser.expectTrouble(/400/)
  browser.expectTrouble(WITHOUT_HTTPS)
  const page = await browser.open()
  await page.goto(`${at('fjellklar.portal.test')}/#/en/invoice/260101314920/41105`)
  await page.getByText('We cannot find an open invoice with these details.').waitFor()
  expect(await page.getByText('842,00').count()).toBe(0)
})

test('A host that belongs to nobody gets a neutral not found', async () => {
  browser.expectTrouble(/404/)
  browser.expectTrouble(WITHOUT_HTTPS)
  const page = await browser.open()
  const answer = await page.goto(`${at('nobody.portal.test')}/`)
  expect(answer?.status()).toBe(404)
  expect(await page.content()).not.toMatch(/nordklar|fjellklar/i)
})
