/** The parts that portals are made of, under five providers' colours in both themes. */
import { fileURLToPath } from 'node:url'
import type Axe from 'axe-core'
import type { RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import { createServer } from 'vite'
import { afterAll, expect, test } from 'vitest'
import { AXE_OPTIONS, expectAccessible, loadAxe } from '../testing/accessibility.ts'
import { DESK, PHONE, runBrowser } from '../testing/browser.ts'
import { findPorts } from '../testing/ports.ts'
import { isWhole } from '../testing/sample.ts'

const server = await createServer({
  configFile: fileURLToPath(new URL('../../apps/debtor/lab/vite.config.ts', import.meta.url)),
  logLevel: 'error',
  server: { port: await findPorts(), strictPort: true, hmr: false },
})
await server.listen()
afterAll(() => server.close())
const address = server.resolvedUrls?.local[0] ?? ''
const browser = await runBrowser()
const PALETTES = ['none', 'teal', 'orange', 'pale yellow', 'mid grey']

/** Walking all pages of the lab takes its time where others work on the same machine. */
const LONGEST_MS = 400_000

/** Opens the lab, and says which pages it has: the ui package, and what the portal is made of. */
async function openLab(page: Page): Promise<string[]> {
  await page.goto(address)
  await page.getByRole('button', { name: 'Parts' }).click()
  const links = page.getByRole('navigation', { name: 'Parts' }).getByRole('link')
  return links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
}

type Walk = {
  readonly pages: readonly string[]
  readonly palette: string
  readonly themes: readonly string[]
  readonly options: RunOptions
}

/** Runs in the browser: shows each page without loading it anew, and says what is wrong with it. */
async function walk({ pages, palette, themes, options }: Walk): Promise<string[]> {
  const { axe } = globalThis as unknown as { axe: typeof Axe }
  const seen = { at: 0 }
  new MutationObserver(() => (seen.at = performance.now())).observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
  })
  const faults: string[] = []
  for (const page of pages) {
    for (const theme of themes) {
      const asked = new URLSearchParams(page)
      asked.set('palette', palette)
      asked.set('theme', theme)
      history.pushState(null, '', `?${asked}`)
      dispatchEvent(new PopStateEvent('popstate'))
      seen.at = performance.now()
      // What it begins with has come.
      while (performance.now() - seen.at < 30) await new Promise((next) => setTimeout(next, 10))
      const { violations } = await axe.run(document, options)
      const found = violations.flatMap((v) =>
        v.nodes.map((node) => `${v.id}: ${node.target.join(' ')} ${node.html}`),
      )
      const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
      found.push(...ids.filter((id, place) => ids.indexOf(id) < place).map((id) => `${id} stands twice`))
      const { scrollWidth, clientWidth } = document.documentElement
      if (scrollWidth > clientWidth) found.push('scrolls sideways')
      faults.push(...found.map((fault) => `${asked.get('part')}, ${asked.get('state')}, ${theme}: ${fault}`))
    }
  }
  return faults
}

test.each(PALETTES)(
  '%s: everything can be read in the light and in the dark',
  { timeout: LONGEST_MS },
  async (palette) => {
    const page = await browser.open({ viewport: DESK })
    const pages = await openLab(page)
    expect(await page.getByRole('navigation', { name: 'Palette' }).getByRole('link').allInnerTexts()).toEqual(
      PALETTES,
    )
    await loadAxe(page)
    // All of them under all palettes take three minutes: `SOAK=1`. Else every second one is shown, under one palette.
    const mine = PALETTES.indexOf(palette)
    const shown = pages.filter((_, place) => isWhole || place % (2 * PALETTES.length) === 2 * mine)
    const options = { ...AXE_OPTIONS, runOnly: ['color-contrast'] }
    expect(await page.evaluate(walk, { pages: shown, palette, themes: ['light', 'dark'], options })).toEqual(
      [],
    )
  },
)

test.each([DESK, PHONE])('$width pixels: axe finds nothing', { timeout: LONGEST_MS }, async (viewport) => {
  const page = await browser.open({ viewport })
  const pages = await openLab(page)
  expect(pages.length).toBeGreaterThan(150)
  await expectAccessible(page, 'the list of parts')
  // In the soak all of them at both widths, else those that no palette is tried with, each at one.
  const shown = pages.filter((_, place) => isWhole || place % 4 === (viewport === DESK ? 1 : 3))
  const options = AXE_OPTIONS
  expect(await page.evaluate(walk, { pages: shown, palette: 'teal', themes: ['light'], options })).toEqual([])
})
