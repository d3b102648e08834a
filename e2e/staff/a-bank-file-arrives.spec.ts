import { fileURLToPath } from 'node:url'
import { dayOf } from '@kvitt/domain/calendar.ts'
import { test } from 'vitest'
import { castBgMax, type CastPayment } from '../../apps/server/src/demo/cast-bgmax.ts'
import { readCast } from '../../apps/server/src/demo/cast.ts'
import type { Page } from 'playwright-core'
import { expectAccessible } from '../testing/accessibility.ts'
import { DESK, runBrowser } from '../testing/browser.ts'
import { sharedProduct } from '../testing/product.ts'

const cast = readCast(fileURLToPath(new URL('../../apps/server/demo', import.meta.url)))
const bankgiro =
  cast.creditors.find(({ account }) => account.scheme === 'BANKGIRO')?.account.accountNumber ?? ''
const product = await sharedProduct()
const browser = await runBrowser()

type Found = { readonly number: string; readonly reference: string; readonly minor: number }

/** An open invoice of the demo, as the operator's own list has it. */
async function findOpen(page: Page, query: string): Promise<Found> {
  return page.evaluate(async (wanted) => {
    const token = sessionStorage.getItem('access_token') ?? ''
    const answer = await fetch('/api/admin/invoices/search', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: wanted, queryTarget: 'invoiceNumber' }),
    })
    const [row] = (await answer.json()) as {
      invoiceNumber: string
      paymentReference: string
      balances: { total: string }
    }[]
    if (!row) throw new Error(`no invoice ${wanted}`)
    return {
      number: row.invoiceNumber,
      reference: row.paymentReference,
      minor: Math.round(Number(row.balances.total) * 100),
    }
  }, query)
}

async function handIn(page: Page, name: string, text: string): Promise<void> {
  await page.goto(`${product.address}/admin/#/payment-batches`)
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Add a file' }).click()
  await (await chooser).setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text, 'latin1') })
}

test('a bank’s file is booked, what nobody could place is placed by key, and the same file again books nothing', async () => {
  const page = await browser.open({ viewport: DESK })
  await page.goto(`${product.address}/admin/#/?lng=en`)
  await page.getByLabel('E-mail').fill('finance@kvitt.example')
  await page.getByLabel('Password', { exact: true }).fill('Kvitt-demo-2026')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()

  const paid = await findOpen(page, '261037')
  const meant = await findOpen(page, '261888')
  const day = dayOf(Date.now(), 'Europe/Stockholm')
  const payments: CastPayment[] = [
    { reference: paid.reference, amountMinor: 10_000 },
    // One figure is wrong: nobody's reference, but nearly one's.
    { reference: `9${meant.reference.slice(1)}`, amountMinor: meant.minor },
  ]
  const text = castBgMax({ bankgiro, day, payments, serial: 77 })
  await handIn(page, 'morning.bgmax', text)
  await page.getByRole('heading', { name: 'morning.bgmax' }).waitFor()
  await page.getByText('Unknown reference').first().waitFor()
  await expectAccessible(page, 'a bank file')

  await handIn(page, 'again.bgmax', text)
  await page.getByText('The file was here already. Nothing was booked again.').first().waitFor()

  await page.goto(`${product.address}/admin/#/suspense`)
  await page.locator('main a[href*="suspense/"]').first().click()
  await page.getByRole('group', { name: 'Where it may belong' }).waitFor()
  await expectAccessible(page, 'money to be placed')
  await page.getByLabel('Another invoice, by number or reference').fill(meant.number)
  await page.getByRole('heading', { name: 'What will be booked' }).waitFor()
  await page.keyboard.press('Control+Enter')
  await page.getByText('The money is placed').first().waitFor()
  await page.goto(`${product.address}/admin/#/invoices?tab=all&q=${meant.number}`)
  await page
    .getByRole('row', { name: new RegExp(meant.number) })
    .getByText('Closed')
    .waitFor()
})
