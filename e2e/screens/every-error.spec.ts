/** A journey for each error of the catalogue (specification section 8) that no other journey meets. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESK, PHONE, runBrowser } from '../testing/browser.ts'
import {
  ALVA,
  arriveAtBank,
  ELIAS,
  fillLogin,
  headline,
  logIn,
  MAJ,
  openLogin,
  payNow,
  startPage,
  statusOf,
} from '../testing/debtor.ts'
import { ownProduct } from '../testing/product.ts'
import { CLAIM, METHODS, PLANS } from '../testing/screen.ts'

const product = await ownProduct('counterparties fail')
const browser = await runBrowser()

const at = (path: string): string => `${product.address}/#/en/${path}`
const invoice = ({ reference, zip }: { reference: string; zip: string }): string =>
  `invoice/${reference}/${zip}`

type EidOrder = { readonly id: string; readonly kind?: string }

async function decide(act: 'decline' | 'show', hintCode: string): Promise<void> {
  const orders = await product.control<EidOrder[]>('GET', 'orders')
  const id = orders.find(({ kind }) => kind === 'eid')?.id ?? ''
  await product.control('POST', `orders/${id}/${act}`, { hintCode })
}

/** The answer of our own server to one call is lost and a fault comes in its place. */
async function breakCall(page: Page, path: string, status: number): Promise<void> {
  browser.expectTrouble(new RegExp(`${status}`))
  const body = JSON.stringify({
    code: 'internal_error',
    message: 'Something went wrong',
    traceId: 'a1b2c3d4',
  })
  await page.route(path, (route) => route.fulfill({ status, contentType: 'application/json', body }))
}

test('The session ends on the server: the next call leads to the start page, and nothing is kept', async () => {
  browser.expectTrouble(/401/)
  const page = await browser.open({ viewport: DESK })
  await page.goto(at(''))
  await page.getByRole('button', { name: /^Electronic ID/ }).click()
  await page.getByRole('img', { name: 'QR code for the BankID app' }).waitFor()
  const orders = await product.control<EidOrder[]>('GET', 'orders')
  const id = orders.find(({ kind }) => kind === 'eid')?.id ?? ''
  await product.control('POST', `orders/${id}/approve`, { personalNumber: '199007292387' })
  await page.getByRole('heading', { level: 1, name: 'Hello Alva Provlund' }).waitFor()
  await product.readRows('delete from session')
  await page.reload()
  await startPage(page).waitFor()
  expect(await page.evaluate(() => sessionStorage.getItem('id_token'))).toBeNull()
})

test('A fault of the server leads to the page for it, with the number to quote, and back', async () => {
  const page = await browser.open()
  await breakCall(page, '**/api/public/invoices/**', 503)
  await page.goto(at(invoice(ELIAS)))
  await page.getByText(/^Oops, we have encountered a problem; we have been notified/).waitFor()
  await page.getByText('a1b2c3d4').waitFor()
  await expect.poll(() => page.url()).toBe(at('error'))
  await page.unroute('**/api/public/invoices/**')
  // What failed is tried once more.
  await page.getByRole('button', { name: 'Go back' }).click()
  await page.getByRole('heading', { level: 1, name: `Invoice ${ELIAS.number}` }).waitFor()
})

test('The provider cannot be told either: the page for our faults stands without it', async () => {
  browser.expectTrouble(/lost|ERR_FAILED|503/)
  const page = await browser.open()
  await page.route('**/api/instance-providers/**', (route) => route.abort())
  await page.goto(at('error'))
  await page.getByText(/^Oops, we have encountered a problem; we have been notified/).waitFor()
  await page.getByRole('button', { name: 'Go back' }).waitFor()
  expect(await page.title()).not.toBe('')
})

const HINTS = [
  ['outstandingTransaction', 'Trying to start your BankID app.'],
  ['noClient', 'Start your BankID app.'],
  ['started', 'Searching for BankID.'],
  ['userSign', 'Enter your security code in the BankID app'],
  ['userMrtd', 'An identification is in progress.'],
] as const

