/** Opening a debt with a link from a letter or with an electronic ID, and paying it in parts. */
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Invoiced } from './debtor.ts'
import type { Product } from './product.ts'

export type Session = 'public' | 'debtor'

export type Debt = Invoiced & { readonly isClaim: boolean; readonly title: string }

export const debt = (title: string, reference: string, zip = '11122'): Debt => ({
  reference,
  zip,
  isClaim: title.startsWith('Claim'),
  title,
})

/** People of the demo cast who have an electronic ID. */
const PEOPLE = {
  '11122': { number: '199007292387', name: 'Alva Provlund' },
  '21115': { number: '197909189230', name: 'Nils Fiktivgren' },
} as const

/** A way to pay in parts, and the offer of it that is chosen when it has several. */
export type Parts = { readonly method: RegExp; readonly offer?: RegExp }
export const PLAN: Parts = { method: /^Part payment plan/ }
export const ACCOUNT: Parts = { method: /^Part payment account/ }
export const ONGOING: Parts = { method: /^Part payment plan/, offer: /Ongoing payment$/ }

export const method = (page: Page, name: RegExp): Locator => page.getByRole('radio', { name })

type Waiting = { readonly id: string; readonly kind?: string; readonly reference?: string }

/** Answers what waits at a counterparty. */
export async function answerOrder(
  product: Product,
  { kind, reference }: Omit<Waiting, 'id'>,
  answer: string,
  body?: unknown,
): Promise<void> {
  const orders = await product.control<Waiting[]>('GET', 'orders')
  const order = orders.find((o) => o.kind === kind && (!reference || o.reference === reference))
  await product.control('POST', `orders/${order?.id}/${answer}`, body)
}

const addressOf = (product: Product, { isClaim, reference, zip }: Debt): string =>
  `${product.address}/#/en/${isClaim ? `collection-batch/${reference}?zip=${zip}` : `invoice/${reference}/${zip}`}`

/** Shows a debt to whom it belongs. */
export async function openDebt(page: Page, product: Product, at: Debt, session: Session): Promise<void> {
  if (session === 'debtor') {
    const { number, name } = PEOPLE[at.zip as keyof typeof PEOPLE]
    await page.goto(`${product.address}/#/en/`)
    await page.getByRole('button', { name: /^Electronic ID/ }).click()
    await page.getByRole('img', { name: 'QR code for the BankID app' }).waitFor()
    await answerOrder(product, { kind: 'eid' }, 'approve', { personalNumber: number })
    await page.getByRole('heading', { level: 1, name: `Hello ${name}` }).waitFor()
  }
  await page.goto(addressOf(product, at))
  await page.getByRole('heading', { level: 1, name: at.title }).waitFor()
}

/** Starts paying in parts and takes it back; then it cannot be started again. */
export async function startAndCancel(page: Page, { isClaim }: Debt, parts: Parts): Promise<void> {
  await method(page, parts.method).check()
  if (parts.offer) await method(page, parts.offer).check()
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
