/** What changes where: the specification's breakpoints (section 9), one pixel before each and at it. */
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESK, runBrowser } from '../testing/browser.ts'
import { ELIAS, payNowButton } from '../testing/debtor.ts'
import { sharedProduct } from '../testing/product.ts'
import { CLAIM } from '../testing/screen.ts'

const product = await sharedProduct()
const browser = await runBrowser()

const at = (path: string): string => `${product.address}/#/en/${path}`

type Box = { x: number; y: number; width: number; height: number }

async function boxOf(of: Locator): Promise<Box> {
  const box = await of.boundingBox()
  if (!box) throw new Error(`${of.toString()} is not shown`)
  return box
}

const isBeside = (one: Box, other: Box): boolean => Math.abs(one.y - other.y) < 2

type Seen = {
  columns: number
  days: number
  menu: boolean
  widest: boolean
  expander: boolean
  overflow: number
}

async function lookAt(page: Page): Promise<Seen> {
  const hero = await boxOf(page.getByRole('heading', { level: 1 }))
  const pay = await boxOf(page.locator('#payment-heading'))
  const [later, now] = await Promise.all(
    ['due-date', 'pay-now'].map((option) => boxOf(page.locator(`label:has(input[value="${option}"])`))),
  )
  const button = await boxOf(payNowButton(page))
  const card = await boxOf(page.locator('fieldset:has(input[value="pay-now"])').last())
  return {
    columns: pay.x > hero.x + 300 ? 2 : 1,
    days: later && now && isBeside(later, now) ? 2 : 1,
    menu: await page.getByRole('button', { name: 'Menu' }).isVisible(),
    widest: Math.abs(button.width - card.width) < 2,
    expander: await page.locator('summary').filter({ hasText: 'Documents' }).isVisible(),
    overflow: await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
  }
}

const NARROW = { columns: 1, menu: true, expander: true, overflow: 0 }
const WIDE = { columns: 2, menu: false, expander: false, overflow: 0 }

test('An invoice changes where it should, and nowhere scrolls sideways', async () => {
  const page = await browser.open({ viewport: DESK })
  await page.goto(at(`invoice/${ELIAS.reference}/${ELIAS.zip}`))
  await page.getByRole('radio', { name: /^Pay now/ }).check()
  await page.getByText('What has happened').waitFor()
  for (const [width, seen] of [
    [320, { ...NARROW, days: 1, widest: true }],
    [400, { ...NARROW, days: 1, widest: true }],
    [425, { ...NARROW, days: 1, widest: true }],
    [700, { ...NARROW, days: 1, widest: false }],
    [949, { ...NARROW, days: 1, widest: false }],
    [950, { ...NARROW, days: 2, widest: false }],
    [960, { ...NARROW, days: 2, widest: false }],
    // The column where one pays is too narrow for both days until here.
    [961, { ...WIDE, days: 1, widest: true }],
    [1280, { ...WIDE, days: 2, widest: true }],
    [1553, { ...WIDE, days: 2, widest: true }],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    expect(await lookAt(page), `${width} pixels`).toEqual(seen)
  }
  expect((await boxOf(page.locator('main'))).width).toBeLessThanOrEqual(1280)
})

test('A claim’s copy is a button on a desk and stands in an expander on a phone', async () => {
  const page = await browser.open({ viewport: DESK })
  await page.goto(at(`collection-batch/${CLAIM.reference}?zip=${CLAIM.zip}`))
  const copy = page.getByRole('button', { name: 'Download the demand' })
  await copy.waitFor()
  await page.setViewportSize({ width: 960, height: 900 })
  expect(await copy.count()).toBe(0)
  await page.locator('summary').filter({ hasText: 'Documents' }).click()
  await copy.waitFor()
})

test('What has happened stands at 5, 25, 45, 65 and 85 hundredths; the rest is a press away', async () => {
  const page = await browser.open({ viewport: DESK })
  await page.goto(at('collection-batch/770260370521?zip=21115'))
  const history = page.getByRole('region', { name: 'What has happened' })
  await history.getByRole('button', { name: 'Earlier' }).waitFor()
  const card = await boxOf(history)
  const places = async () => {
    const icons = await history.locator('li:visible .icon').all()
    const boxes = await Promise.all(icons.map((icon) => boxOf(icon.locator('xpath=..'))))
    return boxes.map(({ x }) => Math.round(((x - card.x) / card.width) * 100))
  }
  expect(await places()).toEqual([5, 25, 45, 65, 85])
  await history.getByRole('button', { name: 'Earlier' }).click()
  expect(await places()).toEqual([5, 25, 45, 65, 85])
})
