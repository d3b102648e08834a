/** What a sum is made of, how a case has ended, and names that are longer than anybody thought. */
import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { overflowOf } from '../testing/accessibility.ts'
import { DESK, runBrowser } from '../testing/browser.ts'
import { ALVA, logIn, textOf } from '../testing/debtor.ts'
import { sharedProduct } from '../testing/product.ts'

const product = await sharedProduct()
const browser = await runBrowser()

const STOPPED = { reference: '260133849026', zip: '11122' }
const AT_COURT = { reference: '770260370521', zip: '21115' }

type Row = { readonly name: string; readonly cents: number }

async function readRows(rows: Locator): Promise<Row[]> {
  return Promise.all(
    (await rows.all()).map(async (row) => ({
      name: await textOf(row.locator('dt')),
      cents: Number((await textOf(row.locator('dd'))).replaceAll(/\D/g, '')),
    })),
  )
}

const rowsOf = (list: Locator): Promise<Row[]> => readRows(list.locator('> div:not([data-part])'))

function expectSum(rows: readonly Row[]): void {
  const parts = rows.slice(0, -1).reduce((sum, { cents }) => sum + cents, 0)
  expect(parts).toBe(rows.at(-1)?.cents)
}

const PERIOD = /10,00 % a year on [\d ]+,\d\d kr, from \d+ \w+ to \d+ \w+ \d{4} \(\d+ days\)/

/** The shares that a sum above them is made of. */
async function partsOf(list: Locator): Promise<Row[]> {
  return readRows(list.locator('> div[data-part]'))
}

test('A stopped invoice: each fee has its day, interest its rate and days, and the history says that it is over', async () => {
  const page = await browser.open({ viewport: DESK })
  await logIn(page, product, STOPPED)
  await page.getByText('How is this calculated?').locator('visible=true').click()
  const list = page.locator('details[open] dl:visible')
  await list.getByText('Reminder fee').waitFor()
  const rows = await rowsOf(list)
  expect(rows.map(({ name }) => name)).toEqual([
    'Invoice amount',
    expect.stringMatching(new RegExp(`^Late payment interest ${PERIOD.source}$`)),
    expect.stringMatching(/^Reminder fee, \d+ \w+ \d{4}$/),
    'Amount when the invoice was closed',
  ])
  expectSum(rows)
  const history = page.getByRole('region', { name: 'What has happened' }).getByRole('listitem')
  expect(await textOf(history.last())).toBe('The invoice is closed')
  expect(await textOf(history.filter({ hasText: 'Late payment interest' }))).toMatch(/10,00 % for \d+ days/)
})

test('A claim: capital, costs and interest each by itself, and what came from the invoice', async () => {
  const page = await browser.open({ viewport: DESK })
  await page.goto(`${product.address}/#/en/collection-batch/${AT_COURT.reference}?zip=${AT_COURT.zip}`)
  await page.getByRole('button', { name: 'More details' }).click()
  const dialog = page.getByRole('dialog', { name: 'More details' })
  await dialog.locator('summary').waitFor()
  const sum = await rowsOf(dialog.locator('dl').last())
  expect(sum).toHaveLength(4)
  expectSum(sum)
  const periods = await partsOf(dialog.locator('dl').last())
  expect(periods.length).toBeGreaterThan(1)
  for (const { name } of periods) expect(name).toMatch(PERIOD)
  expect(periods.reduce((all, { cents }) => all + cents, 0)).toBe(sum[2]?.cents)
  await dialog.locator('summary').click()
  const invoice = await rowsOf(dialog.locator('details dl'))
  const moved = invoice.slice(2).reduce((all, { cents }) => all + cents, 0)
  // The court's fee and interest came to it on the claim.
  expect(moved).toBeGreaterThan(sum[0]?.cents ?? 0)
  expect(moved).toBeLessThan(sum.at(-1)?.cents ?? 0)
})

test('A sender with a long name takes two lines of a list, at any width', async () => {
  const name = 'Fastighetsförvaltningsbolaget Västra Götalands Demobostäder Kommanditbolag'
  await product.readRows(`update creditor set name = $1 where name like 'Fjällström%'`, [name])
  const page = await browser.open({ viewport: DESK, language: 'fi' })
  await page.goto(`${product.address}/#/fi/invoice/${ALVA.reference}/${ALVA.zip}`)
  // The page that opens the invoice has a heading too, and nobody is logged in before the invoice is there.
  await page.locator('#payment-heading').waitFor()
  await page.goto(`${product.address}/#/fi/dashboard`)
  const rows = page.locator('tbody tr')
  await rows.first().waitFor()
  for (const width of [961, 1100, 1240, 1241, 1553]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await overflowOf(page), `${width} px`).toBe(0)
    for (const row of await rows.all()) {
      expect(await row.evaluate((at) => at.getBoundingClientRect().height), `${width} px`).toBeLessThan(80)
      expect(await row.evaluate((at) => at.scrollWidth - at.clientWidth), `${width} px`).toBe(0)
    }
  }
  expect(await page.getByTitle(name).first().innerText()).toBe(name)
  for (const width of [320, 400, 960]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await overflowOf(page), `${width} px`).toBe(0)
  }
})
