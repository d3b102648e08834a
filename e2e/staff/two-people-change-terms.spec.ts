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

/** What is wrong only the office can say. */
const REFUSED = /refused: 400 .*\/part-payment-accounts|Failed to load resource.*400/

/** The row of a code in the table of a balance. */
const rowOf = (page: Page, balance: RegExp, code: string) =>
  page.getByRole('table', { name: balance }).getByRole('row', { name: new RegExp(`^${code}`) })

test('a manager proposes cheaper terms after reading what they come to, and an approver agrees', async () => {
  const page = await signIn('manager', 'Dashboard')
  await page.getByRole('link', { name: 'Part payment plans' }).click()
  const twelve = page.getByRole('region', { name: /^PLAN_12/ })
  await twelve.getByText('Offered now', { exact: true }).waitFor()
  await twelve.getByText('19.90 %').waitFor()
  await rowOf(page, /Balance of 5\s000\.00/, 'PLAN_12')
    .getByText(/12 payments/)
    .waitFor()
  await expectAccessible(page, 'the list of plans')

  await twelve.getByRole('link', { name: /New terms/ }).click()
  await page.getByRole('heading', { name: 'New terms' }).waitFor()
  // Far beyond what a person may be asked for: said before anybody is asked.
  await page.getByLabel('Interest a year').fill('40')
  await page.getByText(/The interest is above 22\.00 % a year/).waitFor()
  await rowOf(page, /Balance of 5\s000\.00/, 'PLAN_12')
    .getByText('Left out: the interest is above the ceiling of the law')
    .waitFor()
  await page.getByLabel('Interest a year').fill('101')
  await page.getByRole('button', { name: 'Propose the terms' }).click()
  await page.getByText('Write a value from 0.00 to 100.00.').first().waitFor()
  await page.getByLabel('Interest a year').fill('12,00')
  const row = rowOf(page, /Balance of 5\s000\.00/, 'PLAN_12')
  // 12 × 473.24 and 195.00, and 5 öre of rounding in the last.
  await row.getByText(/473\.24.* a month, 12 payments/).waitFor()
  await row.getByText(/5\s873\.93.* in all, .*873\.93.* of it cost/).waitFor()
  await page.getByText(/Below about .* it would cost more than the balance/).waitFor()
  await expectAccessible(page, 'the form of new terms')
  await page.getByRole('button', { name: 'Propose the terms' }).click()
  await twelve.getByText(/^Proposed from .*: waits for another person/).waitFor()
  // Nobody agrees to their own.
  await twelve.getByRole('link', { name: 'Open the proposal' }).click()
  await page.getByRole('heading', { name: 'Terms of part payment' }).waitFor()
  expect(await page.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0)

  const other = await signIn('approver', 'Proposals')
  await other.goto(page.url())
  const interest = other.getByRole('row', { name: /^Interest a year/ }).getByRole('cell')
  await interest.first().waitFor()
  expect(await interest.allTextContents()).toEqual(['19.90 %', '12.00 %'])
  await rowOf(other, /Balance of 5\s000\.00/, 'PLAN_12')
    .getByText(/5\s873\.93/)
    .waitFor()
  await expectAccessible(other, 'proposed terms')
  await other.getByRole('button', { name: 'Approve', exact: true }).click()
  await other
    .getByRole('dialog')
    .getByRole('button', { name: /Approve/ })
    .click()
  await other.getByText('Approved', { exact: true }).first().waitFor()

  await page.goto(`${product.address}/admin/#/part-payment-plans`)
  await page.reload()
  await twelve.getByText(/Proposed by Demo Manager, agreed by Demo Approver/).waitFor()
  await twelve.getByRole('heading', { name: /^From / }).waitFor()
})

test('an account is made for one creditor, and taken back by whoever proposed it', async () => {
  browser.expectTrouble(REFUSED)
  const page = await signIn('manager', 'Dashboard')
  await page.getByRole('link', { name: 'Part payment accounts' }).click()
  await page.getByRole('region', { name: /^ACCOUNT/ }).waitFor()
  await page.getByRole('link', { name: 'New account' }).click()
  await page.getByLabel('Code').fill('own account')
  await page.getByLabel('Creditor').selectOption({ index: 1 })
  await page.getByLabel('Interest a year').fill('8')
  await page.getByText('Fill in the fields to see what would be offered.').waitFor()
  await page.getByRole('button', { name: 'Propose the terms' }).click()
  await page
    .getByText(/A code has capital letters, digits and underscores/)
    .first()
    .waitFor()
  await page.getByLabel('Code').fill('OWN_ACCOUNT')
  await page.getByRole('button', { name: 'Propose the terms' }).click()
  const own = page.getByRole('region', { name: /^OWN_ACCOUNT/ })
  await own.getByText(/^Only of /).waitFor()
  await own.getByText('Nothing holds today.').waitFor()
  await own.getByRole('link', { name: 'Open the proposal' }).click()
  await page.getByRole('button', { name: 'Take back' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/Reason/).fill('A slip')
  await dialog.getByRole('button', { name: /Take back/ }).click()
  await page.getByText('Taken back', { exact: true }).first().waitFor()
  await page.goto(`${product.address}/admin/#/part-payment-accounts`)
  await page.getByRole('region', { name: /^ACCOUNT/ }).waitFor()
  await own.waitFor({ state: 'detached' })
  expect(await own.count()).toBe(0)
})

test('a plan is proposed to be offered no more, whatever stood in the fields that are not there any more', async () => {
  const page = await signIn('manager', 'Dashboard')
  await page.getByRole('link', { name: 'Part payment plans' }).click()
  const six = page.getByRole('region', { name: /^PLAN_6/ })
  await six.getByRole('link', { name: /New terms/ }).click()
  await page.getByLabel('Interest a year').fill('101')
  await page.getByLabel('Offered no more').check()
  await rowOf(page, /Balance of 5\s000\.00/, 'PLAN_6')
    .getByText('Not offered')
    .waitFor()
  await expectAccessible(page, 'the form that takes a plan off the list')
  await page.getByRole('button', { name: 'Propose the terms' }).click()
  await six.getByText(/^Proposed to be offered no more from /).waitFor()
})
