import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESK, PHONE, runBrowser } from '../testing/browser.ts'
import { ELIAS, logIn, mainText, MAJ } from '../testing/debtor.ts'
import { sharedProduct } from '../testing/product.ts'

/** Plans are offered for it, three of them: few enough for a table. */
const CHANGED_MIND = { reference: '260112159629', zip: '11122' }

const product = await sharedProduct()
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
  await expect.poll(() => mainText(page)).toMatch(/Number of payments 12/)
  await page.getByRole('button', { name: 'Return to invoice' }).click()
  await page.getByText('The invoice is paid in parts').waitFor()
  // The debt at the top of the page, with what is added to it, is what the instalments come to.
  const centsOf = (text: string): number => Number(text.replaceAll(/\D/g, ''))
  const facts = page.locator('section:has(#payment-heading) dl dd')
  await facts.first().waitFor()
  const parts = (await facts.allInnerTexts()).map(centsOf)
  const rows = page.locator('section:has(#payment-heading) ol li')
  const figures = (await rows.allInnerTexts()).map((text) =>
    centsOf(/([\d\s]+,\d\d)\s/.exec(text.split('\n').at(1) ?? '')?.[1] ?? ''),
  )
  const total = parts.at(-1) ?? 0
  expect(parts.slice(0, -1).reduce((sum, part) => sum + part, 0)).toBe(total)
  expect(figures.reduce((sum, figure) => sum + figure, 0)).toBe(total)
  expect(await mainText(page)).toContain('1 890,00 kr')
  expect(parts[0]).toBe(189_000)
})

/** Starts a plan of six months. */
async function startPlan(page: Page): Promise<void> {
  await page.getByRole('radio', { name: /^Part payment plan/ }).check()
  const plans = page.getByRole('group', { name: 'Choose how long you want to pay' })
  await plans
    .getByRole('radio', { name: /^6 months/ })
    .last()
    .check()
  const box = page.getByRole('checkbox')
  if ((await box.count()) > 0) await box.check()
  await page.getByRole('button', { name: /^Start part payment/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Part payment started' }).waitFor()
  await page.getByRole('button', { name: 'Return to invoice' }).click()
  await page.getByText('The invoice is paid in parts').waitFor()
}

test('I change my mind within fourteen days, and pay the invoice as before', async () => {
  const page = await browser.open({ viewport: DESK })
  await logIn(page, product, CHANGED_MIND)
  await startPlan(page)
  await page.getByRole('button', { name: 'Cancel the part payment' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cancel the part payment' })
  await dialog.getByText('All that is left is due within 30 days').waitFor()
  await dialog.getByRole('button', { name: 'Cancel the part payment' }).click()
  await page.getByText('The part payment is cancelled.').waitFor()
  await page.getByRole('radio', { name: /^Direct bank payment/ }).waitFor()
  expect(await mainText(page)).not.toContain('The invoice is paid in parts')
})

test('I pay all that is left of a plan at once', async () => {
  const page = await browser.open({ viewport: DESK })
  await logIn(page, product, ELIAS)
  await startPlan(page)
  await page.getByRole('button', { name: 'Pay all that is left' }).click()
  const dialog = page.getByRole('dialog', { name: 'Pay all that is left' })
  await dialog.getByText('You will get one last part invoice').waitFor()
  await dialog.getByRole('button', { name: 'Pay all that is left' }).click()
  await page.getByText('What is left is now on one part invoice.').waitFor()
  await page.getByRole('link', { name: /^To invoice/ }).click()
  await page.getByRole('radio', { name: /^Direct bank payment/ }).waitFor()
  expect(await mainText(page)).not.toContain('The invoice is paid in parts')
})
