import { expect, test } from 'vitest'
import { PHONE, runBrowser } from './browser.ts'
import { logIn, mainText, MAJ } from './debtor.ts'
import { runProduct } from './product.ts'

const product = await runProduct()
const browser = await runBrowser()

test('Maj compares the plans, ticks the terms when told to, and gets a plan in parts', async () => {
  const page = await browser.open({ viewport: PHONE })
  await logIn(page, product, MAJ)
  await page.getByRole('radio', { name: /^Part payment plan/ }).check()
  const plans = page.getByRole('group', { name: 'Choose how long you want to pay' })
  await plans.waitFor()
  expect(await plans.getByRole('radio').first().isChecked()).toBe(true)
  expect((await plans.innerText()).replaceAll(/\s+/g, ' ')).toMatch(
    /3 months .* a month Total amount payable .* More than paying now \+ .* Effective annual rate \(APR\) [\d,]+ %/,
  )
  await plans.getByRole('radio', { name: /^12 months/ }).check()
  // Told to be disabled, and yet it can be reached and pressed.
  await page.getByRole('button', { name: /^Start part payment/ }).press('Enter')
  await page.getByText('Tick that you accept the terms').waitFor()
  const box = page.getByRole('checkbox')
  expect(await box.evaluate((element) => element === document.activeElement)).toBe(true)
  await box.check()
  await page.getByRole('button', { name: /^Start part payment/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Part payment started' }).waitFor()
  expect(await mainText(page)).toMatch(/Number of payments 12/)
  await page.getByRole('button', { name: 'Return to invoice' }).click()
  await page.getByText('The invoice is paid in parts').waitFor()
})
