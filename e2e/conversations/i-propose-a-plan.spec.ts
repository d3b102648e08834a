/** A plan of one's own: a clerk proposes another, and the debtor agrees. That one starts at once is a test of the server's. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from '../testing/accessibility.ts'
import { DESK, PHONE, runBrowser } from '../testing/browser.ts'
import { ELIAS, logIn } from '../testing/debtor.ts'
import { sharedProduct } from '../testing/product.ts'

const product = await sharedProduct()
const browser = await runBrowser()

/** A clerk of Elias' creditor, on the to-do list. */
async function clerk(): Promise<Page> {
  const page = await browser.open({ viewport: DESK })
  await page.goto(`${product.address}/client/#/todo?lng=en`)
  await page.getByLabel('E-mail').fill('clerk@kvitt.example')
  await page.getByLabel('Password', { exact: true }).fill('Kvitt-demo-2026')
  await page.keyboard.press('Enter')
  return page
}

const cardOf = (page: Page) => page.getByRole('region', { name: /^Write to / })

/** The dialog, with an amount a month and what it comes to. */
async function propose(page: Page, amount: string, pickDay: (day: { min: string; max: string }) => string) {
  await cardOf(page).getByRole('button', { name: 'Propose a plan of your own' }).click()
  const dialog = page.getByRole('dialog', { name: 'Propose a plan of your own' })
  await dialog.getByLabel('How much can you pay a month?').fill(amount)
  const day = dialog.getByLabel('On which day the first time?')
  const [min, max] = [await day.getAttribute('min'), await day.getAttribute('max')]
  await day.fill(pickDay({ min: min ?? '', max: max ?? '' }))
  await dialog.getByText('Number of payments').waitFor()
  return dialog
}

test('a plan that begins late is answered with another, which the debtor accepts', async () => {
  // Its figures are asked for once more when it has been sent and when it has started, and are refused then.
  browser.expectTrouble(/conversations\/plan|status of 400/)
  const page = await browser.open({ viewport: PHONE })
  await logIn(page, product, ELIAS)
  const dialog = await propose(page, '200', ({ max }) => max)
  await dialog.getByText('No step is taken until you have an answer.').waitFor()
  await expectAccessible(page, 'a plan of one’s own')
  await dialog.getByRole('button', { name: 'Send' }).click()
  const card = cardOf(page)
  await card.getByText(/^200[.,]00.* a month, the first time on /).waitFor()
  await card.getByText(/ answers by /).waitFor()

  const desk = await clerk()
  await desk
    .getByRole('row', { name: /Decide on a plan.*261037/ })
    .getByRole('link')
    .click()
  await desk.getByText('The debtor pays in all').waitFor()
  await expectAccessible(desk, 'a plan to decide on')
  await desk.getByRole('radio', { name: /^Propose another/ }).check()
  await desk.getByLabel('Amount a month').fill('300,00')
  await desk.getByText('The debtor pays in all').waitFor()
  await desk.getByLabel(/^Answer to /).fill('Three hundred a month is fine.')
  await desk.keyboard.press('Control+Enter')
  await desk
    .getByText(/^The answer to .* is sent$/)
    .first()
    .waitFor()

  await page.reload()
  await card.getByText(/ proposes 300[.,]00/).waitFor()
  await card.getByText('Number of payments').waitFor()
  await expectAccessible(page, 'another plan')
  await card.getByRole('button', { name: 'Agree and start' }).click()
  await card.getByText(/^Agreed: 300[.,]00/).waitFor()
  expect(await card.getByRole('button', { name: 'Propose a plan of your own' }).count()).toBe(0)
  await page
    .getByText(/^300[.,]00/)
    .first()
    .waitFor()
})
