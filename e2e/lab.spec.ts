/** The parts that portals are made of, under five providers' colours in both themes. */
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'
import { afterAll, expect, test } from 'vitest'
import { expectAccessible } from './accessibility.ts'
import { DESK, runBrowser } from './browser.ts'
import { findPorts } from './ports.ts'

const server = await createServer({
  configFile: fileURLToPath(new URL('../apps/debtor/lab/vite.config.ts', import.meta.url)),
  logLevel: 'error',
  server: { port: await findPorts(), strictPort: true, hmr: false },
})
await server.listen()
afterAll(() => server.close())
const address = server.resolvedUrls?.local[0] ?? ''
const browser = await runBrowser()
const PALETTES = ['none', 'teal', 'orange', 'pale yellow', 'mid grey']

test.each(PALETTES)('%s: axe finds nothing in the light and in the dark', async (palette) => {
  const page = await browser.open({ viewport: DESK })
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await page.goto(`${address}?${new URLSearchParams({ palette, theme })}`)
    await page.getByRole('heading', { level: 1, name: 'Lab' }).waitFor()
    expect(await page.getByRole('navigation', { name: 'Palette' }).getByRole('link').allInnerTexts()).toEqual(
      PALETTES,
    )
    await expectAccessible(page, `${palette}, ${theme}`)
    await page.getByRole('button', { name: 'Open a dialog' }).click()
    await expectAccessible(page, `${palette}, ${theme}, dialog`)
    await page.keyboard.press('Escape')
    expect(await page.getByRole('dialog').count()).toBe(0)
  }
})
