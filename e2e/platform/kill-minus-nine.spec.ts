import { expect, test } from 'vitest'
import { runBrowser } from '../testing/browser.ts'
import { ALVA, arriveAtBank, ELIAS, logIn, payNow, payNowButton } from '../testing/debtor.ts'
import { ownProduct } from '../testing/product.ts'

const product = await ownProduct('it kills the server')
const browser = await runBrowser()

type Paid = { status: string; balance: number; booked: number; payments: string[] }

async function stateOf(reference: string): Promise<Paid | undefined> {
  const [row] = await product.readRows<Paid>(
    `select i.status, i.balance_minor::int as balance,
            (select count(*)::int from ledger_transaction t where t.invoice_id = i.id and t.kind = 'PAYMENT') as booked,
            (select array_agg(p.status::text order by p.created_at) from payment p where p.invoice_id = i.id) as payments
       from invoice i where i.payment_reference = $1`,
    [reference],
  )
  return row
}

const PAID_ONCE = { status: 'CLOSED', balance: 0, booked: 1, payments: ['COMPLETED'] }

test('The power fails between the bank and the books; after the restart the payment is there, once', async () => {
  const page = await browser.open()
  await logIn(page, product, ELIAS)
  await payNow(page)
  const [order] = await product.ordersFor(ELIAS.reference)
  await product.kill9Server()
  await product.control('POST', `orders/${order?.id}/approve`)
  await expect
    .poll(async () => (await product.ordersFor(ELIAS.reference)).map(({ status }) => status), {
      timeout: 15_000,
    })
    .toEqual(['executed'])
  expect(await stateOf(ELIAS.reference)).toMatchObject({ status: 'ACTIVATED', booked: 0 })

  await product.startServerAgain()
  await expect.poll(() => stateOf(ELIAS.reference), { timeout: 60_000, interval: 500 }).toEqual(PAID_ONCE)
  await page.goto(`${product.address}/#/en/confirmation/${ELIAS.reference}/${ELIAS.zip}`)
  await page.getByText('The invoice is closed.').waitFor()
})

test('The power fails in the very second of the approval, again and again; the payment is there, once', async () => {
  const page = await browser.open()
  await logIn(page, product, ALVA)
  await payNowButton(page).click()
  await arriveAtBank(page)
  const [order] = await product.ordersFor(ALVA.reference)
  await product.control('POST', 'faults', { target: 'bank', fault: 'duplicate-callback', times: 2 })
  await product.control('POST', `orders/${order?.id}/approve`)
  for (const waitedMs of [20, 150, 600]) {
    await new Promise((settle) => setTimeout(settle, waitedMs))
    await product.kill9Server()
    await product.startServerAgain()
  }
  await expect.poll(() => stateOf(ALVA.reference), { timeout: 60_000, interval: 500 }).toEqual(PAID_ONCE)
})
