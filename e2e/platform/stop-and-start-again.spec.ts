import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { runBrowser } from '../testing/browser.ts'
import { answerAtBank, headline, logIn, payNow, statusOf } from '../testing/debtor.ts'
import { ownProduct } from '../testing/product.ts'

const product = await ownProduct('it stops and starts the programs')
const browser = await runBrowser()
const FILE = readFileSync(
  new URL('../../apps/server/src/imports/fixtures/se-invoice.xml', import.meta.url),
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

/** Of the cast: nothing has been paid on them, and nobody has tried. */
const PAYABLE = [
  ['260101314920', '41105'],
  ['260104929823', '11122'],
  ['260155538424', '90325'],
  ['260159153329', '90325'],
  ['260108544727', '11122'],
] as const

test('T-DRAIN: Told to end while payments are being made: each is answered, made once, and known afterwards', async () => {
  const at = (reference: string, zip: string): string => `public/invoices/${reference}/${zip}`
  const payable = []
  for (const [reference, zip] of PAYABLE) {
    const { body } = await product.call('GET', at(reference, zip))
    const { balances, dates } = body as { balances: { total: number }; dates: { today: string } }
    payable.push({ reference, zip, amount: balances.total.toFixed(2), paymentDate: dates.today })
  }
  // Every payment stands before the table until three seconds later, when the server has long been told to end.
  const held = product.readRows('begin; lock table payment in exclusive mode; select pg_sleep(3); commit')
  await sleep(500)
  const starting = payable.map(({ reference, zip, amount, paymentDate }) =>
    product.call('POST', `${at(reference, zip)}/payment-requests`, {
      body: { paymentDate, amount, redirectUri: `${product.address}/` },
    }),
  )
  let answered = 0
  for (const one of starting) void one.then(() => answered++)
  await sleep(500)
  expect(answered).toBe(0)
  const began = Date.now()
  const stopping = product.stopCleanly()
  const answers = await Promise.all(starting)
  await held
  expect(await stopping).toEqual([0, 0])
  expect(Date.now() - began).toBeLessThan(30_000)
  expect(answers.map(({ status, text }) => (status === 201 ? 201 : text))).toEqual(PAYABLE.map(() => 201))
  await product.startAgain()
  for (const { reference, zip } of payable) {
    const { body } = await product.call('GET', `${at(reference, zip)}/payment-requests`)
    expect(body).toMatchObject([{ status: 'IN_PROGRESS' }])
    expect(await product.ordersFor(reference)).toHaveLength(1)
  }
})
