import { randomInt } from 'node:crypto'
import { dayOf } from '@kvitt/domain/calendar.ts'
import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { camt, type CamtEntry } from '../../apps/server/src/testing/files/bank-formats.ts'
import { expectAccessible } from '../testing/accessibility.ts'
import { DESK, runBrowser } from '../testing/browser.ts'
import { sharedProduct } from '../testing/product.ts'

const product = await sharedProduct()
const browser = await runBrowser()
const serial = randomInt(1, 1_000_000)
const stray = 30_000 + (serial % 7_000)
const bankId = `never-left-${serial}`
const payer = `Bo ${serial}`
let handed = 0

async function signIn(page: Page, who: string): Promise<void> {
  await page.goto(`${product.address}/admin/#/?lng=en`)
  await page.getByLabel('E-mail').fill(`${who}@kvitt.example`)
  await page.getByLabel('Password', { exact: true }).fill('Kvitt-demo-2026')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: who === 'approver' ? 'Proposals' : 'Dashboard' }).waitFor()
}

async function handIn(page: Page, name: string, entry: Partial<CamtEntry>): Promise<void> {
  const day = dayOf(Date.now() - 86_400_000, 'Europe/Stockholm')
  handed += 1
  const entries: CamtEntry[] = [{ currency: 'SEK', day, bankId, amountMinor: stray, payer, ...entry }]
  const text = camt({
    account: { other: '99900110' },
    message: '054',
    serial: serial + handed,
    entries,
  })
  await page.goto(`${product.address}/admin/#/payment-batches`)
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Add a file' }).click()
  await (await chooser).setFiles({ name, mimeType: 'text/xml', buffer: Buffer.from(text) })
  await page.getByRole('heading', { name }).waitFor()
}

async function approve(proposal: string, heading: string): Promise<Page> {
  const other = await browser.open({ viewport: DESK })
  await signIn(other, 'approver')
  await other.goto(proposal)
  await other.getByRole('heading', { name: heading }).waitFor()
  await other.getByRole('button', { name: 'Approve', exact: true }).click()
  await other.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await other.getByText('Approved', { exact: true }).first().waitFor()
  return other
}

test('the payer’s bank takes back what is in a file: finance says that it was not executed, another agrees, and both are ended; debited all the same it was paid twice, until it is back', async () => {
  const page = await browser.open({ viewport: DESK })
  await signIn(page, 'finance')
  await handIn(page, `came-${serial}.xml`, { message: 'Hello', payerIban: 'SE3550000000054910000003' })
  await page.goto(`${product.address}/admin/#/suspense?q=${encodeURIComponent(payer)}`)
  await page.getByRole('link', { name: payer }).click()
  await page.getByRole('button', { name: 'Send back' }).click()
  await page.getByText('The money goes back').waitFor()

  await page.goto(`${product.address}/admin/#/refunds`)
  await page.getByRole('button', { name: 'Put in a payment file' }).click()
  await page.getByRole('listitem').filter({ hasText: payer }).waitFor()
  await page.getByRole('button', { name: 'Propose' }).click()
  await page.getByRole('heading', { name: 'Payment file of refunds' }).waitFor()
  await approve(page.url(), 'Payment file of refunds')

  // The payer's bank has the money back, while ours is told to send it too.
  await handIn(page, `gone-${serial}.xml`, { isReversal: true })
  await page.goto(`${product.address}/admin/#/suspense?q=${encodeURIComponent(payer)}`)
  // The same search was made before: until it is answered again its list shows the payment, which has the payer's name too.
  await page.reload()
  await page.getByRole('link', { name: payer }).click()
  await page.getByText('The same money is on its way back to the payer').waitFor()
  await expectAccessible(page, 'a deduction whose money is on its way back')
  await page.getByRole('link', { name: 'Open the refund' }).click()
  await page.getByText('In a payment file already').waitFor()
  await page.getByRole('button', { name: 'The bank has not executed it' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('On its way out through the bank').waitFor()
  await dialog.getByText('In suspense').waitFor()
  await expectAccessible(page, 'what was not executed')
  await dialog.getByRole('button', { name: 'Propose' }).click()
  await page.getByRole('heading', { name: 'Payment file that the bank has not executed' }).waitFor()
  await expectAccessible(page, 'a proposal that a file was not executed')
  await approve(page.url(), 'Payment file that the bank has not executed')

  await page.goto(`${product.address}/admin/#/suspense?q=${encodeURIComponent(payer)}`)
  await page.getByText('Nothing').first().waitFor()
  await page.goto(`${product.address}/admin/#/payouts`)
  await page.getByRole('row').filter({ hasText: '1 not executed' }).first().getByRole('link').first().click()
  await page.getByText('Not executed', { exact: true }).first().waitFor()
  await expectAccessible(page, 'a file with a row that was not executed')

  // Our bank has executed it all the same, and what it paid has gone back to the payer before: it was paid twice.
  await handIn(page, `late-${serial}.xml`, { isDebit: true, bankId: `late-${serial}` })
  await page.getByRole('link', { name: 'Payer not named' }).click()
  await page.getByRole('button', { name: '1 paid twice' }).click()
  await dialog.getByText('Paid twice, which we are owed back').waitFor()
  await dialog.getByText('In suspense').waitFor()
  await expectAccessible(page, 'what a debit that was paid twice books')
  await dialog.getByRole('button', { name: 'Propose' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Payer not named' }).click()
  await page.getByRole('link', { name: 'Open the proposal' }).click()
  await page.getByRole('heading', { name: 'Payment that was made twice' }).waitFor()
  await expectAccessible(page, 'a proposal of what was paid twice')
  await approve(page.url(), 'Payment that was made twice')
  await page.goto(`${product.address}/admin/#/payouts`)
  await page.getByRole('row').filter({ hasText: '1 paid twice' }).first().getByRole('link').first().click()
  await page.getByText('owed back').waitFor()
  await expectAccessible(page, 'a file with a row that was paid twice')

  // Whoever got it pays it back.
  await handIn(page, `back-${serial}.xml`, {
    message: 'Back',
    bankId: `back-${serial}`,
    payer: `Back ${serial}`,
  })
  await page.goto(`${product.address}/admin/#/suspense?q=${encodeURIComponent(`Back ${serial}`)}`)
  await page.getByRole('link', { name: `Back ${serial}` }).click()
  await page.getByText('Not a debtor’s money').click()
  await page.getByText('Back of what was paid twice').last().click()
  await page.getByRole('button', { name: 'Enter it so' }).click()
  await page.getByRole('button', { name: 'Enter it so' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: `Back ${serial}` }).click()
  await page.getByRole('link', { name: 'Open the proposal' }).click()
  await page.getByRole('heading', { name: 'Entry of a line of the bank' }).waitFor()
  await approve(page.url(), 'Entry of a line of the bank')
  await page.goto(`${product.address}/admin/#/payouts`)
  await page.getByRole('row').filter({ hasText: '1 paid twice' }).first().getByRole('link').first().click()
  await page.getByText('Paid twice', { exact: true }).first().waitFor()
  await page.getByText('owed back').waitFor({ state: 'detached' })
})