const FAILURES = [
  ['expiredTransaction', 'The BankID app is not responding.'],
  ['certificateErr', 'Your BankID is blocked or too old.'],
  ['userCancel', 'The action was cancelled.'],
  ['cancelled', 'The action was cancelled. Please try again.'],
  ['startFailed', 'The QR code could not be read.'],
  ['transactionRiskBlocked', 'Something went wrong. Please try again.'],
] as const

test('BankID says what it waits for, and why it ended; each can be tried again', async () => {
  const page = await browser.open({ viewport: DESK })
  await page.goto(at(''))
  await page.getByRole('button', { name: /^Electronic ID/ }).click()
  const code = page.getByRole('img', { name: 'QR code for the BankID app' })
  await code.waitFor()
  for (const [hint, words] of HINTS) {
    await decide('show', hint)
    await page.getByRole('status').getByText(words).waitFor()
  }
  for (const [hint, words] of FAILURES) {
    await decide('decline', hint)
    const box = page.getByRole('alert')
    await box.getByText(words).waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('status').getByText('Trying to start your BankID app.').waitFor()
  }
  expect(await page.evaluate(() => sessionStorage.getItem('id_token'))).toBeNull()
})

test('On a phone a start that failed is told as that of the app', async () => {
  const page = await browser.open({ viewport: PHONE })
  await page.goto(at(''))
  await page.getByRole('button', { name: /^Electronic ID/ }).click()
  await page.getByRole('img', { name: 'QR code for the BankID app' }).waitFor()
  await page.getByRole('button', { name: 'BankID is on this device' }).click()
  await page.getByRole('link', { name: 'Open BankID' }).waitFor()
  await decide('decline', 'startFailed')
  await page.getByRole('alert').getByText('You don’t seem to have the BankID app.').waitFor()
  expect(await page.getByRole('alert').innerText()).toContain('You are not logged in')
})

test('A browser inside another app is advised to open a real one, and the advice can be put away', async () => {
  const page = await browser.open()
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'userAgent', {
      value:
        'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 330.0.0',
    }),
  )
  await page.goto(at(''))
  const advice = page.getByText('Open this page in Safari (iOS) or Chrome (Android) to log in.')
  await advice.waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  expect(await advice.count()).toBe(0)
})

test('An unsupported language is named, and Swedish takes its place', async () => {
  const page = await browser.open({ language: 'sv' })
  await page.goto(`${product.address}/#/de/`)
  await page.getByText('Språket de stöds inte').waitFor()
  await page.getByRole('heading', { level: 1, name: 'Se och betala din faktura' }).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('sv')
})

test('A part payment that another tab has begun meanwhile cannot be begun as another one', async () => {
  browser.expectTrouble(/400|409/)
  const page = await browser.open({ viewport: DESK })
  await logIn(page, product, PLANS)
  const start = (tab: Page) => tab.getByRole('button', { name: /^Start part payment/ })
  await page.getByRole('radio', { name: /^Part payment plan/ }).check()
  await page
    .getByRole('radio', { name: /^6 months/ })
    .last()
    .check()
  await page.getByRole('checkbox').check()
  await start(page).waitFor()
  const other = await browser.openTab(page)
  await other.goto(at(invoice(PLANS)))
  await other.getByRole('radio', { name: /^Part payment plan/ }).check()
  await start(other).click()
  await other.getByRole('heading', { level: 1, name: 'Part payment started' }).waitFor()
  await start(page).click()
  await page.getByText('The invoice is already being paid in parts.').first().waitFor()
  await page.getByText('The invoice is paid in parts').waitFor()
  await expect.poll(() => page.getByRole('listitem').filter({ hasText: 'Not sent yet' }).count()).toBe(3)
})

