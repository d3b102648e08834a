/**
 * Pictures of every screen, for looking at: `npm run gallery`. A screen that cannot be reached or scrolls sideways
 * fails; everything else is for eyes.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { computePalette } from '../../packages/domain/src/instances/palette.ts'
import { overflowOf } from '../testing/accessibility.ts'
import { runBrowser, type Language } from '../testing/browser.ts'
import { listMoreScreens } from '../testing/more-screens.ts'
import { ownProduct } from '../testing/product.ts'
import type { Screen } from '../testing/screen.ts'
import { listScreens, preparePayments } from '../testing/screens.ts'
import { listSiteScreens, listStaffScreens } from './other-screens.ts'

const folder = process.env.GALLERY_FOLDER ?? 'gallery'
/** A part of a screen's name: only those that have it. */
const wanted = process.env.GALLERY_ONLY ?? ''

const WIDTHS = [320, 400, 426, 961, 1553] as const
const THEMES = ['light', 'dark'] as const
const LANGUAGES: readonly Language[] = ['sv', 'fi']
/** Hard to read on white, and hard to tell from anything: primary and button colour. */
const HOSTILE = {
  'pale yellow': ['#fff7a8', '#ffef5e'],
  'mid grey': ['#7f7f7f', '#808080'],
} as const

const product = await ownProduct('the gallery is run alone')
const browser = await runBrowser()
await preparePayments(product)
const isWanted = ({ name }: Screen): boolean => name.includes(wanted)
const screens = [...listScreens(product), ...listMoreScreens(product)].filter(isWanted)
const others = [...listSiteScreens(product), ...listStaffScreens(product)].filter(isWanted)

/** What stands still while the page moves is where it begins, and what is laid out only when it is near is drawn. */
function drawAll(): void {
  scrollTo(0, 0)
  for (const part of document.querySelectorAll<HTMLElement>('main > *'))
    part.style.contentVisibility = 'visible'
}

async function takePictures(page: Page, at: readonly string[], widths: readonly number[]): Promise<void> {
  const place = join(folder, ...at.slice(0, -1))
  mkdirSync(place, { recursive: true })
  // Never narrower again: what a dialog has been scrolled to stays.
  for (const width of widths) {
    await page.setViewportSize({ width, height: width < 900 ? 800 : 900 })
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const name = `${at.at(-1)?.replaceAll(' ', '-')}-${width}-${colorScheme}.png`
      // A list becomes cards a moment after the window has changed.
      await expect.poll(() => overflowOf(page), { message: `${name} scrolls sideways` }).toBe(0)
      // A wide window has pictures that a narrow one has not.
      await page.waitForLoadState('networkidle')
      // A dialog stands over the window, not over the page.
      const fullPage = (await page.locator('dialog[open]').count()) === 0
      if (fullPage) await page.evaluate(drawAll)
      await page.screenshot({ path: join(place, name), fullPage })
    }
  }
}

async function paint([primary, button]: readonly [string, string]): Promise<void> {
  await product.readRows(
    `update instance set primary_colour = $1, secondary_colour = $1, button_colour = $2, palette = $3
     where is_default`,
    [primary, button, JSON.stringify(computePalette({ primary, button }))],
  )
  // The server looks again after five seconds.
  await new Promise((settle) => setTimeout(settle, 5_500))
}

async function expectPictures(
  screen: Screen,
  language: Language,
  at: string,
  widths: readonly number[],
): Promise<void> {
  browser.expectTrouble(/./)
  const page = await browser.open({ language, viewport: { width: WIDTHS[0], height: 800 } })
  await screen.go(page, language)
  await takePictures(page, [at, language, screen.name], widths)
}

for (const language of LANGUAGES) {
  for (const screen of [...screens, ...others])
    test(`${screen.name} in ${language}`, () => expectPictures(screen, language, 'own', WIDTHS))
}

for (const [name, colours] of Object.entries(HOSTILE)) {
  test(`every screen in ${name}`, async () => {
    await paint(colours)
    for (const screen of screens) await expectPictures(screen, 'sv', name.replace(' ', '-'), [400, 961])
  })
}
