import { expect, test } from 'vitest'
import { runBrowser } from '../testing/browser.ts'
import { ELIAS, logIn, mainText, statusOf } from '../testing/debtor.ts'
import { sharedProduct } from '../testing/product.ts'

const product = await sharedProduct()
const browser = await runBrowser()

test('I dispute an invoice: what is missing is said, what I wrote is kept, and it is paused', async () => {
  const page = await browser.open()
  await logIn(page, product, ELIAS)
  await page
    .getByRole('region', { name: /is something wrong/ })
    .getByRole('button')
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: 'Dispute invoice' })
  const send = dialog.getByRole('button', { name: 'Dispute invoice' })
  await send.click()
  expect(await dialog.getByText('Following field must be provided.').count()).toBe(2)
  await dialog.getByLabel('E-mail').fill('elias@')
  await dialog.getByLabel('Reason for dispute').fill('I ended the contract in May.')
  await dialog.getByText('Not a valid e-mail.').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  await page.getByText('Dispute an invoice').click()
  await page
    .getByRole('group')
    .filter({ hasText: 'Dispute an invoice' })
    .getByRole('button', { name: 'Dispute invoice' })
    .click()
  expect(await dialog.getByLabel('Reason for dispute').inputValue()).toBe('I ended the contract in May.')
  await dialog.getByLabel('E-mail').fill('elias@example.com')
  await send.click()
  await page.getByText('The invoice is now registered as disputed.').waitFor()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Disputed and paused until further notice').waitFor()
  expect(await statusOf(product, ELIAS)).toBe('DISPUTED')
  expect(await page.getByRole('button', { name: 'Dispute invoice' }).count()).toBe(0)
  expect(await mainText(page)).toContain('Disputed')
})

test('A dispute that could not be sent says so and loses nothing', async () => {
  const alva = { reference: '260104929823', zip: '11122' }
  const page = await browser.open()
  await logIn(page, product, alva)
  await page.route('**/api/**/dispute*', (route) =>
    route.fulfill({ status: 500, json: { code: 'internal_error' } }),
  )
  browser.expectTrouble(/500.*dispute|dispute.*500|status of 500/)
  const open = () =>
    page
      .getByRole('region', { name: /is something wrong/ })
      .getByRole('button')
      .first()
  await open().click()
  const dialog = page.getByRole('dialog', { name: 'Dispute invoice' })
  await dialog.getByLabel('E-mail').fill('alva@example.com')
  await dialog.getByLabel('Reason for dispute').fill('Not mine.')
  await dialog.getByRole('button', { name: 'Dispute invoice' }).click()
  const sentence =
    'Something went wrong and we could not dispute the invoice. Please contact us if this continues to happen.'
  await page.locator('[role=status]').getByText(sentence).waitFor()
  await dialog.waitFor({ state: 'detached' })
  // The toast goes, what has to be mended stays.
  await page.locator('[role=status]').getByText(sentence).waitFor({ state: 'detached' })
  await page.getByRole('main').getByText(sentence).waitFor()
  await page.unroute('**/api/**/dispute*')
  await open().click()
  expect(await dialog.getByLabel('Reason for dispute').inputValue()).toBe('Not mine.')
})

test('The answer to my dispute is lost: the page does not say that it failed, and shows that it arrived', async () => {
  browser.expectTrouble(/ERR_FAILED/)
  const page = await browser.open()
  await logIn(page, product, { reference: '260104929823', zip: '11122' })
  await page.route('**/api/**/dispute*', async (route) => {
    await route.fetch()
    await route.abort('failed')
  })
  await page
    .getByRole('region', { name: /is something wrong/ })
    .getByRole('button')
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: 'Dispute invoice' })
  await dialog.getByLabel('E-mail').fill('alva@example.com')
  await dialog.getByLabel('Reason for dispute').fill('Not mine.')
  await dialog.getByRole('button', { name: 'Dispute invoice' }).click()
  await page.locator('[role=status]').getByText('We got no answer and do not know').waitFor()
  await page.getByText('Disputed and paused until further notice').first().waitFor()
  expect(await page.getByRole('main').getByText('We got no answer').count()).toBe(0)
  expect(
    await product.readRows(
      "select d.status from dispute d join invoice i on i.id = d.invoice_id where i.payment_reference = '260104929823'",
    ),
  ).toHaveLength(1)
})

test('I dispute a claim: it says so, and it is paused', async () => {
  const page = await browser.open()
  await page.goto(`${product.address}/#/en/collection-batch/770235066220?zip=11122`)
  await page
    .getByRole('region', { name: /is something wrong/ })
    .getByRole('button', { name: 'Dispute the claim' })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Dispute the claim' })
  await dialog.getByText('The claim is paused.').waitFor()
  await dialog.getByLabel('E-mail').fill('alva@example.com')
  await dialog.getByLabel('Reason for dispute').fill('I sent the goods back.')
  await dialog.getByRole('button', { name: 'Dispute the claim' }).click()
  await page.getByText('The claim is now registered as disputed.').waitFor()
  await page.getByText('Disputed and paused until further notice').waitFor()
  expect(await page.getByRole('button', { name: 'Dispute the claim' }).count()).toBe(0)
  await page.locator('summary').filter({ hasText: 'Documents' }).waitFor()
})
