import { expect, test } from 'vitest'
import { DESK, runBrowser } from '../testing/browser.ts'
import { answerAtBank, arriveAtBank, ELIAS, headline, logIn, mainText, statusOf } from '../testing/debtor.ts'
import { debt, openDebt } from '../testing/each-way.ts'
import { ownProduct } from '../testing/product.ts'

const product = await ownProduct('it moves the clock')
const browser = await runBrowser()

test.each([
  { ...debt('Invoice 261074', '260104929823'), session: 'debtor' },
  { ...debt('Claim 702369', '770231451327'), session: 'public' },
  { ...debt('Claim 702665', '770260370521', '21115'), session: 'debtor' },
] as const)('$title, $session: the bank is told to pay on the last day', async ({ session, ...at }) => {
  // Most of what these people owe has been due for long.
  await product.readRows(
    `update ${at.isClaim ? 'claim' : 'invoice'} set expire_date = current_date + 30 where payment_reference = $1 returning id`,
    [at.reference],
  )
  const page = await browser.open({ viewport: DESK })
  await openDebt(page, product, at, session)
  expect(await page.getByRole('radio', { name: /^Pay on the due date/ }).isChecked()).toBe(true)
  await page.getByRole('button', { name: /^Pay .* on \d/ }).click()
  await arriveAtBank(page)
  await answerAtBank(page, 'Approve')
  await page.getByText(/^Your payment is booked for /).waitFor()
  expect((await product.ordersFor(at.reference)).map(({ status }) => status)).toEqual(['due-date'])
  await page.getByRole('button', { name: at.isClaim ? 'Return to claim' : 'Return to invoice' }).click()
  await page.getByText(/will be taken from your bank account on/).waitFor()
  expect(await page.getByRole('radio').count()).toBe(0)
})

test('Elias lets the bank pay on the due date; the day comes and the invoice is closed', async () => {
  const page = await browser.open({ viewport: DESK })
  await logIn(page, product, ELIAS)
  expect(await page.getByRole('radio', { name: /^Pay on the due date/ }).isChecked()).toBe(true)
  await page.getByRole('button', { name: /^Pay 842,00 kr on / }).click()
  await arriveAtBank(page)
  await answerAtBank(page, 'Approve')

  await page.getByText(/^Your payment is booked for /).waitFor()
  const [order] = await product.ordersFor(ELIAS.reference)
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(order?.executionDate ?? ''),
  )
  expect(await headline(page).innerText()).toBe('Thank you for your payment')
  expect(await mainText(page)).toContain(`Your payment is booked for ${day}.`)
  expect(order?.status).toBe('due-date')

  await page.getByRole('button', { name: 'Return to invoice' }).click()
  await page.getByText(`842,00 kr will be taken from your bank account on ${day}.`).waitFor()
  expect(await page.getByRole('radio').count()).toBe(0)

  await product.control('POST', 'clock', { advanceDays: 13 })
  await page.reload()
  await page.getByText(`842,00 kr will be taken from your bank account on ${day}.`).waitFor()

  await product.control('POST', 'clock', { advanceDays: 1 })
  await expect.poll(() => statusOf(product, ELIAS), { timeout: 20_000 }).toBe('CLOSED')
  await page.reload()
  await page.getByRole('heading', { name: 'Paid – nothing more to do' }).waitFor()
  expect(await mainText(page)).toContain('The invoice is closed')
  expect((await product.ordersFor(ELIAS.reference)).map(({ status }) => status)).toEqual(['executed'])
})
