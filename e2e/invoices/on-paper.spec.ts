/** What comes out of a printer, whatever the screen looks like. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESK, runBrowser } from '../testing/browser.ts'
import { ELIAS } from '../testing/debtor.ts'
import { sharedProduct } from '../testing/product.ts'
import { CLAIM, METHODS } from '../testing/screen.ts'

const product = await sharedProduct()
const browser = await runBrowser()

/** A dark screen that moves, as it is when somebody presses Print. */
async function openDark(path: string): Promise<Page> {
  const page = await browser.open({ viewport: DESK, scheme: 'dark' })
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'no-preference' })
  await page.goto(`${product.address}/#/en/${path}`)
  return page
}

const print = (page: Page): Promise<void> =>
  page.emulateMedia({ media: 'print', colorScheme: 'dark', reducedMotion: 'no-preference' })

const colourOf = (page: Page, selector: string): Promise<string> =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => getComputedStyle(element).color)

test('An invoice is black on white and has the account to pay to, though nobody has chosen it', async () => {
  const page = await openDark(`invoice/${ELIAS.reference}/${ELIAS.zip}`)
  await page.locator(METHODS).first().waitFor()
  await page.getByText('9990-0227').waitFor({ state: 'attached' })
  expect(await colourOf(page, 'h1')).not.toBe('rgb(0, 0, 0)')
  await print(page)
  for (const selector of ['body', 'h1', '#history-heading']) {
    expect(await colourOf(page, selector), selector).toBe('rgb(0, 0, 0)')
  }
  const account = page.getByText('9990-0227')
  expect(await account.isVisible()).toBe(true)
  const opacity = await account.evaluate((element) => {
    let seen = 1
    for (let at: Element | null = element; at; at = at.parentElement)
      seen *= Number(getComputedStyle(at).opacity)
    return seen
  })
  expect(opacity).toBe(1)
  expect(await page.getByRole('navigation').isVisible()).toBe(false)
})

test('An open dialog is printed alone, with everything in it open', async () => {
  const page = await openDark(`collection-batch/${CLAIM.reference}?zip=${CLAIM.zip}`)
  await page.getByRole('button', { name: 'More details' }).first().click()
  await page.getByRole('dialog').getByText('Invoice ').first().waitFor()
  await print(page)
  const bought = page.getByRole('dialog').getByText('Purchase date').first()
  // What a row hides is laid out a frame after the medium has changed.
  await expect.poll(() => bought.isVisible(), { timeout: 5_000 }).toBe(true)
  const height = await page.locator('#root').evaluate((root) => root.getBoundingClientRect().height)
  expect(height).toBe(0)
})

test('What is asked for, where it is paid and what has happened take one sheet, the sender’s name included', async () => {
  for (const path of ['invoice/260112159629/11122', 'collection-batch/770231451327?zip=11122']) {
    const page = await openDark(path)
    await page.locator(METHODS).first().waitFor()
    await page.getByText('OCR line').first().waitFor({ state: 'attached' })
    const sheets = (await page.pdf({ format: 'A4', preferCSSPageSize: true })).toString('latin1')
    expect(sheets.match(/\/Type\s*\/Page\b(?!s)/g), path).toHaveLength(1)
  }
})
