/** The answer to the start of paying in parts is lost: the page says that it is not known, and there is one plan in the end. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESK, runBrowser } from '../testing/browser.ts'
import { ACCOUNT, debt, method, ONGOING, openDebt, PLAN, type Parts } from '../testing/each-way.ts'
import { ownProduct, sharedProduct, type Product } from '../testing/product.ts'
import { isWhole } from '../testing/sample.ts'

const first = await sharedProduct()
const browser = await runBrowser()

async function countPlans(product: Product): Promise<number> {
  const [row] = await product.readRows<{ plans: number }>('select count(*)::int as plans from part_payment')
  return row?.plans ?? 0
}

/** The server hears the start, and its answer does not come back. */
async function loseAnswer(page: Page): Promise<void> {
  browser.expectTrouble(/ERR_FAILED/)
  await page.route('**/part-payment/start*', async (route) => {
    await route.fetch()
    await route.abort('failed')
  })
}

async function pressStart(page: Page, { method: name, offer }: Parts): Promise<void> {
  await method(page, name).check()
  if (offer) await method(page, offer).check()
  await page.getByRole('button', { name: /^Start part payment/ }).waitFor()
  const tick = page.getByRole('checkbox')
  if ((await tick.count()) > 0) await tick.check()
  await page.getByRole('button', { name: /^Start part payment/ }).click()
}

/** Every two of debt, session and way to pay in parts stand together in one of these. */
const SAMPLE = [
  { ...debt('Invoice 261148', '260112159629'), session: 'public', parts: ONGOING },
  { ...debt('Invoice 261074', '260104929823'), session: 'debtor', parts: PLAN },
  { ...debt('Invoice 261592', '260155538424', '90325'), session: 'public', parts: ACCOUNT },
  { ...debt('Claim 702406', '770235066220'), session: 'public', parts: PLAN },
  { ...debt('Claim 702369', '770231451327'), session: 'debtor', parts: ACCOUNT },
  { ...debt('Claim 702665', '770260370521', '21115'), session: 'debtor', parts: ONGOING },
] as const

/** The other pairs of a debt and a session. The demo has half as many debts that may be paid in parts as there are ways to it. */
const REST = [
  { ...debt('Invoice 261222', '260119389427'), session: 'public', parts: PLAN },
  { ...debt('Invoice 261111', '260108544727'), session: 'debtor', parts: ACCOUNT },
  { ...debt('Invoice 261074', '260104929823'), session: 'debtor', parts: ONGOING },
  { ...debt('Claim 702406', '770235066220'), session: 'public', parts: ACCOUNT },
  { ...debt('Claim 702369', '770231451327'), session: 'debtor', parts: PLAN },
  { ...debt('Claim 702665', '770260370521', '21115'), session: 'public', parts: ONGOING },
] as const

const second = isWhole ? await ownProduct('its debts are paid in parts once more') : first
const CASES = [
  ...SAMPLE.map((one) => ({ on: first, ...one })),
  ...(isWhole ? REST.map((one) => ({ on: second, ...one })) : []),
]

test.each(CASES)('$title, $session: $parts.method', async ({ on: product, session, parts, ...at }) => {
  const page = await browser.open({ viewport: DESK })
  await openDebt(page, product, at, session)
  const before = await countPlans(product)
  await loseAnswer(page)
  await pressStart(page, parts)
  await page.getByText('We do not know if the part payment started').waitFor()
  expect(await page.getByText('The part payment was not started').count()).toBe(0)
  await page.unroute('**/part-payment/start*')
  await page.getByRole('button', { name: /^Start part payment/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Part payment started' }).waitFor()
  expect(await countPlans(product)).toBe(before + 1)
})
