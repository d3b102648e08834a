import { test } from 'vitest'
import { expectAccessible } from '../testing/accessibility.ts'
import { DESK, runBrowser } from '../testing/browser.ts'
import { sharedProduct } from '../testing/product.ts'
import { signInStaff } from '../testing/sign-in-staff.ts'

const product = await sharedProduct()
const browser = await runBrowser()

const HEAD =
  'invoice_number;invoice_date;due_date;currency;debtor_type;debtor_name;email;address;zip;city;country;description;quantity;unit_price;vat_percent'
const line = (number: string, zip: string, price: string) =>
  `${number};2026-11-24;2027-01-24;SEK;PERSON;Alva Provlund;alva@example.com;Provgatan 1;${zip};Stockholm;SE;El;1;${price};25`
const fileOf = (name: string, ...lines: string[]) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(lines.join('\n')),
})

test('a clerk imports a file: a wrong row is mended in its place, drafts are made, and all is undone', async () => {
  const page = await browser.open({ viewport: DESK })
  await signInStaff(page, product, { email: 'clerk@kvitt.example', hash: '#/imports' })
  const field = page.locator('input[type=file]')
  await page.getByRole('button', { name: 'Choose a file' }).waitFor()
  browser.expectTrouble(/refused: 400 .*\/imports|Failed to load resource.*400/)
  await field.setInputFiles(fileOf('drawing.csv', '<svg xmlns="http://www.w3.org/2000/svg"/>'))
  await page.getByRole('alert').waitFor()
  await field.setInputFiles(
    fileOf('november.csv', HEAD, line('970001', '111 22', '640,00'), line('970002', '1112', '100,00')),
  )
  await page.getByRole('heading', { name: 'november.csv' }).waitFor()
  await expectAccessible(page, 'preview')
  await page.getByRole('textbox', { name: 'Zip' }).fill('11122')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Make 2 drafts' }).click()
  const dialog = page.getByRole('dialog')
  // 640.00 and 100.00 with a quarter on top.
  await dialog.getByText(/2 invoices of SEK\s?925\.00|2 invoices of 925[.,]00/).waitFor()
  await dialog.getByRole('button', { name: 'Make drafts' }).click()
  await page.getByText('2 invoices are made.').waitFor()
  await page.getByRole('button', { name: 'Undo the import' }).click()
  await dialog.getByRole('button', { name: 'Undo the import' }).click()
  await page.getByText('The import is undone. Nothing of it is left.').first().waitFor()
  await page.goto(`${product.address}/client/#/imports`)
  await page.getByRole('row', { name: /november\.csv.*Undone/ }).waitFor()
})
