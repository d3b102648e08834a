/** The same screens in the other states that an invoice or a claim may be in, of every country, and what goes wrong. */
import type { Page } from 'playwright-core'
import type { Language } from './browser.ts'
import type { Invoiced } from './debtor.ts'
import type { Product } from './product.ts'
import { goToView, METHODS, sayIn, type Screen } from './screen.ts'

const HEADING = '#payment-heading'
const INVOICES: readonly (readonly [name: string, of: Invoiced, shown: string])[] = [
  ['disputed invoice', { reference: '260123004327', zip: '11122' }, HEADING],
  ['paused invoice', { reference: '260119389427', zip: '11122' }, HEADING],
  ['credited invoice', { reference: '260130234123', zip: '11122' }, HEADING],
  ['invoice paid in part', { reference: '260227836426', zip: '41105' }, METHODS],
  ['missed instalment', { reference: '260173612920', zip: '21115' }, METHODS],
  ['plan with a missed instalment', { reference: '260166383125', zip: '21115' }, 'section li'],
  ['invoice for interest', { reference: '260184457620', zip: '75320' }, METHODS],
  ['Norwegian invoice', { reference: '26020253212', zip: '5003' }, METHODS],
  ['Danish invoice with many reminders', { reference: '000026020614702', zip: '8000' }, METHODS],
  ['Irish invoice in euros', { reference: '26021699173', zip: 'D02AF30' }, METHODS],
]
const CLAIMS: readonly (readonly [name: string, of: Invoiced, shown: string])[] = [
  ['disputed claim', { reference: '770238681124', zip: '11122' }, HEADING],
  ['paused claim', { reference: '770242296026', zip: '21115' }, HEADING],
  ['paid claim', { reference: '770245910920', zip: '11122' }, HEADING],
  ['stopped claim', { reference: '770249525823', zip: '11122' }, HEADING],
  ['claim in a plan', { reference: '770253140725', zip: '21115' }, 'section li'],
  ['claim with a signed payment', { reference: '770256755628', zip: '75320' }, HEADING],
  ['claim at court', { reference: '770260370521', zip: '21115' }, METHODS],
]
const EURO = INVOICES.at(-1)?.[1]

/** What `listScreens` has in one state only. */
export function listMoreScreens(product: Product): Screen[] {
  const at = (language: Language, path: string): string => `${product.address}/#/${language}/${path}`
  const stated = (paths: typeof INVOICES, pathOf: (of: Invoiced) => string): Screen[] =>
    paths.map(([name, of, shown]) => ({
      name,
      go: (page, language) => goToView(page, at(language, pathOf(of)), shown),
    }))
  return [
    ...stated(INVOICES, ({ reference, zip }) => `invoice/${reference}/${zip}`),
    ...stated(CLAIMS, ({ reference, zip }) => `collection-batch/${reference}?zip=${zip}`),
    {
      name: 'account in another country',
      async go(page, language) {
        await goToView(page, at(language, `invoice/${EURO?.reference}/${EURO?.zip}`), METHODS)
        await page.locator('input[value="BANK_TRANSFER"]').check()
        await page.locator('section:has(#payment-heading) dl:visible').first().waitFor()
      },
    },
    {
      name: 'refused BankID',
      async go(page, language) {
        await openCode(page, at(language, ''))
        const orders = await product.control<{ id: string; kind?: string }[]>('GET', 'orders')
        const order = orders.find(({ kind }) => kind === 'eid')
        await product.control('POST', `orders/${order?.id}/decline`, { hintCode: 'userCancel' })
        await page.getByRole('button', { name: sayIn(language, 'login.retry') }).waitFor()
      },
    },
    {
      name: 'no connection',
      trouble: /./,
      async go(page, language) {
        await goToView(page, at(language, `invoice/${EURO?.reference}/${EURO?.zip}`), METHODS)
        await page.context().setOffline(true)
        await page.getByText(sayIn(language, 'offline.text')).waitFor()
      },
    },
    {
      name: 'invoice that did not come',
      trouble: /./,
      async go(page, language) {
        await page.route(/\/api\/public\/invoices\//, (route) => route.abort())
        await goToView(page, at(language, `invoice/${EURO?.reference}/${EURO?.zip}`), 'main h1')
        await page.getByRole('heading', { name: sayIn(language, 'load_failed.title') }).waitFor()
      },
    },
  ]
}

async function openCode(page: Page, address: string): Promise<void> {
  await goToView(page, address, 'section[aria-labelledby="choice-heading"]')
  await page.locator('section[aria-labelledby="choice-heading"] button').first().click()
  const app = page.locator('main svg[role="img"]')
  await app.waitFor()
}
