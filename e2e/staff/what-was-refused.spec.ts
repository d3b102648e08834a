/** A refused question is said where its answer would stand, and nowhere else: not in a message, and not on the next page. */
import { expect, test } from 'vitest'
import { expectAccessible } from '../testing/accessibility.ts'
import { DESK, runBrowser } from '../testing/browser.ts'
import { sharedProduct } from '../testing/product.ts'

const product = await sharedProduct()
const browser = await runBrowser()

test('a period that ends before it begins is said once, and the next page says nothing of it', async () => {
  browser.expectTrouble(/400/)
  const page = await browser.open({ viewport: DESK })
  await page.goto(`${product.address}/admin/#/?lng=en`)
  await page.getByLabel('E-mail').fill('manager@kvitt.example')
  await page.getByLabel('Password', { exact: true }).fill('Kvitt-demo-2026')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  await page.goto(`${product.address}/admin/#/dashboard?lng=en&from=2026-11-20&to=2026-11-01`)
  const block = page.getByRole('alert').filter({ hasText: 'We could not load this' })
  await block.waitFor()
  const said = (await block.locator('p').first().innerText()).trim()
  expect(said.length).toBeGreaterThan(10)
  expect(await page.getByText(said, { exact: true }).count()).toBe(1)
  await expectAccessible(page, 'a refused period')
  await page.getByRole('link', { name: 'Part payment plans' }).click()
  await page.getByRole('region', { name: /^PLAN_12/ }).waitFor()
  expect(await page.getByText(said, { exact: true }).count()).toBe(0)
})
