import { expect, test } from 'vitest'
import { DESK, runBrowser } from '../testing/browser.ts'
import { ALVA, ELIAS, logIn, mainText, statusOf, type Invoiced } from '../testing/debtor.ts'
import { sharedProduct } from '../testing/product.ts'

const product = await sharedProduct()
const browser = await runBrowser()

type MobileOrder = { readonly id: string; readonly kind?: string; readonly reference: string }

async function requestFor({ reference }: Invoiced): Promise<string> {
  const orders = await product.control<MobileOrder[]>('GET', 'orders')
  return orders.find((order) => order.kind === 'mobile' && order.reference === reference)?.id ?? ''
}

test('Elias scans the code with his phone, and the page shows that he has paid', async () => {
  const page = await browser.open({ viewport: DESK })
  await logIn(page, product, ELIAS)
  await page.getByRole('radio', { name: /^Swish/ }).check()
  await page.getByRole('button', { name: `Pay ${ELIAS.amount} with Swish` }).click()
  await page.getByRole('img', { name: 'QR code for Swish' }).waitFor()
  await page.getByText('We are waiting for you to approve in Swish.').waitFor()
  await page.reload()
  await page.getByRole('img', { name: 'QR code for Swish' }).waitFor()
  expect(await page.getByRole('radio', { name: /^Swish/ }).isChecked()).toBe(true)
  await product.control('POST', `orders/${await requestFor(ELIAS)}/approve`)
  await page.getByText('Paid – nothing more to do').waitFor()
  // What was paid with is told by another answer than that it is paid.
  await expect.poll(() => mainText(page)).toContain('Payment method Swish')
  expect(await statusOf(product, ELIAS)).toBe('CLOSED')
})

test('Alva says no in the app and pays with her bank instead', async () => {
  const page = await browser.open({ viewport: DESK })
  await logIn(page, product, ALVA)
  await page.getByRole('radio', { name: /^Swish/ }).check()
  await page.getByRole('button', { name: `Pay ${ALVA.amount} with Swish` }).click()
  await page.getByRole('img', { name: 'QR code for Swish' }).waitFor()
  await product.control('POST', `orders/${await requestFor(ALVA)}/decline`)
  await page.getByText('The payment did not go through. No money has been taken.').waitFor()
  await page.getByRole('radio', { name: /^Direct bank payment/ }).check()
  await page.getByRole('button', { name: `Pay ${ALVA.amount} now` }).waitFor()
  expect(await statusOf(product, ALVA)).toBe('ACTIVATED')
})
