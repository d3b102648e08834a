/** Whole journeys with Tab, Enter, Space, Escape and the arrows; after each press something has the focus. */
import { readFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESK, PHONE, runBrowser } from '../testing/browser.ts'
import { ALVA, ELIAS, headline, logIn, MAJ, startPage, type Invoiced } from '../testing/debtor.ts'
import { beginAtTop, choose, expectFocus, pressOn, readStop, tabTo } from '../testing/keyboard.ts'
import { sharedProduct } from '../testing/product.ts'
import { PAID, PLANNED, PLANS } from '../testing/screen.ts'

const product = await sharedProduct()
const browser = await runBrowser()

const RECEIPT = { name: 'receipt.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF') }
/** Others of the cast that can be paid, each for one test. */
const DECLINED_ONCE = { reference: '260220606628', zip: '41105' }

type Waiting = { readonly id: string; readonly kind?: string; readonly reference?: string }

async function answerOrder(
  kind: string,
  answer: 'approve' | 'decline',
  body?: unknown,
  reference?: string,
): Promise<void> {
  const orders = await product.control<Waiting[]>('GET', 'orders')
  const order = orders.find((o) => o.kind === kind && (!reference || o.reference === reference))
  await product.control('POST', `orders/${order?.id}/${answer}`, body)
}

const button = (at: Page | Locator, name: string | RegExp): Locator =>
  at.getByRole('button', { name }).first()

async function openStart(page: Page): Promise<void> {
  await page.goto(`${product.address}/#/en/`)
  await startPage(page).waitFor()
}

async function openInvoice(page: Page, { reference, zip }: Invoiced): Promise<void> {
  await page.goto(`${product.address}/#/en/invoice/${reference}/${zip}`)
  await page.locator('#payment-heading').waitFor()
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
}

/** Opens a dialog, finds nothing outside it, and comes back to where it was. */
async function lookInto(opener: Locator): Promise<void> {
  const page = opener.page()
  await pressOn(opener)
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  for (const key of ['Tab', 'Tab', 'Tab', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab']) {
    await page.keyboard.press(key)
    const stop = await readStop(page)
    if (stop) expect(stop.isInDialog, stop.name).toBe(true)
  }
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => opener.evaluate((element) => element === document.activeElement)).toBe(true)
}

const isHeading = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.activeElement?.tagName === 'H1')

test('I log in with my reference, after a mistake, and as a company', async () => {
  browser.expectTrouble(/400/)
  const page = await browser.open({ viewport: PHONE })
  await openStart(page)
  await lookInto(button(page, 'Is the message genuine?'))
  await beginAtTop(page)
  await pressOn(button(page, /^Payment reference/))
  await expect.poll(() => isHeading(page)).toBe(true)
  await tabTo(page.getByLabel('Payment reference'))
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await readStop(page))?.name).toMatch(/Payment reference/)
  await page.keyboard.type('999999999990')
  await page.keyboard.press('Tab')
  await page.keyboard.type('99999')
  await page.keyboard.press('Enter')
  await page.locator('form [role="alert"]').waitFor()
  await pressOn(button(page, 'Try again'))
  await expect.poll(async () => (await readStop(page))?.name).toMatch(/Payment reference/)
  await page.keyboard.type(ELIAS.reference)
  await pressOn(page.locator('form summary'))
  await tabTo(page.getByLabel('Zip code'), 'Shift+Tab')
  await page.keyboard.type(ELIAS.zip)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: `Invoice ${ELIAS.number}` }).waitFor()
  await expect.poll(() => isHeading(page)).toBe(true)

  await openStart(page)
  await pressOn(button(page, /^Log in as a company/))
  await expect.poll(() => isHeading(page)).toBe(true)
  await pressOn(button(page, 'Choose another way'))
  await startPage(page).waitFor()
  await expectFocus(page, 'going back')
})

