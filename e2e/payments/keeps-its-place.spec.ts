/** Nothing moves under the finger, and whoever comes back is where they were. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { runBrowser } from '../testing/browser.ts'
import { ALVA } from '../testing/debtor.ts'
import { sharedProduct } from '../testing/product.ts'
import { isWhole } from '../testing/sample.ts'
import { METHODS, PLANNED } from '../testing/screen.ts'

const product = await sharedProduct()
const browser = await runBrowser()

/** What comes last: from then on a place is kept. */
const LAST = /\/error-page-/

const invoiceIsShown = (page: Page): Promise<void> =>
  page.getByRole('heading', { level: 1, name: `Invoice ${ALVA.number}` }).waitFor()

async function openInvoice({ reference, zip }: { reference: string; zip: string }): Promise<Page> {
  const page = await browser.open()
  const last = page.waitForRequest(LAST)
  await page.goto(`${product.address}/#/en/invoice/${reference}/${zip}`)
  await last
  return page
}

/** Waits until nothing makes the page higher any more. */
async function hasGrown(page: Page): Promise<void> {
  const height = () => page.evaluate(() => document.documentElement.scrollHeight)
  const growth = async () => {
    const before = await height()
    await page.waitForTimeout(1_000)
    return (await height()) - before
  }
  await expect.poll(growth, { timeout: 20_000 }).toBe(0)
}

test('Back, forward and a reload show a page where it was left; another one begins at its top', async () => {
  const page = await openInvoice(ALVA)
  await invoiceIsShown(page)
  const standsAt = (y: number) => expect.poll(() => page.evaluate(() => scrollY)).toBe(y)
  await page.evaluate(() => scrollTo(0, 900))
  // Not by the link, to which a test scrolls down.
  await page.evaluate(() => (location.hash = '#/en/accessibility'))
  await page.getByRole('heading', { level: 1, name: /^Accessibility/ }).waitFor()
  await standsAt(0)
  await page.evaluate(() => scrollTo(0, 10))
  await page.goBack()
  await invoiceIsShown(page)
  await standsAt(900)
  await page.goForward()
  await page.getByRole('heading', { level: 1, name: /^Accessibility/ }).waitFor()
  await standsAt(10)
  await page.goBack()
  await standsAt(900)
  // Twice, and the first time without an answer.
  const answer = /\/api\/.*invoice/
  await page.route(answer, () => {})
  const last = page.waitForRequest(LAST)
  await page.reload()
  await last
  await page.unroute(answer)
  // As a person does it: the key that asks for it is pressed, too.
  await page.keyboard.press('F5')
  await page.reload()
  await invoiceIsShown(page)
  await standsAt(900)
})

test('The way to pay that is chosen stays under the finger, whatever the one before it had opened', async () => {
  const page = await openInvoice(PLANNED)
  const radios = page.locator(METHODS)
  await radios.first().waitFor()
  const count = await radios.count()
  expect(count).toBeGreaterThan(4)
  // All that they open has come: a page that is shorter than that cannot stay where it is.
  for (const radio of await radios.all()) {
    await radio.check()
    await hasGrown(page)
  }
  for (let from = 0; from < count; from += 1) {
    for (let to = 0; to < count; to += 1) {
      // From each to the next one and to the one before it; all pairs in the soak.
      const isNeighbour = to === (from + 1) % count || from === (to + 1) % count
      if (from === to || !(isWhole || isNeighbour)) continue
      await radios.nth(from).check()
      // A press is held for two frames.
      await page.waitForTimeout(200)
      const topOf = (): Promise<number> => radios.nth(to).evaluate((at) => at.getBoundingClientRect().top)
      await radios.nth(to).evaluate((at) => scrollBy(0, at.getBoundingClientRect().top - 150))
      const before = await topOf()
      // Not by a pointer, for which a test scrolls.
      await radios.nth(to).evaluate((at: HTMLInputElement) => at.click())
      await expect.poll(topOf, { message: `from ${from} to ${to}` }).toBeCloseTo(before, 0)
    }
  }
})

test('The End key leads to the end, whatever came into the last part before it was seen', async () => {
  const page = await browser.open({ viewport: { width: 320, height: 600 } })
  // The history comes after the ways to pay, which push the part that it belongs to out of sight.
  await page.route(/\/api\/.*\/events/, async (route) => {
    await page.getByText('Advertisement').waitFor()
    await route.continue()
  })
  await page.goto(`${product.address}/#/en/invoice/${ALVA.reference}/${ALVA.zip}`)
  await invoiceIsShown(page)
  await page.getByRole('heading', { name: 'What has happened' }).waitFor()
  await hasGrown(page)
  await page.keyboard.press('End')
  const left = () => page.evaluate(() => document.documentElement.scrollHeight - innerHeight - scrollY)
  await expect.poll(left).toBeLessThan(2)
})

test('A page that grows above its place is not somewhere else after each reload', async () => {
  const page = await openInvoice(ALVA)
  await invoiceIsShown(page)
  await hasGrown(page)
  await page.evaluate(() => scrollTo(0, 900))
  const kept: number[] = []
  for (let turn = 0; turn < 3; turn += 1) {
    await page.route(/\/api\//, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1_500))
      await route.continue().catch(() => {})
    })
    const last = page.waitForRequest(LAST)
    await page.reload()
    await last
    await invoiceIsShown(page)
    await hasGrown(page)
    kept.push(await page.evaluate(() => scrollY))
  }
  expect(new Set(kept).size, kept.join()).toBe(1)
})
