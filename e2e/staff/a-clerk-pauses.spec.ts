import { expect, test } from 'vitest'
import { expectAccessible } from '../testing/accessibility.ts'
import { DESK, runBrowser } from '../testing/browser.ts'
import { sharedProduct } from '../testing/product.ts'

const product = await sharedProduct()
const browser = await runBrowser()

test('a clerk signs in, looks for an invoice, pauses it, lets it go on, and signs out', async () => {
  const page = await browser.open({ viewport: DESK })
  await page.goto(`${product.address}/client/#/invoices?tab=open&q=261888&lng=en`)
  await page.getByLabel('E-mail').fill('clerk@kvitt.example')
  await page.getByLabel('Password', { exact: true }).fill('Kvitt-demo-2026')
  await expectAccessible(page, 'the sign-in')
  await page.keyboard.press('Enter')

  await page.getByRole('link', { name: '261888' }).click()
  await page.getByRole('heading', { name: '261888' }).waitFor()
  expect(page.url()).not.toMatch(/code=|state=|token/)
  await expectAccessible(page, 'an invoice')
  // Only a manager stops an invoice.
  expect(await page.getByRole('button', { name: /^Stop for good/ }).count()).toBe(0)

  await page.getByRole('button', { name: /Stops every step/ }).click()
  await page.getByLabel('Reason').fill('Asked for a week')
  await page.keyboard.press('Control+Enter')
  await page.getByText('261888 is paused').first().waitFor()
  await page.getByText('Paused', { exact: true }).waitFor()

  await page.getByRole('button', { name: /The next step is taken/ }).click()
  await page.keyboard.press('Control+Enter')
  await page.getByText('261888 goes on').first().waitFor()

  await page.goto(`${product.address}/client/#/logout`)
  await page.getByRole('heading', { name: 'You have signed out' }).waitFor()
  expect(await page.evaluate(() => sessionStorage.getItem('access_token'))).toBeNull()
})
