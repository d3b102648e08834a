/** What a debtor does, step by step, in the words on the screen. English unless told. */
import type { Locator, Page } from 'playwright-core'
import type { Product } from './product.ts'

/** People of the demo cast with an invoice to pay. */
export const ELIAS = { reference: '260101314920', zip: '41105', number: '261037', amount: '842,00 kr' }
export const ALVA = { reference: '260104929823', zip: '11122', number: '261074', amount: '399,00 kr' }
export const MAJ = { reference: '260155538424', zip: '90325', number: '261592', amount: '1 890,00 kr' }

export type Invoiced = { readonly reference: string; readonly zip: string }

/** The start page, where one chooses how to log in. */
export const startPage = (page: Page): Locator =>
  page.getByRole('heading', { level: 1, name: 'See and pay your invoice' })

/** The form for reference and zip. */
export async function openLogin(page: Page, product: Product): Promise<void> {
  await page.goto(`${product.address}/#/en/`)
  await page.getByRole('button', { name: /^Payment reference/ }).click()
}

export async function fillLogin(page: Page, reference: string, zip: string): Promise<void> {
  await page.getByLabel('Payment reference').fill(reference)
  await page.getByLabel('Zip code').fill(zip)
  await page.getByRole('button', { name: 'Log in' }).click()
}

export async function logIn(page: Page, product: Product, { reference, zip }: Invoiced): Promise<void> {
  await openLogin(page, product)
  await fillLogin(page, reference, zip)
  await page.getByRole('heading', { level: 1, name: /^Invoice / }).waitFor()
}

export const payNowButton = (page: Page): Locator => page.getByRole('button', { name: /^Pay .* now$/ })

export async function choosePayNow(page: Page): Promise<void> {
  await page.getByRole('radio', { name: /^Pay now/ }).check()
}

/** From the invoice to the bank's page. */
export async function payNow(page: Page): Promise<void> {
  await choosePayNow(page)
  await payNowButton(page).click()
  await arriveAtBank(page)
}

export async function arriveAtBank(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Approve the payment' }).waitFor()
}

export async function answerAtBank(page: Page, answer: 'Approve' | 'Decline' | 'Cancel'): Promise<void> {
  await page.getByRole('button', { name: answer, exact: true }).click()
  await page.waitForURL(/#\/en\/confirmation/)
}

export const headline = (page: Page): Locator => page.getByRole('heading', { level: 1 })

/** What a person reads there, with every kind of space as a plain one. */
export async function textOf(locator: Locator): Promise<string> {
  return (await locator.innerText()).replaceAll(/\s+/g, ' ').trim()
}

export const mainText = (page: Page): Promise<string> => textOf(page.getByRole('main'))

/** The status of an invoice as the product tells its debtor. */
export async function statusOf(product: Product, { reference, zip }: Invoiced): Promise<string> {
  const { body } = await product.call('GET', `public/invoices/${reference}/${zip}`)
  return (body as { statuses: { main: string } }).statuses.main
}
