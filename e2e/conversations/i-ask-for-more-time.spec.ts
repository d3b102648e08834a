/** More time that is given at once, and a payment that a clerk finds: each from the debtor and back to the debtor. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from '../testing/accessibility.ts'
import { DESK, PHONE, runBrowser } from '../testing/browser.ts'
import { ELIAS, logIn } from '../testing/debtor.ts'
import { sharedProduct } from '../testing/product.ts'

const product = await sharedProduct()
const browser = await runBrowser()

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAABgAAAAHCAAAAAA3nNJqAAAAEklEQVR4nGOsYMAOmHCI0wKDhICABwYAjGwfDwAAAABJRU5ErkJggg==',
  'base64',
)

/** A clerk of Elias' creditor, on the to-do list. */
async function clerk(): Promise<Page> {
  const page = await browser.open({ viewport: DESK })
  await page.goto(`${product.address}/client/#/todo?lng=en`)
  await page.getByLabel('E-mail').fill('clerk@kvitt.example')
  await page.getByLabel('Password', { exact: true }).fill('Kvitt-demo-2026')
  await page.keyboard.press('Enter')
  return page
}

test('more time comes at once, and a payment with proof is found by a clerk', async () => {
  const page = await browser.open({ viewport: PHONE })
  await logIn(page, product, ELIAS)
  const card = page.getByRole('region', { name: /^Write to / })
  await card.getByRole('button', { name: 'Ask for more time' }).click()
  const time = page.getByRole('dialog', { name: 'Ask for more time' })
  await time.getByText('It costs nothing', { exact: false }).waitFor()
  await time
    .getByText('You get it at once.', { exact: true })
    .or(time.getByText(/^You get it at once\. Before/))
    .waitFor()
  await expectAccessible(page, 'more time')
  await time.getByRole('button', { name: 'Send' }).click()
  await card.getByText(/^You have until /).waitFor()

  await card.getByRole('button', { name: 'I have already paid' }).click()
  const paid = page.getByRole('dialog', { name: 'I have already paid' })
  await paid.getByText('No step is taken until you have an answer.').waitFor()
  await paid.getByLabel('How much did you pay?').fill('100,00')
  await paid
    .getByLabel('Choose files')
    .setInputFiles({ name: 'receipt.png', mimeType: 'image/png', buffer: PNG })
  await expectAccessible(page, 'already paid')
  await paid.getByRole('button', { name: 'Send' }).click()
  await card.getByText(/ answers by /).waitFor()
  await card.getByRole('button', { name: /receipt\.png/ }).waitFor()

  const desk = await clerk()
  await desk
    .getByRole('row', { name: /Look for a payment.*261037/ })
    .getByRole('link')
    .click()
  await desk.getByText(/100[.,]00.* paid on .*Bank transfer/).waitFor()
  await desk.getByRole('link', { name: 'receipt.png' }).waitFor()
  await expectAccessible(desk, 'a payment to look for')
  await desk.getByLabel(/^Answer to /).fill('It came to our old account.')
  await desk.keyboard.press('Control+Enter')
  await desk
    .getByText(/^The answer to .* is sent$/)
    .first()
    .waitFor()

  await page.reload()
  await card.getByText(/ was found and counts from /).waitFor()
  await card.getByText('It came to our old account.').waitFor()
  expect(await card.getByText('No step is taken').count()).toBe(0)
})
