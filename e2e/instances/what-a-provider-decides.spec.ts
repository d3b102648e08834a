/** Colours, a picture and the advertisement: whatever a provider chooses, people can read and tell what is what. */
import { expect, test } from 'vitest'
import { computePalette } from '../../packages/domain/src/instances/palette.ts'
import { expectAccessible } from '../testing/accessibility.ts'
import { DESK, PHONE, runBrowser } from '../testing/browser.ts'
import { ELIAS } from '../testing/debtor.ts'
import { ownProduct } from '../testing/product.ts'

const product = await ownProduct('it changes what the provider has decided')
const browser = await runBrowser()

const LOOKS = [
  { viewport: PHONE, scheme: 'light' },
  { viewport: PHONE, scheme: 'dark' },
  { viewport: DESK, scheme: 'light' },
  { viewport: DESK, scheme: 'dark' },
] as const

const SCREENS = [
  '',
  `invoice/${ELIAS.reference}/${ELIAS.zip}`,
  `customerService/${ELIAS.reference}/${ELIAS.zip}`,
]

test.each([
  ['pale yellow', '#fff7a8', '#ffef5e'],
  ['mid grey', '#7f7f7f', '#808080'],
])('In %s every text has enough contrast', async (_name, primary, button) => {
  await product.readRows(
    `update instance set primary_colour = $1, secondary_colour = $1, button_colour = $2, palette = $3,
       background_name = login_background_name
     where is_default`,
    [primary, button, JSON.stringify(computePalette({ primary, button }))],
  )
  // The server looks again after five seconds.
  await new Promise((settle) => setTimeout(settle, 5_200))
  for (const screen of SCREENS) {
    const page = await browser.open(LOOKS[0])
    await page.goto(`${product.address}/#/en/${screen}`)
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
    expect(await page.content()).toContain(`--brand-1:${primary}`)
    for (const { viewport, scheme } of LOOKS) {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
      await expectAccessible(page, `${screen || 'start'}, ${viewport.width} px, ${scheme}`)
    }
  }
})

test('The provider’s picture stands beside a page on a wide screen and never under its words', async () => {
  const page = await browser.open({ viewport: { width: 1700, height: 900 } })
  await page.goto(`${product.address}/#/en/invoice/${ELIAS.reference}/${ELIAS.zip}`)
  await page.locator('html[data-picture]').waitFor()
  const grounds = await page.evaluate(() =>
    ['body', 'main', 'footer', 'header'].map((place) => {
      const element = document.querySelector(place)
      const style = element && getComputedStyle(element)
      return `${place} ${style?.backgroundImage === 'none' ? style.backgroundColor : 'picture'}`
    }),
  )
  expect(grounds).toEqual([
    'body picture',
    'main rgb(246, 247, 249)',
    'footer rgb(246, 247, 249)',
    'header rgb(255, 255, 255)',
  ])
})

test('The advertisement is named, last on the page, and of the product’s own company alone', async () => {
  const page = await browser.open({ viewport: PHONE })
  const address = `${product.address}/#/en/invoice/${ELIAS.reference}/${ELIAS.zip}`
  await page.goto(address)
  const ad = page.getByRole('complementary', { name: 'Advertisement' })
  await ad.waitFor()
  expect(await ad.getByRole('link').count()).toBe(2)
  for (const link of await ad.getByRole('link').all()) {
    expect(await link.getAttribute('href')).toMatch(/^https:/)
    expect(await link.getAttribute('rel')).toContain('noopener noreferrer')
  }
  expect(
    await ad.evaluate((element) => element.closest('main')?.lastElementChild?.lastElementChild === element),
  ).toBe(true)
  await product.readRows('update instance set is_product_owner = false where is_default')
  await new Promise((settle) => setTimeout(settle, 5_200))
  await page.goto('about:blank')
  await page.goto(address)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.getByRole('contentinfo').waitFor()
  expect(await ad.count()).toBe(0)
})
