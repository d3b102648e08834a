import { expect, test } from 'vitest'
import { runBrowser } from '../testing/browser.ts'
import {
  ALVA,
  answerAtBank,
  choosePayNow,
  ELIAS,
  headline,
  logIn,
  mainText,
  payNow,
  payNowButton,
} from '../testing/debtor.ts'
import { sharedProduct } from '../testing/product.ts'

const product = await sharedProduct()
const browser = await runBrowser()

test('Elias pays in one tab; the pay button of a tab left open opens no second payment', async () => {
  const page = await browser.open()
  await logIn(page, product, ELIAS)
  const stale = await browser.openTab(page)
  await logIn(stale, product, ELIAS)
  await choosePayNow(stale)

  await page.bringToFront()
  await payNow(page)
  await answerAtBank(page, 'Approve')
  await page.getByText('The invoice is closed.').waitFor()

  browser.expectTrouble(/400/)
  // As a tab that never got a glance in between: the press itself has to meet the real state.
  await payNowButton(stale).dispatchEvent('click')
  await stale.getByRole('heading', { name: 'Paid – nothing more to do' }).waitFor()
  expect((await product.ordersFor(ELIAS.reference)).map(({ status }) => status)).toEqual(['executed'])
})

test('Back from the thanks leads to the invoice as it now is, not to a payment', async () => {
  const page = await browser.open()
  await logIn(page, product, ALVA)
  await page.getByRole('button', { name: /^Pay .* now$/ }).click()
  await answerAtBank(page, 'Approve')
  await page.getByText('The invoice is closed.').waitFor()
  await page.reload()
  await page.getByText('The invoice is closed.').waitFor()
  expect(await headline(page).innerText()).toBe('Thank you for your payment')
  await page.goBack()
  await page
    .getByText('You have already approved this payment.')
    .or(page.getByText('This payment has been made.'))
    .waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: 'Paid – nothing more to do' }).waitFor()
  expect(await mainText(page)).toContain('The invoice is closed')
  expect(await product.ordersFor(ALVA.reference)).toHaveLength(1)
})
