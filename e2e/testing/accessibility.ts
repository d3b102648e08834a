/** What axe and a narrow screen say about a page. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type Axe from 'axe-core'
import type { RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
export const AXE_OPTIONS: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  resultTypes: ['violations'],
  // Everything comes from our own origin; there is nothing to fetch first.
  preload: false,
}

/** Brings axe into the page, where it stays until another is loaded. */
export async function loadAxe(page: Page): Promise<void> {
  if (await page.evaluate(() => 'axe' in globalThis)) return
  // The pages forbid foreign scripts; the debugger's door is not theirs to close. It stays open as long as the page: a session that
  // leaves takes along what others have set up, such as the authenticator of a passkey.
  const session = await page.context().newCDPSession(page)
  await session.send('Runtime.evaluate', { expression: AXE })
}

/** Every finding as "rule: element", so that a failure names the place. */
export async function findFaults(page: Page): Promise<string[]> {
  await loadAxe(page)
  const { violations } = await page.evaluate(
    (options) => (globalThis as unknown as { axe: typeof Axe }).axe.run(document, options),
    AXE_OPTIONS,
  )
  return violations.flatMap((v) => v.nodes.map((node) => `${v.id}: ${node.target.join(' ')} ${node.html}`))
}

/** axe finds nothing, the page has a title and a language, and it does not scroll sideways. */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  const faults = await findFaults(page)
  expect(faults.map((fault) => `${where}: ${fault}`)).toEqual([])
  expect(await overflowOf(page), `${where} scrolls sideways`).toBe(0)
}

/** By how many pixels the page is wider than its window. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return Math.max(0, scrollWidth - clientWidth)
  })
}
