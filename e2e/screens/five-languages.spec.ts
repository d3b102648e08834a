import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { overflowOf } from '../testing/accessibility.ts'
import { LANGUAGES, PHONE, runBrowser, type Language } from '../testing/browser.ts'
import { sharedProduct } from '../testing/product.ts'
import { sampleFor } from '../testing/sample.ts'
import { goToBank, listScreens, preparePayments } from '../testing/screens.ts'

const product = await sharedProduct()
const browser = await runBrowser()
await preparePayments(product)
const screens = listScreens(product)

const START: Record<Language, string> = {
  sv: 'E-legitimation',
  en: 'Electronic ID',
  nb: 'Elektronisk ID',
  da: 'Elektronisk ID',
  fi: 'Sähköinen tunnistautuminen',
}

/** Texts that were never translated show their identifier, such as "payment.thank_you" or "{amount}". */
function findRawTexts(text: string): string[] {
  const withoutAddresses = text.replaceAll(/\S+@\S+|https?:\S+|\S+\.pdf/g, '')
  return [
    ...withoutAddresses.matchAll(/\b[a-z]+(?:_[a-z]+)*\.[a-z]+(?:_[a-z]+)*\b|\{\w+\}|undefined|NaN/g),
  ].map(([raw]) => raw)
}

async function expectSpoken(page: Page, language: Language, where: string): Promise<void> {
  expect(await page.locator('html').getAttribute('lang'), where).toBe(language)
  expect(findRawTexts(await page.locator('body').innerText()), where).toEqual([])
  expect(await page.title(), where).toMatch(/\S.* – Nordklar/)
  expect(await overflowOf(page), `${where} scrolls sideways`).toBe(0)
}

for (const language of LANGUAGES) {
  test(`The screens speak ${language}`, async () => {
    const page = await browser.open({ language, viewport: PHONE })
    for (const [place, screen] of screens.entries()) {
      if (!sampleFor(place, LANGUAGES).includes(language)) continue
      if (screen.trouble) browser.expectTrouble(screen.trouble)
      await screen.go(page, language)
      await expectSpoken(page, language, `${screen.name} in ${language}`)
    }
    await goToBank(page, product)
    expect(await page.locator('html').getAttribute('lang')).toBe(language)
  })
}

test('The start page names its ways in in each language, and the switch keeps the place', async () => {
  const page = await browser.open()
  for (const language of LANGUAGES) {
    await page.goto(`${product.address}/#/${language}/`)
    await page.getByRole('button', { name: START[language] }).last().waitFor()
  }
  await page.goto(`${product.address}/#/en/invoice/260101314920/41105`)
  await page.getByRole('heading', { level: 1, name: 'Invoice 261037' }).waitFor()
  await page
    .getByRole('button', { name: /English/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Svenska' }).click()
  await page.getByRole('heading', { level: 1, name: 'Faktura 261037' }).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('sv')
  expect(page.url()).toContain('#/sv/invoice/260101314920/41105')
})

test('Swedish letters, dates and amounts are written as Swedes write them', async () => {
  const page = await browser.open({ language: 'sv' })
  await page.goto(`${product.address}/#/sv/invoice/260101314920/41105`)
  await page.getByRole('heading', { level: 1, name: 'Faktura 261037' }).waitFor()
  const text = (await page.getByRole('main').innerText()).replaceAll(/\s+/g, ' ')
  expect(text).toContain('Fjällström Demo Energi AB')
  expect(text).toContain('842,00 kr')
  expect(text).toMatch(
    /\d+ (januari|februari|mars|april|maj|juni|juli|augusti|september|oktober|november|december) 20\d\d/,
  )
  expect(text).not.toMatch(/Ã|�/)
})
