/** Somebody is handed the sandbox page, pays, breaks and cheats as they like; the page says whether the books are right. */
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESK, runBrowser } from '../testing/browser.ts'
import { ALVA, ELIAS, MAJ, textOf, type Invoiced } from '../testing/debtor.ts'
import { ownProduct } from '../testing/product.ts'

/** Two more that are owed; their sums tell them apart on the phone. */
const FIRST = { reference: '260108544727', zip: '11122', amount: '1 250,00 kr' }
const SECOND = { reference: '260220606628', zip: '41105', amount: '310,00 kr' }

const product = await ownProduct('counterparties fail')
const browser = await runBrowser()

type Payable = Invoiced & { readonly amount: string }

async function openSandbox(): Promise<Page> {
  const page = await browser.open({ viewport: DESK })
  await page.goto(product.sandboxAddress)
  await page.getByText('The books balance').waitFor()
  return page
}

/** Starts a payment as the portal does. */
async function pay({ reference, zip, amount }: Payable, serviceProviderCode: string): Promise<number> {
  const { today } = await product.control<{ today: string }>('GET', 'clock')
  const body = {
    paymentDate: today,
    amount: amount.replace(/\s|kr/g, '').replace(',', '.'),
    serviceProviderCode,
    redirectUri: `${product.address}/`,
  }
  return (await product.call('POST', `public/invoices/${reference}/${zip}/payment-requests`, { body })).status
}

const ledger = (page: Page): Locator => page.getByRole('region', { name: 'The ledger' })

/** The figure beside a word of the ledger's card. */
async function countOf(page: Page, word: string): Promise<number> {
  return Number(new RegExp(`${word} (\\d+)`).exec(await textOf(ledger(page)))?.[1])
}

async function breakIt(page: Page, who: string, what: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`: ${who}, ${what}, `) }).click()
  await page.getByRole('button', { name: `×1: ${who}, ${what}, 1 left; press for one more` }).waitFor()
}

test('Paid with lost, late, doubled and wrong answers: each is booked once, or a person is asked', async () => {
  const page = await openSandbox()
  const before = await countOf(page, 'Executed here')
  await breakIt(page, 'Swish', 'Twice')
  await breakIt(page, 'Swish', 'Lost')
  await page.getByRole('button', { name: /^0 s: Swish answers after/ }).click()
  await page.getByRole('button', { name: /^5 s: Swish answers after/ }).waitFor()
  expect(await pay(ELIAS, 'SWISH')).toBe(201)
  await page.getByRole('button', { name: /^5 s: the payer answers after/ }).click()
  await page.getByRole('button', { name: /^Approve/ }).click()
  await page.getByText(/^Approves in \d s$/).waitFor()
  expect(await pay(MAJ, 'DIRECT_BANK')).toBe(201)
  await page.getByRole('button', { name: /^0 s: the payer answers after/ }).click()
  await breakIt(page, 'Bank', 'Wrong amount')
  await page.getByRole('heading', { name: 'Fjällström Demo Energi AB' }).waitFor()
  await page.getByRole('button', { name: /^Approve/ }).click()
  await expect.poll(() => countOf(page, 'Executed here'), { timeout: 30_000 }).toBe(before + 2)
  await expect.poll(() => countOf(page, 'A person was asked'), { timeout: 90_000 }).toBe(1)
  await expect.poll(() => countOf(page, 'In the books'), { timeout: 90_000 }).toBe(before + 1)
  await expect.poll(() => countOf(page, 'On the way'), { timeout: 30_000 }).toBe(0)
  expect(await textOf(ledger(page))).toContain('The books balance')
  await page.getByText('Clear all').click()
  await page.getByRole('button', { name: /^0 s: Swish answers after/ }).waitFor()
})

test('An order that comes in while another is on the phone waits below it; who presses Enter signs what they looked at', async () => {
  const page = await openSandbox()
  const phone = page.getByRole('region', { name: 'The payer’s phone' })
  const shown = (amount: string) => phone.getByText(amount.replace('kr', 'SEK'), { exact: true })
  const approve = phone.getByRole('button', { name: /^Approve/ })
  expect(await pay(FIRST, 'SWISH')).toBe(201)
  await shown(FIRST.amount).waitFor()
  await approve.focus()
  const before = await approve.boundingBox()
  expect(await pay(SECOND, 'SWISH')).toBe(201)
  await phone.getByText('1 more waits').waitFor()
  expect(await approve.boundingBox()).toEqual(before)
  await page.keyboard.press('Enter')
  await shown(SECOND.amount).waitFor()
  const statusOf = async (reference: string) => (await product.ordersFor(reference))[0]?.status
  expect(await statusOf(FIRST.reference)).toBe('executed')
  // The next order has not taken over the focus with the button's place.
  await page.keyboard.press('Enter')
  await page.getByText('Nothing waits').or(approve).waitFor()
  expect(await statusOf(SECOND.reference)).toBe('waiting')
  await phone.getByRole('button', { name: /^Decline/ }).click()
  await page.getByText('Nothing waits').waitFor()
})

test('A button that is pressed while the last one’s call is under way is not lost', async () => {
  const page = await openSandbox()
  await page.route('**/control/delays', async (route) => {
    await page.waitForTimeout(500)
    await route.continue()
  })
  const choose = (text: string) =>
    page.getByRole('button', { name: `${text}: the payer answers after`, exact: true })
  await choose('5 s').click()
  await choose('60 s').click()
  await choose('60 s').click()
  const chosen = page.locator('.answers button[aria-pressed="true"]')
  await expect.poll(() => chosen.textContent()).toBe('60 s')
  await choose('0 s').click()
  await expect.poll(() => chosen.textContent()).toBe('0 s')
})

test('A ledger that somebody has written into by hand is called wrong, by the name of what it breaks', async () => {
  const page = await openSandbox()
  const change = (by: number) =>
    product.readRows(
      `update ledger_account set balance_minor = balance_minor + $1
       where id = (select id from ledger_account where kind = 'claims_on_debtors' order by id limit 1) returning id`,
      [by],
    )
  await change(100)
  try {
    await page.getByText('The books are wrong').waitFor()
    expect(await textOf(ledger(page))).toMatch(/I2 Balances equal postings does not hold: \d rows?\./)
    expect(await textOf(page.getByRole('contentinfo'))).toContain('The ledger does not agree')
  } finally {
    await change(-100)
  }
  await ledger(page)
    .getByRole('button', { name: /checks hold$/ })
    .click()
  await ledger(page).getByText('I4 Settled payments are booked once').waitFor()
})

test('An order whose making was answered with an error, and that is paid all the same: it is booked, once', async () => {
  const page = await openSandbox()
  const before = {
    booked: await countOf(page, 'In the books'),
    asked: await countOf(page, 'A person was asked'),
  }
  await breakIt(page, 'Bank', 'Error after success')
  // The payer hears that nothing came of it; the bank has the order, and somebody signs it.
  expect(await pay(ALVA, 'DIRECT_BANK')).toBe(400)
  await page.getByRole('button', { name: /^Approve/ }).click()
  await expect.poll(() => countOf(page, 'In the books'), { timeout: 110_000 }).toBe(before.booked + 1)
  expect(await countOf(page, 'On the way')).toBe(0)
  expect(await countOf(page, 'A person was asked')).toBe(before.asked)
  expect(await textOf(ledger(page))).toContain('The books balance')
})
