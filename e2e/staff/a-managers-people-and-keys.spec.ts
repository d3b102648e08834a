import { expect, test } from 'vitest'
import { expectAccessible } from '../testing/accessibility.ts'
import { DESK, runBrowser } from '../testing/browser.ts'
import { sharedProduct } from '../testing/product.ts'
import { signInStaff } from '../testing/sign-in-staff.ts'

const product = await sharedProduct()
const browser = await runBrowser()

test('a manager invites somebody, makes an API key that works, revokes it, and looks at figures and settings', async () => {
  const page = await browser.open({ viewport: DESK })
  await signInStaff(page, product, { email: 'creditor@kvitt.example', hash: '#/users' })
  await page.getByRole('link', { name: 'Demo Clerk' }).waitFor()
  await expectAccessible(page, 'users')
  await page.keyboard.press('n')
  await page.getByLabel('E-mail').fill('ny.kollega@kvitt.example')
  await page.getByLabel('Name').fill('Ny Kollega')
  await page.getByLabel('Manager').check()
  await expectAccessible(page, 'an invitation')
  await page.keyboard.press('Control+Enter')
  await page.getByText('The invitation is sent').first().waitFor()
  await page.getByRole('link', { name: 'Ny Kollega' }).click()
  await page.getByText('Proposed as a manager').waitFor()
  // Whoever proposed it is not the one who approves it.
  browser.expectTrouble(/refused: 400 .*\/approve|Failed to load resource.*400/)
  await page.getByRole('button', { name: 'Approve as manager' }).click()
  await page.keyboard.press('Control+Enter')
  await page.getByText('Somebody else has to approve this').first().waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.keyboard.press('Control+Enter')
  await page.getByText('Ny Kollega is removed').first().waitFor()

  await page.goto(`${product.address}/client/#/api-keys`)
  await page.getByRole('button', { name: 'New API key' }).click()
  await page.getByLabel('Name').fill('Ekonomisystemet')
  await page.keyboard.press('Control+Enter')
  const key = await page.locator('code').textContent()
  await expectAccessible(page, 'a new key')
  const ask = () =>
    fetch(`${product.address}/api/client/settings`, { headers: { Authorization: `Bearer ${key}` } })
  expect((await ask()).status).toBe(200)
  await page.getByRole('button', { name: 'I have kept it' }).click()
  await page.getByRole('link', { name: 'Ekonomisystemet' }).click()
  await page.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('button', { name: 'Revoke the key' }).click()
  await page.getByText('Ekonomisystemet is revoked').first().waitFor()
  expect((await ask()).status).toBe(401)

  await page.goto(`${product.address}/client/#/figures`)
  await page.getByRole('heading', { name: /Received by month/ }).waitFor()
  await expectAccessible(page, 'figures')
  await page.getByRole('button', { name: 'Table' }).click()
  await page.getByRole('columnheader', { name: 'Month' }).waitFor()
  await expectAccessible(page, 'figures as a table')
  await page.goto(`${product.address}/client/#/settings`)
  await page.getByText('9990-0227').waitFor()
  await expectAccessible(page, 'settings')
})
