import { expect, test } from 'vitest'
import { expectAccessible } from '../testing/accessibility.ts'
import { DESK, runBrowser } from '../testing/browser.ts'
import { sharedProduct } from '../testing/product.ts'

const product = await sharedProduct()
const browser = await runBrowser()

async function signIn(email: string) {
  const page = await browser.open({ viewport: DESK })
  await page.goto(`${product.address}/admin/#/?lng=en`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('Kvitt-demo-2026')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  return page
}

test('an operator reads what last night did, and has it done once more', async () => {
  const page = await signIn('admin@kvitt.example')
  await page.getByRole('link', { name: 'Jobs and runs' }).click()
  await page.getByRole('link', { name: 'Daily run', exact: true }).first().click()
  const panel = page.getByRole('region', { name: /^Run for/ })
  await panel.getByText('Took').waitFor()
  await expectAccessible(page, 'a run')

  await page.getByRole('button', { name: 'Run now' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^Settlements/).check()
  await dialog.getByRole('button', { name: 'Run now' }).click()
  await panel.getByText('Admin').waitFor()
  await expect.poll(() => panel.getByText('Done', { exact: true }).count()).toBeGreaterThan(0)
})
