/** Somebody whose system sets the colours: backgrounds and shadows are gone, and everything can still be told apart. */
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { overflowOf } from '../testing/accessibility.ts'
import { DESK, PHONE, runBrowser } from '../testing/browser.ts'
import { beginAtTop, walk } from '../testing/keyboard.ts'
import { sharedProduct } from '../testing/product.ts'
import { halfOf, sampleFor } from '../testing/sample.ts'
import { METHODS, PLANS } from '../testing/screen.ts'
import { listScreens, preparePayments } from '../testing/screens.ts'

const product = await sharedProduct()
const browser = await runBrowser()
await preparePayments(product)

/** What can be pressed and does not look it, and parts whose edge has gone with their ground. */
function findFlat(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isSeen = (element: Element): boolean => {
      const { width, height } = element.getBoundingClientRect()
      return element.checkVisibility() && width > 4 && height > 4 && getComputedStyle(element).opacity !== '0'
    }
    const hasEdge = (element: Element): boolean => {
      const style = getComputedStyle(element)
      return [style.borderTopWidth, style.borderBottomWidth].some((width) => Number.parseFloat(width) >= 1)
    }
    const isUnderlined = (element: Element): boolean =>
      [element, ...element.querySelectorAll('*')].some((at) =>
        getComputedStyle(at).textDecorationLine.includes('underline'),
      )
    const name = (element: Element): string =>
      `${element.tagName.toLowerCase()}.${element.className} "${element.textContent?.trim().slice(0, 40)}"`
    const look = getComputedStyle(document.body).color
    const flat: string[] = []
    for (const element of document.querySelectorAll('button, a[href], summary')) {
      const isLink = element.tagName === 'A' && getComputedStyle(element).color !== look
      const hasSign = element.querySelector('svg, img') !== null
      if (isSeen(element) && !hasEdge(element) && !isUnderlined(element) && !isLink && !hasSign)
        flat.push(name(element))
    }
    for (const element of document.querySelectorAll('input, select, textarea')) {
      const isDrawn = getComputedStyle(element).appearance !== 'none'
      if (isSeen(element) && !isDrawn && !hasEdge(element)) flat.push(name(element))
    }
    // The filled button has no ground any more: it has an edge.
    for (const element of document.querySelectorAll('[data-look="primary"]')) {
      if (isSeen(element) && !hasEdge(element)) flat.push(name(element))
    }
    return flat
  })
}

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

async function boxOf(locator: Locator): Promise<Box> {
  await locator.scrollIntoViewIfNeeded()
  const box = await locator.boundingBox()
  if (!box) throw new Error(`${locator.toString()} is not there`)
  return box
}

/** How many pixels of a part of the window are not as the one at its corner. */
async function inkOf(page: Page, clip: Box): Promise<number> {
  const picture = (await page.screenshot({ clip, animations: 'disabled' })).toString('base64')
  return page.evaluate(async (data) => {
    const image = await createImageBitmap(
      new Blob([Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0))], { type: 'image/png' }),
    )
    const pen = new OffscreenCanvas(image.width, image.height).getContext('2d')
    if (!pen) throw new Error('nothing to look with')
    pen.drawImage(image, 0, 0)
    const { data: points } = pen.getImageData(0, 0, image.width, image.height)
    let ink = 0
    for (let at = 0; at < points.length; at += 4) {
      const differs = [0, 1, 2].some((c) => Math.abs((points[at + c] ?? 0) - (points[c] ?? 0)) > 96)
      if (differs) ink += 1
    }
    return ink
  }, picture)
}

/** What moves, fades or turns. */
const findMoving = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ effect }) => Number(effect?.getComputedTiming().activeDuration) > 10)
      .map(
        (animation) =>
          (animation as CSSAnimation).animationName ?? (animation as CSSTransition).transitionProperty,
      ),
  )

for (const [place, screen] of halfOf(listScreens(product), 0).entries()) {
  test(`${screen.name}: what can be pressed looks it, the focus has a ring, and nothing moves`, async () => {
    if (screen.trouble) browser.expectTrouble(screen.trouble)
    const page = await browser.open({ viewport: PHONE })
    await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
    await screen.go(page, 'en')
    expect(await findMoving(page), 'although less motion was asked for').toEqual([])
    for (const viewport of sampleFor(place, [PHONE, DESK])) {
      await page.setViewportSize(viewport)
      expect(await findFlat(page), `${viewport.width} px`).toEqual([])
      expect(await overflowOf(page)).toBe(0)
    }
    if ((await page.locator('dialog[open]').count()) === 0) await beginAtTop(page)
    const stops = await walk(page)
    expect(stops.flatMap(({ name, faults }) => faults.map((fault) => `${name} ${fault}`))).toEqual([])
  })
}

test.each(['light', 'dark'] as const)(
  'On a %s ground: what is chosen, the history, where one is, icons and codes can be seen',
  async (colorScheme) => {
    const page = await browser.open({ viewport: DESK })
    await page.emulateMedia({ forcedColors: 'active', colorScheme, reducedMotion: 'reduce' })
    await page.goto(`${product.address}/#/en/invoice/${PLANS.reference}/${PLANS.zip}`)
    await page.locator(METHODS).first().waitFor()
    const ink = async (locator: Locator) => inkOf(page, await boxOf(locator))

    const chosen = await ink(page.locator(`${METHODS}:checked`))
    const other = await ink(page.locator(`${METHODS}:not(:checked)`).first())
    expect(chosen).toBeGreaterThan(2 * other)

    const steps = page.locator('section[aria-labelledby="history-heading"] li')
    const [sign, step] = [await boxOf(steps.first().locator('svg')), await boxOf(steps.first())]
    const besideSign = { x: sign.x + 50, y: step.y + 8, width: 8, height: 16 }
    expect(await inkOf(page, besideSign), 'the line from event to event').toBeGreaterThan(0)

    const here = await boxOf(page.getByRole('link', { name: 'My invoices' }))
    const bar = await boxOf(page.getByRole('banner'))
    const underHere = { x: here.x + 8, y: bar.y + bar.height - 8, width: 4, height: 8 }
    expect(await inkOf(page, underHere), 'the line under where one is').toBeGreaterThan(8)

    for (const icon of await page.locator('main svg.icon:visible').all()) {
      expect(await ink(icon), await icon.evaluate((at) => at.parentElement?.className)).toBeGreaterThan(0)
    }
    await page.goto(`${product.address}/#/en/`)
    await page.getByRole('button', { name: /^Electronic ID/ }).click()
    const code = page.getByRole('img', { name: 'QR code for the BankID app' })
    await code.waitFor()
    const { width, height } = await boxOf(code)
    const share = (await ink(code)) / (width * height)
    expect(share).toBeGreaterThan(0.2)
    expect(share).toBeLessThan(0.6)
  },
)
