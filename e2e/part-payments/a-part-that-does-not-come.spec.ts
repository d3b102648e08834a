/** A part of the program that cannot be fetched: what stands in its place, and that nothing else is lost. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from '../testing/accessibility.ts'
import { DESK, LANGUAGES, PHONE, runBrowser } from '../testing/browser.ts'
import { ELIAS, headline } from '../testing/debtor.ts'
import { method, PLAN } from '../testing/each-way.ts'
import { sharedProduct } from '../testing/product.ts'
import { sampleFor } from '../testing/sample.ts'
import { PLANS, sayIn } from '../testing/screen.ts'

const product = await sharedProduct()
const browser = await runBrowser()

const at = (path: string, language = 'en'): string => `${product.address}/#/${language}/${path}`
const PLANS_PAGE = `invoice/${PLANS.reference}/${PLANS.zip}`

/** Loses every file whose name matches, until the answer is called. */
async function lose(page: Page, files: RegExp): Promise<() => Promise<void>> {
  browser.expectTrouble(/ERR_FAILED|ERR_INTERNET_DISCONNECTED/)
  await page.route(files, (route) => route.abort('failed'))
  return () => page.unroute(files)
}

test.each(sampleFor(1, LANGUAGES, 2))(
  '%s: the plans cannot be fetched; the invoice stays, and they come by themselves',
  async (language) => {
    const page = await browser.open({ viewport: PHONE, language })
    const giveBack = await lose(page, /\/plan-method-[^/]+\.js$/)
    await page.goto(at(PLANS_PAGE, language))
    // The server seems to be away too: where it answers, the page is loaded anew after the second try.
    await page.route(`${product.address}/`, (route) => route.abort('failed'))
    await page.locator('input[value=PART_PAYMENT_PLAN]').check()
    const message = page.getByRole('alert').filter({ hasText: sayIn(language, 'late.failed') })
    await message.waitFor()
    expect(await headline(page).innerText()).toContain('261148')
    await expectAccessible(page, 'a part that did not come')
    // The part first: a try between the two would find a server that answers and no part, and load the page anew.
    await giveBack()
    await page.unroute(`${product.address}/`)
    await message.waitFor({ state: 'detached' })
    await page.getByRole('radio', { name: sayIn(language, 'part.plan') }).waitFor()
    await page.getByRole('button', { name: /^(Starta|Start|Aloita)/ }).waitFor()
  },
)

test('A style that did not come is asked for again with the part that it belongs to', async () => {
  const page = await browser.open({ viewport: DESK })
  const giveBack = await lose(page, /\/plan-method-[^/]+\.css$/)
  const failed = page.waitForEvent('requestfailed')
  // From the beginning: the next part that is fetched ahead asks for it too, before anything is pressed.
  const style = page.waitForResponse(/\/plan-method-[^/]+\.css$/, { timeout: 60_000 })
  await page.goto(at(PLANS_PAGE))
  await headline(page).waitFor()
  await failed
  await giveBack()
  await method(page, PLAN.method).check()
  await page.getByRole('button', { name: /^Start part payment/ }).waitFor()
  expect((await style).status()).toBe(200)
})

test('What a press opens is there without a connection, once it was fetched ahead', async () => {
  browser.expectTrouble(/ERR_INTERNET_DISCONNECTED/)
  const page = await browser.open({ viewport: DESK })
  const ahead = ['plan-method', 'dispute-dialog', 'customer-service-page', 'error-page'].map((name) =>
    page.waitForResponse((answer) => answer.url().includes(`/${name}-`) && answer.url().endsWith('.js')),
  )
  await page.goto(at(PLANS_PAGE))
  await Promise.all(ahead)
  await page.context().setOffline(true)
  await method(page, PLAN.method).check()
  await page.getByText('We could not load the part payments.').waitFor()
  await page.getByRole('button', { name: 'Dispute invoice' }).first().click()
  await page.getByRole('dialog').waitFor()
  expect(await headline(page).innerText()).toContain('261148')
})

