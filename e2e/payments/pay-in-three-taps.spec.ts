/** From the link in a letter to paid, on a phone that has never been here. */
import { devices, type Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { PHONE, runBrowser } from '../testing/browser.ts'
import { ELIAS, MAJ, type Invoiced } from '../testing/debtor.ts'
import { sharedProduct } from '../testing/product.ts'

const product = await sharedProduct()
const browser = await runBrowser()

const MOST_TAPS = 3
const SMALL_PHONE = { width: 375, height: 667 }

async function openLetter({
  reference,
  zip,
}: Invoiced): Promise<{ page: Page; taps: () => Promise<number> }> {
  const page = await browser.open({ viewport: PHONE })
  await page.addInitScript((agent) => {
    Object.defineProperty(navigator, 'userAgent', { value: agent })
  }, devices['Pixel 7'].userAgent)
  // Kept for the whole tab: the bank is another host, and its page counts as well.
  let count = 0
  await page.exposeFunction('tapped', () => {
    count += 1
  })
  await page.addInitScript(() => addEventListener('pointerdown', () => tapped(), true))
  await page.goto(`${product.address}/en/invoice/${reference}/${zip}`)
  await page.getByRole('radio', { name: /^Direct bank payment/ }).waitFor()
  return { page, taps: async () => count }
}

declare function tapped(): void

test('Wherever I have scrolled to, one button is the one to press', async () => {
  const { page } = await openLetter(ELIAS)
  const height = await page.evaluate(() => document.body.scrollHeight)
  const inView = () =>
    page.locator('[data-look="primary"]').evaluateAll((buttons: HTMLElement[]) =>
      buttons.flatMap((button) => {
        const { top, bottom } = button.getBoundingClientRect()
        const isFilled = getComputedStyle(button).backgroundColor !== 'rgb(255, 255, 255)'
        const isSeen = bottom > 0 && top < innerHeight && button.checkVisibility({ visibilityProperty: true })
        return isSeen && isFilled ? [button.innerText.replaceAll(/\s+/g, ' ')] : []
      }),
    )
  // What the window shows is known a moment after it has moved.
  await expect.poll(inView).toHaveLength(1)
  for (let top = 60; top < height; top += 60) {
    await page.evaluate((to) => scrollTo(0, to), top)
    await expect.poll(async () => (await inView()).length, { message: `at ${top}` }).toBeLessThanOrEqual(1)
  }
  await page.getByRole('button', { name: /^Pay 842,00 kr on / }).scrollIntoViewIfNeeded()
  await expect.poll(inView).toEqual([expect.stringMatching(/^Pay 842,00 kr on /)])
  // On a small one the ways to pay begin below the first view: there it is the one that leads to them.
  await page.setViewportSize(SMALL_PHONE)
  await page.evaluate(() => scrollTo(0, 0))
  await expect.poll(inView).toEqual([`Pay ${ELIAS.amount}`])
})

test('Direct bank payment: pay, pay, approve', async () => {
  const { page, taps } = await openLetter(ELIAS)
  await page.getByRole('button', { name: `Pay ${ELIAS.amount}`, exact: true }).click()
  await page.getByRole('button', { name: /^Pay 842,00 kr on / }).click()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('heading', { level: 1, name: 'Thank you for your payment' }).waitFor()
  expect(await taps()).toBeLessThanOrEqual(MOST_TAPS)
})

test('Swish: choose it, press, and the app opens by itself; the approval is the third', async () => {
  const { page, taps } = await openLetter(MAJ)
  // No app answers here, so the browser gives the way to it up; until it has, it would give up a reload instead.
  const sentToApp = page.waitForEvent('requestfailed', (request) =>
    request.url().startsWith('swish://paymentrequest?token='),
  )
  await page.getByText('Swish', { exact: true }).click()
  await page.getByRole('button', { name: `Pay ${MAJ.amount} with Swish` }).click()
  await sentToApp
  expect(await taps()).toBeLessThan(MOST_TAPS)
  // For whoever did not get there: the same payment once more.
  await page.reload()
  await page.getByRole('link', { name: 'Open Swish' }).waitFor()
  const orders = await product.control<{ id: string; kind?: string; reference: string }[]>('GET', 'orders')
  const mine = orders.filter(({ kind, reference }) => kind === 'mobile' && reference === MAJ.reference)
  expect(mine).toHaveLength(1)
  await product.control('POST', `orders/${mine[0]?.id}/approve`)
  await page.getByText('Paid – nothing more to do').waitFor()
})

test('Bank transfer: one tap shows everything, another copies the reference', async () => {
  const { page, taps } = await openLetter({ reference: '260112159629', zip: '11122' })
  await page.getByText('Bank transfer', { exact: true }).click()
  await page.getByText('9990-0334').waitFor()
  // A browser with a window lets whoever presses; the one without asks first.
  await page.context().grantPermissions(['clipboard-write'])
  await page.getByRole('button', { name: 'Copy Reference number' }).click()
  await page.getByText('Copied value').first().waitFor()
  expect(await taps()).toBeLessThan(MOST_TAPS)
})
