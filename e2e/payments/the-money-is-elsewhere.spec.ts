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
  MAJ,
  payNow,
  payNowButton,
  textOf,
  type Invoiced,
} from '../testing/debtor.ts'
import { ownProduct } from '../testing/product.ts'

const product = await ownProduct('the bank fails')
const browser = await runBrowser()

type Told = { readonly id: string; readonly status: string; readonly receivedAmount: number }
const askFor = async ({ reference, zip }: Invoiced): Promise<Told | undefined> => {
  const path = `public/invoices/${reference}/${zip}/payment-requests/status`
  const { body } = await product.call('PUT', path)
  return (body as Told[])[0]
}

test('The bank took another sum than Elias approved; he is not asked to pay again', async () => {
  const page = await browser.open()
  await product.control('POST', 'faults', { target: 'bank', fault: 'wrong-amount', times: 20 })
  await logIn(page, product, ELIAS)
  await payNow(page)
  await answerAtBank(page, 'Approve')
  await expect.poll(() => textOf(headline(page)), { timeout: 20_000 }).toContain('We are waiting for news')
  const text = await mainText(page)
  expect(text).toContain('Do not pay again.')
  expect(text).not.toContain('Choose another way to pay')
  await page.getByRole('button', { name: 'Return to invoice' }).click()
  await page.getByRole('heading', { name: 'We are waiting for news of your payment' }).waitFor()
  expect(await page.getByRole('radio').count()).toBe(0)
  expect(await page.getByRole('button', { name: /^Pay / }).count()).toBe(0)
  await product.control('DELETE', 'faults')
})

test('What Alva paid is sent back; her invoice says so and can be paid again', async () => {
  const page = await browser.open()
  await logIn(page, product, ALVA)
  await page.getByRole('radio', { name: /^Swish/ }).check()
  await page.getByRole('button', { name: `Pay ${ALVA.amount} with Swish` }).click()
  await page.getByText('We are waiting for you to approve in Swish.').waitFor()
  const [order] = await product.ordersFor(ALVA.reference)
  await product.control('POST', `orders/${order?.id}/approve`)
  await page.getByText('Paid – nothing more to do').waitFor()
  const payment = await askFor(ALVA)
  expect(product.sendBack(payment?.id ?? '')).toContain('399.00 SEK')
  expect(await askFor(ALVA)).toMatchObject({ status: 'COMPLETED', receivedAmount: 0 })
  await page.reload()
  await page.getByText('399,00 kr that you had paid has gone back. It is unpaid here again.').waitFor()
  await page.getByRole('button', { name: `Pay ${ALVA.amount} now` }).waitFor()
  expect(await mainText(page)).not.toContain('We have received')
})

test('The answer of Maj’s bank is lost, and the bank takes the money all the same: she sees that it has come', async () => {
  const page = await browser.open()
  await product.control('POST', 'faults', { target: 'bank', fault: 'error-after-success', times: 1 })
  browser.expectTrouble(/400 .*payment-requests|payment-requests.*400|400 .*Bad Request/)
  await logIn(page, product, MAJ)
  await choosePayNow(page)
  await payNowButton(page).click()
  await page.getByText('Nothing has been paid', { exact: false }).waitFor()
  await product.control('DELETE', 'faults')
  const [order] = await product.ordersFor(MAJ.reference)
  await product.control('POST', `orders/${order?.id}/approve`)
  await product.control('POST', 'settle', {})
  await expect.poll(() => askFor(MAJ), { timeout: 20_000 }).toMatchObject({ receivedAmount: 1890 })
  await page.reload()
  await page.getByText('Paid – nothing more to do').waitFor()
  await page.goto(`${product.address}/#/en/confirmation/${MAJ.reference}/${MAJ.zip}`)
  await page.getByRole('heading', { name: 'Thank you for your payment' }).waitFor()
})
