/** The screens of this portal and how to get to each, in any language. */
import type { Page } from 'playwright-core'
import { LANGUAGES, type Language } from './browser.ts'
import { ALVA, ELIAS, type Invoiced } from './debtor.ts'
import { listOpenedScreens } from './opened-screens.ts'
import type { Order, Product } from './product.ts'
import { CLAIM, goToView, METHODS, PAID, PLANNED, PLANS, sayIn, type Screen } from './screen.ts'

const SIGNED = { reference: '260137463923', zip: '11122' }
const WITHOUT_DOCUMENT = { reference: '260159153329', zip: '90325' }
/** The three whose payment stands differently on the confirmation page; see `preparePayments`. */
const FAILED = { reference: '260155538424', zip: '90325' }
const WAITING = { reference: '26019530232', zip: '0150' }
const PENDING = ALVA
const STOPPED = { reference: '260133849026', zip: '11122' }
const BOOKED = { reference: '260224221523', zip: '41105' }
const WITHOUT_METHODS = { reference: '260162768220', zip: '90325' }

async function startPayment(product: Product, { reference, zip }: Invoiced): Promise<string> {
  const at = `public/invoices/${reference}/${zip}`
  const invoice = (await product.call('GET', at)).body as {
    balances: { total: number }
    dates: { today: string }
  }
  const { status, text } = await product.call('POST', `${at}/payment-requests`, {
    body: {
      paymentDate: invoice.dates.today,
      amount: String(invoice.balances.total),
      redirectUri: `${product.address}/#/sv/confirmation?paymentReference=${reference}&zip=${zip}`,
    },
  })
  if (status !== 201) throw new Error(`The payment was not started: ${text}`)
  const [order] = await product.ordersFor(reference)
  return order?.id ?? ''
}

/** One payment that failed, one that waits, one that the bank has accepted and holds; and a part payment. */
export async function preparePayments(product: Product): Promise<void> {
  await product.control<Order>('POST', `orders/${await startPayment(product, FAILED)}/decline`)
  await startPayment(product, WAITING)
  const held = await startPayment(product, PENDING)
  await product.control<Order>('POST', `orders/${held}/approve`, { hold: true })
  await startPlan(product)
}

/** A part payment of `PLANNED`, the first that is offered. */
async function startPlan(product: Product): Promise<void> {
  const at = `public/invoices/${PLANNED.reference}/${PLANNED.zip}/part-payment`
  const { plans, offerVersion } = (await product.call('GET', `${at}/options`)).body as {
    plans: { code: string; annuity: number }[]
    offerVersion: string
  }
  const [plan] = plans
  const body = { type: plan?.code, annuity: plan?.annuity, offerVersion, agreementAccepted: true }
  const { status, text } = await product.call('PUT', `${at}/start`, { body })
  if (status !== 200) throw new Error(`The plan was not started: ${text}`)
}

/** Places that only one kind of screen has, in any language. */
const NO_METHODS = `section:has(#payment-heading):not(:has(input)):not(:has([data-paid]))`
const DONE = 'main [data-done] path[pathLength]'
const NOT_DONE = 'main span:not([data-done]) > svg > path[pathLength]'
const TURNING = 'main:has(p[role="status"]):not(:has(path[pathLength]))'

/** Nobody's invoice, another for each language: wrong guesses at one reference are counted. */
const nobody = (language: Language): Invoiced => ({
  reference: `99999999990${LANGUAGES.indexOf(language)}`,
  zip: '99999',
})

type View = readonly [
  name: string,
  path: string | ((language: Language) => string),
  shown: string,
  trouble?: RegExp,
]

