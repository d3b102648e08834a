/** The line is cut at a step of paying: the page says what is true, goes on by itself, and nothing is paid twice. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESK, LANGUAGES, PHONE, runBrowser } from '../testing/browser.ts'
import {
  arriveAtBank,
  choosePayNow,
  ELIAS,
  headline,
  logIn,
  MAJ,
  mainText,
  payNowButton,
} from '../testing/debtor.ts'
import { answerOrder, debt, method, openDebt, type Debt } from '../testing/each-way.ts'
import { sharedProduct } from '../testing/product.ts'
import { diagonal, sampleFor } from '../testing/sample.ts'
import { sayIn } from '../testing/screen.ts'

const product = await sharedProduct()
const browser = await runBrowser()

/** Cuts what matches until the answer is called. The server may have heard it: `heard` says so. */
async function cut(page: Page, calls: string | RegExp, heard = false): Promise<() => Promise<void>> {
  browser.expectTrouble(/ERR_FAILED|ERR_INTERNET_DISCONNECTED/)
  await page.route(calls, async (route) => {
    if (heard) await route.fetch()
    await route.abort('failed')
  })
  return () => page.unroute(calls)
}

type Kept = { readonly status: string; readonly booked: number }

/** What our books have of a debt's payments: every one that was not given up, and how often it was booked. */
const keptOf = ({ reference }: { reference: string }): Promise<Kept[]> =>
  product.readRows<Kept>(
    `select p.status::text, (select count(*)::int from ledger_transaction t
         where t.payment_id = p.id and t.kind = 'PAYMENT') as booked
     from payment p left join invoice i on i.id = p.invoice_id left join claim c on c.id = p.claim_id
     where coalesce(i.payment_reference, c.payment_reference) = $1 and p.status <> 'FAILED'`,
    [reference],
  )

/** Its due date lies ahead. */
const DUE_LATER = { reference: '260169998028', zip: '21115' }

const PAID_ONCE = [{ status: 'COMPLETED', booked: 1 }]
const UNKNOWN = 'We do not know yet how it went'

async function expectPaidOnce(at: Debt): Promise<void> {
  await expect.poll(() => keptOf(at), { timeout: 15_000 }).toEqual(PAID_ONCE)
}

const INSTALMENT = debt('Invoice 261', '260177227824', '21115')
const NILS_CLAIM = debt('Claim 702665', '770260370521', '21115')

// Before anything is paid.
test.each(
  diagonal(0, [
    { ...INSTALMENT, session: 'public' },
    { ...INSTALMENT, session: 'debtor' },
    { ...NILS_CLAIM, session: 'public' },
    { ...NILS_CLAIM, session: 'debtor' },
  ] as const),
)(
  '$title…, $session: the details of a transfer are asked for again when they did not come',
  async ({ session, ...at }) => {
    const page = await browser.open({ viewport: PHONE })
    const restore = await cut(page, '**/payment-account*')
    await openDebt(page, product, at, session)
    await method(page, /^Bank transfer/).check()
    await page.getByText('We could not load the account details.').waitFor()
    await restore()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', { name: 'Copy Reference number' }).waitFor()
    expect(await mainText(page)).toContain(at.reference.replaceAll(/(\d{4})(?=\d)/g, '$1 '))
  },
)

test.each(
  diagonal(1, [
    { ...debt('Invoice 261074', '260104929823'), session: 'public' },
    { ...debt('Invoice 261148', '260112159629'), session: 'debtor' },
    { ...debt('Claim 702406', '770235066220'), session: 'public' },
    { ...debt('Claim 702369', '770231451327'), session: 'debtor' },
  ] as const),
)(
  '$title, $session: the answer of the start is lost, and the return from the bank',
  async ({ session, ...at }) => {
    const page = await browser.open({ viewport: PHONE })
    await openDebt(page, product, at, session)
    await method(page, /^Direct bank payment/).check()
    if ((await page.getByRole('radio', { name: /^Pay now/ }).count()) > 0) await choosePayNow(page)
    const restoreStart = await cut(page, /\/payment-requests(?:\?|$)/, true)
    await payNowButton(page).click()
    await page.getByText('We got no answer').waitFor()
    await restoreStart()
    await payNowButton(page).click()
    await arriveAtBank(page)
    expect(await product.ordersFor(at.reference)).toHaveLength(1)
    const restore = await cut(page, '**/api/**')
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: UNKNOWN }).waitFor()
    const text = await mainText(page)
    expect(text).toContain('Do not pay again.')
    expect(text).not.toMatch(/Nothing has been paid/)
    await restore()
    await page.getByRole('heading', { level: 1, name: 'Thank you for your payment' }).waitFor()
    await expectPaidOnce(at)
  },
)

