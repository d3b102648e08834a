/** A connection that is lost or slow: what the page says, and what it keeps. */
import { expect, test } from 'vitest'
import { expectAccessible } from '../testing/accessibility.ts'
import { DESK, PHONE, runBrowser } from '../testing/browser.ts'
import { ELIAS, payNowButton } from '../testing/debtor.ts'
import { sharedProduct } from '../testing/product.ts'

const product = await sharedProduct()
const browser = await runBrowser()

test('When the connection is lost the page says so once, and nothing that stood there is gone', async () => {
  browser.expectTrouble(/ERR_INTERNET_DISCONNECTED/)
  const page = await browser.open({ viewport: PHONE })
  await page.goto(`${product.address}/#/en/invoice/${ELIAS.reference}/${ELIAS.zip}`)
  // Not that of the page that is waited for, which has one too.
  await page.getByRole('heading', { level: 1, name: ELIAS.number }).waitFor()
  await page.context().setOffline(true)
  const word = page.getByRole('status').filter({ hasText: 'You are not connected to the internet.' })
  await word.waitFor()
  await expectAccessible(page, 'offline')
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toContain(ELIAS.number)
  await page.context().setOffline(false)
  await word.waitFor({ state: 'detached' })
})

test('T-CHAOS-UI: A payment that is pressed without a connection is not made, says so, and can be made afterwards', async () => {
  browser.expectTrouble(/ERR_INTERNET_DISCONNECTED/)
  const page = await browser.open({ viewport: PHONE })
  await page.goto(`${product.address}/#/en/invoice/${ELIAS.reference}/${ELIAS.zip}`)
  await page.getByRole('radio', { name: /^Pay now/ }).check()
  await page.context().setOffline(true)
  await payNowButton(page).click()
  await page.getByText('We got no answer').waitFor()
  expect(await product.ordersFor(ELIAS.reference)).toEqual([])
  await page.context().setOffline(false)
  await payNowButton(page).click()
  await page.getByRole('heading', { name: 'Approve the payment' }).waitFor()
  expect(await product.ordersFor(ELIAS.reference)).toHaveLength(1)
})

test('A copy that is asked for without a connection is not said to be missing, and comes when there is one', async () => {
  browser.expectTrouble(/ERR_INTERNET_DISCONNECTED/)
  const page = await browser.open({ viewport: DESK })
  await page.goto(`${product.address}/#/en/invoice/${ELIAS.reference}/${ELIAS.zip}`)
  const copy = page.getByRole('button', { name: 'Download copy' })
  await copy.waitFor()
  await page.context().setOffline(true)
  await copy.click()
  // Other parts of the page may say the same, when the connection went before they had come.
  await page.getByRole('status').filter({ hasText: 'We could not load this.' }).waitFor()
  expect(await page.getByText('Unable to find invoice document.').count()).toBe(0)
  await page.context().setOffline(false)
  const file = page.waitForEvent('download')
  await copy.click()
  await file
})

test('T-BW: On a slow line the invoice can be read and paid while the rest still comes', async () => {
  const page = await browser.open({ viewport: PHONE })
  const line = await page.context().newCDPSession(page)
  await line.send('Network.enable')
  // What a browser calls slow 3G.
  await line.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 400,
    downloadThroughput: 50_000,
    uploadThroughput: 50_000,
  })
  const began = Date.now()
  await page.goto(`${product.address}/#/sv/invoice/260104929823/11122`, { waitUntil: 'commit' })
  await page.getByText('Hämtar dina uppgifter').first().waitFor({ state: 'attached' })
  expect(Date.now() - began, 'the page that opens an invoice').toBeLessThan(5_000)
  await page.getByRole('heading', { level: 1, name: 'Faktura 261074' }).waitFor()
  await page
    .getByRole('button', { name: /^Betala / })
    .first()
    .waitFor()
})
