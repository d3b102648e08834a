/** An open page, and what happens to its invoice in the meantime somewhere else. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESK, PHONE, runBrowser, type Look } from '../testing/browser.ts'
import { ALVA, answerAtBank, ELIAS, logIn, MAJ, payNow, type Invoiced } from '../testing/debtor.ts'
import { sharedProduct, type Order } from '../testing/product.ts'
import { CLAIM } from '../testing/screen.ts'

const product = await sharedProduct()
const browser = await runBrowser()

const PAID = 'This has been paid. There is nothing more to pay.'

/** Every sentence that a screen reader is told from here on. */
async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const told: string[] = []
    Object.assign(globalThis, { told })
    const watch = new MutationObserver((changes) => {
      for (const { target } of changes) {
        const region = (target instanceof Element ? target : target.parentElement)?.closest(
          '[role="status"], [role="alert"]',
        )
        const text = region?.textContent?.trim()
        if (text && text !== told.at(-1)) told.push(text)
      }
    })
    watch.observe(document.body, { childList: true, subtree: true, characterData: true })
  })
  return () => page.evaluate(() => (globalThis as unknown as { told: string[] }).told)
}

/** A page whose clock goes on by itself and can be put forward: what it does after half a minute is seen at once. */
async function openWithClock(look?: Look): Promise<Page> {
  const page = await browser.open(look)
  await page.clock.install()
  return page
}

/** The window comes to the front, longer after the last look than it waits at least. */
async function comeBack(page: Page): Promise<void> {
  await page.clock.fastForward(3_100)
  await page.bringToFront()
  await page.evaluate(() => dispatchEvent(new Event('focus')))
}

async function payByCall(subject: string, { reference, zip }: Invoiced): Promise<void> {
  const at = `public/${subject}/${reference}/${zip}`
  const debt = (await product.call('GET', at)).body as {
    balanceTotal?: number
    today?: string
    balances: { total: number }
    dates?: { today: string }
  }
  const body = {
    paymentDate: debt.today ?? debt.dates?.today,
    amount: String(debt.balanceTotal ?? debt.balances.total),
    redirectUri: `${product.address}/`,
  }
  expect((await product.call('POST', `${at}/payment-requests`, { body })).status).toBe(201)
  const [order] = await product.ordersFor(reference)
  await product.control<Order>('POST', `orders/${order?.id}/approve`, {})
  await product.control('POST', 'settle', {})
  const newest = () =>
    product.readRows<{ status: string }>('select status::text from payment order by created_at desc limit 1')
  await expect.poll(newest, { timeout: 15_000 }).toEqual([{ status: 'COMPLETED' }])
}

const guesses = () => product.readRows('select * from guess_budget')

test('I pay in a second tab, and the first one shows it when I come back, in one sentence', async () => {
  const first = await openWithClock({ viewport: DESK })
  await logIn(first, product, ELIAS)
  await first.getByRole('radio', { name: /^Direct bank payment/ }).waitFor()
  const told = await listen(first)
  const second = await browser.openTab(first)
  await second.goto(`${product.address}/#/en/invoice/${ELIAS.reference}/${ELIAS.zip}`)
  await payNow(second)
  await answerAtBank(second, 'Approve')
  await second.getByRole('heading', { level: 1, name: 'Thank you for your payment' }).waitFor()
  await second.getByText('The invoice is closed.').waitFor()

  const before = await guesses()
  await comeBack(first)
  await first.getByText('Paid – nothing more to do').waitFor()
  expect(await first.getByRole('radio').count()).toBe(0)
  await comeBack(first)
  await first.waitForTimeout(1_000)
  expect(await told()).toEqual([PAID])
  expect(await guesses()).toEqual(before)
})

test('What I am writing is not touched: the page waits until I have closed the dialog', async () => {
  const page = await openWithClock({ viewport: PHONE })
  await logIn(page, product, MAJ)
  await page.getByRole('radio', { name: /^Direct bank payment/ }).waitFor()
  const wrong = page.getByRole('region', { name: /is something wrong/ })
  await wrong.getByRole('button').first().click()
  const dialog = page.getByRole('dialog', { name: 'Dispute invoice' })
  await dialog.getByLabel('Reason for dispute').fill('I never got')
  const told = await listen(page)
  await payByCall('invoices', MAJ)
  await comeBack(page)
  await page.waitForTimeout(1_500)
  expect(await told()).toEqual([])
  await page.keyboard.type(' anything.')
  expect(await dialog.getByLabel('Reason for dispute').inputValue()).toBe('I never got anything.')
  await page.keyboard.press('Escape')
  await page.getByText('Paid – nothing more to do').waitFor()
  await expect.poll(told).toEqual([PAID])
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY')
})

test('The focus stays where it is, and nothing is said when nothing has changed', async () => {
  const page = await openWithClock({ viewport: DESK })
  await page.goto(`${product.address}/#/en/collection-batch/${CLAIM.reference}?zip=${CLAIM.zip}`)
  await page.getByRole('radio', { name: /^Direct bank payment/ }).waitFor()
  const told = await listen(page)
  const help = page.locator('summary', { hasText: 'Wrong address' })
  await help.focus()
  const calls: string[] = []
  page.on('request', (request) => calls.push(request.url()))
  await comeBack(page)
  await expect.poll(() => calls.filter((url) => url.includes('/api/')).length).toBe(2)
  // Nobody needs to know more often than that.
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await page.waitForTimeout(1_000)
  expect(calls.filter((url) => url.includes('/api/'))).toHaveLength(2)
  expect(await told()).toEqual([])
  await payByCall('collection-batches', CLAIM)
  await comeBack(page)
  await page.getByText('Paid – nothing more to do').waitFor()
  expect(await help.evaluate((element) => element === document.activeElement)).toBe(true)
  expect(await told()).toEqual([PAID])
})

test('It also looks by itself, every half a minute while it can be seen, and no longer', async () => {
  const page = await openWithClock({ viewport: PHONE })
  await logIn(page, product, ALVA)
  await page.getByRole('radio', { name: /^Direct bank payment/ }).waitFor()
  await payByCall('invoices', ALVA)
  // Not before the half minute is over.
  await page.clock.fastForward(25_000)
  await page.waitForTimeout(1_000)
  expect(await page.getByText('Paid – nothing more to do').count()).toBe(0)
  await page.clock.fastForward(5_000)
  await page.getByText('Paid – nothing more to do').waitFor()
  await page.getByText(PAID).waitFor()
  await page.goto(`${product.address}/#/en/accessibility`)
  await page.getByRole('heading', { level: 1, name: 'Accessibility' }).waitFor()
  const calls: string[] = []
  page.on('request', (request) => calls.push(request.url()))
  await comeBack(page)
  await page.waitForTimeout(1_000)
  expect(calls.filter((url) => url.includes('/api/'))).toEqual([])
})
