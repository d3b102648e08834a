/** From the debtor's question to the clerk's answer, and back to the debtor, who reads it and writes again. */
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

test('a question with a file is answered, and the answer is read', async () => {
  const page = await browser.open({ viewport: PHONE })
  await logIn(page, product, ELIAS)
  const card = page.getByRole('region', { name: /^Write to / })
  await card.getByRole('button', { name: 'Ask a question' }).click()
  const dialog = page.getByRole('dialog', { name: 'Ask a question' })
  await dialog.getByText('Nothing is paused meanwhile.', { exact: false }).waitFor()
  await dialog.getByRole('button', { name: 'Send' }).click()
  await dialog.getByText('Write what you want to say.').waitFor()
  await expectAccessible(page, 'the question')
  await dialog.getByLabel('What do you want to say?').fill('Which period is this for?')
  await dialog
    .getByLabel('Choose files')
    .setInputFiles({ name: 'moving.png', mimeType: 'image/png', buffer: PNG })
  await dialog.getByRole('button', { name: 'Send' }).click()
  await card.getByText(/ answers by /).waitFor()
  await card.getByRole('button', { name: /moving\.png/ }).waitFor()
  await expectAccessible(page, 'a conversation that waits')

  const desk = await clerk()
  await desk
    .getByRole('row', { name: /Answer question.*261037/ })
    .getByRole('link')
    .click()
  await desk.getByText('Which period is this for?').waitFor()
  await desk.getByRole('link', { name: 'moving.png' }).waitFor()
  await expectAccessible(desk, 'the question of a debtor')
  await desk.getByLabel(/^Answer to /).fill('It is for October.')
  await desk.keyboard.press('Control+Enter')
  await desk
    .getByText(/^The answer to .* is sent$/)
    .first()
    .waitFor()
  await desk.goto(`${product.address}/client/#/conversations?tab=answered`)
  await desk.getByText('It is for October.').waitFor()
  await expectAccessible(desk, 'the conversations')

  await page.reload()
  await card.getByText('It is for October.').waitFor()
  await card.getByRole('button', { name: 'Write more' }).click()
  await page.keyboard.type('Thank you. And November?')
  await card.getByRole('button', { name: 'Send' }).click()
  await card.getByText(/ answers by /).waitFor()
  expect(await card.getByRole('listitem').filter({ hasText: 'November?' }).count()).toBe(1)
})
