/** A browser that is told to keep nothing: no cookie, and none of the storage that goes with them. */
import { expect, test } from 'vitest'
import { LANGUAGES, runBrowser } from '../testing/browser.ts'
import { ELIAS, headline } from '../testing/debtor.ts'
import { sharedProduct } from '../testing/product.ts'
import { sampleFor } from '../testing/sample.ts'
import { sayIn } from '../testing/screen.ts'

const product = await sharedProduct()
const browser = await runBrowser()

async function openKeepingNothing(language: (typeof LANGUAGES)[number] = 'en') {
  const page = await browser.open({ language })
  // As Chromium does it where cookies are refused; a context of a test cannot be told to.
  await page.addInitScript(() => {
    for (const area of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(window, area, {
        configurable: true,
        get() {
          throw new DOMException('Access is denied for this document.', 'SecurityError')
        },
      })
    }
  })
  return page
}

test.each(sampleFor(2, LANGUAGES, 2))('%s: the start page is there', async (language) => {
  const page = await openKeepingNothing(language)
  await page.goto(`${product.address}/#/${language}`)
  await page.getByRole('heading', { level: 1, name: sayIn(language, 'home.title') }).waitFor()
  await page.getByText(sayIn(language, 'login.choose_method')).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe(language)
})

test('From the link in a letter I pay, and come back to the thanks', async () => {
  const page = await openKeepingNothing()
  await page.goto(`${product.address}/#/en/invoice/${ELIAS.reference}/${ELIAS.zip}`)
  await page.getByRole('radio', { name: /^Direct bank payment/ }).waitFor()
  expect(await headline(page).innerText()).toContain(ELIAS.number)
  await page.getByRole('button', { name: /^Pay 842,00 kr on / }).click()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('heading', { level: 1, name: /^Thank you/ }).waitFor()
})

test('A program that cannot start says so, and does not begin anew for ever', async () => {
  const page = await openKeepingNothing()
  browser.expectTrouble(/ERR_FAILED|dynamically imported module/)
  await page.route(/_language_en-[^/]+\.js$/, (route) => route.abort('failed'))
  let loads = 0
  page.on('load', () => (loads += 1))
  await page.goto(`${product.address}/#/en`)
  await page.locator('#kvitt-lost').waitFor()
  await page.waitForTimeout(8_000)
  expect(loads).toBe(1)
})

test('A part that does not come is said, and the page is not loaded anew for it again and again', async () => {
  const page = await openKeepingNothing()
  browser.expectTrouble(/ERR_FAILED/)
  await page.route(/\/contact-dialog-[^/]+\.js$/, (route) => route.abort('failed'))
  let loads = 0
  page.on('load', () => (loads += 1))
  await page.goto(`${product.address}/#/en/invoice/${ELIAS.reference}/${ELIAS.zip}`)
  await headline(page).waitFor()
  await page.waitForTimeout(8_000)
  expect(loads).toBe(1)
})