test('T-CHAOS-UI: The server is down at the return from the bank: the page does not know, and tells when it does', async () => {
  browser.expectTrouble(/503/)
  const page = await browser.open({ viewport: DESK })
  await logIn(page, product, MAJ)
  await method(page, /^Direct bank payment/).check()
  if ((await page.getByRole('radio', { name: /^Pay now/ }).count()) > 0) await choosePayNow(page)
  await payNowButton(page).click()
  await arriveAtBank(page)
  await page.route('**/api/**', (route) => route.fulfill({ status: 503, body: 'down' }))
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: UNKNOWN }).waitFor()
  // Only the payment is not told: the page of the confirmation knows as little.
  await page.unroute('**/api/**')
  await page.route('**/payment-requests/status*', (route) => route.fulfill({ status: 503, body: 'down' }))
  await page.getByText(MAJ.number).waitFor()
  await page.getByRole('heading', { level: 1, name: UNKNOWN }).waitFor()
  expect(await page.getByText('Choose another way to pay').count()).toBe(0)
  await page.unroute('**/payment-requests/status*')
  await page.getByRole('heading', { level: 1, name: 'Thank you for your payment' }).waitFor()
})

test.each(sampleFor(0, LANGUAGES, 2))(
  '%s: the return without a line is said, and nobody is asked to pay again',
  async (language) => {
    const page = await browser.open({ viewport: PHONE, language })
    await cut(page, '**/api/**')
    const query = `paymentReference=${ELIAS.reference}&zip=${ELIAS.zip}&paymentOption=pay-now`
    await page.goto(`${product.address}/#/${language}/confirmation?${query}`)
    await page.getByRole('heading', { level: 1, name: sayIn(language, 'load_failed.unsure') }).waitFor()
    expect(await page.getByRole('main').innerText()).toContain(sayIn(language, 'load_failed.unsure_text'))
  },
)

test.each(
  diagonal(2, [
    { ...debt('Invoice 261037', ELIAS.reference, ELIAS.zip), session: 'public' },
    { ...debt('Invoice 261111', '260108544727'), session: 'debtor' },
    { ...debt('Claim 702480', '770242296026', '21115'), session: 'public' },
    { ...NILS_CLAIM, session: 'debtor' },
  ] as const),
)('$title, $session: Swish, with the answer of the start and the polls lost', async ({ session, ...at }) => {
  const page = await browser.open({ viewport: DESK })
  await openDebt(page, product, at, session)
  await method(page, /^Swish/).check()
  const restoreStart = await cut(page, /\/payment-requests(?:\?|$)/, true)
  const pay = page.getByRole('button', { name: /with Swish$/ })
  await pay.click()
  await page.getByText('We got no answer').waitFor()
  await restoreStart()
  await pay.click()
  await page.getByRole('img', { name: 'QR code for Swish' }).waitFor()
  const restore = await cut(page, '**/api/**')
  await page.evaluate(() => dispatchEvent(new Event('offline')))
  await answerOrder(product, { kind: 'mobile', reference: at.reference }, 'approve')
  await page.waitForTimeout(6_000)
  expect(await mainText(page)).not.toMatch(/[Nn]othing (?:has been|is) paid/)
  await restore()
  if (at.isClaim) await page.getByRole('heading', { level: 1, name: 'Thank you for your payment' }).waitFor()
  else await page.getByText('Paid – nothing more to do').waitFor()
  await expectPaidOnce(at)
})

test('A signed payment whose bank cannot be asked is on its way, and no other way to pay is offered', async () => {
  const page = await browser.open({ viewport: DESK })
  const { reference, zip } = DUE_LATER
  await page.goto(`${product.address}/#/en/invoice/${reference}/${zip}`)
  await method(page, /^Direct bank payment/).check()
  await page.getByRole('radio', { name: /^Pay on the due date/ }).check()
  await page.getByRole('button', { name: /^Pay .* on / }).click()
  await arriveAtBank(page)
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await headline(page).waitFor()
  await page.getByText('Your payment is booked for').first().waitFor()
  const restore = await cut(page, '**/payment-requests/status*')
  await page.goto(`${product.address}/#/en/invoice/${reference}/${zip}`)
  await page.reload()
  await page.getByText('will be taken from your bank account on').waitFor()
  expect(await page.getByRole('radio').count()).toBe(0)
  const restoreAll = await cut(page, '**/payment-requests*')
  await page.reload()
  await page.getByText('A payment is on its way. Do not pay again.').first().waitFor()
  expect(await page.getByRole('radio').count()).toBe(0)
  await restoreAll()
  await restore()
})

test('BankID: without answers the code is taken away and it is said; then the login goes on', async () => {
  const page = await browser.open({ viewport: DESK })
  await page.goto(`${product.address}/#/en/`)
  await page.getByRole('button', { name: /^Electronic ID/ }).click()
  const code = page.getByRole('img', { name: 'QR code for the BankID app' })
  await code.waitFor()
  const restore = await cut(page, '**/bankid/collect*')
  await page.getByText('We get no answer right now. We go on when the connection is back.').waitFor()
  await code.waitFor({ state: 'detached' })
  await restore()
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await code.waitFor()
  await answerOrder(product, { kind: 'eid' }, 'approve', { personalNumber: '199007292387' })
  await page.getByRole('heading', { level: 1, name: 'Hello Alva Provlund' }).waitFor()
  expect(await page.evaluate(() => sessionStorage.getItem('id_token'))).not.toBeNull()
})
