import { test } from 'vitest'
import { expectAccessible } from '../testing/accessibility.ts'
import { DESK, runBrowser } from '../testing/browser.ts'
import { sharedProduct } from '../testing/product.ts'
import { signInStaff } from '../testing/sign-in-staff.ts'

const product = await sharedProduct()
const browser = await runBrowser()

test('a clerk writes an invoice and approves it, credits another in part and enters that the rest was paid', async () => {
  const page = await browser.open({ viewport: DESK })
  await signInStaff(page, product, { email: 'clerk@kvitt.example', hash: '#/invoices/new' })
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Ny Kundsson')
  await page.getByLabel('Address', { exact: true }).fill('Provgatan 2')
  await page.getByLabel('Zip code').fill('11122')
  await page.getByLabel('City').fill('Stockholm')
  await page.getByLabel('Description').fill('Elnät')
  await page.getByLabel('Price without VAT').fill('100')
  await page.getByRole('button', { name: 'Save as draft' }).click()
  await page.getByText('Draft', { exact: true }).waitFor()
  await page.getByText('1 × 100, VAT 25 %').waitFor()
  await page.getByText('No documents yet.').waitFor()
  await page.getByRole('button', { name: /^A?\s*Approve/ }).click()
  await page.getByRole('button', { name: 'Approve and send' }).click()
  await page.getByText('is approved').first().waitFor()
  // It is sent within seconds: a slow browser may first look when it is.
  await page
    .getByText('To be sent', { exact: true })
    .or(page.getByText('Open', { exact: true }))
    .first()
    .waitFor()

  await page.goto(`${product.address}/client/#/invoices?tab=open&q=261037`)
  await page.getByRole('link', { name: '261037' }).click()
  await page.getByText('How it got here').waitFor()
  await page.getByText('Messages to the debtor').waitFor()
  await expectAccessible(page, 'an invoice with its story')
  await page.getByRole('button', { name: /Whole or part/ }).click()
  await page.getByLabel('Amount').fill('842,01')
  await page.getByLabel('Reason').fill('Fel mätare')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Write an amount above 0 and at most what there is.').waitFor()
  await page.getByLabel('Amount').fill('42')
  await page.keyboard.press('Control+Enter')
  await page.getByText('261037 is credited').first().waitFor()
  // The page shows what is left before the next act is begun.
  await page.waitForFunction(() => /800[.,]00/.test(document.querySelector('main')?.textContent ?? ''))
  await page.getByRole('button', { name: /paid to your own account/ }).click()
  // All that is left is what is offered.
  await page.waitForFunction(
    () => document.querySelector<HTMLInputElement>('[name=amount]')?.value === '800.00',
  )
  await page.keyboard.press('Control+Enter')
  await page.getByText('The payment of 261037 is registered').first().waitFor()
  await page.getByText('Closed', { exact: true }).waitFor()

  // What handing over costs, and when, stands there before it is done.
  await page.goto(`${product.address}/client/#/invoices?tab=late&q=261111`)
  await page.getByRole('link', { name: '261111' }).click()
  await page.getByRole('button', { name: /As early as the law allows/ }).click()
  await page.getByRole('rowheader', { name: 'Collection demand' }).waitFor()
  await expectAccessible(page, 'handing over')
})
