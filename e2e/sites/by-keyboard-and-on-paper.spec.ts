/** The two sites for somebody with a keyboard, on paper, and where an answer or nothing stands. */
import { expect, test } from 'vitest'
import { expectAccessible } from '../testing/accessibility.ts'
import { runBrowser } from '../testing/browser.ts'
import { ALVA } from '../testing/debtor.ts'
import { beginAtTop, faultsOf, pressOn, tabTo, walk } from '../testing/keyboard.ts'
import { sharedProduct } from '../testing/product.ts'

const product = await sharedProduct()
const browser = await runBrowser()

test.each(['/home/en/', '/home/en/waiting/', '/support/en/', '/support/en/already-paid/'])(
  'Tab leads through %s once, in the order of the page, and every stop is seen',
  async (path) => {
    const page = await browser.open({ language: 'en' })
    await page.goto(product.address + path)
    await beginAtTop(page)
    const stops = await walk(page)
    expect(stops[0]?.name).toContain('Skip to')
    expect(stops.length).toBeGreaterThan(8)
    // The link over the header is in sight only while it has the focus.
    expect(faultsOf(stops.slice(1))).toEqual([])
  },
)

test('With a keyboard alone a message is checked, the language changed and an answer found', async () => {
  const page = await browser.open({ language: 'en' })
  await page.goto(`${product.address}/home/en/`)
  await tabTo(page.getByLabel('Link, reference, account or sender'))
  await page.keyboard.type(ALVA.reference)
  await page.keyboard.press('Enter')
  await page.getByText('Yes, the reference is ours.').waitFor()

  await beginAtTop(page)
  await pressOn(page.locator('details.languages summary'))
  await tabTo(page.getByRole('link', { name: 'Svenska' }))
  await page.keyboard.press('Enter')
  await page.waitForURL(`${product.address}/home/sv/`)

  await page.goto(`${product.address}/support/en/`)
  await tabTo(page.getByRole('combobox'))
  await page.keyboard.type('I have alredy paid')
  await page.getByRole('option').first().waitFor()
  // Escape leaves the list and what was typed stays.
  await page.keyboard.press('Escape')
  expect(await page.getByRole('option').count()).toBe(0)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(`${product.address}/support/en/already-paid/`)

  // The answer that is chosen is opened, not the first.
  await page.goto(`${product.address}/support/en/`)
  await tabTo(page.getByRole('combobox'))
  await page.keyboard.type('I have alredy paid')
  await page.getByRole('option', { name: 'Receipt for the payment' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(`${product.address}/support/en/receipt/`)
})

test('On paper an article is its words, and nothing that only a screen can answer', async () => {
  const page = await browser.open({ language: 'en', scheme: 'dark' })
  await page.goto(`${product.address}/support/en/already-paid/`)
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(true)
  for (const gone of ['.top nav', '.languages', '.skip', '.helped'])
    expect(await page.locator(gone).isVisible(), gone).toBe(false)
  // Dark words on white, whatever the screen was.
  const [ink, paper] = await page.evaluate(() => {
    const { color } = getComputedStyle(document.querySelector('main p') ?? document.body)
    return [color, getComputedStyle(document.documentElement).backgroundColor]
  })
  const light = (rgb = ''): number => Math.max(...(rgb.match(/\d+/g) ?? ['0']).slice(0, 3).map(Number))
  expect(light(ink), ink).toBeLessThan(90)
  expect(paper === 'rgba(0, 0, 0, 0)' || light(paper) > 240, paper).toBe(true)
})

test.each(['home/en/', 'support/en/cannot-pay/', 'support/en/genuine/', 'home/en/waiting/'])(
  'On paper nothing is left to press: %s',
  async (path) => {
    const page = await browser.open({ language: 'en' })
    await page.goto(`${product.address}/${path}`)
    const shown = () => page.locator('.button, button').filter({ visible: true }).count()
    expect(await shown()).toBeGreaterThan(0)
    await page.emulateMedia({ media: 'print' })
    expect(await shown()).toBe(0)
    expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(true)
  },
)

const TYPED = [
  ['yes', ALVA.reference],
  ['no', '2601 0492 9824'],
  ['no', 'You have a message from Nordklar: https://nordklar.example.evil.test/'],
  ['empty', ' '],
] as const

test.each(['light', 'dark'] as const)(
  'axe finds nothing where an answer or nothing stands: %s',
  async (scheme) => {
    const page = await browser.open({ language: 'en', scheme, viewport: { width: 320, height: 800 } })
    for (const [answer, message] of TYPED) {
      await page.goto(`${product.address}/home/en/`)
      await page.getByLabel('Link, reference, account or sender').fill(message)
      await page.getByRole('button', { name: 'Check' }).click()
      await page.locator(answer === 'empty' ? '#answer .fault' : `#answer .${answer}`).waitFor()
      await expectAccessible(page, `${answer} ${scheme}`)
    }
    browser.expectTrouble(/404/)
    for (const site of ['home', 'support']) {
      await page.goto(`${product.address}/${site}/en/nothing/`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await expectAccessible(page, `${site} lost ${scheme}`)
    }
  },
)
