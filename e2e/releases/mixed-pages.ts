/** Pages of every portal, each with something that is fetched late, while each request goes to another release. */
import type { Page } from 'playwright-core'
import { ELIAS } from '../testing/debtor.ts'
import { signInStaff } from '../testing/sign-in-staff.ts'

type Product = { readonly address: string }

/** One load of a page, and what is opened there. */
export type Load = {
  readonly name: string
  readonly staff?: 'client' | 'admin'
  readonly go: (page: Page, product: Product) => Promise<void>
}

const invoice = `invoice/${ELIAS.reference}/${ELIAS.zip}`
/** Their headings as the portal's rail has them; each view is a file of its own. */
const CLIENT = { invoices: 'Invoices', claims: 'Claims', figures: 'Key figures', settings: 'Settings' }
const ADMIN = {
  jobs: 'Jobs and runs',
  outbox: 'Outbox and print',
  clients: 'Creditors',
  payouts: 'Payment files',
}

const staffLoads = (staff: 'client' | 'admin', views: Readonly<Record<string, string>>): Load[] =>
  Object.entries(views).map(([view, heading]) => ({
    name: `${staff}, ${view}`,
    staff,
    async go(page, { address }) {
      await page.goto(`${address}/${staff}/#/${view}`)
      await page.reload()
      await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    },
  }))

const site = (name: string, path: string): Load => ({
  name,
  async go(page, { address }) {
    await page.goto(`${address}/${path}`)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
  },
})

/** Ten of a debtor and the sites, eight of staff. */
export const LOADS: readonly Load[] = [
  {
    name: 'debtor, log in',
    async go(page, { address }) {
      await page.goto(`${address}/#/en/`)
      await page.getByRole('button', { name: /^Payment reference/ }).click()
      await page.getByLabel('Zip code').waitFor()
    },
  },
  {
    name: 'debtor, electronic ID',
    async go(page, { address }) {
      await page.goto(`${address}/#/en/`)
      await page.getByRole('button', { name: /^Electronic ID/ }).click()
      await page.getByRole('img', { name: 'QR code for the BankID app' }).waitFor()
    },
  },
  {
    name: 'debtor, invoice and why it came',
    async go(page, { address }) {
      await page.goto(`${address}/#/en/${invoice}`)
      await page.getByRole('heading', { level: 1, name: `Invoice ${ELIAS.number}` }).waitFor()
      await page.getByRole('radio', { name: /^Direct bank payment/ }).waitFor()
      await page.getByRole('button', { name: 'Why did I get this?' }).last().click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'debtor, help',
    async go(page, { address }) {
      await page.goto(`${address}/#/en/customerService`)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
    },
  },
  {
    name: 'debtor, accessibility',
    async go(page, { address }) {
      await page.goto(`${address}/#/en/accessibility`)
      await page.getByRole('heading', { level: 2 }).first().waitFor()
    },
  },
  site('homepage', 'home/en/'),
  site('homepage, privacy', 'home/sv/privacy/'),
  site('support', 'support/en/'),
  site('support, a question', 'support/en/already-paid/'),
  site('homepage, services', 'home/fi/services/'),
  ...staffLoads('client', CLIENT),
  ...staffLoads('admin', ADMIN),
]

/** Signs a clerk or an auditor of the demo in, in English. */
export async function signInAt(page: Page, product: Product, staff: 'client' | 'admin'): Promise<void> {
  if (staff === 'client') {
    await signInStaff(page, product, { email: 'clerk@kvitt.example', hash: '#/todo' })
    await page.getByRole('heading', { level: 1, name: 'To do' }).waitFor()
    return
  }
  await page.goto(`${product.address}/admin/#/?lng=en`)
  await page.getByLabel('E-mail').fill('auditor@kvitt.example')
  await page.getByLabel('Password', { exact: true }).fill('Kvitt-demo-2026')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
}
