import { expect, test } from 'vitest'
import { runBrowser } from '../testing/browser.ts'
import { answerAtBank, ELIAS, headline, logIn, mainText, payNow } from '../testing/debtor.ts'
import { sharedProduct } from '../testing/product.ts'

const product = await sharedProduct()
const browser = await runBrowser()

test('Elias says no at the bank, is told that no money was taken, and pays after all', async () => {
  const page = await browser.open()
  await logIn(page, product, ELIAS)
  await payNow(page)
  await answerAtBank(page, 'Decline')
  await page.getByRole('heading', { level: 1, name: 'Payment failed' }).waitFor()
  expect(await mainText(page)).toContain('No money has been taken.')

  await page.getByRole('button', { name: 'Try again' }).click()
  await payNow(page)
  await answerAtBank(page, 'Approve')
  await page.getByText('The invoice is closed.').waitFor()
  expect(await headline(page).innerText()).toBe('Thank you for your payment')
  const orders = await product.ordersFor(ELIAS.reference)
  expect(orders.map(({ status }) => status)).toEqual(['executed', 'declined'])
})
