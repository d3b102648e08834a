/** Each way to pay, on an invoice and on a claim, with a link from a letter and with an electronic ID. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESK, runBrowser } from '../testing/browser.ts'
import { answerAtBank, arriveAtBank, choosePayNow, MAJ, mainText, payNowButton } from '../testing/debtor.ts'
import {
  ACCOUNT,
  answerOrder,
  debt,
  method,
  ONGOING,
  openDebt,
  PLAN,
  startAndCancel,
  type Debt,
} from '../testing/each-way.ts'
import { sharedProduct } from '../testing/product.ts'
import { isWhole } from '../testing/sample.ts'

const product = await sharedProduct()
const browser = await runBrowser()

/** An invoice and a claim, each with a link and with an electronic ID. A debt has one plan in its life, so each has one to start. */
const CASES = [
  { ...debt('Invoice 261148', '260112159629'), session: 'public', starts: PLAN },
  { ...debt('Invoice 261074', '260104929823'), session: 'debtor', starts: ACCOUNT },
  { ...debt('Claim 702406', '770235066220'), session: 'public', starts: ACCOUNT },
  { ...debt('Claim 702369', '770231451327'), session: 'debtor', starts: PLAN },
  { ...debt('Claim 702665', '770260370521', '21115'), session: 'debtor', starts: ONGOING },
] as const

async function readTransfer(page: Page, { reference }: Debt): Promise<void> {
  await method(page, /^Bank transfer/).check()
  await page.getByText(/^#/).locator('visible=true').waitFor()
  const text = await mainText(page)
  expect(text).toContain(reference.replaceAll(/(\d{4})(?=\d)/g, '$1 '))
  expect(text).toMatch(/Payee \S/)
  // Amount with two decimals, a check digit, and the account.
  expect(text).toMatch(new RegExp(`# ${reference} # \\d+ \\d\\d \\d > \\d+#\\d\\d#`))
}

async function declineInTheApp(page: Page, { reference, isClaim }: Debt): Promise<void> {
  await method(page, /^Swish/).check()
  await page.getByRole('button', { name: /with Swish$/ }).click()
  await page.getByRole('img', { name: 'QR code for Swish' }).waitFor()
  await answerOrder(product, { kind: 'mobile', reference }, 'decline')
  await page.getByText('The payment did not go through. No money has been taken.').first().waitFor()
  if (!isClaim) return
  // A claim goes to where its payer is sent back to (specification section 4).
  await page.getByRole('heading', { level: 1, name: 'Payment failed' }).waitFor()
  await page.getByRole('button', { name: 'Try again' }).click()
}

async function toBank(page: Page): Promise<void> {
  await method(page, /^Direct bank payment/).check()
  if ((await page.getByRole('radio', { name: /^Pay now/ }).count()) > 0) {
    // The due date lies ahead, and is what is chosen already.
    expect(await page.getByRole('radio', { name: /^Pay on the due date/ }).isChecked()).toBe(true)
    await choosePayNow(page)
  }
  await payNowButton(page).click()
  await arriveAtBank(page)
}

/** With `in-parts-each-way.spec.ts`: every two of debt, session and way to pay in parts stand together in one case. */
const SAMPLE = CASES.filter(({ title }) => /261148|702369/.test(title))

test.each(isWhole ? CASES : SAMPLE)(
  '$title, $session: every way to its end, and paid in the end',
  async ({ session, starts, ...at }) => {
    const page = await browser.open({ viewport: DESK })
    const doors = new Set<string>()
    page.on('request', (request) => {
      const door = /\/api\/(public|debtor)\/(?:invoices|collection-batches)/.exec(request.url())?.[1]
      if (door) doors.add(door)
    })
    await openDebt(page, product, at, session)
    await readTransfer(page, at)
    await declineInTheApp(page, at)
    await toBank(page)
    await answerAtBank(page, 'Decline')
    await page.getByRole('heading', { level: 1, name: /did not go through|failed/i }).waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await method(page, /^Direct bank payment/).waitFor()
    await method(page, (starts === ACCOUNT ? PLAN : ACCOUNT).method).check()
    await page.getByRole('button', { name: /^Start part payment/ }).waitFor()
    await startAndCancel(page, at, starts)
    await toBank(page)
    await answerAtBank(page, 'Approve')
    await page.getByRole('heading', { level: 1, name: 'Thank you for your payment' }).waitFor()
    await page.getByRole('button', { name: at.isClaim ? 'Return to claim' : 'Return to invoice' }).click()
    await page.getByText('Paid – nothing more to do').waitFor()
    expect([...doors], 'one family of calls (specification section 6)').toEqual([session])
  },
)

test.each([
  ['payment_in_progress', /^A payment is on its way\. Do not pay again\.$/],
  ['provider_unavailable', /^Not possible right now$/],
  ['something_new', /^Cannot be used here$/],
])(
  'A way that is closed because of %s stays in sight with its reason, and cannot be pressed',
  async (reasonCode, reason) => {
    const page = await browser.open({ viewport: DESK })
    await page.route('**/payment-methods*', async (route) => {
      const response = await route.fetch()
      const methods = (await response.json()) as { code: string }[]
      const closed = methods.map((m) =>
        m.code === 'DIRECT_PAYMENT_BANK' ? { ...m, enabled: false, reasonCode } : m,
      )
      await route.fulfill({ response, json: closed })
    })
    await page.goto(`${product.address}/#/en/invoice/${MAJ.reference}/${MAJ.zip}`)
    await method(page, /^Swish/).waitFor()
    expect(await method(page, /^Swish/).isChecked()).toBe(true)
    expect(await method(page, /^Direct bank payment/).count()).toBe(0)
    const card = page.locator('[data-off]')
    expect(await card.innerText()).toMatch(/^Direct bank payment\n/)
    expect((await card.innerText()).split('\n')[1]).toMatch(reason)
    await card.click()
    expect(await method(page, /^Swish/).isChecked()).toBe(true)
  },
)

test.each([
  ['part invoice', '260169998028', '21115'],
  ['ongoing invoice', '260177227824', '21115'],
  ['account invoice', '260180842726', '21115'],
  ['interest invoice', '260184457620', '75320'],
])('A %s is paid at once, and not in parts again', async (_type, reference, zip) => {
  const page = await browser.open({ viewport: DESK })
  await page.goto(`${product.address}/#/en/invoice/${reference}/${zip}`)
  await method(page, /^Direct bank payment/).waitFor()
  expect(await method(page, /^Part payment/).count()).toBe(0)
  expect(await method(page, /^(?:Swish|Bank transfer)/).count()).toBe(2)
})