test('I log in with BankID: another way, no after all, once more, and in', async () => {
  const page = await browser.open({ viewport: DESK })
  await openStart(page)
  await pressOn(button(page, /^Electronic ID/))
  await page.getByRole('img', { name: 'QR code for the BankID app' }).waitFor()
  await pressOn(button(page, 'BankID is on this device'))
  await page.getByRole('link', { name: 'Open BankID' }).waitFor()
  await expectFocus(page, 'the other way')
  await pressOn(button(page, /^Use another device/))
  await page.getByRole('img', { name: 'QR code for the BankID app' }).waitFor()
  await expectFocus(page, 'the first way again')
  await tabTo(button(page, 'BankID is on this device'))
  await answerOrder('eid', 'decline', { hintCode: 'userCancel' })
  await page.getByText('The login was cancelled').waitFor()
  await expectFocus(page, 'a login that was cancelled on the phone')
  await pressOn(button(page, 'Try again'))
  await page.getByRole('img', { name: 'QR code for the BankID app' }).waitFor()
  await expectFocus(page, 'trying again')
  await pressOn(button(page, 'Cancel'))
  await startPage(page).waitFor()
  await expect.poll(() => isHeading(page)).toBe(true)
  await pressOn(button(page, /^Electronic ID/))
  await page.getByRole('img', { name: 'QR code for the BankID app' }).waitFor()
  await answerOrder('eid', 'approve', { personalNumber: '199007292387' })
  await page.getByRole('heading', { level: 1, name: 'Hello Alva Provlund' }).waitFor()
  await expect.poll(() => isHeading(page)).toBe(true)
  await pressOn(page.getByRole('link', { name: 'Log out' }))
  await startPage(page).waitFor()
  await expect.poll(() => isHeading(page)).toBe(true)
})

test('I pay with my bank, on the due date or now, and come back to a paid invoice', async () => {
  const page = await browser.open({ viewport: PHONE })
  await openInvoice(page, ELIAS)
  await pressOn(button(page, `Pay ${ELIAS.amount}`))
  await expect.poll(async () => (await readStop(page))?.name).toMatch(/^h2/)
  await choose(page.getByRole('radio', { name: /^Direct bank payment/ }))
  await choose(page.getByRole('radio', { name: /^Pay now/ }))
  await choose(page.getByRole('radio', { name: /^Pay on the due date/ }))
  await choose(page.getByRole('radio', { name: /^Pay now/ }))
  await tabTo(button(page, /^Pay .* now$/))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Approve the payment' }).waitFor()
  await tabTo(button(page, 'Approve'))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Thank you for your payment' }).waitFor()
  await pressOn(button(page, 'Return to invoice'))
  await page.getByText('Paid – nothing more to do').waitFor()
  await expect.poll(() => isHeading(page)).toBe(true)
  await pressOn(button(page, 'Download receipt'))
})

test('I pay with Swish: no in the app, then yes, and the focus stays where one pays', async () => {
  const page = await browser.open({ viewport: DESK })
  await openInvoice(page, MAJ)
  await choose(page.getByRole('radio', { name: /^Swish/ }))
  await pressOn(button(page, /with Swish$/))
  await page.getByRole('img', { name: 'QR code for Swish' }).waitFor()
  await expectFocus(page, 'the code came')
  await answerOrder('mobile', 'decline', undefined, MAJ.reference)
  await page.getByText('The payment did not go through. No money has been taken.').waitFor()
  await expectFocus(page, 'the app said no')
  await pressOn(button(page, 'Try again'))
  await expectFocus(page, 'trying again')
  await pressOn(button(page, /with Swish$/))
  await page.getByRole('img', { name: 'QR code for Swish' }).waitFor()
  await answerOrder('mobile', 'approve', undefined, MAJ.reference)
  await page.getByText('Paid – nothing more to do').waitFor()
  await expectFocus(page, 'it was paid')
})

/** What was opened has its whole height: no person is so quick as to go on before it does. */
async function untilSteady(page: Page): Promise<void> {
  const height = () => page.evaluate(() => document.body.scrollHeight)
  await expect
    .poll(async () => {
      const before = await height()
      await page.waitForTimeout(150)
      return (await height()) - before
    })
    .toBe(0)
}

