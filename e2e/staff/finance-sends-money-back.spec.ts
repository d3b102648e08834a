import { randomInt } from 'node:crypto'
import { dayOf } from '@kvitt/domain/calendar.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { camt, type CamtEntry } from '../../apps/server/src/testing/files/bank-formats.ts'
import { expectAccessible } from '../testing/accessibility.ts'
import { DESK, runBrowser } from '../testing/browser.ts'
import { sharedProduct } from '../testing/product.ts'

const product = await sharedProduct()
const browser = await runBrowser()
const serial = randomInt(1, 1_000_000)
const [charge, stray] = [100 + (serial % 400), 20_000 + (serial % 7_000)]

async function signIn(page: Page, who: string): Promise<void> {
  await page.goto(`${product.address}/admin/#/?lng=en`)
  await page.getByLabel('E-mail').fill(`${who}@kvitt.example`)
  await page.getByLabel('Password', { exact: true }).fill('Kvitt-demo-2026')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: who === 'approver' ? 'Proposals' : 'Dashboard' }).waitFor()
}

/** The bank's charge, and money of nobody's whose account the bank names. */
async function handIn(page: Page): Promise<void> {
  const day = dayOf(Date.now() - 86_400_000, 'Europe/Stockholm')
  const entry = (one: Partial<CamtEntry> & { amountMinor: number }): CamtEntry => ({
    currency: 'SEK',
    day,
    bankId: `${serial}-${one.amountMinor}`,
    ...one,
  })
  const text = camt({
    account: { other: '99900110' },
    message: '054',
    serial,
    entries: [
      entry({ amountMinor: charge, isDebit: true, message: 'Charge' }),
      entry({
        amountMinor: stray,
        message: 'Hello',
        payer: `Ada ${serial}`,
        payerIban: 'SE3550000000054910000003',
      }),
    ],
  })
  await page.goto(`${product.address}/admin/#/payment-batches`)
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Add a file' }).click()
  const name = `stray-${serial}.xml`
  await (await chooser).setFiles({ name, mimeType: 'text/xml', buffer: Buffer.from(text) })
  await page.getByRole('heading', { name }).waitFor()
}

const search = (page: Page, view: string, q: string) =>
  page.goto(`${product.address}/admin/#/${view}?q=${encodeURIComponent(q)}`)

test('finance enters the bank’s charge, sends stray money back in a file, and another approves it', async () => {
  const page = await browser.open({ viewport: DESK })
  await signIn(page, 'finance')
  await handIn(page)

  await search(page, 'suspense', 'Charge')
  await page
    .getByRole('link', { name: /Payer not named/ })
    .first()
    .click()
  await page.getByRole('radio', { name: /The bank’s charge/ }).check()
  await page.getByText('The bank’s charges, which we have to put back').waitFor()
  await expectAccessible(page, 'a line of the bank')
  await page.getByRole('button', { name: 'Enter it so' }).click()
  await page.getByText('Entered', { exact: true }).waitFor()

  await search(page, 'suspense', `Ada ${serial}`)
  await page.getByRole('link', { name: `Ada ${serial}` }).click()
  await page.getByRole('button', { name: 'Send back' }).click()
  await page.getByText('The money goes back').waitFor()

  await page.goto(`${product.address}/admin/#/refunds`)
  await page.getByRole('button', { name: 'Put in a payment file' }).click()
  const row = page.getByRole('listitem').filter({ hasText: `Ada ${serial}` })
  await row.getByText('IBAN SE35 5000 0000 0549 1000 0003').waitFor()
  await expectAccessible(page, 'what goes in a file')
  await page.getByRole('button', { name: 'Propose' }).click()
  await page.getByRole('heading', { name: 'Payment file of refunds' }).waitFor()
  await page.getByRole('cell', { name: 'SE35 5000 0000 0549 1000 0003' }).first().waitFor()
  const proposal = page.url()

  const other = await browser.open({ viewport: DESK })
  await signIn(other, 'approver')
  await other.goto(proposal)
  await other.getByRole('heading', { name: 'Payment file of refunds' }).waitFor()
  // Whoever decides sees whom it pays, whole.
  await other.getByRole('cell', { name: `Ada ${serial}` }).waitFor()
  await other.getByRole('cell', { name: 'SE35 5000 0000 0549 1000 0003' }).first().waitFor()
  await expectAccessible(other, 'a proposed file of refunds')
  await other.getByRole('button', { name: 'Approve', exact: true }).click()
  await other.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await other.getByText('Approved', { exact: true }).first().waitFor()

  await page.goto(`${product.address}/admin/#/payouts`)
  await page.getByRole('row').filter({ hasText: 'Refunds' }).first().getByRole('link').first().click()
  await page.getByRole('cell', { name: new RegExp(`^Ada ${serial}, SE35`) }).waitFor()
  await expectAccessible(page, 'a file of refunds')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download the file' }).click()
  expect((await download).suggestedFilename()).toMatch(/\.xml$/)
})
