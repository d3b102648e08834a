import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from '../testing/accessibility.ts'
import { DESK, runBrowser } from '../testing/browser.ts'
import { sharedProduct } from '../testing/product.ts'

const product = await sharedProduct()
const browser = await runBrowser()

async function signIn(name: string, home: string): Promise<Page> {
  const page = await browser.open({ viewport: DESK })
  await page.goto(`${product.address}/admin/#/?lng=en`)
  await page.getByLabel('E-mail').fill(`${name}@kvitt.example`)
  await page.getByLabel('Password', { exact: true }).fill('Kvitt-demo-2026')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: home }).waitFor()
  return page
}

/** The office asks a second time. */
const ASKED = /refused: 400 .*\/country-parameters|Failed to load resource.*400/
const next = new Date().getFullYear() + 1

test('a manager enters the rate of the half-year to come, an approver agrees, and the history says who', async () => {
  browser.expectTrouble(ASKED)
  const page = await signIn('manager', 'Dashboard')
  await page.getByRole('link', { name: 'Rates and fees' }).click()
  const rate = page.getByRole('region', { name: /Reference rate of the Riksbank/ })
  await rate.getByText('Only assumed', { exact: true }).first().waitFor()
  await rate.getByText(/Nobody has confirmed it/).waitFor()
  await expectAccessible(page, 'rates and fees')

  await rate.getByRole('button', { name: 'Enter a figure' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/Another person has to agree/).waitFor()
  await dialog.getByLabel(`1 January ${next} to 30 June ${next}`).check()
  await dialog.getByLabel('Rate as published').fill('200')
  await dialog.getByLabel('Law or publication').fill('The Riksbank, https://www.riksbank.se/referensranta')
  await dialog.getByRole('button', { name: /Propose the figure/ }).click()
  await dialog.getByText(/Write it as a number within reason/).waitFor()
  // The late interest in the place of the published rate: asked about, with both values.
  await dialog.getByLabel('Rate as published').fill('10,00')
  await dialog.getByRole('button', { name: /Propose the figure/ }).click()
  await dialog
    .getByText(/The value is far from the one before/)
    .first()
    .waitFor()
  await dialog
    .getByLabel(
      'Yes, the new value is: 10.00 %. Late interest 18.00 % a year. Before it was: 2.00 %. Late interest 10.00 % a year.',
    )
    .waitFor()
  await expectAccessible(page, 'a value far from the one before')
  await dialog.getByLabel('Rate as published').fill('2,00')
  await expectAccessible(page, 'the form of a rate')
  await dialog.getByRole('button', { name: /Propose the figure/ }).click()
  await dialog.waitFor({ state: 'detached' })
  await rate.getByText(`Proposed from 1 January ${next}: waits for another person`).waitFor()
  await rate.getByText('Late interest 10.00 % a year').first().waitFor()
  // Nobody agrees to what they have proposed themselves.
  await rate.getByRole('link', { name: 'Open the proposal' }).click()
  await page.getByRole('heading', { name: 'Rate, fee or ceiling of law' }).waitFor()
  expect(await page.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0)

  const other = await signIn('approver', 'Proposals')
  await other.goto(page.url())
  await other.getByText('Reference rate of the Riksbank, Sweden').first().waitFor()
  const value = other.getByRole('row', { name: /^Value/ }).getByRole('cell')
  expect(await value.allTextContents()).toEqual([
    '2.00 %. Late interest 10.00 % a year (Only assumed)',
    '2.00 %. Late interest 10.00 % a year',
  ])
  await expectAccessible(other, 'a proposed rate')
  await other.getByRole('button', { name: 'Approve', exact: true }).click()
  await other
    .getByRole('dialog')
    .getByText(/Compare the value with its source first/)
    .waitFor()
  await other
    .getByRole('dialog')
    .getByRole('button', { name: /Approve/ })
    .click()
  await other.getByText('Approved', { exact: true }).first().waitFor()

  await page.goto(`${product.address}/admin/#/country-parameters/SE`)
  await page.reload()
  await rate.getByText(/All that is known/).click()
  await rate.getByText(/Entered by Demo Manager, agreed by Demo Approver/).waitFor()
})

test('a value far from the one before is proposed with a tick; the Finnish ceiling cannot be entered', async () => {
  browser.expectTrouble(ASKED)
  const page = await signIn('manager', 'Dashboard')
  await page.goto(`${product.address}/admin/#/country-parameters/NO`)
  const rate = page.getByRole('region', { name: /Norwegian late interest rate/ })
  await rate.getByRole('button', { name: 'Enter a figure' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(`1 January ${next} to 30 June ${next}`).check()
  await dialog.getByLabel('Rate as published').fill('16,00')
  await dialog.getByLabel('Law or publication').fill('Finansdepartementet')
  await dialog.getByRole('button', { name: /Propose the figure/ }).click()
  await dialog.getByLabel(/^Yes, the new value is: 16\.00 %/).check()
  // Ticked for 16, not for 17.
  await dialog.getByLabel('Rate as published').fill('17,00')
  await dialog.getByRole('button', { name: /Propose the figure/ }).click()
  await dialog.getByLabel(/^Yes, the new value is: 17\.00 %/).check()
  await dialog.getByRole('button', { name: /Propose the figure/ }).click()
  await dialog.waitFor({ state: 'detached' })
  await rate.getByText(`Proposed from 1 January ${next}: waits for another person`).waitFor()

  await page.goto(`${product.address}/admin/#/country-parameters/FI`)
  const cap = page.getByRole('region', { name: /Ceiling of a consumer credit/ })
  await cap.getByText(/cannot be entered here/).waitFor()
  expect(await cap.getByRole('button', { name: 'Enter a figure' }).count()).toBe(0)
})