test('The amount changes while Elias looks at it: the payment is refused, and the new one is shown', async () => {
  browser.expectTrouble(/400|409/)
  const page = await browser.open()
  await logIn(page, product, ELIAS)
  await page.locator(METHODS).first().waitFor()
  await page.route('**/payment-requests*', async (route) => {
    const request = route.request()
    if (request.method() !== 'POST') return route.continue()
    const body = { ...(request.postDataJSON() as object), amount: '1.00' }
    return route.continue({ postData: JSON.stringify(body) })
  })
  await page.getByRole('button', { name: /^Pay .* on / }).click()
  await page.getByRole('alert').getByText('The amount has changed. The amount to pay is now').waitFor()
  await page.unroute('**/payment-requests*')
  expect(await product.ordersFor(ELIAS.reference)).toEqual([])
  await payNow(page)
  await arriveAtBank(page)
})

test('A link to Swish without a token opens nothing, and the log says so', async () => {
  const page = await browser.open()
  const warned: string[] = []
  page.on('console', (message) => message.type() === 'warning' && warned.push(message.text()))
  await logIn(page, product, ALVA)
  await page.route('**/payment-requests*', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    const response = await route.fetch()
    const answer = { ...((await response.json()) as object), externalLink: 'swish://paymentrequest' }
    return route.fulfill({ response, json: answer })
  })
  await page.getByRole('radio', { name: /^Swish/ }).check()
  await page.getByRole('button', { name: /with Swish$/ }).click()
  await expect.poll(() => warned).toContain('No token found in externalLink')
  expect(await headline(page).innerText()).toContain(ALVA.number)
  expect(await statusOf(product, ALVA)).toBe('ACTIVATED')
})

test('What is copied is the value without its spaces, and it is said', async () => {
  const page = await browser.open()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await logIn(page, product, ELIAS)
  await page.getByRole('radio', { name: /^Bank transfer/ }).check()
  await page.getByRole('button', { name: 'Copy Reference number' }).click()
  await page.getByText('Copied value').first().waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(ELIAS.reference)
})

test('What may not be copied is marked, so that it can be copied by hand', async () => {
  const page = await browser.open()
  await page.addInitScript(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'))
  })
  await logIn(page, product, ELIAS)
  await page.getByRole('radio', { name: /^Bank transfer/ }).check()
  await page.getByRole('button', { name: 'Copy Reference number' }).click()
  await page.getByText('We could not copy it. The value is selected: copy it yourself.').waitFor()
  const marked = await page.evaluate(() => getSelection()?.toString().replaceAll(/\s/g, ''))
  expect(marked).toBe(ELIAS.reference)
})

test('Go back from the page for our faults leads on from a tab that has nothing behind it', async () => {
  const page = await browser.open()
  const opened = page.context().waitForEvent('page')
  await page.evaluate((address) => void open(address), at('error'))
  const tab = await opened
  await tab.getByRole('button', { name: 'Go back' }).click()
  await startPage(tab).waitFor()
  expect(tab.url()).not.toContain('error')
})

test('A document that is not there is said in its place, and the invoice can be paid', async () => {
  browser.expectTrouble(/400.*documents/)
  const page = await browser.open({ viewport: DESK })
  await page.goto(at('invoice/260159153329/90325'))
  await page.getByText('Unable to find invoice document.').first().waitFor()
  await page.getByRole('radio', { name: /^Direct bank payment/ }).waitFor()
  expect(await page.getByRole('button', { name: 'Download copy' }).count()).toBe(0)
})

const UNREACHED = [
  {
    at: 'bank',
    method: /^Pay now/,
    press: /^Pay .* now$/,
    words: 'We could not reach the bank. Nothing has been paid.',
  },
  {
    at: 'mobile',
    method: /^Swish/,
    press: /with Swish$/,
    words: 'We could not reach Swish. Nothing has been paid.',
  },
] as const

