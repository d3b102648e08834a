import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runBrowser } from './browser.ts'
import { answerAtBank, headline, logIn, payNow, statusOf } from './debtor.ts'
import { runProduct } from './product.ts'

const product = await runProduct()
const browser = await runBrowser()
const FILE = readFileSync(
  new URL('../apps/server/src/imports/fixtures/se-invoice.xml', import.meta.url),
  'utf8',
)

test('A creditor’s file goes in, its debtor pays, and after a restart all of it is still there', async () => {
  const imported = product.importFile(FILE)
  expect(imported).toMatchObject({ outcome: 'created', invoiceNumber: '2026-70012' })
  const debtor = { reference: imported.paymentReference ?? '', zip: imported.zip ?? '' }
  expect(product.importFile(FILE).outcome).toBe('unchanged')

  const page = await browser.open()
  await logIn(page, product, debtor)
  expect(await headline(page).innerText()).toBe('Invoice 2026-70012')
  await payNow(page)
  await answerAtBank(page, 'Approve')
  await page.getByText('The invoice is closed.').waitFor()
  await page.close()

  expect(await product.stopCleanly()).toEqual([0, 0])
  await product.startAgain()
  expect(await statusOf(product, debtor)).toBe('CLOSED')
  const later = await browser.open()
  await logIn(later, product, debtor)
  await later.getByRole('heading', { name: 'Paid – nothing more to do' }).waitFor()
  const [receipt] = await Promise.all([
    later.waitForEvent('download'),
    later.getByRole('button', { name: 'Download receipt' }).click(),
  ])
  expect(
    readFileSync(await receipt.path())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-')
  expect((await product.ordersFor(debtor.reference)).map(({ status }) => status)).toEqual(['executed'])
})

test('A broken file is refused with a reason, and nothing of it is kept', async () => {
  const refused = product.importFile(FILE.replace('2026-70012', '2026-70013').slice(0, -200))
  expect(refused.outcome).toBe('refused')
  expect(refused.reason).toMatch(/\w+ .*\w+/)
  expect(await product.readRows('select 1 from invoice where invoice_number = $1', ['2026-70013'])).toEqual(
    [],
  )
})
