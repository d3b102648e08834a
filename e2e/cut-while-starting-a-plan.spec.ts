/** The answer to the start of paying in parts is lost: the page says that it is not known, and there is one plan in the end. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESK, runBrowser } from './browser.ts'
import { ACCOUNT, debt, method, ONGOING, openDebt, PLAN, type Parts } from './each-way.ts'
import { runProduct, type Product } from './product.ts'

const first = await runProduct()
/** The demo has half as many debts that may be paid in parts as there are ways to it. */
const second = await runProduct()
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

test.each([
  { on: first, ...debt('Invoice 261148', '260112159629'), session: 'public', parts: ONGOING },
  { on: first, ...debt('Invoice 261074', '260104929823'), session: 'debtor', parts: PLAN },
  { on: first, ...debt('Invoice 261592', '260155538424', '90325'), session: 'public', parts: ACCOUNT },
  { on: first, ...debt('Claim 702406', '770235066220'), session: 'public', parts: PLAN },
  { on: first, ...debt('Claim 702369', '770231451327'), session: 'debtor', parts: ACCOUNT },
  { on: first, ...debt('Claim 702665', '770260370521', '21115'), session: 'debtor', parts: ONGOING },
  { on: second, ...debt('Invoice 261222', '260119389427'), session: 'public', parts: PLAN },
  { on: second, ...debt('Invoice 261111', '260108544727'), session: 'debtor', parts: ACCOUNT },
  { on: second, ...debt('Invoice 261074', '260104929823'), session: 'debtor', parts: ONGOING },
  { on: second, ...debt('Claim 702406', '770235066220'), session: 'public', parts: ACCOUNT },
  { on: second, ...debt('Claim 702369', '770231451327'), session: 'debtor', parts: PLAN },
  { on: second, ...debt('Claim 702665', '770260370521', '21115'), session: 'public', parts: ONGOING },
] as const)('$title, $session: $parts.method', async ({ on: product, session, parts, ...at }) => {
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