test('Neither the bank nor Swish is reached at the press: nothing is paid, and each is there again', async () => {
  browser.expectTrouble(/400/)
  for (const { at: target, method, press, words } of UNREACHED) {
    const page = await browser.open({ viewport: DESK })
    await page.goto(at(invoice(MAJ)))
    await page.getByRole('radio', { name: method }).check()
    await product.control('POST', 'faults', { target, fault: 'error500', times: 20 })
    await page.getByRole('button', { name: press }).click()
    await page.getByRole('alert').getByText(words).waitFor()
    await product.control('DELETE', 'faults')
    expect(await statusOf(product, MAJ), target).toBe('ACTIVATED')
    // What was pressed in vain stands in nobody's way.
    await page.getByRole('button', { name: press }).click()
    if (target === 'bank') await arriveAtBank(page)
    else await page.getByRole('img', { name: 'QR code for Swish' }).waitFor()
  }
})

test.each([
  ['desk', DESK],
  ['phone', PHONE],
])('A demand that is not there is said in its place, and the claim can be paid: %s', async (_, viewport) => {
  const page = await browser.open({ viewport })
  await page.goto(at(`collection-batch/${CLAIM.reference}?zip=${CLAIM.zip}`))
  if (viewport === PHONE) await page.locator('summary').filter({ hasText: 'Documents' }).click()
  const copy = page.getByRole('button', { name: 'Download the demand' })
  await copy.waitFor()
  await breakCall(page, '**/api/storage/**', 400)
  await copy.click()
  await page.getByText('Unable to find the document.').first().waitFor()
  await page.getByRole('radio', { name: /^Direct bank payment/ }).waitFor()
  await page.unroute('**/api/storage/**')
  const file = page.waitForEvent('download')
  await copy.click()
  expect((await file).suggestedFilename()).toMatch(/\.pdf$/)
})

test('Too many want files just now: the list and the invoice say when to ask again, and then give them', async () => {
  browser.expectTrouble(/503/)
  const page = await browser.open({ viewport: DESK })
  const message = 'Many files are being made right now. Try again in 7 seconds.'
  const body = JSON.stringify({ code: 'files_busy', message, traceId: 'a1b2c3d4' })
  const busy = { status: 503, headers: { 'retry-after': '7' }, contentType: 'application/problem+json', body }
  const paths = ['**/ledger/download**', '**/api/storage/**.pdf']
  for (const path of paths) await page.route(path, (route) => route.fulfill(busy))
  await page.goto(at(invoice(ELIAS)))
  await page.getByRole('button', { name: 'Download copy' }).click()
  await page.getByText(message).waitFor()
  await page.getByRole('link', { name: 'Show all invoices' }).click()
  await page.getByText('Download as a file').click()
  const list = page.getByRole('group', { name: 'All invoices' }).getByRole('button', { name: 'PDF' })
  await list.click()
  await page.getByRole('alert').getByText(message).waitFor()
  for (const path of paths) await page.unroute(path)
  const file = page.waitForEvent('download')
  await list.click()
  expect((await file).suggestedFilename()).toMatch(/^Invoices .*\.pdf$/)
  expect(await page.getByText(message).count()).toBe(0)
})

test('After too many wrong tries the form says how long to wait, for the right details too', async () => {
  browser.expectTrouble(/400/)
  const page = await browser.open()
  await openLogin(page, product)
  const wait = page.getByText(/^Too many attempts with wrong details\. Try again in \d+ (minute|hour)/)
  for (let zip = 10_001; zip < 10_040 && (await wait.count()) === 0; zip++) {
    const answered = page.waitForResponse((answer) => answer.url().includes('/api/public/invoices/'))
    await fillLogin(page, ELIAS.reference, String(zip))
    await answered
    await page.getByRole('alert').waitFor()
  }
  await wait.waitFor()
  await fillLogin(page, ELIAS.reference, ELIAS.zip)
  await wait.waitFor()
  expect(await page.evaluate(() => sessionStorage.getItem('invoice_token'))).toBeNull()
  // Whoever asks for something else is not held up.
  await fillLogin(page, ALVA.reference, ALVA.zip)
  await page.getByRole('heading', { level: 1, name: `Invoice ${ALVA.number}` }).waitFor()
})