/** Every screen; the payments of `preparePayments` have been made. */
export function listScreens(product: Product): Screen[] {
  const at = (language: Language, path: string): string => `${product.address}/#/${language}/${path}`
  const invoice = ({ reference, zip }: Invoiced): string => `invoice/${reference}/${zip}`
  const confirmation = ({ reference, zip }: Invoiced): string => `confirmation/${reference}/${zip}`
  const views: readonly View[] = [
    ['start page', '', 'section[aria-labelledby="choice-heading"]'],
    ['refused login', (language) => invoice(nobody(language)), 'form [role="alert"]', /400/],
    ['open invoice', invoice(ELIAS), METHODS],
    ['closed invoice', invoice(PAID), 'section [data-paid]'],
    ['invoice with a signed payment', invoice(SIGNED), NO_METHODS],
    ['invoice that waits for the bank', invoice(PENDING), NO_METHODS],
    ['invoice without a document', invoice(WITHOUT_DOCUMENT), METHODS, /400.*documents/],
    ['stopped invoice', invoice(STOPPED), '#payment-heading'],
    ['invoice that nothing can pay', invoice(WITHOUT_METHODS), 'section:has(#payment-heading) dl'],
    ['thanks', confirmation(SIGNED), DONE],
    ['payment booked for the due date', confirmation(BOOKED), 'main dl'],
    ['confirmation of nothing', confirmation(PLANS), 'main span:has(path[pathLength]) + h1'],
    ['failed payment', confirmation(FAILED), NOT_DONE],
    ['waiting payment', confirmation(WAITING), TURNING],
    ['claim', `collection-batch/${CLAIM.reference}?zip=${CLAIM.zip}`, METHODS],
    ['customer service', `customerService/${ELIAS.reference}/${ELIAS.zip}`, 'section > address'],
    ['accessibility statement', 'accessibility', 'main h2'],
    ['our own fault', 'error', 'main:not(:has(form)) h1'],
    ['unknown page', 'nowhere', 'main:not(:has(form)) h1'],
  ]
  const contact: Screen = {
    name: 'contact dialog',
    async go(page, language) {
      await goToView(page, at(language, invoice(ELIAS)), METHODS)
      await page
        .locator('section[aria-labelledby="help-heading"]')
        .getByRole('button', { name: sayIn(language, 'help.contact_us') })
        .click()
      await page.getByRole('dialog').waitFor()
    },
  }
  const electronicId: Screen = {
    name: 'code for BankID',
    async go(page, language) {
      await goToView(page, at(language, ''), 'section[aria-labelledby="choice-heading"]')
      await page.locator('section[aria-labelledby="choice-heading"] button').first().click()
      await page.locator('main svg[role="img"]').waitFor()
    },
  }
  const dispute: Screen = {
    name: 'dispute dialog',
    async go(page, language) {
      await goToView(page, at(language, invoice(ELIAS)), METHODS)
      await page.locator('section[aria-labelledby="wrong-heading"] button').first().click()
      await page.getByRole('dialog').locator('textarea').waitFor()
    },
  }
  const dashboard: Screen = {
    name: 'all invoices',
    async go(page, language) {
      await goToView(page, at(language, invoice(ALVA)), 'h1')
      await page.goto(at(language, 'dashboard'))
      await page.locator('#paid-invoices').click()
      await page.locator('#downloads').click()
      await page.locator('#open-invoices').waitFor()
      await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
    },
  }
  return [
    ...views.map(([name, path, shown, trouble]) => ({
      name,
      go: (page: Page, language: Language) =>
        goToView(page, at(language, typeof path === 'string' ? path : path(language)), shown),
      ...(trouble ? { trouble } : {}),
    })),
    electronicId,
    contact,
    dispute,
    dashboard,
    ...listOpenedScreens(at),
  ]
}

/** The bank's page of a payment that waits for its payer. */
export async function goToBank(page: Page, product: Product): Promise<void> {
  const orders = await product.control<(Order & { link: string })[]>('GET', 'orders')
  const order = orders.find(({ reference }) => reference === WAITING.reference)
  await page.goto(order?.link ?? 'about:blank')
  await page.getByRole('heading', { level: 1 }).waitFor()
}
