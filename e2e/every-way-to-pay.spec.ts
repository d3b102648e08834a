/** Each way to pay, on an invoice and on a claim, with a link from a letter and with an electronic ID. */
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESK, runBrowser } from './browser.ts'
import {
  answerAtBank,
  arriveAtBank,
  choosePayNow,
  MAJ,
  mainText,
  payNowButton,
  type Invoiced,
} from './debtor.ts'
import { runProduct } from './product.ts'

const product = await runProduct()
const browser = await runBrowser()

const ALVA_NUMBER = '199007292387'

type Debt = Invoiced & { readonly isClaim: boolean; readonly title: string }

const debt = (title: string, reference: string, zip = '11122'): Debt => ({
  reference,
  zip,
  isClaim: title.startsWith('Claim'),
  title,
})

const PLAN = /^Part payment plan/
const ACCOUNT = /^Part payment account/

/** An invoice and a claim, each with a link and with an electronic ID. A debt has one plan in its life, so each has one to start. */
const CASES = [
  { ...debt('Invoice 261148', '260112159629'), session: 'public', starts: PLAN },
  { ...debt('Invoice 261074', '260104929823'), session: 'debtor', starts: ACCOUNT },
  { ...debt('Claim 702406', '770235066220'), session: 'public', starts: ACCOUNT },
  { ...debt('Claim 702369', '770231451327'), session: 'debtor', starts: PLAN },
] as const

type Waiting = { readonly id: string; readonly kind?: string; readonly reference?: string }

async function answerOrder(kind: string, answer: string, body: unknown, reference?: string): Promise<void> {
  const orders = await product.control<Waiting[]>('GET', 'orders')
  const order = orders.find((o) => o.kind === kind && (!reference || o.reference === reference))
  await product.control('POST', `orders/${order?.id}/${answer}`, body)
}

const addressOf = ({ isClaim, reference, zip }: Debt): string =>
  `${product.address}/#/en/${isClaim ? `collection-batch/${reference}?zip=${zip}` : `invoice/${reference}/${zip}`}`

async function open(page: Page, at: Debt, session: 'public' | 'debtor'): Promise<void> {
  if (session === 'debtor') {
    await page.goto(`${product.address}/#/en/`)
    await page.getByRole('button', { name: /^Electronic ID/ }).click()
    await page.getByRole('img', { name: 'QR code for the BankID app' }).waitFor()
    await answerOrder('eid', 'approve', { personalNumber: ALVA_NUMBER })
    await page.getByRole('heading', { level: 1, name: 'Hello Alva Provlund' }).waitFor()
  }
  await page.goto(addressOf(at))
  await page.getByRole('heading', { level: 1, name: at.title }).waitFor()
}

const method = (page: Page, name: RegExp): Locator => page.getByRole('radio', { name })

async function readTransfer(page: Page, { reference }: Debt): Promise<void> {
  await method(page, /^Bank transfer/).check()
  await page.getByText(/^#/).locator('visible=true').waitFor()
  const text = await mainText(page)
  expect(text).toContain(reference.replaceAll(/(\d{4})(?=\d)/g, '$1 '))
  expect(text).toMatch(/Payee \S/)
  // Amount with two decimals, a check digit, and the account.
  expect(text).toMatch(new RegExp(`# ${reference} # \\d+ \\d\\d \\d > \\d+#\\d\\d#`))
}

async function declineInTheApp(page: Page, { reference }: Debt): Promise<void> {
  await method(page, /^Swish/).check()
  await page.getByRole('button', { name: /with Swish$/ }).click()
  await page.getByRole('img', { name: 'QR code for Swish' }).waitFor()
  await answerOrder('mobile', 'decline', undefined, reference)
  await page.getByText('The payment did not go through. No money has been taken.').waitFor()
}

async function toBank(page: Page): Promise<void> {
  await method(page, /^Direct bank payment/).check()
  if ((await page.getByRole('radio', { name: /^Pay now/ }).count()) > 0) {
    // The due date lies ahead, and is what is chosen already (A-03).
    expect(await page.getByRole('radio', { name: /^Pay on the due date/ }).isChecked()).toBe(true)
    await choosePayNow(page)
  }
  await payNowButton(page).click()
  await arriveAtBank(page)
}

async function startAndCancel(page: Page, { isClaim }: Debt, name: RegExp): Promise<void> {
  await method(page, name).check()
  const start = page.getByRole('button', { name: /^Start part payment/ })
  await start.waitFor()
  const tick = page.getByRole('checkbox')
  if ((await tick.count()) > 0) {
    expect(await start.getAttribute('aria-disabled')).toBe('true')
    await tick.check()
  }
  expect(await start.getAttribute('aria-disabled')).toBeNull()
  await start.click()
  await page.getByRole('heading', { level: 1, name: 'Part payment started' }).waitFor()
  await page.getByRole('button', { name: isClaim ? 'Return to claim' : 'Return to invoice' }).click()
  await page.getByText(/paid in parts$/).waitFor()
  expect(await page.getByRole('radio').count()).toBe(0)
  await page.getByRole('button', { name: 'Cancel the part payment' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the part payment' }).click()
  await method(page, /^Direct bank payment/).waitFor()
  // Nothing is offered that the next look would take away again.
  expect(await method(page, /^Part payment/).count()).toBe(0)
}

test.each(CASES)(
  '$title, $session: every way to its end, and paid in the end',
  async ({ session, starts, ...at }) => {
    const page = await browser.open({ viewport: DESK })
    const doors = new Set<string>()
    page.on('request', (request) => {
      const door = /\/api\/(public|debtor)\/(?:invoices|collection-batches)/.exec(request.url())?.[1]
      if (door) doors.add(door)
    })
    await open(page, at, session)
    await readTransfer(page, at)
    await declineInTheApp(page, at)
    await toBank(page)
    await answerAtBank(page, 'Decline')
    await page.getByRole('heading', { level: 1, name: /did not go through|failed/i }).waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await method(page, /^Direct bank payment/).waitFor()
    await method(page, starts === PLAN ? ACCOUNT : PLAN).check()
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
  ['something_new', /^Not possible for this invoice$/],
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