test.each([
  ['the start page', '#/sv/'],
  ['an invoice', `#/sv/${PLANS_PAGE}`],
])('The program itself cannot be fetched: %s says so, and comes when it can', async (_, path) => {
  const page = await browser.open({ viewport: PHONE, language: 'sv' })
  browser.expectTrouble(/ERR_FAILED|ERR_INTERNET_DISCONNECTED/)
  // The connection is gone with the first file of the program.
  await page.route(/\/assets\/index-[^/]+\.js$/, async (route) => {
    await page.context().setOffline(true)
    await route.abort('failed')
  })
  await page.goto(`${product.address}/${path}`)
  await page.getByRole('heading', { level: 1, name: 'Vi kunde inte ladda sidan' }).waitFor()
  await expectAccessible(page, 'no program')
  await page.unroute(/\/assets\/index-[^/]+\.js$/)
  await page.context().setOffline(false)
  await page.locator('#kvitt-lost').waitFor({ state: 'detached' })
  await page
    .getByRole('heading', { level: 1, name: /^(?:Se och betala din faktura|Faktura 261148)$/ })
    .waitFor()
})

test('The program is broken: a press loads the page anew, and nothing does it for ever', async () => {
  const page = await browser.open({ viewport: DESK, language: 'sv' })
  browser.expectTrouble(/ERR_FAILED/)
  const giveBack = await lose(page, /\/assets\/index-[^/]+\.js$/)
  await page.goto(product.address)
  const again = page.getByRole('button', { name: 'Försök igen' })
  await again.waitFor()
  let loads = 0
  page.on('load', () => (loads += 1))
  await expect.poll(() => loads, { timeout: 30_000 }).toBe(3)
  await page.waitForTimeout(4_500)
  expect(loads).toBe(3)
  await giveBack()
  await again.click()
  await page.locator('#kvitt-lost').waitFor({ state: 'detached' })
})

test('A page that cannot be fetched says so and opens when it can', async () => {
  const page = await browser.open({ viewport: PHONE })
  const giveBack = await lose(page, /\/customer-service-page-[^/]+\.js$/)
  await page.goto(at(`invoice/${ELIAS.reference}/${ELIAS.zip}`))
  await page.getByRole('heading', { level: 1, name: `Invoice ${ELIAS.number}` }).waitFor()
  await page.goto(at('customerService'))
  await page.getByRole('heading', { level: 1, name: 'We could not load' }).waitFor()
  await giveBack()
  await page.getByRole('heading', { level: 1, name: 'Customer service' }).waitFor()
  expect(page.url()).toBe(at('customerService'))
})

test('A dialog that cannot be fetched does not take the page with it, and opens at the next press', async () => {
  const page = await browser.open({ viewport: DESK })
  const giveBack = await lose(page, /\/dispute-dialog-[^/]+\.js$/)
  await page.goto(at(`invoice/${ELIAS.reference}/${ELIAS.zip}`))
  const dispute = page.getByRole('button', { name: 'Dispute invoice' }).first()
  await dispute.click()
  await page.getByText('We could not load this.').waitFor()
  expect(await headline(page).innerText()).toContain(ELIAS.number)
  await giveBack()
  await dispute.click()
  await page.getByRole('dialog').waitFor()
})

test('A file that is gone from the server: the page is fetched anew, once and no more', async () => {
  browser.expectTrouble(/404/)
  const page = await browser.open({ viewport: PHONE })
  await page.route(/\/plan-method-[^/]+\.js$/, (route) => route.fulfill({ status: 404, body: '' }))
  await page.goto(at(PLANS_PAGE))
  await headline(page).waitFor()
  const reloaded = page.waitForEvent('load')
  await page.locator('input[value=PART_PAYMENT_PLAN]').check()
  await page.getByText('We could not load this.').waitFor()
  await reloaded
  let loads = 0
  page.on('load', () => (loads += 1))
  await page.locator('input[value=PART_PAYMENT_PLAN]').check()
  await page.getByText('We could not load this.').waitFor()
  await page.waitForTimeout(8_000)
  expect(loads).toBe(0)
  expect(await page.getByText('We could not load this.').count()).toBe(1)
})
