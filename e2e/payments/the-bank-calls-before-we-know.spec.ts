import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { runBrowser } from '../testing/browser.ts'
import { choosePayNow, ELIAS, logIn, MAJ, payNowButton, statusOf, type Invoiced } from '../testing/debtor.ts'
import { ownProduct } from '../testing/product.ts'

const product = await ownProduct('it holds the line to the bank', { withBankLine: true })
const browser = await runBrowser()

/** The bank takes our order, its payer approves, its notice arrives, and only then its answer to our order. */
async function payWithALateAnswer(page: Page, debtor: Invoiced): Promise<void> {
  const orders = async (): Promise<string[]> =>
    (await product.ordersFor(debtor.reference)).map(({ status }) => status)
  const notices = (): Promise<unknown[]> =>
    product.readRows(
      `select 1 from gateway_event e join payment p on p.id = e.payment_id where p.payment_reference = $1`,
      [debtor.reference],
    )
  await logIn(page, product, debtor)
  await choosePayNow(page)
  product.bankLine.hold()
  await payNowButton(page).click()
  await expect.poll(orders, { timeout: 8000 }).toEqual(['waiting'])
  const [order] = await product.ordersFor(debtor.reference)
  await product.control('POST', `orders/${order?.id}/approve`)
  await expect.poll(notices, { timeout: 8000 }).not.toEqual([])
  expect(await statusOf(product, debtor)).toBe('ACTIVATED')
  product.bankLine.release()
}

test('cb.early: The bank’s notice overtakes its answer to our order; the payment is applied once', async () => {
  const page = await browser.open()
  await payWithALateAnswer(page, ELIAS)
  await expect.poll(() => statusOf(product, ELIAS), { timeout: 30_000 }).toBe('CLOSED')
  const booked = await product.readRows<{ payments: number }>(
    `select count(*)::int as payments from ledger_transaction t join invoice i on i.id = t.invoice_id
      where i.payment_reference = $1 and t.kind = 'PAYMENT'`,
    [ELIAS.reference],
  )
  expect(booked).toEqual([{ payments: 1 }])
  expect(await product.ordersFor(ELIAS.reference)).toHaveLength(1)
  await page.goto('about:blank')
  await page.goto(`${product.address}/#/en/invoice/${ELIAS.reference}/${ELIAS.zip}`)
  await page.getByRole('heading', { name: 'Paid – nothing more to do' }).waitFor()
})

test('Whoever has paid before the bank’s answer arrived is not told that nothing was paid', async () => {
  const page = await browser.open()
  await payWithALateAnswer(page, MAJ)
  await expect.poll(() => statusOf(product, MAJ), { timeout: 30_000 }).toBe('CLOSED')
  await expect
    .poll(async () => (await page.getByRole('main').innerText()).replaceAll(/\s+/g, ' '), { timeout: 10_000 })
    .toMatch(/Thank you for your payment|Paid – nothing more to do|already/)
  expect(await page.getByText('Nothing has been paid').count()).toBe(0)
})
