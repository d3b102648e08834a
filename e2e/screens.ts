/** The screens of this portal and how to get to each, in any language. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { LANGUAGES, type Language } from './browser.ts'
import { ALVA, ELIAS } from './debtor.ts'
import type { Order, Product } from './product.ts'

export type Screen = {
  readonly name: string
  /** Opens it in a page where nobody is logged in. */
  go(page: Page, language: Language): Promise<void>
  /** What the browser reports about it though nothing is wrong. */
  readonly trouble?: RegExp
  /** Made of parts that other screens have too: axe looks at it, the walk through five languages does not. */
  readonly isVariant?: true
}

const SIGNED = { reference: '260137463923', zip: '11122' }
const PAID = { reference: '260126619220', zip: '11122' }
const WITHOUT_DOCUMENT = { reference: '260159153329', zip: '90325' }
/** The three whose payment stands differently on the confirmation page; see `preparePayments`. */
const FAILED = { reference: '260155538424', zip: '90325' }
const WAITING = { reference: '26019530232', zip: '0150' }
const PENDING = ALVA
/** Offered plans, and one that has been taken. */
const PLANS = { reference: '260112159629', zip: '11122' }
const PLANNED = { reference: '260108544727', zip: '11122' }
const CLAIM = { reference: '770235066220', zip: '11122' }
const DISPUTED = { reference: '260123004327', zip: '11122' }
const PDF = { name: 'receipt.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF') }

type Invoiced = { readonly reference: string; readonly zip: string }

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

async function goToView(page: Page, address: string, shown: string): Promise<void> {
  // Whoever was logged in is gone: the next screen must not ask about another invoice first.
  if (page.url().startsWith('http')) {
    await page.evaluate(() => {
      sessionStorage.clear()
      localStorage.clear()
    })
    await page.goto('about:blank')
  }
  await page.goto(address)
  await page.locator(shown).first().waitFor()
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
}

/** Places that only one kind of screen has, in any language. */
const METHODS = 'input[name="method"]'
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

/** A message as the portal has it. */
function sayIn(language: Language, id: string): string {
  const file = fileURLToPath(new URL(`../apps/debtor/src/language/${language}.json`, import.meta.url))
  return (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>)[id] ?? ''
}

/** What a press on a button or a radio of another screen opens. */
function listVariants(at: (language: Language, path: string) => string): Screen[] {
  const claim = `collection-batch/${CLAIM.reference}?zip=${CLAIM.zip}`
  const planned = `invoice/${PLANNED.reference}/${PLANNED.zip}`
  const dialog = (name: string, path: string, button: string): Screen => ({
    name,
    isVariant: true,
    async go(page, language) {
      await goToView(page, at(language, path), '#payment-heading')
      await page
        .getByRole('button', { name: sayIn(language, button) })
        .first()
        .click()
      await page.getByRole('dialog').waitFor()
    },
  })
  return [
    {
      name: 'part payment plans',
      isVariant: true,
      async go(page, language) {
        await goToView(page, at(language, `invoice/${PLANS.reference}/${PLANS.zip}`), METHODS)
        await page.locator('input[value="PART_PAYMENT_PLAN"]').check()
        await page.locator('input[name="plan"]').first().waitFor()
      },
    },
    {
      name: 'part payment started',
      isVariant: true,
      async go(page, language) {
        await goToView(page, at(language, planned), '#payment-heading')
        const hash = `#/${language}/confirmation/${PLANNED.reference}/${PLANNED.zip}`
        const state = {
          type: 'INVOICE',
          variant: 'PART_PAYMENT',
          paymentReference: PLANNED.reference,
          ...PLANNED,
        }
        await page.evaluate(([to, told]) => history.pushState(told, '', to), [hash, state] as const)
        await page.reload()
        await page.locator('main dl').waitFor()
      },
    },
    {
      name: 'invoice in a plan',
      isVariant: true,
      go: (page, language) => goToView(page, at(language, planned), 'section li'),
    },
    dialog('pay the rest of a plan', planned, 'plan.repay'),
    dialog('withdraw from a plan', planned, 'plan.withdraw_plan'),
    dialog('more details of a claim', claim, 'claim.more_details'),
    dialog('dispute a claim', claim, 'claim.dispute'),
    {
      name: 'dispute with files',
      isVariant: true,
      async go(page, language) {
        await goToView(page, at(language, `invoice/${ELIAS.reference}/${ELIAS.zip}`), METHODS)
        await page.locator('section[aria-labelledby="wrong-heading"] button').first().click()
        const files = [PDF, { ...PDF, name: 'nothing.pdf', buffer: Buffer.alloc(0) }]
        await page.locator('dialog input[type="file"]').setInputFiles(files)
        await page.locator('dialog ul[aria-label] li').waitFor()
      },
    },
    {
      name: 'disputed invoice with a file',
      isVariant: true,
      async go(page, language) {
        await goToView(page, at(language, `invoice/${DISPUTED.reference}/${DISPUTED.zip}`), '#files-heading')
        await page.locator('input[type="file"]').setInputFiles(PDF)
        await page.locator('section[aria-labelledby="files-heading"] li button').first().waitFor()
      },
    },
  ]
}

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
    ['thanks', confirmation(SIGNED), DONE],
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
      await page.locator('section[aria-labelledby="help-heading"] button').last().click()
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
    ...listVariants(at),
  ]
}

/** The bank's page of a payment that waits for its payer. */
export async function goToBank(page: Page, product: Product): Promise<void> {
  const orders = await product.control<(Order & { link: string })[]>('GET', 'orders')
  const order = orders.find(({ reference }) => reference === WAITING.reference)
  await page.goto(order?.link ?? 'about:blank')
  await page.getByRole('heading', { level: 1 }).waitFor()
}
