import { expect, test } from 'vitest'
import { expectAccessible } from '../testing/accessibility.ts'
import { DESK, runBrowser } from '../testing/browser.ts'
import { sharedProduct } from '../testing/product.ts'
import { signInStaff } from '../testing/sign-in-staff.ts'

const product = await sharedProduct()
const browser = await runBrowser()

test('a clerk finds all of a debtor by one key, writes a note beside a task and takes it', async () => {
  const page = await browser.open({ viewport: DESK })
  await signInStaff(page, product, { email: 'clerk@kvitt.example', hash: '#/todo' })
  await page.getByRole('link', { name: 'Answer dispute' }).first().waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('Alva')
  await page.keyboard.press('Enter')
  for (const name of ['Invoices', 'Claims', 'Debtors', 'Payments']) {
    await page.getByRole('region', { name }).getByRole('link').first().waitFor()
  }
  await expectAccessible(page, 'what was found')
  await page
    .getByRole('region', { name: 'Debtors' })
    .getByRole('link', { name: /Alva Provlund/ })
    .click()
  await page.getByRole('heading', { name: 'Alva Provlund' }).waitFor()
  await page.goto(`${product.address}/client/#/search?q=nobodyatall`)
  await page.getByText('Nothing matches nobodyatall').waitFor()

  await page.goto(`${product.address}/client/#/todo`)
  const tasks = page.getByRole('table').getByRole('link', { name: 'Answer dispute' })
  await tasks.first().waitFor()
  await tasks.first().click()
  await page.getByRole('button', { name: 'Notes' }).click()
  await page.getByLabel('New note').fill('Ringde, återkommer')
  await page.keyboard.press('Control+Enter')
  await page.getByText('The note is saved').first().waitFor()
  await page.getByRole('button', { name: 'Notes' }).click()
  await page.getByText('Ringde, återkommer').waitFor()
  await expectAccessible(page, 'notes')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Assign to me/ }).click()
  await page.getByText('You look after it').first().waitFor()
  // What is late is not put aside any more.
  expect(await page.getByRole('button', { name: /^Put aside/ }).count()).toBe(0)
})