test('I copy what a transfer needs, open what can be opened, and ask for help', async () => {
  const page = await browser.open({ viewport: PHONE })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await openInvoice(page, PLANS)
  await choose(page.getByRole('radio', { name: /^Bank transfer/ }))
  await pressOn(button(page, /^Copy Reference number/i))
  await page.getByText('Copied value').waitFor()
  await pressOn(button(page, /^Can.t pay it all now/))
  await expect.poll(async () => (await readStop(page))?.name).toMatch(/^summary/)
  await beginAtTop(page)
  for (const name of ['How is this calculated?', 'Documents']) {
    await pressOn(page.locator('summary:visible', { hasText: name }).first())
    await untilSteady(page)
  }
  await tabTo(page.locator('details[open] button:visible').first())
  await lookInto(button(page.locator('section[aria-labelledby="help-heading"]'), 'Contact us'))
  await lookInto(button(page, 'Is the message genuine?'))
})

test('I start a part payment, with its tick, change my mind, and can pay as before', async () => {
  const page = await browser.open({ viewport: DESK })
  await openInvoice(page, PLANS)
  await choose(page.getByRole('radio', { name: /^Part payment plan/ }))
  const plans = page.getByRole('group', { name: 'Choose how long you want to pay' })
  await choose(plans.getByRole('radio', { name: /^6 months/ }).last())
  await pressOn(button(page, /^Start part payment/))
  const box = page.getByRole('checkbox')
  await expect.poll(() => box.evaluate((element) => element === document.activeElement)).toBe(true)
  await page.keyboard.press('Space')
  await pressOn(button(page, /^Start part payment/))
  await page.getByRole('heading', { level: 1, name: 'Part payment started' }).waitFor()
  await expect.poll(() => isHeading(page)).toBe(true)
  await pressOn(button(page, 'Return to invoice'))
  await page.getByText('The invoice is paid in parts').waitFor()
  await lookInto(button(page, 'Pay all that is left'))
  await pressOn(button(page, 'Cancel the part payment'))
  await pressOn(button(page.getByRole('dialog'), 'Cancel the part payment'))
  await page.getByText('The part payment is cancelled.').waitFor()
  await page.getByRole('radio', { name: /^Direct bank payment/ }).waitFor()
  await expectFocus(page, 'the part payment has ended')
})

test('I start an account, on a phone, where offers are cards', async () => {
  const page = await browser.open({ viewport: PHONE })
  await openInvoice(page, PLANNED)
  await choose(page.getByRole('radio', { name: /^Part payment account/ }))
  await pressOn(button(page, /^Start part payment/))
  await page.keyboard.press('Space')
  await pressOn(button(page, /^Start part payment/))
  await page.getByRole('heading', { level: 1, name: 'Part payment started' }).waitFor()
  await expect.poll(() => isHeading(page)).toBe(true)
})

test('A claim: what it is made of, its demand, and paying it', async () => {
  const page = await browser.open({ viewport: DESK })
  await page.goto(`${product.address}/#/en/collection-batch/770231451327?zip=11122`)
  await page.getByRole('radio', { name: /^Direct bank payment/ }).waitFor()
  await lookInto(button(page, 'More details'))
  await pressOn(button(page, 'More details'))
  await pressOn(page.getByRole('dialog').locator('summary').first())
  await page.getByRole('dialog').getByText('Purchase date').waitFor()
  await pressOn(button(page.getByRole('dialog'), 'Close'))
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const saved = page.waitForEvent('download')
  await pressOn(button(page, 'Download the demand'))
  expect((await saved).suggestedFilename()).toMatch(/\.pdf$/)
  await choose(page.getByRole('radio', { name: /^Pay now/ }))
  await tabTo(button(page, /^Pay .* now$/))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Approve the payment' }).waitFor()
  await tabTo(button(page, 'Approve'))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Thank you for your payment' }).waitFor()
  await pressOn(button(page, 'Return to claim'))
  await page.getByText('Paid – nothing more to do').waitFor()
  await expect.poll(() => isHeading(page)).toBe(true)
})

