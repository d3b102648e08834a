import { expect, test } from 'vitest'
import { runBrowser } from '../testing/browser.ts'
import {
  ALVA,
  answerAtBank,
  arriveAtBank,
  ELIAS,
  logIn,
  MAJ,
  payNow,
  payNowButton,
} from '../testing/debtor.ts'
import { ownProduct } from '../testing/product.ts'

const product = await ownProduct('the bank fails')
const browser = await runBrowser()

function paymentsBooked(invoiceNumber: string): Promise<{ booked: number }[]> {
  return product.readRows(
    `select count(*)::int as booked from ledger_transaction t join invoice i on i.id = t.invoice_id
      where i.invoice_number = $1 and t.kind = 'PAYMENT'`,
    [invoiceNumber],
  )
}

test('The bank sends every notice twice; the payment is booked once', async () => {
  const page = await browser.open()
  await product.control('POST', 'faults', { target: 'bank', fault: 'duplicate-callback', times: 4 })
  await logIn(page, product, ELIAS)
  await payNow(page)
  await answerAtBank(page, 'Approve')
  await page.getByText('The invoice is closed.').waitFor()
  await product.control('DELETE', 'faults')
  expect(await paymentsBooked(ELIAS.number)).toEqual([{ booked: 1 }])
})

test('The bank sends its notices in the wrong order; the payment is booked once', async () => {
  const page = await browser.open()
  await product.control('POST', 'faults', { target: 'bank', fault: 'reorder-callbacks', times: 1 })
  await logIn(page, product, MAJ)
  await payNow(page)
  await answerAtBank(page, 'Approve')
  await page.getByText('The invoice is closed.').waitFor()
  await product.control('DELETE', 'faults')
  expect(await paymentsBooked(MAJ.number)).toEqual([{ booked: 1 }])
})

test('The bank never calls and nobody comes back; the payment is booked all the same', async () => {
  const page = await browser.open()
  await product.control('POST', 'faults', { target: 'bank', fault: 'drop-callback', times: 2 })
  await logIn(page, product, ALVA)
  await payNowButton(page).click()
  await arriveAtBank(page)
  const [order] = await product.ordersFor(ALVA.reference)
  await page.close()
  await product.control('POST', `orders/${order?.id}/approve`)
  await expect
    .poll(() => paymentsBooked(ALVA.number), { timeout: 90_000, interval: 1000 })
    .toEqual([{ booked: 1 }])
})
