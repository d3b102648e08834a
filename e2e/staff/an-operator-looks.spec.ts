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
  const facts = () =>
    page.getByRole('term').filter({ hasText: 'Invoices sent' }).first().locator('..').innerText()
  await page.getByLabel('Period').selectOption({ label: 'Last 90 days' })
  await page.getByText('the 90 days before').first().waitFor()
  const all = await facts()
  await page.getByLabel('Creditor').selectOption({ label: 'Pulsverket Demo Gym AB' })
  await expect.poll(facts).not.toBe(all)
  // A link opens what its sender saw; every chart is a table as well.
  const one = await facts()
  expect(page.url()).toMatch(/creditor=[0-9a-f-]{36}&period=last_90/)
  await page.reload()
  await expect.poll(facts).toBe(one)
  for (const button of await page.getByRole('button', { name: 'Table' }).all()) await button.click()
  await page.getByRole('columnheader', { name: 'Share before' }).waitFor()
  await expectAccessible(page, 'the dashboard in tables')
  browser.expectTrouble(/refused: 400 .*\/dashboard|Failed to load resource.*400/)
  await page.getByLabel('Period').selectOption({ label: 'Own dates' })
  await page.getByLabel('To', { exact: true }).fill('2020-01-01')
  await page.getByRole('alert').getByText('The period ends before it begins').first().waitFor()
  // What waits now is told all the same.
  await page.getByRole('heading', { name: 'Waits for somebody' }).waitFor()
  // A day that leads out of the calendar is refused in words, and a creditor that there is not can be left again.
  await page.goto(`${product.address}/admin/#/dashboard?from=9999-01-01&to=9999-12-31`)
  await page.getByRole('alert').first().waitFor()
  browser.expectTrouble(/refused: 404 .*\/dashboard|Failed to load resource.*404/)
  const nobody = '00000000-0000-7000-8000-000000000000'
  await page.goto(`${product.address}/admin/#/dashboard?creditor=${nobody}`)
  await page
    .getByLabel('Creditor')
    .locator('option:checked', { hasText: 'Unknown creditor' })
    .waitFor({ state: 'attached' })
  await page.getByLabel('Creditor').selectOption({ label: 'All creditors' })
  await page.getByRole('term').filter({ hasText: 'Invoices sent' }).first().waitFor()

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
