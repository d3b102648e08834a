import { expect, test } from 'vitest'
import { expectAccessible } from '../testing/accessibility.ts'
import { DESK, runBrowser } from '../testing/browser.ts'
import { sharedProduct } from '../testing/product.ts'
import { signInStaff } from '../testing/sign-in-staff.ts'

const product = await sharedProduct()
const browser = await runBrowser()

test('a clerk takes a pause back before it is done, then pauses several at once and is told what was refused', async () => {
  const page = await browser.open({ viewport: DESK })
  await signInStaff(page, product, { email: 'clerk@kvitt.example', hash: '#/invoices' })
  await page.getByRole('heading', { name: 'Invoices' }).waitFor()
  await page.goto(`${product.address}/client/#/invoices?tab=open`)
  const number = (await page.getByRole('row').nth(1).getByRole('link').first().innerText()).trim()
  await page.getByRole('link', { name: number, exact: true }).click()
  await page.getByRole('heading', { name: number }).waitFor()
  await page.getByRole('button', { name: /Stops every step/ }).click()
  await page.getByLabel('Reason').fill('By mistake')
  await page.keyboard.press('Control+Enter')
  await page.getByText(`Pause ${number}: done in 10 seconds`).waitFor()
  await expectAccessible(page, 'an act that can be taken back')
  await page.keyboard.press('Control+z')
  await page.getByText('Taken back. Nothing has been done.').first().waitFor()

  // None of the row that was taken back is paused: it is among those that are open.
  await page.goto(`${product.address}/client/#/invoices?tab=open`)
  await page.getByRole('link', { name: number, exact: true }).waitFor()
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  const bar = page.getByRole('region', { name: /selected$/ })
  await expect.poll(() => bar.innerText()).toMatch(/\d[.,]\d\d/)
  await expectAccessible(page, 'rows that are selected')
  const rows = page.getByRole('row').filter({ has: page.getByRole('checkbox') })
  const count = (await rows.count()) - 1
  const pauseAll = async () => {
    await bar.getByRole('button', { name: 'Pause…' }).click()
    await page.getByRole('dialog').getByLabel('Reason').fill('Our meters are being looked at')
    await page.keyboard.press('Control+Enter')
    // How many and how much, while it can still be taken back.
    await page.getByText(new RegExp(`${count} invoices, [\\d\\s.,]+kr.*Done in 10 seconds`)).waitFor()
  }
  await pauseAll()
  await expectAccessible(page, 'many that can be taken back')
  await page.keyboard.press('Control+z')
  await page.getByText('Taken back. Nothing has been done.').first().waitFor()
  await page.reload()
  await page.getByRole('link', { name: number, exact: true }).waitFor()
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await expect.poll(() => bar.innerText()).toMatch(/\d[.,]\d\d/)
  await pauseAll()
  // All of them, said with what they came to; or what was refused, with the way to each.
  const done = page.getByText(new RegExp(`${count} invoices\\. ${count} done, [\\d\\s.,]+kr`))
  const outcome = page.getByRole('dialog', { name: 'What was done' })
  await done.or(outcome).first().waitFor({ timeout: 30_000 })
  if (await outcome.isVisible()) {
    expect(await outcome.getByRole('status').innerText()).toMatch(/done/)
    await expectAccessible(page, 'what many have come to')
    await page.keyboard.press('Escape')
  }
  await page.goto(`${product.address}/client/#/invoices?tab=all&q=${number}`)
  await page
    .getByRole('row', { name: new RegExp(number) })
    .getByText('Paused')
    .waitFor()
})
