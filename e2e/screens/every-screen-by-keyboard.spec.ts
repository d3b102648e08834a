/** Every screen with Tab alone: each stop can be seen, and the way goes down the page. */
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { PHONE, DESK, runBrowser } from '../testing/browser.ts'
import { beginAtTop, faultsOf, readStop, walk, type Stop } from '../testing/keyboard.ts'
import { sharedProduct } from '../testing/product.ts'
import { halfOf, sampleFor } from '../testing/sample.ts'
import { listScreens, preparePayments } from '../testing/screens.ts'

const product = await sharedProduct()
const browser = await runBrowser()
await preparePayments(product)

/** Escape closes what lies over the page, and what it was opened with has the focus again. */
async function expectBack(page: Page, opened: Locator): Promise<void> {
  await page.keyboard.press('Escape')
  await expect.poll(() => opened.count()).toBe(0)
  const back = await readStop(page)
  expect(back?.name, 'the focus goes back').toMatch(/^(?:button|input)/)
  expect(back?.isInDialog).toBe(false)
  expect(back?.faults).toEqual([])
}

/** Walks twice where the first walk found a fault: a page that still grows moves what has the focus, and a real fault is there both times. */
async function walkAtRest(page: Page, isOver: boolean): Promise<readonly Stop[]> {
  for (let walks = 0; ; walks += 1) {
    if (!isOver) await beginAtTop(page)
    const stops = await walk(page)
    if (walks === 1 || faultsOf(stops).length === 0) return stops
  }
}

for (const [place, screen] of halfOf(listScreens(product), 1).entries()) {
  test(`${screen.name}: Tab leads through it, and the focus can always be seen`, async () => {
    if (screen.trouble) browser.expectTrouble(screen.trouble)
    const page = await browser.open({ viewport: PHONE })
    await screen.go(page, 'en')
    const menu = page.locator('[popover]:popover-open')
    if ((await menu.count()) > 0) {
      await page.keyboard.press('Tab')
      expect((await readStop(page))?.isInDialog).toBe(true)
      await expectBack(page, menu)
    }
    const dialog = page.locator('dialog[open]')
    const isOver = (await dialog.count()) > 0
    const stops = await walkAtRest(page, isOver)
    expect(stops.length).toBeGreaterThan(0)
    expect(faultsOf(stops)).toEqual([])
    if (isOver) {
      expect(stops.filter(({ isInDialog }) => !isInDialog).map(({ name }) => name)).toEqual([])
      return expectBack(page, dialog)
    }
    if (!sampleFor(place, [DESK, PHONE]).includes(DESK)) return
    // Two columns have an order of their own; what is focused can be seen there too.
    await page.setViewportSize(DESK)
    await beginAtTop(page)
    expect(
      (await walk(page)).flatMap(({ name, faults }) => faults.map((fault) => `${name} ${fault}`)),
    ).toEqual([])
  })
}

test('The page has moved behind a dialog: what it was opened with is brought into sight', async () => {
  const page = await browser.open({ viewport: PHONE })
  const opened = listScreens(product).find(({ name }) => name === 'why did I get this')
  await opened?.go(page, 'en')
  await page.evaluate(() => {
    const late = document.createElement('div')
    late.style.height = '3000px'
    document.querySelector('main')?.prepend(late)
  })
  await expectBack(page, page.locator('dialog[open]'))
})

test('A fault would be found: a button without a ring, and one that comes too late', async () => {
  const page = await browser.open({ viewport: PHONE })
  await listScreens(product)[0]?.go(page, 'en')
  await page.evaluate(() => {
    const late = Object.assign(document.createElement('button'), { textContent: 'late' })
    late.style.cssText = 'position: absolute; inset: 0 auto auto 0; outline: none'
    document.body.append(late)
  })
  await beginAtTop(page)
  expect(faultsOf(await walk(page)).join()).toMatch(/"late" has no ring,.*"late" comes after .* above it/)
})
