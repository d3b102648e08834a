import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runBrowser } from '../testing/browser.ts'
import {
  answerAtBank,
  ELIAS,
  fillLogin,
  headline,
  logIn,
  mainText,
  openLogin,
  payNow,
  statusOf,
} from '../testing/debtor.ts'
import { sharedProduct } from '../testing/product.ts'

const product = await sharedProduct()
const browser = await runBrowser()

/** The title that a PDF gives itself in its metadata. */
function titleOf(pdf: Buffer): string | undefined {
  return /<dc:title>.*?<rdf:li[^>]*>([^<]*)</s.exec(pdf.toString('utf8'))?.[1]
}

test('Elias types his reference with spaces, sees what he owes, pays at his bank and gets a receipt', async () => {
  const page = await browser.open()
  await openLogin(page, product)
  await fillLogin(page, ' 2601 0131 4920 ', '411 05')
  await page.getByRole('heading', { level: 1, name: `Invoice ${ELIAS.number}` }).waitFor()
  expect(await mainText(page)).toContain('15 days left')
  expect(await page.getByText('Total due').first().isVisible()).toBe(true)
  expect(await page.getByText(ELIAS.amount).first().isVisible()).toBe(true)

  await payNow(page)
  expect(await mainText(page)).toContain('842,00')
  await answerAtBank(page, 'Approve')

  await page.getByText('The invoice is closed.').waitFor()
  expect(await headline(page).innerText()).toBe('Thank you for your payment')
  await page.getByRole('button', { name: 'Return to invoice' }).click()
  await page.getByRole('heading', { name: 'Paid – nothing more to do' }).waitFor()
  expect(await page.getByText('The invoice is closed').first().isVisible()).toBe(true)

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download receipt' }).click(),
  ])
  expect(download.suggestedFilename()).toContain(ELIAS.number)
  const receipt = readFileSync(await download.path())
  expect(receipt.subarray(0, 5).toString()).toBe('%PDF-')
  expect(receipt.length).toBeGreaterThan(1000)
  expect(titleOf(receipt)).toContain(ELIAS.number)
  expect((await product.ordersFor(ELIAS.reference)).map((order) => order.status)).toEqual(['executed'])
})

test('The next day the same login shows that nothing is left to pay', async () => {
  const page = await browser.open()
  await logIn(page, product, ELIAS)
  await page.getByRole('heading', { name: 'Paid – nothing more to do' }).waitFor()
  expect(await page.getByRole('button', { name: /^Pay/ }).count()).toBe(0)
})

test('What is left after a payment is named, and paid with one more press', async () => {
  const page = await browser.open()
  const late = { reference: '260191687425', zip: '11122' }
  await logIn(page, product, late)
  await page.getByText('We have received 9 000,00 kr, paid on').waitFor()
  expect(await mainText(page)).toContain('9 000,00 kr is left to pay.')
  await page.getByRole('button', { name: 'Pay the remaining amount' }).click()
  await payNow(page)
  expect(await mainText(page)).toContain('9 000,00')
  await answerAtBank(page, 'Approve')
  await page.getByRole('button', { name: 'Return to invoice' }).click()
  await expect.poll(() => statusOf(product, late), { timeout: 20_000 }).toBe('CLOSED')
})

test('Where nothing can be paid with, no button leads there', async () => {
  const page = await browser.open()
  await logIn(page, product, { reference: '260162768220', zip: '90325' })
  await page.getByText('No payment methods').waitFor()
  expect(await page.getByRole('button', { name: /^Pay/ }).count()).toBe(0)
})

test('A part that is late is paid with one press from the invoice that is paid in parts', async () => {
  const page = await browser.open()
  await logIn(page, product, { reference: '260166383125', zip: '21115' })
  await page.getByText('You will get a part invoice for each part.').waitFor()
  expect(await mainText(page)).not.toContain('The first one comes in good time')
  await page.getByRole('link', { name: 'Pay 957,17 kr' }).click()
  await page.getByRole('heading', { level: 1, name: 'Invoice 261777' }).waitFor()
  await page.getByRole('button', { name: 'Pay 957,17 kr now' }).waitFor()
})

test('What an instalment asked for is not said to have come on top of it', async () => {
  const page = await browser.open()
  await logIn(page, product, { reference: '260173612920', zip: '21115' })
  const happened = page.getByRole('region', { name: 'What has happened' })
  await happened.getByText('957,17 kr').waitFor()
  expect(await happened.getByText('+').count()).toBe(0)
})