test('I dispute with a file, one of two, and the focus is not lost when the form has gone', async () => {
  const page = await browser.open({ viewport: PHONE })
  await openInvoice(page, ALVA)
  const wrong = page.locator('section[aria-labelledby="wrong-heading"]')
  await lookInto(button(wrong, 'Dispute invoice'))
  await pressOn(button(wrong, 'Dispute invoice'))
  const dialog = page.getByRole('dialog')
  await tabTo(dialog.getByLabel('E-mail'))
  await page.keyboard.type('me@example.com')
  await page.keyboard.press('Tab')
  await page.keyboard.type('It came broken.')
  const files = dialog.getByLabel('Choose files')
  await tabTo(files)
  const chooser = page.waitForEvent('filechooser')
  await page.keyboard.press('Enter')
  await (await chooser).setFiles([RECEIPT, { ...RECEIPT, name: 'other.pdf' }])
  await dialog.getByRole('listitem').filter({ hasText: 'other.pdf' }).waitFor()
  await tabTo(button(dialog, 'Remove other.pdf'), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expectFocus(page, 'a file was removed')
  await pressOn(button(dialog, 'Remove receipt.pdf'))
  await expectFocus(page, 'the last file was removed')
  await tabTo(files)
  const again = page.waitForEvent('filechooser')
  await page.keyboard.press('Enter')
  await (await again).setFiles([RECEIPT])
  await dialog.getByRole('listitem').filter({ hasText: 'receipt.pdf' }).waitFor()
  await pressOn(button(dialog, 'Dispute invoice'))
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Disputed and paused until further notice').waitFor()
  await expect.poll(() => wrong.getByRole('button', { name: 'Dispute invoice' }).count()).toBe(0)
  await expectFocus(page, 'the invoice is disputed')
})

test('The menu of a phone, the languages, and customer service', async () => {
  const page = await browser.open({ viewport: PHONE })
  await logIn(page, product, PAID)
  await pressOn(button(page, 'Menu'))
  await page.keyboard.press('Escape')
  await expect.poll(async () => (await readStop(page))?.name).toMatch(/Menu/)
  await page.keyboard.press('Enter')
  await pressOn(page.getByRole('link', { name: 'Customer service' }))
  await page.getByRole('heading', { level: 1, name: 'Customer service' }).waitFor()
  await expect.poll(() => isHeading(page)).toBe(true)
  await pressOn(page.locator('main ul button').first())
  await expect.poll(async () => (await readStop(page))?.name).toMatch(/^summary/)
  await lookInto(button(page, 'Is the message genuine?'))
  await beginAtTop(page)
  await pressOn(page.locator('header button[popovertarget]').first())
  await tabTo(button(page, 'Suomi'))
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe('fi')
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await headline(page).innerText()).toMatch(/Asiakaspalvelu/)
})

test('A link to somebody else’s invoice: I stay, then I go', async () => {
  const page = await browser.open({ viewport: PHONE })
  await logIn(page, product, PAID)
  const other = `${product.address}/#/en/invoice/${DECLINED_ONCE.reference}/${DECLINED_ONCE.zip}`
  await page.goto(other)
  await pressOn(button(page, 'Stay here'))
  await page.getByRole('heading', { level: 1, name: 'Invoice 261296' }).waitFor()
  await expect.poll(() => isHeading(page)).toBe(true)
  await page.goto(other)
  await pressOn(button(page, 'Open the other invoice'))
  await page.getByRole('heading', { level: 1, name: 'Invoice 262258' }).waitFor()
  await expect.poll(() => isHeading(page)).toBe(true)
})

test('All my invoices, page by page, and what is paid', async () => {
  const file = readFileSync(
    new URL('../../apps/server/src/imports/fixtures/se-invoice.xml', import.meta.url),
    'utf8',
  )
  let debtor: Invoiced = { reference: '', zip: '' }
  for (let n = 10; n < 21; n += 1) {
    const { paymentReference, zip } = product.importFile(file.replaceAll('2026-70012', `2026-700${n}`))
    debtor = { reference: paymentReference ?? '', zip: zip ?? '' }
  }
  const page = await browser.open({ viewport: DESK })
  await logIn(page, product, debtor)
  await pressOn(page.getByRole('link', { name: 'Show all invoices' }))
  await page.getByText('1–10 of 11').waitFor()
  await expect.poll(() => isHeading(page)).toBe(true)
  const pages = page.getByRole('navigation', { name: 'Open invoices' })
  await pressOn(button(pages, 'Next'))
  await page.getByText('11–11 of 11').waitFor()
  await expect.poll(async () => (await readStop(page))?.name).toMatch(/Next/)
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await page.getByText('1–10 of 11').waitFor()
  await tabTo(page.getByRole('link', { name: /^To invoice/ }).last(), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: /^Invoice 2026-700/ }).waitFor()
  await expect.poll(() => isHeading(page)).toBe(true)
})
