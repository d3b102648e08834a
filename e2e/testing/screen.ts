/** A screen of the portal, and how one gets there. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import type { Language } from './browser.ts'
import type { Invoiced } from './debtor.ts'

export type Screen = {
  readonly name: string
  /** Opens it in a page where nobody is logged in. */
  go(page: Page, language: Language): Promise<void>
  /** What the browser reports about it though nothing is wrong. */
  readonly trouble?: RegExp
}

export const PAID: Invoiced = { reference: '260126619220', zip: '11122' }
/** Offered plans, and one that has been taken. */
export const PLANS: Invoiced = { reference: '260112159629', zip: '11122' }
export const PLANNED: Invoiced = { reference: '260108544727', zip: '11122' }
export const CLAIM: Invoiced = { reference: '770235066220', zip: '11122' }

/** The way to pay, as it stands on any page where one can. */
export const METHODS = 'input[name="method"]'

export async function goToView(page: Page, address: string, shown: string): Promise<void> {
  // Whoever was logged in is gone: the next screen must not ask about another invoice first.
  if (page.url().startsWith('http')) {
    await page.evaluate(() => {
      sessionStorage.clear()
      localStorage.clear()
    })
    await page.goto('about:blank')
  }
  await page.goto(address)
  await page.locator(shown).first().waitFor()
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
}

/** A message as the portal has it. */
export function sayIn(language: Language, id: string): string {
  const file = fileURLToPath(new URL(`../../apps/debtor/src/language/${language}.json`, import.meta.url))
  return (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>)[id] ?? ''
}
