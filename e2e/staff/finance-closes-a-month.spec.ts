import { readFileSync } from 'node:fs'
import { addDays, addMonths, date, dayOf } from '@kvitt/domain/calendar.ts'
import { lastDayOf, monthOf } from '@kvitt/domain/month-close/month-close.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from '../testing/accessibility.ts'
import { DESK, runBrowser } from '../testing/browser.ts'
import { sharedProduct } from '../testing/product.ts'
import { signInStaff } from '../testing/sign-in-staff.ts'

const product = await sharedProduct()
const browser = await runBrowser()

async function openAsFinance(): Promise<Page> {
  const page = await browser.open({ viewport: DESK })
  await page.goto(`${product.address}/admin/#/?lng=en`)
  await page.getByLabel('E-mail').fill('finance@kvitt.example')
  await page.getByLabel('Password', { exact: true }).fill('Kvitt-demo-2026')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  return page
}

test('finance reads what was owed at a past day, takes it as a file, and closes the month for good', async () => {
  const page = await openAsFinance()
  const today = dayOf(Date.now(), 'Europe/Stockholm')
  const month = monthOf(addMonths(date(`${monthOf(today)}-01`), -1))
  const last = lastDayOf(month)

  await page.getByRole('link', { name: 'Open receivables' }).click()
  await page.getByRole('heading', { name: 'Open receivables', level: 1 }).waitFor()
  await page.getByLabel('At the end of', { exact: true }).fill(last)
  await page.getByRole('region', { name: /^Owed at the end of/ }).waitFor()
  await page.getByText('The books kept the same sum for this day.').first().waitFor()
  expect(await page.getByText('The books kept another sum').count()).toBe(0)
  await expectAccessible(page, 'open receivables')

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('button', { name: 'CSV' }).click()
  const csv = readFileSync(await (await download).path(), 'utf8')
  const lines = csv.trim().split('\r\n')
  const sum = lines
    .find((line) => line.startsWith('Total SEK;'))
    ?.split(';')
    .at(-1)
  expect(sum).toMatch(/^\d+,\d\d$/)
  expect(
    lines
      .find((line) => line.startsWith('By the books SEK;'))
      ?.split(';')
      .at(-1),
  ).toBe(sum)

  await page.getByRole('link', { name: 'Month closing' }).click()
  await page.getByRole('heading', { name: 'Month closing', level: 1 }).waitFor()
  const points = page.getByRole('list', { name: 'Before it is closed' })
  await points.getByText('Open receivables equal the books').waitFor()
  await expectAccessible(page, 'a month before it is closed')
  await page.getByRole('button', { name: 'Close the month' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/it can never be opened again/).waitFor()
  const why = dialog.getByLabel('Why it is closed all the same')
  if ((await why.count()) > 0) {
    await dialog.getByRole('button', { name: 'Close the month' }).click()
    expect(await why.getAttribute('aria-invalid'), 'a word is wanted').toBe('true')
    await why.fill('The bank sends its statements on Monday')
  }
  await dialog.getByRole('button', { name: 'Close the month' }).click()
  // Months are closed in their order: the page goes on to the one after it.
  await page
    .getByRole('navigation', { name: 'Months' })
    .getByText(/Closed by/)
    .first()
    .waitFor()
  await page
    .getByRole('listitem')
    .filter({ hasText: /Closed by/ })
    .getByRole('link')
    .first()
    .click()
  await page.getByText(/^Closed: nothing is booked into this month any more/).waitFor()
  await expectAccessible(page, 'a closed month')
  expect(await page.getByRole('button', { name: 'Close the month' }).count()).toBe(0)
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save as PDF' }).click()
  expect(
    readFileSync(await (await saved).path())
      .subarray(0, 5)
      .toString('latin1'),
  ).toBe('%PDF-')
  const sie = page.waitForEvent('download')
  await page.getByRole('button', { name: 'SIE file SEK' }).click()
  expect(readFileSync(await (await sie).path(), 'latin1')).toContain('#SIETYP 4')
})

test('a manager of a creditor gives a standing instruction, changes it and ends it', async () => {
  const page = await browser.open({ viewport: DESK })
  await signInStaff(page, product, { email: 'gym@kvitt.example', hash: '#/settings' })
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Give a standing instruction' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/are filed without a question/).waitFor()
  await dialog.getByLabel('Largest claim').fill('20 000')
  const today = dayOf(Date.now(), 'Europe/Stockholm')
  await dialog.getByLabel('Last day').fill(addDays(today, 200))
  await dialog.getByRole('button', { name: 'Give a standing instruction' }).click()
  await page.getByText(/Claims up to 20\s000\.00/).waitFor()
  await expectAccessible(page, 'a standing instruction')
  await page.getByRole('button', { name: 'End the instruction' }).click()
  await dialog.getByRole('button', { name: 'End the instruction' }).click()
  await page.getByText('No standing instruction: each application waits for you.').waitFor()
})
