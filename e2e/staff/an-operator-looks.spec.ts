import { expect, test } from 'vitest'
import { expectAccessible } from '../testing/accessibility.ts'
import { DESK, runBrowser } from '../testing/browser.ts'
import { sharedProduct } from '../testing/product.ts'

const product = await sharedProduct()
const browser = await runBrowser()

test('an operator’s auditor sees the rows of all creditors, and that the log is whole', async () => {
  const page = await browser.open({ viewport: DESK })
  await page.goto(`${product.address}/admin/#/?lng=en`)
  await page.getByLabel('E-mail').fill('auditor@kvitt.example')
  await page.getByLabel('Password', { exact: true }).fill('Kvitt-demo-2026')
  await page.keyboard.press('Enter')

  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  await page.getByRole('heading', { name: 'Waits for somebody' }).waitFor()
  await expectAccessible(page, 'the dashboard')
  const sumOf = () => page.getByRole('table').first().locator('tfoot').innerText()
  const all = await sumOf()
  await page.getByLabel('Creditor').selectOption({ label: 'Pulsverket Demo Gym AB' })
  await expect.poll(sumOf).not.toBe(all)

  await page.getByRole('link', { name: 'Invoices', exact: true }).click()
  await page.getByRole('columnheader', { name: 'Creditor' }).waitFor()
  // An auditor changes nothing.
  await page.goto(`${product.address}/admin/#/invoices?q=261888`)
  await page.getByRole('link', { name: '261888' }).click()
  await page.getByRole('heading', { name: '261888' }).waitFor()
  expect(await page.getByRole('button', { name: /Stops every step/ }).count()).toBe(0)

  await page.getByRole('link', { name: 'Audit log' }).click()
  await page.getByRole('button', { name: 'Check now' }).click()
  await page.getByText('The chain is intact').waitFor()
  await page.getByRole('link', { name: 'Access', exact: true }).click()
  // What was looked at just now is in it.
  await page.getByRole('link', { name: 'staff opened' }).first().click()
  await page.getByRole('region', { name: 'staff opened' }).getByText('Identity').waitFor()
  await expectAccessible(page, 'the audit log')
  // A view of the creditor's portal is none here.
  await page.goto(`${product.address}/admin/#/webhooks`)
  await page.getByRole('heading', { name: 'We cannot find this page' }).waitFor()
})
