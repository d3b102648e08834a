import { expect, test } from 'vitest'
import { expectAccessible, findFaults, overflowOf } from '../testing/accessibility.ts'
import { DESK, PHONE, runBrowser } from '../testing/browser.ts'
import { listMoreScreens } from '../testing/more-screens.ts'
import { sharedProduct } from '../testing/product.ts'
import { sampleFor } from '../testing/sample.ts'
import type { Screen } from '../testing/screen.ts'
import { goToBank, listScreens, preparePayments } from '../testing/screens.ts'

const product = await sharedProduct()
const browser = await runBrowser()
await preparePayments(product)
const screens = listScreens(product)

const LOOKS = [
  { viewport: PHONE, scheme: 'light' },
  { viewport: DESK, scheme: 'dark' },
  { viewport: PHONE, scheme: 'dark' },
  { viewport: DESK, scheme: 'light' },
] as const
type Look = (typeof LOOKS)[number]

function expectNothing(screen: Screen, looks: readonly Look[]): void {
  const names = looks.map(({ viewport, scheme }) => `${viewport.width} px ${scheme}`)
  test(`${screen.name}: axe finds nothing at ${names.join(', ')}`, async () => {
    if (screen.trouble) browser.expectTrouble(screen.trouble)
    const page = await browser.open(LOOKS[0])
    await screen.go(page, 'en')
    for (const { viewport, scheme } of looks) {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
      await expectAccessible(page, `${screen.name}, ${viewport.width} px, ${scheme}`)
    }
    expect(await page.title()).toMatch(/\S.* – Nordklar Demo Inkasso AB$/)
    // The width at which a page enlarged to 400 % on a desk stands.
    await page.setViewportSize({ width: 320, height: 640 })
    await expect.poll(() => overflowOf(page)).toBe(0)
  })
}

for (const [place, screen] of screens.entries()) expectNothing(screen, sampleFor(place, LOOKS))
// Other states of the same parts: a phone in the dark and a desk in the light tell what there is to tell.
for (const [place, screen] of listMoreScreens(product).entries())
  expectNothing(screen, sampleFor(place, LOOKS.slice(2)))

test('A fault would be found: a field without a name, and a page that is too wide', async () => {
  const page = await browser.open()
  await screens[0]?.go(page, 'en')
  await page.evaluate(() => document.querySelector('main')?.append(document.createElement('input')))
  expect((await findFaults(page)).join()).toMatch(/^label: /)
  await page.evaluate(() => document.body.style.setProperty('width', '500px'))
  expect(await overflowOf(page)).toBe(100)
})

test('The sandbox and the bank’s page: axe finds nothing', async () => {
  for (const look of LOOKS) {
    const page = await browser.open(look)
    await page.goto(product.sandboxAddress)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expectAccessible(page, `sandbox, ${look.viewport.width} px, ${look.scheme}`)
    await goToBank(page, product)
    await expectAccessible(page, `bank, ${look.viewport.width} px, ${look.scheme}`)
  }
})
